package compile

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
)

// jvmStack is an app with one client to a service; the service's layer and the
// route are as given.
func jvmStack(runtime, client, pay, route string) string {
	return `package s
tchain: "v1"
name: "s"
layers: {
	api: app: {runtime: {` + runtime + `}, server: tomcat: {}, clients: pay: ` + client + `}
	pay: ` + pay + `
	db: external: {}
}
routes: "` + route + `": path: ["api", "pay"]
`
}

// played is what a fault at a call comes to: how often api sent, when it has the
// outcome, and by which setting it gave up last.
func played(t *testing.T, s *chain.Stack, kind chain.FaultKind, from, to string) (sent []time.Duration, at time.Duration, by string) {
	t.Helper()
	r := s.Routes[0]
	trace := chain.Play(r, chain.Fault{Kind: kind, Call: call(t, s, from, to), From: node(t, s, from)})
	for _, e := range trace.Events {
		if e.Node.Layer != "api" {
			continue
		}
		switch e.Kind {
		case chain.EvSent:
			sent = append(sent, e.At)
		case chain.EvTimeout:
			by = e.Limit.Origin.Name
			if i := strings.Index(e.Limit.Origin.Setting, ".webclient."); i >= 0 {
				by = e.Limit.Origin.Setting[i+len(".webclient."):]
			}
		}
	}
	return sent, trace.Outcome.At, by
}

const only503 = `{timeout: "1s"}, {retryWhen: {fixedDelay: {attempts: 2, delay: "10ms"}, filter: ["503"]}}, {timeout: "8s"}`

// Section 5.6 of the facts: the outcomes of Reactor's operators by their order.
// An answer that comes at the third attempt is the third sending of the row.
func TestJVMOperatorsHaveTheOutcomesOfTheFacts(t *testing.T) {
	slow := `app: {server: tomcat: {}, clients: db: custom: {connect: "400ms"}, errors: timeout: 503, calls: [{db: {}}]}`
	for _, row := range []struct {
		n, operators, pay string
		fault             chain.FaultKind
		from              string
		sent              string // when each attempt was sent
		at, by            string
	}{
		{"96 and 97: a 503 is repeated twice, and then handed on", only503, "external: {}", chain.Unavailable, "api", "[0s 10ms 20ms]", "20ms", ""},
		{"98: another failure is not in the filter", only503, "external: {}", chain.Refused, "api", "[]", "0s", ""},
		{"99: nor is a timeout, which ends the first attempt", only503, "external: {}", chain.Silent, "api", "[0s]", "1s", `operators[0].timeout`},
		{"101: the total ends a wait", `{timeout: "1s"}, {retryWhen: {fixedDelay: {attempts: 5, delay: "1s"}, filter: ["503"]}}, {timeout: "1500ms"}`, "external: {}", chain.Unavailable, "api", "[0s 1s]", "1.5s", `operators[2].timeout`},
		{"102: an attempt of 400 ms is sent again 200 ms later, and would end at 1 s", `{timeout: "500ms"}, {retryWhen: {fixedDelay: {attempts: 1, delay: "200ms"}, filter: ["503"]}}, {timeout: "2s"}`, slow, chain.Blackhole, "pay", "[0s 600ms]", "1s", ""},
		{"a timeout after retryWhen alone bounds all, and no attempt", `{retryWhen: {max: 3}}, {timeout: "3s"}`, "external: {}", chain.Silent, "api", "[0s]", "3s", `operators[1].timeout`},
		{"a timeout before retryWhen alone bounds each", `{timeout: "1s"}, {retryWhen: {fixedDelay: {attempts: 2, delay: "100ms"}}}`, "external: {}", chain.Silent, "api", "[0s 1.1s 2.2s]", "3.2s", `operators[0].timeout`},
		{"the brief's own: the total ends the third attempt", `{timeout: "1s"}, {retryWhen: {fixedDelay: {attempts: 2, delay: "100ms"}}}, {timeout: "3s"}`, "external: {}", chain.Silent, "api", "[0s 1.1s 2.2s]", "3s", `operators[2].timeout`},
		{"an answer that stops after its header is asked for again", `{timeout: "500ms"}, {retryWhen: {fixedDelay: {attempts: 2, delay: "10ms"}}}`, "external: {}", chain.Stall, "api", "[0s 510ms 1.02s]", "1.52s", `operators[0].timeout`},
		{"and so is one that trickles", `{timeout: "500ms"}, {retryWhen: {fixedDelay: {attempts: 2, delay: "10ms"}, filter: ["TimeoutException"]}}`, "external: {}", chain.Trickle, "api", "[0s 510ms 1.02s]", "1.52s", `operators[0].timeout`},
		{"unless the filter is for something else", `{timeout: "500ms"}, {retryWhen: {fixedDelay: {attempts: 2, delay: "10ms"}, filter: ["503"]}}`, "external: {}", chain.Stall, "api", "[0s]", "500ms", `operators[0].timeout`},
		{"a retry around another one repeats its last failure where that throws the last failure itself", `{retryWhen: {max: 1, filter: ["503"], onRetryExhaustedThrow: "failure"}}, {retryWhen: {max: 1, filter: ["503"]}}`, "external: {}", chain.Unavailable, "api", "[0s 0s 0s 0s]", "0s", ""},
		{"else where it is for what is thrown", `{retryWhen: {max: 1, filter: ["503"]}}, {retryWhen: {max: 1, filter: ["RetryExhaustedException"]}}`, "external: {}", chain.Unavailable, "api", "[0s 0s 0s 0s]", "0s", ""},
		{"or for everything", `{retryWhen: {max: 1}}, {retryWhen: {max: 1}}`, "external: {}", chain.Unavailable, "api", "[0s 0s 0s 0s]", "0s", ""},
		{"what the inner one does not repeat comes as it is", `{retryWhen: {max: 1, filter: ["503"]}}, {retryWhen: {fixedDelay: {attempts: 1, delay: "100ms"}, filter: ["5xx", "WebClientRequestException"]}}`, "external: {}", chain.Refused, "api", "[]", "100ms", ""},
		{"a timeout between them is of its own", `{timeout: "1s"}, {retryWhen: {max: 1, filter: ["TimeoutException"]}}, {timeout: "1500ms"}, {retryWhen: {max: 1, filter: ["TimeoutException"]}}`, "external: {}", chain.Silent, "api", "[0s 1s 1.5s 2.5s]", "3s", `operators[2].timeout`},
		{"a back-off doubles, with half as much again by jitter", `{timeout: "1s"}, {retryWhen: {backoff: {attempts: 3, minBackoff: "200ms", maxBackoff: "500ms"}, filter: ["TimeoutException"]}}`, "external: {}", chain.Silent, "api", "[0s 1.3s 2.8s 4.3s]", "5.3s", `operators[0].timeout`},
	} {
		s := resolveText(t, jvmStack(``, `webclient: operators: [`+row.operators+`]`, row.pay, "GET /"))
		to := "pay"
		if row.from == "pay" {
			to = "db"
		}
		sent, at, by := played(t, s, row.fault, row.from, to)
		if fmt.Sprint(sent) != row.sent || at.String() != row.at || by != row.by {
			t.Errorf("%s:\nsent %v at %v by %q, want %s %s %q", row.n, sent, at, by, row.sent, row.at, row.by)
		}
		if len(s.Notices) > 0 {
			t.Errorf("%s: %+v", row.n, s.Notices)
		}
	}
}

