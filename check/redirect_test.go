package check_test

import (
	"testing"

	"tchain.dev/tchain/chain"
)

func TestEachRedirectStartsTheTimersAnew(t *testing.T) {
	phases := `DefaultTransport: {Dialer: Timeout: "1s", ResponseHeaderTimeout: "3s"}, readGap: "3s"`
	for _, row := range []struct{ name, endpoint, client, want string }{
		{"without redirects there is one exchange", "", "gohttp: {" + phases + "}", "4s"},
		{"two redirects are two more", "endpoint: redirects: 2, ", "gohttp: {" + phases + "}", "12s"},
		{"a total around them does not start anew", "endpoint: redirects: 2, ", "gohttp: {" + phases + `, Timeout: "10s"}`, "10s"},
		{"a client that does not follow them makes one exchange", "endpoint: redirects: 2, ", `custom: {dns: "1s", connect: "1s", responseHeader: "3s", responseReadGap: "3s"}`, "5s"},
	} {
		r := stackOf(t, `package s
tchain: "v1"
name:   "s"
layers: {
	api: app: {server: custom: {}, clients: up: `+row.client+`}
	up: {`+row.endpoint+`external: {}}
}
routes: "GET /": path: ["api", "up"]
`).Routes[0]
		if got := chain.Format(chain.Worst(r, r.Root).Total); got != row.want {
			t.Errorf("%s: %s, want %s", row.name, got, row.want)
		}
	}
}
