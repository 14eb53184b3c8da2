package report

import (
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

// cached is the shop whose app first asks a cache that it can do without: it says so
// if saved is set. Detached is a call that it does not wait for.
func cached(saved, detached bool) *Route {
	s := shop()
	app := s.Routes[0].Root.Calls()[0].To.Calls()[0].To
	ask := &chain.Call{
		To: &chain.Node{Layer: "cache", Role: chain.RoleLeaf}, Client: "cache", Product: "a client", Addresses: 1, Skips: []chain.Moment{chain.AtResolved, chain.AtRequestSent},
		Layers:   []chain.ClientLayer{{Limits: []chain.Limit{limit(chain.ResponseHeader, second, said("api", "readTimeout", 20))}}},
		Fallback: saved, Detached: detached,
	}
	if detached {
		ask.Layers = nil
	}
	app.Steps = append([]chain.Step{{Calls: []*chain.Call{ask}}}, app.Steps...)
	rep := New()
	rep.Add(s)
	return &rep.Routes[0]
}

func TestARouteIsFirstShownUnderTheFaultThatIsWorstForThePerson(t *testing.T) {
	if f := cached(true, false).Main(); f.Fault != "silent" || f.To != "bank" {
		t.Errorf("a cache that the app can do without is shown: %s at %s", f.Fault, f.To)
	}
	if f := cached(false, false).Main(); f.Fault != "silent" || f.To != "cache" {
		t.Errorf("of equals the first call is not shown: %s at %s", f.Fault, f.To)
	}
}

func TestAWaitEndsWithTheAnswerThatAFallbackSaves(t *testing.T) {
	r := cached(true, false)
	f := faultNamed(t, r, "silent", "cache")
	if *f.Outcome.Status != 200 || f.Outcome.At != Duration(second) {
		t.Fatalf("%+v", f.Outcome)
	}
	want := map[string]span{
		"web → proxy": {to: Duration(second), end: endAnswered}, "proxy → api": {to: Duration(second), end: endAnswered},
		"api → cache": {to: Duration(second), end: endGaveUp}, "api → bank": {from: Duration(second), to: Duration(second), end: endAnswered},
	}
	for _, s := range f.spans {
		h := r.Hops[s.hop]
		w := want[h.From+" → "+h.To]
		w.hop = s.hop
		if s != w {
			t.Errorf("%s → %s: %+v, want %+v", h.From, h.To, s, w)
		}
		delete(want, h.From+" → "+h.To)
	}
	if len(want) > 0 {
		t.Errorf("not drawn: %v", want)
	}
}

func TestACallThatNobodyWaitsForGoesOnAfterTheAnswer(t *testing.T) {
	r := cached(false, true)
	for _, s := range faultNamed(t, r, "silent", "cache").spans {
		if open := r.Hops[s.hop].To == "cache"; s.open != open {
			t.Errorf("%s: %+v", r.Hops[s.hop].To, s)
		}
	}
}

func TestWhatIsWellIsNotWaitedFor(t *testing.T) {
	r := cached(true, false)
	for _, s := range faultNamed(t, r, "silent", "bank").spans {
		if h := r.Hops[s.hop]; h.To == "cache" && (s.to != 0 || s.end != endAnswered) {
			t.Errorf("%s → %s: %+v", h.From, h.To, s)
		}
	}
	if got := strings.Join(r.text(120), "\n"); !strings.Contains(got, "(when bank accepts and stays silent)") {
		t.Error(got)
	}
}

func TestTheBarOfWhoGivesUpFirstIsThatOfTheLimitThatFires(t *testing.T) {
	s := shop()
	proxy := s.Routes[0].Root.Calls()[0].To
	limits := &proxy.Calls()[0].Layers[0].Limits
	idle := limit(chain.ResponseReadGap, 5*second, said("proxy", "per_try_idle", 7))
	idle.Start = chain.AtRequestSent
	*limits = append(*limits, idle)
	rep := New()
	rep.Add(s)
	r := &rep.Routes[0]
	f := faultNamed(t, r, "silent", "api")
	if f.GivesUp.Setting != "proxy.x.per_try_idle" {
		t.Fatalf("%+v", f.GivesUp)
	}
	w := r.wait(1, f)
	if got, left := w.limitText(), leftText(w.Left); got != "5s per_try_idle" || left != "21s too late" {
		t.Errorf("%q, %q", got, left)
	}
	if got := r.wait(1, nil).limitText(); got != "30s proxy_read_timeout" {
		t.Errorf("without a fault: %q", got)
	}
	if got := string(r.bar(1, f, r.scale(f), 40)); !strings.HasPrefix(got, "██████✕") && !strings.Contains(got, "✕╱") {
		t.Errorf("bar %q", got)
	}
	connect := r.wait(2, faultNamed(t, r, "blackhole", "bank"))
	if got := connect.limitText(); got != "2s connectTimeout" || connect.Left != nil {
		t.Errorf("%q, left %v: a connect says nothing of the answer", got, connect.Left)
	}
}

func TestAFindingKeepsToTheWidth(t *testing.T) {
	f := Finding{Rule: "error-room", Severity: "error", Message: strings.Repeat("a word and more ", 20), Fixes: []string{strings.Repeat("line 6 ", 20)}}
	lines := f.lines(80)
	for _, line := range lines {
		if len(line) > 80 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
	if len(lines) < 6 || !strings.HasPrefix(lines[1], "    ") || strings.Join(strings.Fields(strings.Join(lines, " ")), " ") != strings.Join(strings.Fields(strings.Join(f.text(), " ")), " ") {
		t.Errorf("%q", lines)
	}
}

func TestAHeadingThatIsLongIsSmallAndNotCut(t *testing.T) {
	const proxy = 1
	r := unsaid(t, proxy)
	var svg strings.Builder
	if err := r.WriteSVG(&svg, r.Main()); err != nil {
		t.Fatal(err)
	}
	if want := "unless proxy_read_timeout, which is injected at run time, ends it before</text>"; !strings.Contains(svg.String(), want) {
		t.Error("the heading is cut")
	}
}
