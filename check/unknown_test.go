package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tchain.dev/tchain/check"
)

func TestARouteWithoutARateIsNamedWhereAnotherOneHasOne(t *testing.T) {
	for rates, want := range map[string]string{
		`"GET /a": {}, "GET /b": tps: 5`: "the pool of api to price is not checked: GET /a has no tps",
		`"GET /a": {}, "GET /b": {}`:     "the pool of api to price is not checked: the route has no tps",
	} {
		var got []string
		for _, x := range check.NotChecked(stackOf(t, `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {server: custom: {}, clients: price: gohttp: {Timeout: "2s", DefaultTransport: MaxConnsPerHost: 5}}
	price: external: {}
}
path: ["api", "price"]
routes: {`+rates+`}
`)) {
			got = append(got, x.Reason)
		}
		if !strings.Contains(strings.Join(got, "\n"), want) {
			t.Errorf("%s: %q", rates, got)
		}
	}
}

// Of a race nothing is said only where it is known that there is none.
func TestWhereNobodyKnowsHowLongConnectionsAreKeptTheRaceIsNotChecked(t *testing.T) {
	const race = "whether %s reuses a connection that price has just closed is not checked: %s"
	for _, row := range []struct {
		n, layers, path, caller, why string
	}{
		{"a client that is not documented", `api: app: {server: custom: {}, clients: price: got: {}}, price: external: idleKeepalive: "60s"`, `["api", "price"]`, "api", "how long got keeps an idle one is not documented"},
		{"a client that is not declared", `api: app: {server: custom: {}, clients: price: custom: {}}, price: external: idleKeepalive: "60s"`, `["api", "price"]`, "api", "idleKeepalive is not declared"},
		{"one that is declared", `api: app: {server: custom: {}, clients: price: custom: idleKeepalive: "50s"}, price: external: idleKeepalive: "60s"`, `["api", "price"]`, "", ""},
		{"one whose connections all calls share", `api: app: {server: custom: {}, clients: price: grpcGo: {}}, price: external: idleKeepalive: "60s"`, `["api", "price"]`, "", ""},
		{"a callee that closes none", `api: app: {server: custom: {}, clients: price: got: {}}, price: external: idleKeepalive: "0s"`, `["api", "price"]`, "", ""},
		{"a callee of which nothing is said", `api: app: {server: custom: {}, clients: price: got: {}}, price: external: {}`, `["api", "price"]`, "", ""},
		{"a proxy that keeps them for no fixed time", `proxy: haproxy: {}, price: external: idleKeepalive: "60s"`, `["proxy", "price"]`, "proxy", "how long haproxy keeps an idle one is not documented"},
		{"a proxy that reuses none", `proxy: haproxy: backend: price: "http-reuse": "never", price: external: idleKeepalive: "60s"`, `["proxy", "price"]`, "", ""},
		{"a proxy that keeps no idle one by default", `proxy: f5NginxIngress: {}, price: external: idleKeepalive: "60s"`, `["proxy", "price"]`, "", ""},
		{"a proxy that is told to keep some", `proxy: f5NginxIngress: configMap: keepalive: 8, price: external: idleKeepalive: "60s"`, `["proxy", "price"]`, "proxy", "how long f5NginxIngress keeps an idle one is not documented"},
		{"a browser", `web: browser: fetch: signal: timeout: 9000, price: external: idleKeepalive: "60s"`, `["web", "price"]`, "", ""},
		{"a layer that is not known", `cdn: unknown: "vendor", price: external: idleKeepalive: "60s"`, `["cdn", "price"]`, "", ""},
		{"what passes flows on", `flows: nlb: {}, price: external: idleKeepalive: "60s"`, `["flows", "price"]`, "", ""},
		{"over what passes flows on", `api: app: {server: custom: {}, clients: flows: got: {}}, flows: nlb: {}, price: external: idleKeepalive: "60s"`, `["api", "flows", "price"]`, "api", "how long got keeps an idle one is not documented"},
	} {
		var got []string
		for _, x := range check.NotChecked(stackOf(t, "tchain: \"v1\"\nname: \"s\"\nlayers: {"+row.layers+"}\nroutes: \"GET /price\": path: "+row.path)) {
			if strings.Contains(x.Reason, "has just closed") {
				got = append(got, x.Reason)
			}
		}
		want := []string(nil)
		if row.why != "" {
			want = []string{fmt.Sprintf(race, row.caller, row.why)}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", row.n, got, want)
		}
	}
}

func TestAValueOfRunTimeIsSaidToBeNotCheckedOnce(t *testing.T) {
	s := stackOf(t, `package s
tchain: "v1"
name:   "s"
layers: {
	proxy: nginx: {version: "1.28.0", server: {proxy_connect_timeout: "1s", proxy_read_timeout: string @env(READ)}}
	api: app: {server: gohttp: {}, clients: price: gohttp: Timeout: string @env(WAIT)}
	price: external: {}
}
routes: "GET /": path: ["proxy", "api", "price"]
`)
	said := map[string]int{}
	for _, n := range slices.Concat(s.NotChecked, s.Routes[0].NotChecked, check.NotChecked(s)) {
		said[n.Layer+": "+n.Reason]++
	}
	for _, want := range []string{"proxy: proxy_read_timeout is injected at run time and not given", "api: Timeout is injected at run time and not given"} {
		if said[want] != 1 {
			t.Errorf("%s: %d times, of %v", want, said[want], said)
		}
	}
}