func TestJVMOperatorsAddUpAsInTheFacts(t *testing.T) {
	for _, row := range []struct{ n, client, want string }{
		{"93: limits of the phases bound no whole", `{provider: pendingAcquireMaxCount: 0, resolver: queryTimeout: "1s", option: CONNECT_TIMEOUT_MILLIS: 1000, responseTimeout: "1s"}`, "3s"},
		{"103: the total is less than the attempts and waits", `operators: [{timeout: "3s"}, {retryWhen: fixedDelay: {attempts: 2, delay: "10ms"}}, {timeout: "8s"}]`, "8s"},
		{"103: which without it are", `operators: [{timeout: "3s"}, {retryWhen: fixedDelay: {attempts: 2, delay: "10ms"}}]`, "9.02s"},
	} {
		s := resolveText(t, jvmStack(``, `webclient: `+row.client, "external: {}", "GET /"))
		if got := chain.WorstCall(s.Routes[0], node(t, s, "api"), call(t, s, "api", "pay"), 0).Total; got.String() != row.want {
			t.Errorf("%s: %v, want %s", row.n, got, row.want)
		}
	}
}

const wcPath = "api.app.clients.pay.webclient."

func TestJVMWebClientResolves(t *testing.T) {
	s := resolveText(t, jvmStack(``, `webclient: {}`, `{endpoint: scheme: "https", external: {}}`, "POST /"))
	c := call(t, s, "api", "pay")
	has(t, "the default pool", c.Limits(), "pool-wait 45s "+wcPath+"provider.pendingAcquireTimeout default",
		"connect 30s "+wcPath+"option.CONNECT_TIMEOUT_MILLIS default", "tls-handshake 10s "+wcPath+"secure.handshakeTimeout default",
		"dns 5s "+wcPath+"resolver.queryTimeout default", "response-first-byte never "+wcPath+"responseTimeout ", "response-read-gap never "+wcPath+"responseTimeout ")
	has(t, "the default pool", c.Idle, "idle-keepalive never "+wcPath+"provider.maxIdleTime default")
	if c.Pool.PerHost.N != 500 || c.Resend == nil || c.Resend.Allows(chain.CondStale, "GET", true) || !c.Resend.Allows(chain.CondStale, "POST", false) || !c.Resend.Hidden || len(c.Unbounded) != 1 || len(c.Layers) != 1 {
		t.Errorf("%+v, %+v, %+v", c.Pool, c.Resend, c.Unbounded)
	}
	for _, n := range node(t, s, "api").Settings {
		if n.Value == "never" {
			t.Errorf("%s is written as never", n.Origin.Setting)
		}
	}
	s = resolveText(t, jvmStack(`springBoot: "4.0.2"`, `webclient: {
		provider: {pendingAcquireMaxCount: 0, maxIdleTime: "20s"}, disableRetry: true, responseTimeout: "900us"
		properties: {"spring.http.clients.connect-timeout": "2s", "spring.http.clients.read-timeout": "5s", "spring.http.reactiveclient.read-timeout": "1s"}
	}`, "external: {}", "POST /"))
	c = call(t, s, "api", "pay")
	has(t, "written", c.Limits(), "pool-wait 0s "+wcPath+"provider.pendingAcquireMaxCount written",
		`connect 2s `+wcPath+`properties."spring.http.clients.connect-timeout" written`, "response-first-byte never "+wcPath+"responseTimeout written")
	has(t, "written", c.Idle, "idle-keepalive 20s "+wcPath+"provider.maxIdleTime written")
	if c.Pool.PerHost.N != 16 || c.Pool.PerHost.Origin.Note == "" || c.Resend != nil {
		t.Errorf("%+v, %+v", c.Pool, c.Resend)
	}
	told := notices(s)
	for _, want := range []string{"ignored-value: responseTimeout 900us acts as 0: whole milliseconds count", "ignored-value: spring.http.reactiveclient.read-timeout is not bound by Spring Boot 4.0.2"} {
		if !strings.Contains(told, want+"\n") {
			t.Errorf("nothing says %q:\n%s", want, told)
		}
	}
}

