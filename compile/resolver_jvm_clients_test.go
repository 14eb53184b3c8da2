package compile

import (
	"testing"
	"time"

	"tchain.dev/tchain/chain"
)

func TestHttpClient4sHandshakeHasTheTimeOfConnectingOnlyWithoutATunnel(t *testing.T) {
	for via, want := range map[string]time.Duration{``: 2 * time.Second, `via: "squid", `: chain.Never} {
		s := resolveText(t, `package s
tchain: "v1"
name: "s"
layers: {
	api: app: clients: pay: {`+via+`httpclient4: requestConfig: {connectTimeout: 2000, socketTimeout: 5000}}
	squid: custom: {}
	pay: {endpoint: scheme: "https", external: {}}
}
routes: "GET /": path: ["api", "pay"]
`)
		if l, ok := call(t, s, "api", "pay").Limit(chain.TLSHandshake); !ok || l.Bound != want {
			t.Errorf("%q: the handshake has %s, want %s", via, chain.Format(l.Bound), chain.Format(want))
		}
	}
}
