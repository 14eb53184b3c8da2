package compile

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

// othersRow is one part of an app, or one store, in a small stack, with lines
// that must be among what it resolves to, and the only notices that there are.
type othersRow struct {
	name    string
	part    string
	want    []string
	notices []string
}

func TestServersOfOtherLanguagesBoundWhatTheirWorkersDo(t *testing.T) {
	runOthers(t, othersServers, func(part string) string {
		return othersStack(`api: app: {server: `+part+`, clients: pay: custom: {}}`, `pay: external: {}`)
	}, func(s *chain.Stack) []string {
		n := node(t, s, "api")
		return append(append(othersLimits(n.Serve), strings.Split(reasons(s.Routes[0]), "\n")...), fmt.Sprintf("concurrency %d %s", n.Concurrency.N, n.Concurrency.Origin.Note), "announces "+othersAnnounced(n))
	})
}

func TestClientsOfOtherLanguagesBoundWhatTheirTimeoutsCover(t *testing.T) {
	runOthers(t, othersClients, func(part string) string {
		return othersStack(`api: app: {server: custom: {}, clients: pay: `+part+`}`, `pay: {endpoint: addresses: 1, external: {}}`)
	}, func(s *chain.Stack) []string { return othersCall(call(t, s, "api", "pay")) })
}

func TestNetHTTPRepeatsWhatStoppedWithinTheBody(t *testing.T) {
	s, errs := othersEach(t, othersStack(`api: app: {server: custom: {}, clients: pay: netHttpRuby: {}}`, `pay: external: {}`))
	if len(errs) > 0 {
		t.Fatal(shownErrors(errs))
	}
	c := call(t, s, "api", "pay")
	r := c.Layers[len(c.Layers)-1].Retry
	if n := node(t, s, "api"); !r.AllowsCut(n, "GET", chain.CondCut, chain.CondTimeout) || r.AllowsCut(n, "POST", chain.CondCut, chain.CondTimeout) {
		t.Errorf("it repeats %+v", r)
	}
}

func TestStoresAreLayersWithLimitsOfTheirOwn(t *testing.T) {
	runOthers(t, othersStores, func(part string) string {
		return othersStack(`api: app: {server: custom: {}, clients: pay: custom: {}}`, `pay: `+part)
	}, func(s *chain.Stack) []string {
		n := node(t, s, "pay")
		return append(othersLimits(n.Serve), fmt.Sprintf("concurrency %d %s", n.Concurrency.N, n.Concurrency.Origin.Note), "takes "+chain.Format(n.Work.P99.D))
	})
}

func runOthers(t *testing.T, rows []othersRow, stack func(part string) string, seen func(*chain.Stack) []string) {
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s, errs := othersEach(t, stack(row.part))
			if len(errs) > 0 {
				t.Fatalf("not clean:\n%s", shownErrors(errs))
			}
			got := seen(s)
			for _, w := range row.want {
				no, absent := strings.CutPrefix(w, "no ")
				if there := slices.ContainsFunc(got, func(g string) bool { return g == no || strings.HasPrefix(g, no+" ") }); there == absent {
					t.Errorf("%q: %v, in\n%s", w, there, strings.Join(got, "\n"))
				}
			}
			var notices []string
			for _, n := range s.Notices {
				notices = append(notices, string(n.Kind)+": "+n.Message)
			}
			if !slices.Equal(notices, row.notices) {
				t.Errorf("notices:\n%s\nwant\n%s", strings.Join(notices, "\n"), strings.Join(row.notices, "\n"))
			}
		})
	}
}

// othersStack has the app on line 5 and its callee on line 6.
func othersStack(app, pay string) string {
	return "package s\ntchain: \"v1\"\nname: \"s\"\nlayers: {\n" + app + "\n" + pay + "\n}\nroutes: \"POST /\": path: [\"api\", \"pay\"]\n"
}

// othersEach reads a stack from a file, as the command does.
func othersEach(t *testing.T, text string) (s *chain.Stack, errs []Error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "stack.cue"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	Each([]string{dir}, Options{}, func(u *Unit) { s, errs = u.Stack, append(errs, u.Errors...) })
	return s, errs
}

// othersLimits are limits in one line each: kind, bound, setting, source, what
// happens, and from where to where if that is not as the kind has it.
func othersLimits(limits []chain.Limit) []string {
	var out []string
	for _, l := range limits {
		line := fmt.Sprintf("%s %s %s %s %s", l.Kind, chain.Format(l.Bound), l.Origin.Name, othersSource(l.Origin), l.Fires)
		if p, _ := chain.PresetOf(l.Kind); p.Start != l.Start || p.End != l.End {
			line += fmt.Sprintf(" %s..%s", l.Start, l.End)
		}
		out = append(out, strings.ReplaceAll(line, "  ", " "))
	}
	return out
}

func othersSource(o chain.Origin) string {
	if o.Source == "" {
		return "unset"
	}
	return string(o.Source)
}

func othersCall(c *chain.Call) []string {
	out := othersLimits(c.Limits())
	for _, l := range append(slices.Clone(c.Idle), c.Upkeep...) {
		out = append(out, fmt.Sprintf("%s %s %s", l.Kind, chain.Format(l.Bound), l.Origin.Name))
	}
	if c.Pool != nil {
		out = append(out, fmt.Sprintf("pool %d %d %d", c.Pool.PerHost.N, c.Pool.Total.N, c.Pool.Idle.N))
	}
	for _, l := range c.Layers {
		if r := l.Retry; r != nil {
			of := "of"
			if r.AsksFirst {
				of = "only of"
			}
			out = append(out, fmt.Sprintf("retry %d hidden=%v %v %s %v, %s ×%d up to %s", r.Attempts.N, r.Hidden, r.On, of, r.OnMethods, chain.Format(r.Interval.D), r.Multiplier, chain.Format(r.MaxInterval)))
		}
	}
	if c.Resend != nil {
		out = append(out, fmt.Sprintf("resend %d", c.Resend.Attempts.N))
	}
	return out
}

func othersAnnounced(n *chain.Node) string {
	if !n.Announces.Declared() {
		return "unknown"
	}
	return chain.Format(n.Announces.D)
}
