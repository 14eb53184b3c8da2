package compile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
)

// What is longer than 2147483647 ms is 1 ms to a timer of Node's, that long to a
// socket's, and refused by AbortSignal.timeout above 4294967295.
func TestATimeThatIsTooLongForNodeIsWhatNodeMakesOfIt(t *testing.T) {
	const longest = 2147483647 * time.Millisecond
	for client, want := range map[string]struct {
		kind   chain.Kind
		bound  time.Duration
		notice string
	}{
		`node: signal: timeout: 2147483647`:                                             {chain.AttemptDeadline, longest, ""},
		`node: signal: timeout: 2147483648`:                                             {chain.AttemptDeadline, time.Millisecond, "ignored-value: signal.timeout 2147483648 acts as 1: a timer takes at most 2147483647 ms, and Node sets a longer one to 1"},
		`node: signal: timeout: 4294967296`:                                             {chain.AttemptDeadline, 4294967295 * time.Millisecond, "rejected: signal.timeout 4294967296 is outside of what node takes, 0 to 4294967295"},
		`undici: fetch: signal: timeout: 3000000000`:                                    {chain.TotalDeadline, time.Millisecond, "ignored-value: timeout 3000000000 acts as 1"},
		`undici: request: signal: timeout: 3000000000`:                                  {chain.AttemptDeadline, time.Millisecond, "ignored-value: timeout 3000000000 acts as 1"},
		`node: {setTimeout: 3000000000, destroyOnTimeout: true}`:                        {chain.ResponseReadGap, longest, "ignored-value: setTimeout 3000000000 acts as 2147483647: the timer of a socket is truncated to it"},
		`node: {timeout: 3000000000, destroyOnTimeout: true}`:                           {chain.ResponseReadGap, longest, "ignored-value: timeout 3000000000 acts as 2147483647"},
		`node: {agent: {keepAlive: true, timeout: 3000000000}, destroyOnTimeout: true}`: {chain.ResponseReadGap, longest, "ignored-value: agent.timeout 3000000000 acts as 2147483647"},
	} {
		s := resolveText(t, jvmStack(``, client, "external: {}", "GET /"))
		var got []time.Duration
		for _, layer := range call(t, s, "api", "pay").Layers {
			for _, l := range layer.Limits {
				if l.Kind == want.kind {
					got = append(got, l.Bound)
				}
			}
		}
		if !slices.Contains(got, want.bound) {
			t.Errorf("%s: %s is %v, want %v", client, want.kind, got, want.bound)
		}
		var told strings.Builder
		for _, n := range s.Notices {
			fmt.Fprintf(&told, "%s: %s\n", n.Kind, n.Message)
		}
		if !strings.Contains(told.String(), want.notice) || want.notice == "" && strings.Contains(told.String(), "2147483647") {
			t.Errorf("%s: %s", client, told.String())
		}
	}
}
