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

func TestOldReleasesPassAnyMethodToTheNextServer(t *testing.T) {
	for version, want := range map[string]bool{"1.8.1": true, "1.9.12": true, "1.9.13": false, "1.28.0": false} {
		s := resolveText(t, `package s
tchain: "v1"
name: "s"
layers: {
	proxy: nginx: {version: "`+version+`", upstream: api: server: ["10.0.0.1:80", "10.0.0.2:80"]}
	api: app: server: gohttp: IdleTimeout: "90s"
}
routes: "POST /": path: ["proxy", "api"]
`)
		retry := s.Routes[0].Root.Calls()[0].Layers[0].Retry
		if got := retry.Allows(chain.CondReset, "POST", true); got != want {
			t.Errorf("%s repeats a POST that was sent: %v, want %v", version, got, want)
		}
	}
}
