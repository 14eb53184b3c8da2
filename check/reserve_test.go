package check_test

import (
	"strings"
	"testing"
)

// A worst case counts an app's reserve, and a trace only where the deadline is spent.
func TestWhereATraceTakesNothingOfTheReserveThatIsSaid(t *testing.T) {
	for name, tc := range map[string]struct {
		limit string
		says  bool
	}{
		"the client gives up before the call's share is spent": {"18s", true},
		"the call's share is spent":                            {"25s", false},
	} {
		said := false
		for _, f := range findings(t, `package shop
tchain: "v1"
name:   "shop"
layers: {
	proxy: nginx: {version: "1.30.0", server: {proxy_connect_timeout: "1s", proxy_read_timeout: "17s"}, upstream: api: server: ["a:1"]}
	api: app: {
		server: gohttp: {}
		deadline: {total: "60s", perCall: "20s", reserve: "2s", enforced: true}
		clients: price: gohttp: {Timeout: "`+tc.limit+`", DefaultTransport: Dialer: Timeout: "1s"}
	}
	price: external: idleKeepalive: "300s"
}
routes: "GET /price": path: ["proxy", "api", "price"]
`) {
			for _, r := range f.Related {
				said = said || f.Rule == "error-room" && strings.Contains(r.Message, "of which this fault takes nothing")
			}
		}
		if said != tc.says {
			t.Errorf("%s: %v", name, said)
		}
	}
}
