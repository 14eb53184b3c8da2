package targets

import (
	"slices"
	"strings"
	"testing"

	"tchain.dev/tchain/emit"
)

const unmetStack = `layers: {
	web: browser: fetch: signal: timeout: 60_000
	edge: nginx: {
		version: "1.28.0"
		server: {proxy_read_timeout: "20s", send_timeout: "4s"}
		location: {"/never/": proxy_read_timeout: "7s", "/a": proxy_read_timeout: "8s"}
		upstream: api: server: ["10.0.0.1:80"]
	}
	lone: nginx: server: proxy_read_timeout: "11s"
	api: app: clients: bank: httpclient5: {
		manager: connectionConfig: connectTimeout: "1s"
		client: requestConfig: {responseTimeout: "5s", connectionRequestTimeout: "1s", connectionKeepAlive: "30s"}
		context: "/never": responseTimeout: "7s"
	}
	bank: external: idleKeepalive: "60s"
}
path: ["web", "edge", "api", "bank"]
routes: "GET /a": at: edge: nginx: server: send_timeout: "5s"
`

// What an inner block beats on every route, and what no route meets, is told.
func TestWhatNoRouteHasInForceIsTold(t *testing.T) {
	s, errs := read(t, unmetStack)
	if errs != nil {
		t.Fatal(errs)
	}
	const client = `api.app.clients.bank.httpclient5.context."/never".responseTimeout: 7s`
	for name, want := range map[string][]string{
		"nginx": {"edge.nginx.server.proxy_read_timeout: 20s", "edge.nginx.server.send_timeout: 4s", `edge.nginx.location."/never/".proxy_read_timeout: 7s`,
			"lone.nginx.server.proxy_read_timeout: 11s"},
		"go": {client}, "spring": {client},
	} {
		target, _ := Named(name)
		_, warnings, err := target.Emit(s, emit.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, w := range want {
			if !slices.ContainsFunc(warnings, func(x emit.Warning) bool {
				return x.String() == w+" is not written: no route is known to have it in force"
			}) {
				t.Errorf("%s does not tell of %s: %q", name, w, warnings)
			}
		}
		if n := len(slices.DeleteFunc(warnings, func(x emit.Warning) bool { return !strings.Contains(x.Message, "known to have it") })); n != len(want) {
			t.Errorf("%s tells of %d, want %d", name, n, len(want))
		}
	}
}
