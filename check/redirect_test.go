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
		{"what is past the client's own number is not followed", "endpoint: redirects: 10, ", "gohttp: {" + phases + "}", "40s"},
		{"a number that is written is the client's own", "endpoint: redirects: 10, ", `httpclient5: {manager: connectionConfig: connectTimeout: "1s", client: {requestConfig: {connectionRequestTimeout: "0s", responseTimeout: "3s", maxRedirects: 1}, disableAutomaticRetries: true}}`, "8s"},
		{"CheckRedirect has the number, too", "endpoint: redirects: 10, ", "gohttp: {" + phases + ", CheckRedirect: 1}", "8s"},
		{"none is followed where that is off", "endpoint: redirects: 10, ", `httpclient5: {manager: connectionConfig: connectTimeout: "1s", client: {requestConfig: {connectionRequestTimeout: "0s", responseTimeout: "3s", redirectsEnabled: false}, disableAutomaticRetries: true}}`, "4s"},
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

func TestMoreRedirectsThanAClientFollowsAreFound(t *testing.T) {
	for redirects, want := range map[string]string{
		"9":  "",
		"10": "up sends a caller on 10 times, and api's gohttp follows 9 at most: no call to it ever has an answer",
	} {
		text := `package s
tchain: "v1"
name:   "s"
layers: {
	api: app: {server: custom: {}, clients: up: gohttp: Timeout: "5s"}
	up: {endpoint: redirects: ` + redirects + `, external: {}}
}
routes: "GET /": path: ["api", "up"]
`
		if got := of(findings(t, text), "rejected"); got.Message != want {
			t.Errorf("%s: %q, want %q", redirects, got.Message, want)
		}
	}
}
