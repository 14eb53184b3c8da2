package compile

import (
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
)

func overProtocol(t *testing.T, client, protocol string) *chain.Stack {
	return resolveText(t, `package s
tchain: "v1"
name: "s"
layers: {
	api: app: {runtime: go: "1.26", clients: pay: gohttp: `+client+`}
	pay: {endpoint: {scheme: "https", `+protocol+`}, external: {}}
}
routes: "GET /": path: ["api", "pay"]
`)
}

// net/http takes some values of a Transport for others on HTTP/2 than on HTTP/1.
func TestAGoTransportOnHTTP2(t *testing.T) {
	const header, idle = `DefaultTransport: ResponseHeaderTimeout: "-1s"`, `DefaultTransport: IdleConnTimeout: "-1s"`
	for _, row := range []struct{ says, client, protocol, want string }{
		{"a header limit below 0 is over at once", header, `protocol: "h2"`, "ResponseHeaderTimeout -1s is over at once, since pay speaks h2: each request ends at once"},
		{"and is none on HTTP/1", header, `protocol: "http/1.1"`, "ResponseHeaderTimeout -1s acts as no limit: HTTP/1 knows only a time above 0, and HTTP/2 ends each request at once"},
		{"an idle time below 0 is over at once", idle, `protocol: "h2"`, "IdleConnTimeout -1s is over at once, since pay speaks h2: each connection is closed at once, and none is used again"},
		{"and is none where nothing is said of the protocol", idle, ``, "IdleConnTimeout -1s acts as no limit: HTTP/1 knows only a time above 0, and HTTP/2 closes each connection at once"},
		{"a bound of connections bounds none", `DefaultTransport: MaxConnsPerHost: 2`, `protocol: "h2"`, "MaxConnsPerHost 2 bounds nothing, since pay speaks h2: a connection that has all the streams it takes is counted no more, and another one is opened"},
		{"and does on HTTP/1", `DefaultTransport: MaxConnsPerHost: 2`, `protocol: "http/1.1"`, ""},
		{"a literal Transport with a dialer stays on HTTP/1", `Transport: {Dialer: Timeout: "1s", MaxConnsPerHost: 2}`, `protocol: "h2"`, ""},
		{"unless it is told not to", `Transport: {Dialer: Timeout: "1s", MaxConnsPerHost: 2, ForceAttemptHTTP2: true}`, `protocol: "h2"`, "MaxConnsPerHost 2 bounds nothing, since pay speaks h2: a connection that has all the streams it takes is counted no more, and another one is opened"},
		{"a header limit above 0 is one on both", `DefaultTransport: ResponseHeaderTimeout: "1s"`, `protocol: "h2"`, ""},
	} {
		var got []string
		for _, n := range overProtocol(t, "{"+row.client+"}", row.protocol).Notices {
			if n.Kind == chain.NoticeIgnored {
				got = append(got, n.Message)
			}
		}
		if strings.Join(got, "\n") != row.want {
			t.Errorf("%s: %q, want %q", row.says, got, row.want)
		}
	}
}

func TestALimitBelowZeroIsPlayedAsHTTP2HasIt(t *testing.T) {
	for protocol, want := range map[string]time.Duration{`protocol: "h2"`: 0, `protocol: "http/1.1"`: chain.Never} {
		c := call(t, overProtocol(t, `DefaultTransport: {ResponseHeaderTimeout: "-1s", IdleConnTimeout: "-1s"}`, protocol), "api", "pay")
		for _, l := range c.Limits() {
			if l.Kind == chain.ResponseHeader && l.Bound != want {
				t.Errorf("%s: the header limit is %v", protocol, l.Bound)
			}
		}
		if len(c.Idle) != 1 || c.Idle[0].Bound != want {
			t.Errorf("%s: idle connections are kept for %v", protocol, c.Idle)
		}
	}
}

func TestOnlyHTTP2HasAPing(t *testing.T) {
	for protocol, want := range map[string]bool{`protocol: "h2"`: true, `protocol: "grpc"`: true, `protocol: "http/1.1"`: false, ``: false} {
		pings := false
		for _, l := range call(t, overProtocol(t, `DefaultTransport: HTTP2: SendPingTimeout: "5s"`, protocol), "api", "pay").Upkeep {
			pings = pings || l.Kind == chain.PingInterval && l.Bound == 5*time.Second
		}
		if pings != want {
			t.Errorf("%s: pings %v", protocol, pings)
		}
	}
}

// Measured with five idle connections that were closed: a GET was written six times.
func TestARequestOfGosMayMeetEachIdleConnection(t *testing.T) {
	for client, want := range map[string]int{
		`{}`: 3,
		`DefaultTransport: MaxIdleConnsPerHost: 5`:                   6,
		`DefaultTransport: MaxIdleConnsPerHost: 0`:                   3,
		`Transport: {MaxIdleConnsPerHost: 50, MaxIdleConns: 10}`:     11,
		`DefaultTransport: MaxIdleConnsPerHost: 9223372036854775807`: 101,
		`Transport: MaxIdleConnsPerHost: 9223372036854775807`:        chain.Endless,
	} {
		c := call(t, overProtocol(t, client, ``), "api", "pay")
		if got := chain.MaxAttempts(c.Resend, c); got != want {
			t.Errorf("%s: sent %d times at most, want %d", client, got, want)
		}
	}
	c := call(t, overProtocol(t, `{}`, `protocol: "h2"`), "api", "pay")
	if got := chain.MaxAttempts(c.Resend, c); got != 8 {
		t.Errorf("on HTTP/2 sent %d times at most, want 8", got)
	}
}
