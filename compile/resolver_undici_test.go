package compile

import (
	"testing"
	"time"

	"tchain.dev/tchain/chain"
)

func TestNodeDialsTheNextOfSeveralAddresses(t *testing.T) {
	for _, row := range []struct{ name, runtime, client, endpoint, want string }{
		{"one address has all the time", `node: "20.10.0"`, "{}", "", ""},
		{"each but the last has 250 ms", `node: "20.10.0"`, "{}", "endpoint: addresses: 4, ", "250ms"},
		{"from Node 25 on 500 ms", `node: "25.0.0"`, "{}", "endpoint: addresses: 4, ", "500ms"},
		{"before Node 20 only the first is tried", `node: "18.20.8"`, "{}", "endpoint: addresses: 4, ", "never"},
		{"what is written counts", `node: "25.0.0"`, "{autoSelectFamilyAttemptTimeout: 2000}", "endpoint: addresses: 4, ", "2s"},
		{"switched off", `node: "20.10.0"`, "{autoSelectFamily: false}", "endpoint: addresses: 4, ", "never"},
	} {
		for _, client := range []string{"undici", "node"} {
			s := resolveText(t, `package s
tchain: "v1"
name: "s"
layers: {
	api: app: {runtime: {`+row.runtime+`}, server: custom: {}, clients: up: `+client+`: `+row.client+`}
	up: {`+row.endpoint+`external: {}}
}
routes: "GET /": path: ["api", "up"]
`)
			c, got := call(t, s, "api", "up"), ""
			if c.Next.Declared() {
				got = chain.Format(c.Next.D)
			}
			if got != row.want {
				t.Errorf("%s, %s: %q, want %q", client, row.name, got, row.want)
			}
			if l, _ := c.Limit(chain.Connect); client == "undici" && l.Bound != 10*time.Second {
				t.Errorf("%s: a connect ends at %s", row.name, chain.Format(l.Bound))
			}
		}
	}
}
