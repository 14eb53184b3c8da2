package compile

import (
	"strings"
	"testing"
)

func TestWebClientSaysWhatEachOperatorBounds(t *testing.T) {
	const unset = "connect, for each address: 30s by CONNECT_TIMEOUT_MILLIS\nsilence from the end of the request on: never by responseTimeout\n"
	const resend = "wait before the one repeat on a broken connection: 0s by disableRetry\n"
	for _, row := range []struct{ says, client, want, why, notices string }{
		{"no retry", `operators: [{timeout: "3s"}]`, unset + "the whole request: 3s by timeout\n" + resend, "no retryWhen repeats the call", ""},
		{"a timeout before and one after", `operators: [{timeout: "1s"}, {retryWhen: max: 2}, {timeout: "3s"}]`,
			unset + "one attempt: 1s by timeout\nall attempts with their waits: 3s by timeout\nwait before a repeat: 0s by max\n" + resend,
			"it stands before operators.1.retryWhen, which subscribes to it anew for each attempt", ""},
		{"one between two retries", `operators: [{retryWhen: max: 1}, {timeout: "1s"}, {retryWhen: {fixedDelay: {attempts: 2, delay: "5ms"}, filter: ["503", "TimeoutException"]}}]`,
			unset + "all attempts with their waits: 1s by timeout\nwait before a repeat: 0s by max\nwait before a repeat: 5ms by delay\n" + resend,
			"it stands after operators.0.retryWhen, and operators.2.retryWhen after it begins all of them anew",
			"ignored-value: filter: a retryWhen before it repeats after 503, and then throws RetryExhaustedException, so that none comes to it; write onRetryExhaustedThrow there, or \"RetryExhaustedException\" here\n"},
		{"what is repeated", `operators: [{retryWhen: {fixedDelay: {attempts: 2, delay: "5ms"}, filter: ["503", "cause:ConnectException"]}}]`,
			unset + "wait before a repeat: 5ms by delay\n" + resend, "retryWhen subscribes again up to 2 times after 503, cause:ConnectException", ""},
		{"a wait that grows, by chance", `operators: [{retryWhen: backoff: {attempts: 2, minBackoff: "10ms"}}]`,
			unset + "wait before a repeat: 15ms by minBackoff\n" + resend, "each further wait is twice as long; a wait is the longest that jitter can draw", ""},
		{"the repeat that nobody wrote", `disableRetry: true`,
			unset + "wait before the one repeat on a broken connection: never by disableRetry\n", "what was sent fails as before", ""},
		{"Boot's property, and the client itself", `responseTimeout: "3s", properties: {"spring.http.clients.read-timeout": "5s", "spring.http.clients.connect-timeout": "1s"}`,
			"connect, for each address: 1s by spring.http.clients.connect-timeout\nsilence from the end of the request on: 3s by responseTimeout, not spring.http.clients.read-timeout 5s\n" + resend,
			"Boot's property counts where the client itself says nothing", "shadowed: spring.http.clients.read-timeout 5s is never in force; responseTimeout 3s wins\n"},
		{"both the same", `responseTimeout: "5s", properties: "spring.http.clients.read-timeout": "5s"`,
			"connect, for each address: 30s by CONNECT_TIMEOUT_MILLIS\nsilence from the end of the request on: 5s by responseTimeout, not spring.http.clients.read-timeout 5s\n" + resend, "", ""},
	} {
		s := resolveText(t, jvmStack(`springBoot: "4.0.2"`, "webclient: {"+row.client+"}", "external: {}", "GET /"))
		c := call(t, s, "api", "pay")
		if got := derivations(c); got != row.want {
			t.Errorf("%s:\n%swant\n%s", row.says, got, row.want)
		}
		var why strings.Builder
		for _, d := range c.Derivations {
			why.WriteString(d.Why + "\n")
		}
		if !strings.Contains(why.String(), row.why) {
			t.Errorf("%s: nothing says %q:\n%s", row.says, row.why, &why)
		}
		if got := notices(s); got != row.notices {
			t.Errorf("%s: %q, want %q", row.says, got, row.notices)
		}
	}
}