// notices are the notices of a stack, one a line.
func notices(s *chain.Stack) string {
	var b strings.Builder
	for _, n := range s.Notices {
		fmt.Fprintf(&b, "%s: %s\n", n.Kind, n.Message)
	}
	return b.String()
}

func TestJVMWebClientSaysWhatIsWrong(t *testing.T) {
	for client, want := range map[string]string{
		`webclient: provider: maxConnections: 0`:                                                           "rejected: maxConnections: webclient does not take 0\n",
		`webclient: operators: [{retryWhen: {max: 1, filter: ["sometimes"]}}]`:                             "rejected: filter: \"sometimes\" is no status, no class as 5xx, and no exception that is known here\n",
		`webclient: operators: [{retryWhen: {max: 1, filter: ["java.util.concurrent.TimeoutException"]}}]`: "ignored-value: filter: no timeout stands before retryWhen, so that no java.util.concurrent.TimeoutException comes to it\n",
		`webclient: operators: [{retryWhen: {max: 1, fixedDelay: {attempts: 1, delay: "1s"}}}]`:            "rejected: retryWhen takes exactly one of fixedDelay, backoff and max\n",
		`webclient: option: CONNECT_TIMEOUT_MILLIS: 5`:                                                     "unit-trap: CONNECT_TIMEOUT_MILLIS 5 is 5ms in webclient\n",
	} {
		s := resolveText(t, jvmStack(``, client, "external: {}", "GET /"))
		if got := notices(s); got != want || s.Notices[0].Origin.Pos.Line != 5 {
			t.Errorf("%s: %q at %v, want %q", client, got, s.Notices[0].Origin.Pos, want)
		}
	}
	for client, want := range map[string]string{
		`webclient: operators: [{timeout: "1s", retryWhen: max: 1}]`:   `5:99: one element of operators has timeout and retryWhen; write each as an element of its own`,
		`webclient: operators: [{timeout: 5}]`:                         `timeout 5 has no unit; a duration looks like "90s"`,
		`webclient: operators: [{timeut: "5s"}]`:                       `unknown setting "timeut" in webclient operators; did you mean timeout?`,
		`webclient: operators: {timeout: "5s"}`:                        `operators is a struct; it is a list: operators: [{…}]`,
		`webclient: operators: [{retryWhen: fixedDelay: delay: "5s"}]`: `fixedDelay has no attempts`,
	} {
		_, errs := tryResolve(t, jvmStack(``, client, "external: {}", "GET /"))
		if len(errs) != 1 || !strings.Contains(shownErrors(errs), want) || errs[0].Range.Line != 5 {
			t.Errorf("%s: %s, want %s", client, shownErrors(errs), want)
		}
	}
}

func TestJVMOperatorsOfARouteReplaceTheOthers(t *testing.T) {
	s := resolveText(t, strings.Replace(jvmStack(``, `webclient: operators: [{timeout: "1s"}, {retryWhen: max: 1}]`, "external: {}", "GET /"),
		`path: ["api", "pay"]`, `{path: ["api", "pay"], at: api: app: clients: pay: webclient: operators: [{timeout: "7s"}]}`, 1))
	c := call(t, s, "api", "pay")
	if len(c.Layers) != 2 || c.Layers[0].Name != "timeout" || c.Layers[0].Limits[0].Bound != 7*time.Second {
		t.Errorf("layers are %+v", c.Layers)
	}
}
