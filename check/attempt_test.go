package check_test

import (
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
)

// TestEnvoysLimitOfAnAttemptBeginsOnceItsConnectionIsReady: connecting has a limit of
// its own, and Envoy starts per_try_timeout after it.
func TestEnvoysLimitOfAnAttemptBeginsOnceItsConnectionIsReady(t *testing.T) {
	for layer, limited := range map[string]string{
		"Envoy": `envoy: {route: {timeout: "TOTAL", retry_policy: {retry_on: "connect-failure,reset", num_retries: 2, per_try_timeout: "2s", retry_back_off: base_interval: "0.001s"}}, cluster: api: connect_timeout: "5s"}`,
		"Istio": `istio: {virtualService: http: {timeout: "TOTAL", retries: {attempts: 2, retryOn: "connect-failure,reset", perTryTimeout: "2s", backoff: "1ms"}}, destinationRule: api: trafficPolicy: connectionPool: tcp: {connectTimeout: "5s", maxConnections: 9}}`,
	} {
		for total, want := range map[string][3]string{
			"14s": {"504 from gw at 14s", "504 from gw at 6.003s", ""},
			"7s":  {"504 from gw at 7s", "504 from gw at 6.003s", "gw would try api 3 times, but one attempt can take 7s and all together have timeout 7s"},
		} {
			s := stackOf(t, `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 20_000
	gw: `+strings.Replace(limited, "TOTAL", total, 1)+`
	api: external: {}
}
routes: "GET /x": {path: ["web", "gw", "api"], tps: 1}
`)
			r := s.Routes[0]
			gw := r.Root.Calls()[0].To
			for i, fault := range []chain.FaultKind{chain.Blackhole, chain.Silent} {
				if got := chain.Play(r, chain.Fault{Kind: fault, Call: gw.Calls()[0], From: gw}).Outcome.Text(); got != want[i] {
					t.Errorf("%s, %s, %s: %s, want %s", layer, total, fault, got, want[i])
				}
			}
			if got := of(check.Find("retry-budget").Run(s), "retry-budget").Message; got != want[2] {
				t.Errorf("%s, %s: %q, want %q", layer, total, got, want[2])
			}
		}
	}
}
