package compile

import (
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

// A zero or a negative value that the product silently takes for something else is
// said at the value, with what is in force.
func TestAValueThatIsTakenForAnotherOneIsSaid(t *testing.T) {
	for client, want := range map[string]string{
		`httpclient5: manager: maxConnTotal: 0`:                              "maxConnTotal 0 acts as 25, the default: the builder drops what is not above 0",
		`httpclient5: manager: maxConnPerRoute: -3`:                          "maxConnPerRoute -3 acts as 5, the default: the builder drops what is not above 0",
		`gohttp: Timeout: "-1s"`:                                             "Timeout -1s acts as no limit: http.Client knows only a time above 0",
		`gohttp: DefaultTransport: ResponseHeaderTimeout: "-1s"`:             "ResponseHeaderTimeout -1s acts as no limit: HTTP/1 knows only a time above 0, and HTTP/2 ends each request at once",
		`gohttp: DefaultTransport: IdleConnTimeout: "-1s"`:                   "IdleConnTimeout -1s acts as no limit: HTTP/1 knows only a time above 0, and HTTP/2 closes each connection at once",
		`gohttp: Transport: MaxConnsPerHost: -3`:                             "MaxConnsPerHost -3 acts as no bound: net/http knows only a number above 0",
		`gohttp: DefaultTransport: MaxIdleConnsPerHost: -1`:                  "MaxIdleConnsPerHost -1 acts as DisableKeepAlives: no connection is used again",
		`gohttp: Transport: MaxIdleConns: -1`:                                "MaxIdleConns -1 acts as DisableKeepAlives: no connection is used again",
		`gohttp: DefaultTransport: MaxIdleConnsPerHost: 200`:                 "MaxIdleConnsPerHost 200 acts as 100: MaxIdleConns is for all hosts together",
		`gohttp: Transport: {MaxIdleConnsPerHost: 50, MaxIdleConns: 10}`:     "MaxIdleConnsPerHost 50 acts as 10: MaxIdleConns is for all hosts together",
		`gohttp: Transport: MaxIdleConnsPerHost: 200`:                        "",
		`gohttp: DefaultTransport: MaxIdleConnsPerHost: 100`:                 "",
		`node: agent: maxSockets: 0`:                                         "maxSockets 0 acts as no bound: it is taken for one that is not set",
		`node: agent: maxFreeSockets: 0`:                                     "maxFreeSockets 0 acts as 256, the default: it is taken for one that is not set",
		`webclient: option: CONNECT_TIMEOUT_MILLIS: -1`:                      "CONNECT_TIMEOUT_MILLIS -1 acts as 30000, the default: Netty refuses it, and Reactor Netty only logs that",
		`hikari: maximumPoolSize: 0`:                                         "maximumPoolSize 0 acts as 10, the default: HikariCP takes its own where it is less than 1",
		`gohttp: {Timeout: "0s", DefaultTransport: MaxConnsPerHost: 0}`:      "", // documented
		`gohttp: DefaultTransport: MaxIdleConnsPerHost: 0`:                   "",
		`httpclient5: manager: {maxConnTotal: 1, maxConnPerRoute: 1}`:        "",
		`gohttp: DefaultTransport: {MaxIdleConns: 1, IdleConnTimeout: "0s"}`: "",
	} {
		s := resolveText(t, jvmStack(``, client, "external: {}", "GET /"))
		var got []string
		for _, n := range s.Notices {
			if n.Kind == chain.NoticeIgnored {
				got = append(got, n.Message)
				if n.Origin.Pos.Line != 5 {
					t.Errorf("%s: at %v", client, n.Origin.Pos)
				}
			}
		}
		if strings.Join(got, "\n") != want {
			t.Errorf("%s: %q, want %q", client, got, want)
		}
	}
}

func TestAGoClientThatKeepsNoIdleConnectionReusesNone(t *testing.T) {
	for settings, keeps := range map[string]bool{`MaxIdleConnsPerHost: -1`: false, `MaxIdleConns: -1`: false, `MaxIdleConnsPerHost: 0`: true} {
		c := call(t, resolveText(t, jvmStack(``, `gohttp: DefaultTransport: `+settings, "external: {}", "GET /")), "api", "pay")
		if keeps != (len(c.Idle) > 0) || keeps != (c.Resend != nil) {
			t.Errorf("%s: idle %v, resend %v", settings, c.Idle, c.Resend)
		}
	}
}
