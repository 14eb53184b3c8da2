package compile

import (
	"fmt"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

// dialling are the limits of a call up to the end of the handshake: what ends
// which phase, after how long, and by which setting.
func dialling(c *chain.Call) string {
	var out []string
	for _, l := range c.Limits() {
		if l.Kind != chain.DNS && l.Kind != chain.Connect && l.Kind != chain.TLSHandshake {
			continue
		}
		per := ""
		if l.Per == chain.PerAddress {
			per = " each"
		}
		out = append(out, fmt.Sprintf("%s %s%s %s %s", l.Kind, chain.Format(l.Bound), per, l.Fires, l.Origin.Name))
	}
	return strings.Join(out, ", ")
}

func TestTheKernelEndsAConnectThatNoSettingEnds(t *testing.T) {
	for _, row := range []struct{ says, client, want string }{
		{"a Go dialer without a limit, though not its name resolution; it dials one address after the other", `gohttp: Transport: TLSHandshakeTimeout: "1s"`, "connect 135s each error the kernel's limit, dns never error Dialer.Timeout, tls-handshake 1s error TLSHandshakeTimeout"},
		{"a Go dialer's own limit stays as it is", `gohttp: {}`, "connect 30s error Dialer.Timeout, tls-handshake 10s error TLSHandshakeTimeout"},
		{"a limit of the whole call that is over before leaves nothing to the kernel", `gohttp: {Timeout: "20s", Transport: TLSHandshakeTimeout: "1s"}`, "connect never error Dialer.Timeout, tls-handshake 1s error TLSHandshakeTimeout"},
		{"one that is over later does not", `gohttp: {Timeout: "200s", Transport: TLSHandshakeTimeout: "1s"}`, "connect 135s each error the kernel's limit, dns never error Dialer.Timeout, tls-handshake 1s error TLSHandshakeTimeout"},
		{"what is injected at run time may be over before", `gohttp: Transport: {Dialer: Timeout: string @env(DIAL), TLSHandshakeTimeout: "1s"}`, "connect never error Dialer.Timeout, tls-handshake 1s error TLSHandshakeTimeout"},
		{"Node's http.request has nothing for connecting", `node: {}`, "connect 135s error the kernel's limit"},
		{"and a timeout that only tells ends nothing", `node: timeout: 3000`, "connect 135s error the kernel's limit"},
		{"a zero of undici leaves the handshake without a limit too", `undici: connectTimeout: 0`, "connect 135s error the kernel's limit, dns never error connectTimeout, tls-handshake never error connectTimeout"},
		{"HttpClient 5 gives each address its own time, by default longer than the kernel's", `httpclient5: {}`, "connect 135s each error the kernel's limit, tls-handshake 180s each error connectTimeout"},
		{"so does a written one of any client that is longer", `okhttp: connectTimeout: "200s"`, "connect 135s each error the kernel's limit, tls-handshake 10s each error readTimeout"},
		{"a longer one that is for all addresses and the name resolution stays around it", `gohttp: Transport: {Dialer: Timeout: "200s", TLSHandshakeTimeout: "1s"}`, "connect 200s error Dialer.Timeout, tls-handshake 1s error TLSHandshakeTimeout, connect 135s each error the kernel's limit"},
		{"and one that is for the handshake too", `undici: connectTimeout: 200000`, "connect 200s error connectTimeout, connect 135s error the kernel's limit"},
		{"a client of the team's own too", `custom: responseHeader: "2s"`, "dns never error dns, connect 135s each error the kernel's limit, tls-handshake never error tlsHandshake"},
	} {
		t.Run(row.says, func(t *testing.T) {
			s := resolveText(t, jvmStack(``, row.client, `{endpoint: scheme: "https", external: {}}`, "GET /"))
			if got := dialling(call(t, s, "api", "pay")); got != row.want {
				t.Errorf("%s has\n%s, want\n%s", row.client, got, row.want)
			}
		})
	}
}

func TestTheKernelOfALayerCountsOnlyWhereATeamRunsIt(t *testing.T) {
	for layer, want := range map[string]string{
		`haproxy: {}`: "connect 135s 503 the kernel's limit",
		`haproxy: defaults: timeout: connect: "5s"`:                             "connect 5s 503 connect",
		`traefik: serversTransport: pay: forwardingTimeouts: dialTimeout: "0s"`: "connect 135s each 504 the kernel's limit, dns never 504 dialTimeout, tls-handshake 10s 504 tls_handshake",
		`nlb: {}`:               "",
		`unknown: "vendor CDN"`: "",
	} {
		s := resolveText(t, `package s
tchain: "v1"
name: "s"
layers: {
	edge: `+layer+`
	pay: external: {}
}
routes: "GET /": path: ["edge", "pay"]
`)
		if got := dialling(call(t, s, "edge", "pay")); got != want {
			t.Errorf("%s has %s, want %s", layer, got, want)
		}
	}
}

func TestTheKernelsLimitSaysWhereItIsFromAndWhereTheProductTakesOne(t *testing.T) {
	const pay = "api.app.clients.pay."
	for client, want := range map[string]string{
		`socket: {}`:      pay + "socket.connect.timeout is not set",
		`httpclient5: {}`: pay + "httpclient5.manager.connectionConfig.connectTimeout is 180s and the kernel stops dialling before",
		`httpclient5: client: requestConfig: connectTimeout: "0s"`: pay + "httpclient5.client.requestConfig.connectTimeout: 0 means no limit",
		`requests: {}`: pay + "requests.connect is not set",
		`node: {}`:     "nothing else ends it",
	} {
		c := call(t, resolveText(t, jvmStack(``, client, "external: {}", "GET /")), "api", "pay")
		l, _ := c.Limit(chain.Connect)
		o := l.Origin
		if o.Note != "net.ipv4.tcp_syn_retries, since "+want || !strings.HasPrefix(want, o.Setting) != (o.Place == nil) {
			t.Errorf("%s: %s of %s, want %s", client, o.Note, o.Setting, want)
		}
		source := chain.Fixed
		if client == `httpclient5: {}` { // its own default is in force, and longer
			source = chain.Default
		}
		if !l.Kernel || o.Source != source || o.Product != "Linux" || o.ID != "linux.net.ipv4.tcp_syn_retries" || !o.Proved {
			t.Errorf("%s: %+v", client, l)
		}
	}
}

func TestAWrittenConnectLimitAboveTheKernelsActsAsItsAndAnyBelowAsItself(t *testing.T) {
	for client, want := range map[string]string{
		`socket: connect: timeout: 200000`:                           "timeout 200000 acts as 135s: the kernel stops dialling",
		`okhttp: connectTimeout: "200s"`:                             "connectTimeout 200s acts as 135s: the kernel stops dialling",
		`httpclient5: client: requestConfig: connectTimeout: "170s"`: "connectTimeout 170s acts as 135s: the kernel stops dialling",
		`okhttp: connectTimeout: "135s"`:                             "",
		`httpclient5: {}`:                                            "",
		`undici: connectTimeout: 200000`:                             "", // the handshake still has all of it
	} {
		s := resolveText(t, jvmStack(``, client, "external: {}", "GET /"))
		got := ""
		for _, n := range s.Notices {
			if n.Kind == chain.NoticeIgnored {
				got += n.Message
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", client, got, want)
		}
	}
}

func TestADeadAddressKeepsTheNextWaitingNoLongerThanTheKernelDials(t *testing.T) {
	for client, want := range map[string]string{
		`httpclient5: {}`: "135s", `gohttp: Transport: Dialer: Timeout: "200s"`: "100s", `gohttp: Transport: Dialer: Timeout: "300s"`: "135s",
	} {
		s := resolveText(t, jvmStack(``, client, `{endpoint: addresses: 2, external: {}}`, "GET /"))
		if next := call(t, s, "api", "pay").Next; chain.Format(next.D) != want {
			t.Errorf("%s: %s, want %s", client, chain.Format(next.D), want)
		}
	}
}

func TestWhereTheKernelEndsAConnectOneAddressAfterTheOtherIsDialled(t *testing.T) {
	for client, want := range map[string]string{
		`gohttp: Transport: {}`: "270s", `requests: {}`: "270s", `node: {}`: "135s", `socket: {}`: "135s",
		// Measured on Linux 6.18: 270.5 s with one address. It repeats what was no timeout of its own.
		`jdkHttpClient: {}`: "270s", `jdkHttpClient: system: "jdk.httpclient.disableRetryConnect": true`: "135s", `jdkHttpClient: request: timeout: "5s"`: "5s",
		`httpclient5: client: disableAutomaticRetries: true`: "270s", `gohttp: Transport: Dialer: Timeout: "200s"`: "200s", `gohttp: Transport: Dialer: Timeout: "300s"`: "270s",
	} {
		s := resolveText(t, jvmStack(``, client, `{endpoint: addresses: 2, external: {}}`, "GET /"))
		if _, at, _ := played(t, s, chain.Blackhole, "api", "pay"); chain.Format(at) != want {
			t.Errorf("%s: at %s, want %s", client, chain.Format(at), want)
		}
	}
}
