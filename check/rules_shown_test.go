package check_test

import (
	"strings"
	"testing"
)

// TestWhatAVariantShows holds findings to the first fix that holds, and to what
// the outermost caller has in the end; "" is no trace.
func TestWhatAVariantShows(t *testing.T) {
	for _, v := range []struct {
		rule, example string
		replaced      []string
		fix, outcome  string
	}{
		{"retry-budget", oneForAll, nil, `add attemptDeadline: "666ms"`, "proxy's own error at 2s"},
		{"retry-budget", tooSlow, nil, "line 6 3 → 1", "proxy's own error at 180s"},
		{"retry-budget", asksAgain, nil, "line 9 5 → 1", "page's own error at 1500s"},
		{"retry-amplification", flaps, nil, "line 8 3 → 1", ""},
		{"ping", channel, nil, `add keepalive: Time: "349s"`, ""},
		{"ping", channel, []string{"PermitWithoutStream: true", "{}"}, `add idleTimeout: "349s"`, ""}, // pings go on with calls only
		{"ping", channel, []string{"PermitWithoutStream: true", `{Time: "10s", PermitWithoutStream: true}`}, `"10s" → "301s"`, ""},
		{"stream-cut", events, []string{`"0s"`, `"15s"`}, `"15s" → "86402s"`, "200 from chat, cut short at 15s"},
		{"stream-cut", events, []string{`"20s"`, `"60s"`}, `"60s" → "62s"`, "200 from chat, cut short at 60s"},
		{"stream-cut", events, []string{`{silence: "20s"`, `{first: "60s", silence: "20s"`}, `"60s" → "62s"`, "504 from gw at 60s"},
		{"no-limit", told, nil, "signal: timeout: 10000", "never ends"},
	} {
		t.Run(v.rule+" "+v.fix, func(t *testing.T) {
			f := of(findings(t, variant{rule: v.rule, example: v.example, replaced: v.replaced}.stack(t)), v.rule)
			if len(f.Fixes) == 0 || !strings.Contains(f.Fixes[0].Message, v.fix) {
				t.Errorf("fixes %+v, want %s", f.Fixes, v.fix)
			}
			got := ""
			if f.Trace != nil {
				got = f.Trace.Outcome.Text()
			}
			if got != v.outcome {
				t.Errorf("the outcome is %q, want %q", got, v.outcome)
			}
		})
	}
}
