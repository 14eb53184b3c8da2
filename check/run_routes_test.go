package check_test

import (
	"slices"
	"strings"
	"testing"

	"tchain.dev/tchain/check"
)

func TestRoutesOnWhichAFindingWeighsDifferentlyAreFoundApart(t *testing.T) {
	fs := findings(t, `package s
tchain: "v1"
name:   "s"
layers: {
	web: browser: fetch: signal: timeout: 100_000
	gw: nginx: {server: {proxy_http_version: "1.1", proxy_next_upstream: "error"}, upstream: api: {server: ["a:80", "b:80"], keepalive: 16, keepalive_timeout: "300s"}}
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
