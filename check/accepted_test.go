package check_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
)

// race is a keep-alive race whose server setting carries an attribute, and a
// policy beside it.
func race(attribute, policy string) string {
	return `package s
tchain: "v1"
name:   "s"
layers: {
	edge: alb: {}
	api: app: server: gohttp: IdleTimeout: "50s" ` + attribute + `
}
routes: "POST /order": path: ["edge", "api"]
` + policy
}

func TestASuppressionCoversItsFindingAndIsReportedWhenItDoesNothing(t *testing.T) {
	for _, c := range []struct{ name, text, rules, says string }{
		{"by attribute on the value", race(`@tchain(ignore="keepalive-race", reason="known")`, ""), "", ""},
		{"by policy", race("", `policy: ignore: [{rule: "keepalive-race", reason: "known"}]`), "", ""},
		{"by policy for another layer", race("", `policy: ignore: [{rule: "keepalive-race", reason: "known", layer: "edge"}]`), "keepalive-race suppression", "matches no finding"},
		{"of another rule", race(`@tchain(ignore="error-room", reason="known")`, ""), "keepalive-race suppression", "matches no finding"},
		{"that ended", race(`@tchain(ignore="keepalive-race", reason="known", until="2026-01-31")`, ""), "keepalive-race suppression", "ended on 2026-01-31"},
		{"of a rule that must stand", race(`@tchain(ignore="keepalive-race", reason="known")`, `policy: notSuppressible: ["keepalive-race"]`), "keepalive-race suppression", "keepalive-race is not suppressible: known"},
		{"beside another rule that must stand", race(`@tchain(ignore="keepalive-race", reason="known")`, `policy: notSuppressible: ["error-room"]`), "", ""},
		{"on a struct above the value", strings.Replace(race("", ""), `api: app: server: gohttp: IdleTimeout: "50s" `, `api: app: server: gohttp: {
		IdleTimeout: "50s"
	} @tchain(ignore="keepalive-race", reason="known")`, 1), "", ""},
		{"on the layer of the value", strings.Replace(race("", ""), `api: app: server: gohttp: IdleTimeout: "50s" `, `api: {
		app: server: gohttp: IdleTimeout: "50s"
	} @tchain(ignore="keepalive-race", reason="known")`, 1), "", ""},
		{"on a value that is used twice and needs it once", strings.Replace(race("", `_idle: "50s" @tchain(ignore="keepalive-race", reason="known")`), `IdleTimeout: "50s"`, `{IdleTimeout: _idle, ReadTimeout: _idle}`, 1), "", ""},
		{"on a value that is used twice and never needs it", strings.Replace(race("", `_idle: "50s" @tchain(ignore="unit-trap", reason="known")`), `IdleTimeout: "50s"`, `{IdleTimeout: _idle, ReadTimeout: _idle}`, 1), "keepalive-race suppression", "matches no finding"},
		{"by policy for a setting above the value", race("", `policy: ignore: [{rule: "keepalive-race", reason: "known", setting: "api.app.server"}]`), "", ""},
		{"by policy for a setting whose name only begins so", race("", `policy: ignore: [{rule: "keepalive-race", reason: "known", setting: "api.app.serv"}]`), "keepalive-race suppression", "matches no finding"},
		{"two by policy", race("", `policy: ignore: [{rule: "within", reason: "known"}, {rule: "error-room", reason: "known"}]`), "keepalive-race suppression suppression", "suppression of within matches no finding any more: knownthe suppression of error-room"},
		{"of suppressions", race(`@tchain(ignore="error-room", reason="known")`, `policy: ignore: [{rule: "suppression", reason: "so be it"}]`), "keepalive-race suppression suppression", "suppression is not suppressible: so be it"},
		{"that has not ended", race(`@tchain(ignore="keepalive-race", reason="known", until="2027-01-31")`, ""), "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var rules []string
			said := ""
			for _, f := range check.RunOn(stackOf(t, c.text), "2026-11-29") {
				if f.Severity >= check.Warning {
					rules = append(rules, f.Rule)
					said += f.Message
				}
			}
			if got := strings.Join(rules, " "); got != c.rules || !strings.Contains(said, c.says) {
				t.Errorf("found %q: %s", got, said)
			}
		})
	}
}

