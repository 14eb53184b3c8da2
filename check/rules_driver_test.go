package check_test

import (
	"slices"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

// driverless is a pool of which the driver below is not declared.
const driverless = `
tchain: "v1"
name:   "shop"
layers: {
	proxy: nginx: {version: "1.28.0", server: {proxy_connect_timeout: "1s", proxy_read_timeout: "20s"}}
	shop: {instances: 2, app: {server: gohttp: {}, clients: {db: hikari: {maximumPoolSize: 10}, card: gohttp: Timeout: "6s"}, calls: [{db: {}}, {card: {}}]}}
	card: external: {}
	db: postgres: {}
}
routes: "POST /pay": {path: ["proxy", "shop"], tps: 2}
`

func TestWhatIsKnownOfACallIsComparedWhereTheRestIsNotDeclared(t *testing.T) {
	for _, x := range []struct {
		name     string
		replaced []string
		rule     string
		says     string // "" for nothing
	}{
		{"the pool's default wait alone is too long", []string{"maximumPoolSize: 10", "maximumPoolSize: 10"}, "error-room", "proxy answers 504 at 20s, before shop's own error at 36s"},
		{"a wait that is short", []string{"maximumPoolSize: 10", "connectionTimeout: 2000"}, "error-room", ""},
		{"a wait that fits, but not with the next call", []string{"maximumPoolSize: 10", "connectionTimeout: 15000"}, "fresh-budgets", "shop gives each of 2 calls in a row a new budget and ends at 21s, but proxy answers 504 at 20s"},
		{"a wait without end is another rule's", []string{"maximumPoolSize: 10", "connectionTimeout: 0"}, "error-room", ""},
		{"a driver without a limit is another rule's", []string{"maximumPoolSize: 10", "pgjdbc: socketTimeout: 0"}, "error-room", ""},
		{"a limit that cannot be raised", []string{`nginx: {version: "1.28.0", server: {proxy_connect_timeout: "1s", proxy_read_timeout: "20s"}}`, "herokuRouter: {}"}, "platform-cap", "before shop's own error at 36s"},
	} {
		t.Run(x.name, func(t *testing.T) {
			f := of(findings(t, strings.NewReplacer(x.replaced...).Replace(driverless)), x.rule)
			if x.says == "" && f.Message != "" || !strings.Contains(f.Message, x.says) {
				t.Errorf("%q, want %q", f.Message, x.says)
			}
			if f.Rule == "error-room" && (f.Trace == nil || !slices.ContainsFunc(f.Trace.Events, func(e chain.Event) bool { return e.Kind == chain.EvTimeout && e.Node.Layer == "shop" })) {
				t.Error("the trace does not show that shop's own error is lost")
			}
		})
	}
}

func TestNothingIsComparedWithAPhaseWhoseLimitTheProductRefuses(t *testing.T) {
	for timeout, want := range map[string]string{"[0, 5]": "", "0": "", "[1, 5, 6]": "", "[15, 5]": "error-room", "[1, 5]": ""} {
		fs := findings(t, `package s
tchain: "v1"
name:   "s"
layers: {
	proxy: nginx: {version: "1.28.0", server: {proxy_connect_timeout: "1s", proxy_read_timeout: "20s"}}
	shop: app: {server: gohttp: IdleTimeout: "90s", clients: price: requests: timeout: `+timeout+`}
	price: external: {}
}
routes: "GET /x": path: ["proxy", "shop", "price"]
`)
		refused := want == "" && timeout != "[1, 5]"
		if of(fs, "error-room").Rule != want || of(fs, "no-limit").Rule != "" || (of(fs, "rejected").Rule != "") != refused {
			t.Errorf("%s: %q, %q, %q", timeout, of(fs, "error-room").Message, of(fs, "no-limit").Message, of(fs, "rejected").Message)
		}
	}
}
