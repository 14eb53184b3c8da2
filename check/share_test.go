package check_test

import (
	"fmt"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
)

// TestAShareOfWhatIsLeft plays the policy that gives connecting a quarter of
// what is left and the answer the rest, and begins nothing in the last 100 ms.
func TestAShareOfWhatIsLeft(t *testing.T) {
	stack := func(loop string) *chain.Route {
		return stackOf(t, `package s
tchain: "v1"
name:   "s"
layers: {
	api: app: {
		server: custom: {}
		clients: pay: {wrap: [{loop: {attempts: 3, on: ["connect-timeout", "refused", "timeout"], `+loop+`}}], custom: {}}
	}
	pay: external: {}
}
routes: "GET /": path: ["api", "pay"]
`).Routes[0]
	}
	for _, row := range []struct {
		name, loop string
		fault      chain.FaultKind
		want       string
	}{
		{"each connect gets a quarter of what the ones before left", `total: "1s", connectShare: 25, least: "100ms"`, chain.Blackhole,
			"250ms timeout, 250ms retries, 437.5ms timeout, 437.5ms retries, 578.125ms timeout, 578.125ms exhausted, 578.125ms answers"},
		{"the answer gets all the rest", `total: "1s", connectShare: 25, least: "100ms"`, chain.Silent, "0s sent, 1s timeout, 1s answers"},
		{"no attempt begins when the pause leaves less than the least", `total: "1s", connectShare: 25, delay: "660ms", least: "100ms"`, chain.Blackhole,
			"250ms timeout, 250ms not-started, 250ms answers"},
		{"with exactly the least left one begins", `total: "1s", connectShare: 25, delay: "650ms", least: "100ms"`, chain.Blackhole,
			"250ms timeout, 900ms retries, 925ms timeout, 925ms not-started, 925ms answers"},
		{"without a total nothing is left to share, and the kernel ends each connect", `connectShare: 25`, chain.Blackhole,
			"2m15s timeout, 2m15s retries, 4m30s timeout, 4m30s retries, 6m45s timeout, 6m45s exhausted, 6m45s answers"},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := stack(row.loop)
			tr := chain.Play(r, chain.Fault{Kind: row.fault, Call: r.Root.Calls()[0], From: r.Root})
			var got []string
			for _, e := range tr.Events {
				got = append(got, fmt.Sprint(e.At, " ", e.Kind))
			}
			if strings.Join(got, ", ") != row.want {
				t.Errorf("%s", strings.Join(got, ", "))
			}
		})
	}
}

func TestASharedConnectLeavesTimeForASecondAttempt(t *testing.T) {
	for share, want := range map[string]int{`, connectShare: 25`: 0, ``: 1, `, connectShare: 100`: 1} {
		s := stackOf(t, strings.Replace(`package s
tchain: "v1"
name:   "s"
layers: {
	api: app: {
		server: custom: {}
		clients: pay: {wrap: [{loop: {attempts: 3, on: ["connect-timeout"], total: "1s"}}], custom: {dns: "1s", connect: "2s", responseHeader: "2s", responseReadGap: "2s"}}
	}
	pay: external: {}
}
routes: "GET /": path: ["api", "pay"]
`, `total: "1s"`, `total: "1s"`+share, 1))
		if got := check.Find("retry-budget").Run(s); len(got) != want {
			t.Errorf("%s: %+v", share, got)
		}
	}
}
