package compile

import (
	"testing"

	"tchain.dev/tchain/chain"
)

func TestTomcatKeepsNoConnectionThatItClosesAfterItsOnlyRequest(t *testing.T) {
	for _, row := range []struct{ n, tomcat, idle, told string }{
		{"by default it keeps them for connectionTimeout, and says so", `{}`, "60s", ""},
		{"a bound of one request leaves nothing to keep", `{maxKeepAliveRequests: 1}`, "none", ""},
		{"zero is off, too", `{maxKeepAliveRequests: 0}`, "none", ""},
		{"what is written for it then has no effect", `{maxKeepAliveRequests: 1, keepAliveTimeout: "20s"}`, "none", "ignored-value: keepAliveTimeout 20s has no effect: maxKeepAliveRequests 1 closes each connection after its request\n"},
		{"two requests are kept for", `{maxKeepAliveRequests: 2}`, "60s", ""},
		{"-1 is no bound", `{maxKeepAliveRequests: -1}`, "60s", ""},
	} {
		s := resolveText(t, jvmStack(``, `httpclient5: client: disableAutomaticRetries: true`, `app: server: tomcat: `+row.tomcat, "GET /"))
		to := call(t, s, "api", "pay").To
		idle, announced := "none", "none"
		if l, ok := to.ServeLimit(chain.IdleKeepalive); ok {
			idle = chain.Format(l.Bound)
		}
		if a := to.Announces; a.Declared() {
			announced = chain.Format(a.D)
		}
		if idle != row.idle || announced != row.idle {
			t.Errorf("%s: kept for %s, announced %s, want %s", row.n, idle, announced, row.idle)
		}
		if told := notices(s); told != row.told {
			t.Errorf("%s: it says %q, want %q", row.n, told, row.told)
		}
	}
}
