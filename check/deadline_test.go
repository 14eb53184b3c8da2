package check_test

import (
	"slices"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
)

// handedOn is an app that gives an inner one what is left of its deadline.
func handedOn(inner string) string {
	return `package s
tchain: "v1"
name:   "s"
layers: {
	api: app: {
		server: custom: {}
		deadline: {total: "5s", perCall: "4s", reserve: "500ms", enforced: true, header: "X-Budget"}
		clients: pay: custom: connect: "1s"
	}
	pay: app: {
		server: custom: {}
		deadline: {` + inner + `}
		clients: bank: custom: connect: "1s"
	}
	bank: external: {}
}
routes: "GET /": path: ["api", "pay", "bank"]
`
}

func TestADeadlineThatIsHandedOnShortensTheCallees(t *testing.T) {
	own := `total: "30s", reserve: "200ms", enforced: true`
	for _, row := range []struct{ name, inner, rules, pays string }{
		{"a callee that does not read it outlives its caller", own, "error-room", "30s"},
		{"a callee that reads it keeps its reserve back and answers before", own + `, from: "X-Budget"`, "", "3.8s"},
		{"the header's name is read in any case", own + `, from: "x-budget"`, "", "3.8s"},
		{"a callee that reads another header does not know", own + `, from: "X-Left"`, "error-room", "30s"},
		{"a callee without a reserve answers when its caller gives up", `enforced: true, from: "X-Budget"`, "error-room", "4s"},
		{"a callee's own shorter total stays in force", `total: "2s", reserve: "200ms", enforced: true, from: "X-Budget"`, "", "2s"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := stackOf(t, handedOn(row.inner))
			var rules []string
			for _, f := range check.Run(s) {
				if f.Severity == check.Error {
					rules = append(rules, f.Rule)
				}
			}
			r := s.Routes[0]
			var silent chain.Trace
			for _, f := range chain.Faults(r) {
				if f.Kind == chain.Silent && f.From.Layer == "pay" {
					silent = chain.Play(r, f)
				}
			}
			if got := strings.Join(rules, " "); got != row.rules {
				t.Errorf("found %q, want %q", got, row.rules)
			}
			said := ""
			for _, e := range silent.Events {
				if e.Node.Layer == "pay" && (e.Kind == chain.EvAnswers || e.Kind == chain.EvUndelivered) {
					said = chain.Format(e.At)
				}
			}
			if said != row.pays {
				t.Errorf("pay answers at %s, want %s", said, row.pays)
			}
		})
	}
}

func TestAReserveThatTakesAllThatACallerGivesLeavesNoCall(t *testing.T) {
	for inner, want := range map[string]string{
		`total: "30s", reserve: "4s", enforced: true, from: "X-Budget"`: "pay never calls bank: it keeps 4s back of the 4s that it is given at most, the 4s perCall of its caller",
		`total: "30s", reserve: "6s", from: "X-Budget"`:                 "pay never calls bank: it keeps 6s back of the 4s that it is given at most, the 4s perCall of its caller",
		`total: "30s", reserve: "3s", enforced: true, from: "X-Budget"`: "",
		`total: "30s", reserve: "6s", enforced: true`:                   "",
	} {
		text := handedOn(inner)
		f := of(findings(t, text), "tail-latency")
		if f.Message != want {
			t.Errorf("%s: %q, want %q", inner, f.Message, want)
		}
		if shows := f.Trace != nil && slices.ContainsFunc(f.Trace.Events, func(e chain.Event) bool { return e.Kind == chain.EvNotStarted }); shows != (want != "") {
			t.Errorf("%s: the trace shows that the call is not started: %v", inner, shows)
		}
	}
}
