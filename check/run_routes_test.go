package check_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tchain.dev/tchain/check"
)

func TestRoutesOnWhichAFindingWeighsDifferentlyAreFoundApart(t *testing.T) {
	fs := findings(t, `package s
tchain: "v1"
name:   "s"
layers: {
	web: browser: fetch: signal: timeout: 100_000
	gw: nginx: {version: "1.30.4", server: {proxy_http_version: "1.1", proxy_next_upstream: "error"}, upstream: api: {server: ["a:80", "b:80"], keepalive: 16, keepalive_timeout: "300s"}}
	api: app: server: custom: idleKeepalive: "75s"
}
routes: {"POST /pay": path: ["web", "gw", "api"], "GET /pay": path: ["web", "gw", "api"]}
`)
	got := map[check.Severity][]string{}
	for _, f := range fs {
		if f.Rule == "keepalive-race" && f.Layer == "api" {
			got[f.Severity] = f.Routes
		}
	}
	if !slices.Equal(got[check.Error], []string{"POST /pay"}) || !slices.Equal(got[check.Warning], []string{"GET /pay"}) {
		t.Errorf("%v", got)
	}
}

// One client repeats more of an idempotent request than of another one: neither route
// is told what is true of the other only.
func TestRoutesWhoseRepeatsDifferAreToldApart(t *testing.T) {
	got := map[string]string{}
	for _, f := range findings(t, `package shop
tchain: "v1"
name:   "shop"
layers: {
	api: app: {server: tomcat: {}, clients: price: httpclient5: client: requestConfig: responseTimeout: "1s"}
	price: external: idleKeepalive: "300s"
}
routes: {
	"GET /a": path: ["api", "price"]
	"GET /b": path: ["api", "price"]
	"PUT /c": {path: ["api", "price"], idempotencyKey: "k"}
	"POST /d": {path: ["api", "price"], idempotencyKey: "k"}
}
`) {
		if f.Rule == "hidden-retry" {
			got[strings.Join(f.Routes, ", ")] = f.Message
		}
	}
	if len(got) != 2 || !strings.Contains(got["GET /a, GET /b, PUT /c"], "stale") || got["POST /d"] == "" || strings.Contains(got["POST /d"], "stale") {
		t.Errorf("%q", got)
	}
}

// oneBound is a client whose one bound is that of each of two callees: one route calls
// both, another one only b.
const oneBound = `package s
tchain: "v1"
name:   "s"
layers: {
	api: {
		instances: 1
		app: {
			server: gohttp: {}
			clients: both: {to: ["a", "b"], custom: {poolSizePerHost: 5, poolWait: "4s", responseHeader: "4s", responseReadGap: "4s", totalDeadline: "9s"}}
		}
	}
	a: external: latency: avg: "1s"
	b: external: latency: avg: "1s"
}
path: ["api"]
routes: {
	"GET /x": {tps: 2, calls: api: [{a: {}}, {b: {}}]}
	"GET /y": {tps: 2, calls: api: [{b: {}}]}
}
`

func TestWhatIsSaidOfAPoolNamesOnlyTheRoutesThatCallItsCallee(t *testing.T) {
	got := map[string][]string{}
	idle := []string{`custom: {poolSizePerHost: 5, poolWait: "4s", responseHeader: "4s", responseReadGap: "4s", totalDeadline: "9s"}`, `gohttp: {Timeout: "4s", DefaultTransport: MaxIdleConnsPerHost: 1}`}
	for _, f := range slices.Concat(findings(t, oneBound), findings(t, variant{example: oneBound, replaced: idle}.stack(t))) {
		if strings.HasPrefix(f.Rule, "pool-") {
			got[f.Rule+" "+f.Callee] = f.Routes
		}
	}
	want := map[string][]string{}
	for _, rule := range []string{"pool-size", "pool-wait", "pool-total"} {
		want[rule+" a"], want[rule+" b"] = []string{"GET /x"}, []string{"GET /x", "GET /y"}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestABoundOfSeveralCalleesIsRaisedToWhatTheBusiestAsksFor(t *testing.T) {
	for name, replaced := range map[string][]string{
		"the busiest comes last":  nil,
		"the busiest comes first": {"{a: {}}, {b: {}}", "{b: {}}, {a: {}}"},
	} {
		text := variant{example: oneBound, replaced: replaced}.stack(t)
		got := map[string]string{}
		for _, f := range findings(t, text) {
			if f.Rule == "pool-size" {
				for _, fix := range f.Fixes {
					got[f.Callee] += fix.Message + ": " + fix.After
				}
			}
		}
		want := map[string]string{
			"a": "line 9 5 → 16: then 16 = 4/s of 2 routes ÷ 1 instance × 4s fit, those to b, which has the same bound",
			"b": "line 9 5 → 16: then 16 = 4/s of 2 routes ÷ 1 instance × 4s fit",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
