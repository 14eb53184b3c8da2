package report

import (
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

// unsaid is the shop whose proxy is given its read timeout at run time only.
func unsaid(t *testing.T, layer int) *Route {
	t.Helper()
	s := shop()
	n := s.Routes[0].Root
	for range layer {
		n = n.Calls()[0].To
	}
	for i := range n.Calls()[0].Layers[0].Limits {
		if l := &n.Calls()[0].Layers[0].Limits[i]; l.Kind == chain.ResponseHeader || l.Kind == chain.ResponseReadGap {
			l.Bound, l.Why, l.Origin.Source, l.Origin.Pos = chain.Never, chain.WhyInjected, chain.Injected, chain.Range{}
		}
	}
	rep := New()
	rep.Add(s)
	return &rep.Routes[0]
}

func TestAnInjectedValueIsNeitherNeverNorNothing(t *testing.T) {
	const proxy, app = 1, 2
	for _, tt := range []struct {
		says  string
		layer int
		width int
		want  string
	}{
		{"the headline names the setting", proxy, 120, "who gives up first is not known; the person sees 504 from api at 20s, unless proxy_read_timeout, which is injected at run time, ends it before"},
		{"a bar ends nobody knows when", proxy, 160, "█?  unknown: proxy_read_timeout is injected at run time and not given"},
		{"the legend says what its sign means", proxy, 120, "? when it ends is not known"},
		{"a callee's end that rests on it has no number", app, 120, "proxy → api: when api ends is not known: responseTimeout is injected at run time and not given"},
		{"a cell of the table names what may come before", app, 200, "504 proxy 30s unless responseTimeout"},
	} {
		r := unsaid(t, tt.layer)
		if got := strings.Join(r.text(tt.width), "\n"); !strings.Contains(strings.ReplaceAll(got, "\n", " "), tt.want) {
			t.Errorf("%s: no %q in\n%s", tt.says, tt.want, got)
		}
	}
}

func TestALastLayerOfUnknownLimitsEndsNobodyKnowsWhen(t *testing.T) {
	s := shop()
	n := s.Routes[0].Root
	for len(n.Calls()) > 0 {
		n = n.Calls()[0].To
	}
	n.Role = chain.RoleUnknown
	rep := New()
	rep.Add(s)
	h := rep.Routes[0].Hops[len(rep.Routes[0].Hops)-1]
	if chainTime(h.Worst) != chain.Never || h.Wait.Left != nil || !strings.Contains(strings.Join(h.text(120), "\n"), h.To+" never ends by itself") {
		t.Errorf("%q: %v, %v left", h.text(120), h.Worst, h.Wait.Left)
	}
}

func TestTheWaitOfAllHasNoNumberWhereItIsNotKnown(t *testing.T) {
	s := shop()
	s.Routes[0].Root.Calls()[0].Layers = []chain.ClientLayer{{Limits: []chain.Limit{limit(chain.TotalDeadline, chain.Never, said("web", "timeout", 5))}}}
	s.Routes[0].Root.Calls()[0].Layers[0].Limits[0].Why = chain.WhyInjected
	rep := New()
	rep.Add(s)
	if got, want := rep.Routes[0].summary(), "how long web waits at most is not known: timeout is injected at run time and not given"; !strings.HasSuffix(got, want) {
		t.Error(got)
	}
}

func TestNothingIsLeftUnderALimitWhereACalleesEndIsNotKnown(t *testing.T) {
	const app = 2
	h := unsaid(t, app).Hops[1]
	if h.Wait.Left != nil || len(h.NotChecked) != 1 {
		t.Errorf("left %v, not checked %q", h.Wait.Left, h.NotChecked)
	}
	for _, l := range h.Limits {
		if l.Slack != nil {
			t.Errorf("%s has a slack of %s", l.Setting, l.Slack)
		}
	}
}

func TestALimitBesideOneThatIsNotKnownIsAMost(t *testing.T) {
	s := shop()
	limits := &s.Routes[0].Root.Calls()[0].To.Calls()[0].Layers[0].Limits
	total := limit(chain.TotalDeadline, chain.Never, said("proxy", "total", 7))
	total.Why = chain.WhyInjected
	*limits = append(*limits, total)
	rep := New()
	rep.Add(s)
	w := rep.Routes[0].Hops[1].Wait
	if got := w.limitText(); got != "at most 30s proxy_read_timeout" || w.Left != nil || w.Why != "unknown: total is injected at run time and not given" {
		t.Errorf("%q, left %v, why %q", got, w.Left, w.Why)
	}
}

func TestNoBarIsMarkedFirstWhereAnotherLimitMayHaveBeen(t *testing.T) {
	const proxy = 1
	r := unsaid(t, proxy)
	f := r.Main()
	if f.GivesUp == nil || f.first() != nil || f.Outcome.Unless != "proxy_read_timeout" {
		t.Errorf("gives up %+v, first %+v, unless %q", f.GivesUp, f.first(), f.Outcome.Unless)
	}
	var svg, md strings.Builder
	if err := r.WriteSVG(&svg, f); err != nil {
		t.Fatal(err)
	}
	if err := (&Report{Routes: []Route{*r}}).WriteMarkdown(&md); err != nil {
		t.Fatal(err)
	}
	for _, got := range []string{svg.String(), md.String(), strings.Join(r.text(120), "\n")} {
		if strings.Contains(got, "gives up first, at") || strings.Contains(got, "✕") {
			t.Error(got)
		}
	}
}
