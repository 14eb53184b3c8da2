package check_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
)

// lined are routes of which some are alike, in turns, over layers that repeat, put
// addresses out of use, ask several callees in a row and end too late.
const lined = `package s
tchain: "v1"
name:   "s"
layers: {
	web: browser: fetch: signal: timeout: 20_000
	edge: nginx: {version: "1.28.0", server: {proxy_connect_timeout: "1s", proxy_read_timeout: "9s"}, upstream: api: server: ["a:80", "b:80"]}
	api: app: {
		server: gohttp: WriteTimeout: "3s"
		deadline: {total: "12s", perCall: "5s", reserve: "1s", enforced: true}
		clients: price: gohttp: {Timeout: "4s", DefaultTransport: Dialer: Timeout: "1s"}
		clients: stock: httpclient5: client: requestConfig: responseTimeout: "4s"
		calls: [{price: {}}, {stock: {}}]
	}
	price: external: idleKeepalive: "30s"
	stock: external: {latency: p99: "7s", idleKeepalive: "30s"}
}
path: ["web", "edge", "api"]
routes: {
	"GET /a": {}
	"POST /b": {}
	"GET /c": {}
	"GET /d": tps: 3
	"POST /e": {}
	"GET /f": within: "5s"
	"GET /g": within: "6s"
	"GET /h": at: edge: nginx: server: proxy_read_timeout: "8s"
	"GET /i": {tps: 3, quietFor: "1h"}
	"GET /j": {}
}
`

// Routes that differ in their names only are judged once, and every one is told.
func TestRoutesThatAreAlikeAreJudgedOnceAndToldAll(t *testing.T) {
	s := stackOf(t, lined)
	shared, apart := check.Run(s), check.RunApart(s)
	if len(apart) == 0 {
		t.Fatal("nothing is found")
	}
	traces := cmp.Transformer("text", func(t *chain.Trace) string {
		if t == nil {
			return ""
		}
		return t.Fault.Text() + ": " + t.Outcome.Text()
	})
	if d := cmp.Diff(apart, shared, cmpopts.IgnoreUnexported(check.Fix{}, check.Finding{}), traces); d != "" {
		t.Error(d)
	}
	for _, rule := range []string{"error-room", "hidden-retry", "retry-budget", "fresh-budgets"} {
		if !slices.ContainsFunc(shared, func(f check.Finding) bool { return f.Rule == rule && len(f.Routes) > 1 }) {
			t.Errorf("the stack has no %s on routes that are alike", rule)
		}
	}
}
