package check_test

import (
	"slices"
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
