package compile

import (
	"testing"

	"tchain.dev/tchain/chain"
)

func TestUndiciGivesEachOfSeveralAddressesItsTime(t *testing.T) {
	for _, row := range []struct{ name, runtime, client, endpoint, want string }{
		{"one address has all the time", `node: "20.10.0"`, "{}", "", "10s"},
		{"several share nothing: each has 250 ms", `node: "20.10.0"`, "{}", "endpoint: addresses: 4, ", "250ms"},
		{"from Node 25 on 500 ms", `node: "25.0.0"`, "{}", "endpoint: addresses: 4, ", "500ms"},
		{"before Node 20 only one family is tried", `node: "18.20.8"`, "{}", "endpoint: addresses: 4, ", "10s"},
		{"what is written counts", `node: "25.0.0"`, "{autoSelectFamilyAttemptTimeout: 2000}", "endpoint: addresses: 4, ", "2s"},
		{"switched off", `node: "20.10.0"`, "{autoSelectFamily: false}", "endpoint: addresses: 4, ", "10s"},
	} {
		s := resolveText(t, `package s
tchain: "v1"
name: "s"
layers: {
	api: app: {runtime: {`+row.runtime+`}, server: custom: {}, clients: up: undici: `+row.client+`}
	up: {`+row.endpoint+`external: {}}
}
routes: "GET /": path: ["api", "up"]
`)
		if l, _ := call(t, s, "api", "up").Limit(chain.Connect); chain.Format(l.Bound) != row.want {
			t.Errorf("%s: %s, want %s", row.name, chain.Format(l.Bound), row.want)
		}
	}
}
