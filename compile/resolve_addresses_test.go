package compile

import (
	"testing"

	"tchain.dev/tchain/chain"
)

// Go's outcomes are those of a run with one address that swallows SYNs and one that
// answers; section 1.3 of the facts.
func TestOneDeadAddressOfSeveral(t *testing.T) {
	const boot = `springBoot: "3.5.9"`
	for _, row := range []struct{ says, runtime, client, want string }{
		{"Go 1.26, 6 s for two addresses", `go: "1.26"`, `gohttp: Transport: Dialer: Timeout: "6s"`, "200 from pay at 3s"},
		{"3 s: each has 2 s at least", `go: "1.26"`, `gohttp: Transport: Dialer: Timeout: "3s"`, "200 from pay at 2s"},
		{"1 s: the second one is never dialled", `go: "1.26"`, `gohttp: Transport: Dialer: Timeout: "1s"`, "api's own error at 1s"},
		{"a context that is over before the first one's share", `go: "1.26"`, `gohttp: {context: timeout: "2500ms", Transport: Dialer: Timeout: "6s"}`, "api's own error at 2.5s"},
		{"until 1.23 it shortens the share", `go: "1.22"`, `gohttp: {context: timeout: "2500ms", Transport: Dialer: Timeout: "6s"}`, "200 from pay at 2s"},
		{"the default of 30 s and 5 s for the request", `go: "1.26"`, `gohttp: {context: timeout: "5s", DefaultTransport: {}}`, "api's own error at 5s"},
		{"the same before 1.23", `go: "1.22"`, `gohttp: {context: timeout: "5s", DefaultTransport: {}}`, "200 from pay at 2.5s"},
		{"no limit of the dialer's leaves it to the kernel", `go: "1.26"`, `gohttp: Transport: {}`, "200 from pay at 135s"},
		{"HttpClient 5 has a connect for each address", boot, `httpclient5: manager: connectionConfig: connectTimeout: "1s"`, "200 from pay at 1s"},
		{"Reactor Netty has, too", boot, `webclient: option: CONNECT_TIMEOUT_MILLIS: 700`, "200 from pay at 700ms"},
		{"java.net.http dials the first alone", `jdk: "21"`, `jdkHttpClient: builder: connectTimeout: "2s"`, "api's own error at 2s"},
		{"OkHttp dials the next one soon", boot, `okhttp: {}`, "200 from pay at 250ms"},
		{"undici as Node does", `node: "22.9.0"`, `undici: {}`, "200 from pay at 250ms"},
		{"Requests has a connect for each", `python: "3.12"`, `requests: timeout: 5`, "200 from pay at 5s"},
	} {
		s := resolveText(t, jvmStack(row.runtime, `{`+row.client+`}`, "{endpoint: addresses: 2, external: {}}", "GET /"))
		c := call(t, s, "api", "pay")
		trace := chain.Play(s.Routes[0], chain.Fault{Kind: chain.DeadAddress, Call: c, From: node(t, s, "api")})
		got := trace.Outcome.Text()
		if trace.Outcome.Status == 200 {
			got = "200 from pay at " + chain.Shown(trace.Outcome.At)
		}
		if got != row.want {
			t.Errorf("%s: %s, want %s", row.says, got, row.want)
		}
	}
}

func TestADeadAddressIsAFaultWhereItIsKnownWhatItDoes(t *testing.T) {
	possible := func(client, pay string) bool {
		s := resolveText(t, jvmStack("", `{`+client+`}`, pay, "GET /"))
		for _, f := range chain.Faults(s.Routes[0]) {
			if f.Kind == chain.DeadAddress {
				return true
			}
		}
		return false
	}
	for _, row := range []struct {
		says, client, pay string
		want              bool
	}{
		{"one address", `okhttp: {}`, "external: {}", false},
		{"several", `okhttp: {}`, "{endpoint: addresses: 3, external: {}}", true},
		{"several, of which nobody knows when the next is dialled", `reqwest: connect_timeout: "3s"`, "{endpoint: addresses: 3, external: {}}", false},
	} {
		if got := possible(row.client, row.pay); got != row.want {
			t.Errorf("%s: %v, want %v", row.says, got, row.want)
		}
	}
}
