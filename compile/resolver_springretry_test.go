package compile

import (
	"fmt"
	"testing"

	"tchain.dev/tchain/chain"
)

// The attempts and times are those of runs of RetryTemplate 7.0.9.
func TestSpringsRetryTemplateRepeatsAsMeasured(t *testing.T) {
	const slow = `app: {server: tomcat: {}, clients: db: custom: {connect: "100ms"}, errors: timeout: 503, calls: [{db: {}}]}`
	for _, row := range []struct{ says, policy, pay, want string }{
		{"four attempts, 1 s apart, and an exception of its own", `{}`, "external: {}", "4 attempts, 3s, RetryException"},
		{"waits that double up to the longest", `{delay: "100ms", multiplier: 2, maxDelay: "150ms"}`, "external: {}", "4 attempts, 400ms, RetryException"},
		{"none at all", `{maxRetries: 0, delay: "100ms"}`, "external: {}", "1 attempts, 0s, "},
		{"no wait", `{maxRetries: 2, delay: "0s"}`, "external: {}", "3 attempts, 0s, RetryException"},
		{"an attempt that would begin after the timeout is not waited for", `{maxRetries: 9, delay: "100ms", timeout: "350ms"}`, slow, "2 attempts, 300ms, timeout 350ms"},
		{"the same when it is over", `{maxRetries: 9, delay: "100ms", timeout: "250ms"}`, slow, "2 attempts, 300ms, timeout 250ms"},
		{"one that begins before it is made", `{maxRetries: 9, delay: "100ms", timeout: "401ms"}`, slow, "3 attempts, 500ms, timeout 401ms"},
		{"the longest wait by chance", `{maxRetries: 1, delay: "100ms", jitter: "50ms"}`, "external: {}", "2 attempts, 150ms, RetryException"},
	} {
		s := resolveText(t, jvmStack(`spring: "7.0.9"`, `{wrap: [{springRetryPolicy: `+row.policy+`}], httpclient5: client: disableAutomaticRetries: true}`, row.pay, "GET /"))
		fault, from, to := chain.Unavailable, "api", "pay"
		if row.pay == slow {
			fault, from, to = chain.Blackhole, "pay", "db"
		}
		trace := chain.Play(s.Routes[0], chain.Fault{Kind: fault, Call: call(t, s, from, to), From: node(t, s, from)})
		attempts, gives := 1, ""
		for _, e := range trace.Events {
			switch {
			case e.Node.Layer != "api":
			case e.Kind == chain.EvRetries:
				attempts++
			case e.Kind == chain.EvExhausted:
				gives = e.Retry.Gives(e.Cond)
			case e.Kind == chain.EvNotStarted:
				gives = e.Limit.Origin.Name + " " + chain.Format(e.Limit.Bound)
			}
		}
		if got := fmt.Sprintf("%d attempts, %s, %s", attempts, chain.Shown(trace.Outcome.At), gives); got != row.want {
			t.Errorf("%s: %s, want %s", row.says, got, row.want)
		}
	}
}