func TestASuppressionOfAListCoversWhatIsInIt(t *testing.T) {
	for setting, covered := range map[string]bool{
		"api.app.clients.orders.wrap":                  true,
		"api.app.clients.orders.wrap[0]":               true,
		"api.app.clients.orders.wrap[0].loop.attempts": true,
		"api.app.clients.orders.wrap[1]":               false,
		`api.app.clients.orders.wrap."0"`:              false,
	} {
		s := stackOf(t, `package s
tchain: "v1"
name:   "s"
layers: {
	api: app: clients: orders: {wrap: [{loop: {attempts: 2, on: ["timeout"]}}], gohttp: Timeout: "1s"}
	orders: external: {}
}
routes: "POST /order": path: ["api", "orders"]
policy: ignore: [{rule: "retry-unsafe", reason: "known", setting: `+strconv.Quote(setting)+`}]
`)
		stands := slices.ContainsFunc(check.RunOn(s, "2026-11-29"), func(f check.Finding) bool { return f.Rule == "retry-unsafe" })
		if stands == covered {
			t.Errorf("%s covers it: %t", setting, !stands)
		}
	}
}

func TestASuppressedFindingIsKeptWithItsSuppression(t *testing.T) {
	both := race(`@tchain(ignore="keepalive-race", reason="known")`, `policy: ignore: [{rule: "keepalive-race", reason: "known too"}]`)
	stand, suppressed, err := check.RunAll(context.Background(), stackOf(t, both), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range stand {
		if f.Suppressed != nil || f.Rule == "keepalive-race" || f.Rule == "suppression" {
			t.Errorf("%s stands", f.Rule)
		}
	}
	if len(suppressed) != 1 || suppressed[0].Rule != "keepalive-race" {
		t.Fatalf("suppressed are %v", suppressed)
	}
	if g := suppressed[0].Suppressed; g.Reason != "known" && g.Reason != "known too" || g.At.Line == 0 {
		t.Errorf("by %+v", g)
	}
}

// TestASuppressionCoversWhatItsValueIsAPartOf holds what an attribute covers whose
// setting the finding does not have: a place in it, and of a value that many stacks
// use a place beside the one where they use it.
func TestASuppressionCoversWhatItsValueIsAPartOf(t *testing.T) {
	text := race("", "") + "// told apart by its places\n"
	bare := check.Find("keepalive-race").Run(stackOf(t, text))
	if len(bare) != 1 || len(bare[0].Related) == 0 {
		t.Fatalf("found %+v", bare)
	}
	at, beside := bare[0].Pos, bare[0].Related[0].Pos
	for _, row := range []struct {
		name   string
		place  chain.Range
		shared bool
		want   bool
	}{
		{"at the place of the finding", at, false, true},
		{"at a place beside it", beside, false, true},
		{"at another place", chain.Range{File: at.File, Line: 1, Column: 1, EndLine: 1, EndColumn: 2}, false, false},
		{"of a shared value at the place of the finding", at, true, false},
		{"of a shared value at a place beside it", beside, true, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := *stackOf(t, text)
			s.Policy.Ignore = []chain.Ignore{{Rule: "keepalive-race", Reason: "known", At: row.place, Settings: []string{"elsewhere"}, Shared: row.shared}}
			_, suppressed, err := check.RunAll(context.Background(), &s, "")
			if got := len(suppressed) == 1; got != row.want || err != nil {
				t.Errorf("suppressed %v, %v", suppressed, err)
			}
		})
	}
}

// TestASharedValueIsNoPartOfWhatIsShownAtItsUseOnly: of a layer that many stacks
// share, all values are shown at the one place where it is used.
func TestASharedValueIsNoPartOfWhatIsShownAtItsUseOnly(t *testing.T) {
	s := *stackOf(t, check.Find("tail-latency").Bad()+"\n// changed below\n")
	use := check.Find("tail-latency").Run(&s)[0].Pos
	s.Routes[0].Root.Calls()[0].To.Work.P99.Origin.Pos = use
	for shared, want := range map[bool]int{true: 0, false: 1} {
		s.Policy.Ignore = []chain.Ignore{{Rule: "tail-latency", Reason: "known", At: use, Settings: []string{"elsewhere"}, Shared: shared}}
		_, suppressed, err := check.RunAll(context.Background(), &s, "")
		if len(suppressed) != want || err != nil {
			t.Errorf("shared %v: suppressed %v, %v", shared, suppressed, err)
		}
	}
}

