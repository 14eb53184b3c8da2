package check_test

import (
	"strings"
	"testing"
)

// through are stacks with {net} where a balancer of flows may be, and {via} on the way.
const (
	slowProxy = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 20_000{net}
	proxy: nginx: {version: "1.28.0", server: {proxy_connect_timeout: "1s", proxy_read_timeout: "50s"}}
	app: app: server: gohttp: {}
}
routes: "GET /x": path: ["web", {via}"proxy", "app"]
`
	slowCore = `
tchain: "v1"
name:   "shop"
layers: {
	a: {instances: 10, app: {server: gohttp: {}, clients: {callee}: gohttp: {context: timeout: "5s", DefaultTransport: {MaxConnsPerHost: 100, IdleConnTimeout: "30s", Dialer: Timeout: "1s"}}}}{net}
	core: {instances: 2, app: {work: {avg: "1s", max: "20s"}, server: tomcat: threads: max: 100, runtime: {springBoot: "3.5.9", jdk: "21"}}}
}
routes: "GET /x": {path: ["a", {via}"core"], tps: 100}
`
	twoServers = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 30_000{net}
	proxy: nginx: {version: "1.28.0", server: {proxy_connect_timeout: "1s", proxy_read_timeout: "20s"}, upstream: app: server: ["a:80", "b:80"]}
	app: app: server: gohttp: {}
}
routes: "GET /x": path: ["web", {via}"proxy", "app"]
`
	threeCalls = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 10_000{net}
	api: app: {
		server: gohttp: {}
		clients: {price: gohttp: Timeout: "4s", risk: gohttp: Timeout: "4s", stock: gohttp: Timeout: "4s"}
		calls: [{price: {}}, {risk: {}}, {stock: {}}]
	}
	price: external: {}
	risk: external: {}
	stock: external: {}
}
routes: "GET /x": path: ["web", {via}"api"]
`
	longReport = `
tchain: "v1"
name:   "shop"
layers: {
	edge: alb: idle_timeout: 4000{net}
	api: app: {
		server: gohttp: IdleTimeout: "5000s"
		clients: report: gohttp: Timeout: "70m"
	}
	report: external: {}
}
routes: "GET /x": path: ["edge", {via}"api", "report"]
`
	slowBank = `
tchain: "v1"
name:   "shop"
layers: {
	a: app: {server: gohttp: {}, clients: {callee}: gohttp: Timeout: "2s"}{net}
	bank: external: latency: p99: "2s"
}
routes: "GET /x": path: ["a", {via}"bank"]
`
)

// via is a stack with nlb balancers of flows in a row where it may have them.
func via(stack, callee string, nlb int) string {
	names := []string{"net", "inner"}[:nlb]
	layers, path := "", ""
	for _, n := range names {
		layers, path = layers+"\n\t"+n+": nlb: {}", path+`"`+n+`", `
	}
	if nlb > 0 {
		callee = names[0]
	}
	return strings.NewReplacer("{net}", layers, "{via}", path, "{callee}", callee).Replace(stack)
}

func TestALimitOfACallIsComparedWithWhatAnswersBehindLayersThatOnlyPassFlows(t *testing.T) {
	for _, x := range []struct {
		rule, stack, callee string
		says                string
		clean               []string // replaced, so that nothing is found
	}{
		{"error-room", slowProxy, "proxy", "web gives up at 20s, before proxy's own error at 51s", []string{"20_000", "60_000"}},
		{"error-room", slowCore, "core", "a gives up at 5s, before core's own error at 20s", []string{`"5s"`, `"30s"`}},
		{"retry-budget", twoServers, "proxy", "proxy tries app up to 2 times and ends at 42s, but web gives up at 30s", []string{"30_000", "50_000"}},
		{"fresh-budgets", threeCalls, "api", "api gives each of 3 calls in a row a new budget and ends at 12s, but web gives up at 10s", []string{"10_000", "14_000"}},
		{"platform-cap", longReport, "api", "edge answers 504 at 4000s, before api's own error at 4200s", []string{`"70m"`, `"60m"`}},
		{"tail-latency", slowBank, "bank", "a gives up at 2s, at the same time as bank's p99 of 2s", []string{`Timeout: "2s"`, `Timeout: "3s"`}},
		{"capacity", slowCore, "core", "fewer than the 500 that its callers can have open: a 500 = 100/s × 5s", []string{"max: 100", "max: 250"}},
		{"pool-total", slowCore, "core", "fewer than the 10 in use on average", []string{"MaxConnsPerHost: 100", "MaxConnsPerHost: 100, MaxIdleConnsPerHost: 10"}},
	} {
		for nlb := range 3 {
			stack := via(x.stack, x.callee, nlb)
			if got := of(findings(t, stack), x.rule).Message; !strings.Contains(got, x.says) {
				t.Errorf("%s over %d: %q, want %q", x.rule, nlb, got, x.says)
			}
			if got := of(findings(t, strings.NewReplacer(x.clean...).Replace(stack)), x.rule).Message; got != "" {
				t.Errorf("%s over %d, where all is well: %q", x.rule, nlb, got)
			}
		}
	}
}

func TestARaiseGoesOnToWhatWatchesALayerThatOnlyPassesFlows(t *testing.T) {
	stack := strings.NewReplacer("20_000", "35_000", `proxy_read_timeout: "50s"`, `proxy_read_timeout: "30s"`, "server: gohttp: {}", `{server: gohttp: {}, work: max: "35s"}`).Replace(slowProxy)
	for nlb := range 3 {
		f := of(findings(t, via(stack, "proxy", nlb)), "error-room")
		if len(f.Fixes) == 0 || len(f.Fixes[0].Edits) != 2 {
			t.Errorf("over %d: %s: %d fixes", nlb, f.Message, len(f.Fixes))
		}
	}
}
