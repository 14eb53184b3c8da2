package compile

import (
	"testing"

	"tchain.dev/tchain/chain"
)

func TestKeptUpstreamConnectionsWantHTTP11(t *testing.T) {
	for settings, want := range map[string]int{
		`version: "1.28.0", upstream: api: {server: ["10.0.0.1:80"], keepalive: 32}`:                                    1,
		`version: "1.28.0", server: proxy_http_version: "1.1", upstream: api: {server: ["10.0.0.1:80"], keepalive: 32}`: 0,
		`version: "1.28.0", upstream: api: {server: ["10.0.0.1:80"], keepalive: 0}`:                                     0,
		`version: "1.29.7", upstream: api: {server: ["10.0.0.1:80"], keepalive: 32}`:                                    0,
	} {
		s := resolveText(t, `package s
tchain: "v1"
name: "s"
layers: {
	proxy: nginx: {`+settings+`}
	api: app: server: gohttp: IdleTimeout: "90s"
}
routes: "GET /": path: ["proxy", "api"]
`)
		n := 0
		for _, x := range s.Notices {
			if x.Kind == chain.NoticeIgnored {
				n++
			}
		}
		if n != want {
			t.Errorf("%s: %d notices, want %d", settings, n, want)
		}
	}
}