func TestThePolicyGradesSuppressionsToo(t *testing.T) {
	idle := func(severity string) []check.Finding {
		return check.Run(stackOf(t, race("", `policy: {severity: suppression: "`+severity+`", ignore: [{rule: "within", reason: "known"}]}`)))
	}
	for severity, want := range map[string]check.Severity{"error": check.Error, "info": check.Info, "off": check.Off} {
		got := check.Off
		for _, f := range idle(severity) {
			if f.Rule == "suppression" {
				got = f.Severity
			}
		}
		if got != want {
			t.Errorf("%s gives %s", severity, got)
		}
	}
}

func TestNothingIsClaimedThatRestsOnAnInjectedValue(t *testing.T) {
	s := stackOf(t, `package s
tchain: "v1"
name:   "s"
layers: {
	web: browser: fetch: signal: timeout: int @env(FETCH)
	proxy: nginx: {version: "1.28.0", server: {proxy_connect_timeout: "2s", proxy_read_timeout: string @env(READ), keepalive_timeout: "90s"}, upstream: api: server: ["10.0.0.1:80"]}
	api: app: {server: gohttp: IdleTimeout: "90s", clients: price: gohttp: context: timeout: string @env(GO)}
	price: external: idleKeepalive: "300s"
}
routes: "GET /": path: ["web", "proxy", "api", "price"]
`)
	for _, f := range check.Run(s) {
		if f.Severity >= check.Warning {
			t.Errorf("%s: %s", f.Rule, f.Message)
		}
	}
	if len(check.NotChecked(s))+len(s.Routes[0].NotChecked) == 0 {
		t.Error("the worst cases leave something out and do not say so")
	}
}

func TestAnAppsOwnAnsweringSideMustOutlastItsCalls(t *testing.T) {
	stack := func(write string) string {
		return `package s
tchain: "v1"
name:   "s"
layers: {
	api: app: {server: gohttp: {WriteTimeout: "` + write + `", IdleTimeout: "90s"}, clients: price: gohttp: Timeout: "30s"}
	price: external: idleKeepalive: "300s"
}
routes: "GET /": path: ["api", "price"]
`
	}
	for write, want := range map[string]int{"10s": 1, "30s": 1, "31s": 0} {
		n := 0
		for _, f := range check.Find("error-room").Run(stackOf(t, stack(write))) {
			n++
			if !strings.Contains(f.Message, "api's answer at 30s is lost: WriteTimeout "+write) {
				t.Error(f.Message)
			}
		}
		if n != want {
			t.Errorf("WriteTimeout %s: %d findings, want %d", write, n, want)
		}
	}
}

func TestManyAttemptsInManyLayersAreCountedAndNotAllTold(t *testing.T) {
	s := stackOf(t, `package s
tchain: "v1"
name:   "s"
layers: {
	a: app: clients: b: {wrap: [{loop: {attempts: 50, on: ["timeout", "503"], delay: "1s"}}], gohttp: context: timeout: "1s"}
	b: app: {server: gohttp: {}, clients: c: {wrap: [{loop: {attempts: 50, on: ["timeout", "503"], delay: "1s"}}], gohttp: Timeout: "1s"}}
	c: app: {server: gohttp: {}, clients: d: {wrap: [{loop: {attempts: 50, on: ["timeout", "503"], delay: "1s"}}], gohttp: Timeout: "1s"}}
	d: external: {}
}
routes: "GET /": path: ["a", "b", "c", "d"]
`)
	r := s.Routes[0]
	for _, f := range chain.Faults(r) {
		if tr := chain.Play(r, f); len(tr.Events) > 20_000 {
			t.Errorf("%s tells %d events", f.Text(), len(tr.Events))
		}
	}
	silent := chain.Play(r, chain.Fault{Kind: chain.Silent, Call: r.Root.Calls()[0], From: r.Root})
	if want := 50*time.Second + 49*time.Second; silent.Outcome.At != want {
		t.Errorf("50 attempts of 1s with 1s between end at %s, want %s", chain.Format(silent.Outcome.At), chain.Format(want))
	}
}
