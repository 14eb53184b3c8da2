package compile

import (
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

// settledTimer is one timer of the call of the first route in words: the value,
// its entrance, why, and what was dropped.
func settledTimer(t *testing.T, s *chain.Stack, timer string) string {
	t.Helper()
	for _, d := range call(t, s, "api", "pay").Derivations {
		if !strings.HasPrefix(d.Timer, timer) {
			continue
		}
		text := chain.Format(d.Value) + " " + entrance(d.Winner) + ", " + d.Why
		for _, x := range d.Dropped {
			text += "; not " + entrance(x.Origin) + " " + x.Origin.Text + ": " + x.Why
		}
		return text
	}
	return "none"
}

func TestTheJDKsClientsSayWhichEntranceWins(t *testing.T) {
	const properties = `properties: {"spring.http.client.read-timeout": "5s", "spring.http.client.connect-timeout": "1s"}`
	for _, row := range []struct{ n, runtime, client, timer, want, notices string }{
		{"the builder beats Boot's property", `springBoot: "3.5.9", jdk: "17"`, `jdkHttpClient: {builder: connectTimeout: "3s", ` + properties + `}`, "connect",
			"3s builder.connectTimeout, it is written by hand, which beats Spring Boot's properties; not spring.http.client.connect-timeout 1s: what it would set is written by hand",
			"shadowed: spring.http.client.connect-timeout 1s is never in force; builder.connectTimeout 3s wins\n"},
		{"so does the factory", `springBoot: "3.5.9", jdk: "17"`, `jdkHttpClient: {factory: readTimeout: "500ms", ` + properties + `}`, "read",
			"500ms factory.readTimeout, it is written by hand, which beats Spring Boot's properties; not spring.http.client.read-timeout 5s: what it would set is written by hand",
			"shadowed: spring.http.client.read-timeout 5s is never in force; factory.readTimeout 500ms wins\n"},
		{"the same time is no finding", `springBoot: "3.5.9", jdk: "17"`, `jdkHttpClient: {factory: readTimeout: "5s", ` + properties + `}`, "read",
			"5s factory.readTimeout, it is written by hand, which beats Spring Boot's properties; not spring.http.client.read-timeout 5s: what it would set is written by hand", ""},
		{"in 6.1 it ends with the header", `spring: "6.1.21", jdk: "17"`, `jdkHttpClient: factory: readTimeout: "5s"`, "read",
			"5s factory.readTimeout, it is written by hand, which beats Spring Boot's properties; before Spring 6.2 it ends with the response's header", ""},
		{"a request's own time", `jdk: "17"`, `jdkHttpClient: request: timeout: "5s"`, "HttpRequest.timeout", "5s request.timeout, it ends with the response's header before JDK 26", ""},
		{"covers the body since JDK 26", `jdk: "26"`, `jdkHttpClient: request: timeout: "5s"`, "HttpRequest.timeout", "5s request.timeout, it covers the response's body since JDK 26", ""},
		{"a JDK that nobody names", ``, `jdkHttpClient: {request: timeout: "5s", system: "jdk.httpclient.keepalive.timeout": 30}`, "HttpRequest.timeout", "5s request.timeout, it covers the response's body since JDK 26",
			"implicit: version of jdkHttpClient is open: from 26 on request.timeout covers the response's body, before it ends with the header\n"},
		{"a zero that is none since 7.0.10", `spring: "7.0", jdk: "17"`, `jdkHttpClient: factory: readTimeout: "0s"`, "read", "never factory.readTimeout, it is written by hand, which beats Spring Boot's properties",
			"version-boundary: spring 7.0 is too coarse: from Spring 7.0.10 on a read time of 0 is no limit, before it fails at once\n"},
		{"as for Boot 4.1", `springBoot: "4.1", jdk: "17"`, `jdkHttpClient: factory: readTimeout: "0s"`, "read", "never factory.readTimeout, it is written by hand, which beats Spring Boot's properties",
			"version-boundary: springBoot 4.1 is too coarse: from Spring 7.0.10 on a read time of 0 is no limit, before it fails at once\n"},
		{"a Spring that nobody names", `jdk: "17"`, `jdkHttpClient: factory: readTimeout: "5s"`, "read", "5s factory.readTimeout, it is written by hand, which beats Spring Boot's properties",
			"implicit: version of Spring is open: from Spring 6.2.0 on the factory's read time bounds the whole exchange, before it ends with the response's header\n"},

		{"a connection's own time beats the factory's, the property's and the JVM's", `springBoot: "3.5.9", jdk: "17"`,
			`httpUrlConnection: {readTimeout: 700, factory: readTimeout: "500ms", "sun.net.client.defaultReadTimeout": 100, ` + properties + `}`, "read",
			"700ms readTimeout, it is set on the connection itself, which beats the factory's; not factory.readTimeout 500ms: the connection sets its own; not spring.http.client.read-timeout 5s: what it would set is written by hand; " +
				`not "sun.net.client.defaultReadTimeout" 100: it is for connections that set none`,
			"shadowed: factory.readTimeout 500ms is never in force; readTimeout 700 wins\nshadowed: spring.http.client.read-timeout 5s is never in force; readTimeout 700 wins\n"},
		{"a factory's negative value is none", `springBoot: "3.5.9", jdk: "17"`, `httpUrlConnection: {factory: connectTimeout: -1, ` + properties + `}`, "connect", "1s spring.http.client.connect-timeout, Spring Boot's property sets it at the factory", ""},
		{"the JVM's is the last", `jdk: "17"`, `httpUrlConnection: "sun.net.client.defaultConnectTimeout": 100`, "connect", `100ms "sun.net.client.defaultConnectTimeout", the connection sets none, so the JVM's counts`, ""},
		{"with none there is no limit", `jdk: "17"`, `httpUrlConnection: {}`, "read", "never readTimeout, nothing sets it", ""},
	} {
		s := resolveText(t, jvmStack(row.runtime, row.client, "external: {}", "GET /"))
		if got := settledTimer(t, s, row.timer); got != row.want {
			t.Errorf("%s:\n%s, want\n%s", row.n, got, row.want)
		}
		if told := notices(s); row.timer != "connect" && told != row.notices || !strings.Contains(told, row.notices) {
			t.Errorf("%s: it says\n%s, want\n%s", row.n, told, row.notices)
		}
	}
}

func TestAPropertyThatIsNoneOfTheClientsIsNoted(t *testing.T) {
	for _, row := range []struct{ n, boot, client, told, open string }{
		{"a typo", "3.5.8", `httpclient5: properties: "spring.http.client.conect-timeout": "500ms"`, "ignored-value: spring.http.client.conect-timeout is no property of Spring Boot's; did you mean spring.http.client.connect-timeout?\n", ""},
		{"of every client", "3.5.8", `jdkHttpClient: properties: "spring.http.client.readtimeout": "500ms"`, "ignored-value: spring.http.client.readtimeout is no property of Spring Boot's; did you mean spring.http.client.read-timeout?\n", ""},
		{"one of the reactive clients", "3.5.8", `httpUrlConnection: properties: "spring.http.reactiveclient.read-timeout": "500ms"`, "ignored-value: spring.http.reactiveclient.read-timeout does nothing to httpUrlConnection\n", ""},
		{"one of the blocking clients", "3.5.8", `webclient: properties: "spring.http.client.read-timeout": "500ms"`, "ignored-value: spring.http.client.read-timeout does nothing to webclient\n", ""},
		{"one that is not known", "3.5.8", `httpclient5: properties: "spring.mvc.async.request-timeout": "5s"`, "", "spring.mvc.async.request-timeout is not known here: what it does to the client is not checked"},
		{"one that says nothing of time", "3.5.8", `httpclient5: properties: "spring.http.client.factory": "http-components"`, "", ""},
		{"one of two groups", "4.0.8", `httpclient5: properties: {"spring.http.serviceclient.a.read-timeout": "1s", "spring.http.serviceclient.b.read-timeout": "2s"}`, "", "properties of several groups, a and b: of which one the client is, is not known"},
		{"a group's before 4.0", "3.5.8", `httpclient5: properties: "spring.http.serviceclient.a.read-timeout": "1s"`, "ignored-value: spring.http.serviceclient.a.read-timeout is not bound by Spring Boot 3.5.8\n", ""},
	} {
		s := resolveText(t, jvmStack(`springBoot: "`+row.boot+`", jdk: "17"`, row.client, "external: {}", "GET /"))
		if told, open := notices(s), reasons(s.Routes[0]); told != row.told || !strings.Contains(open, row.open) {
			t.Errorf("%s: %q, %q", row.n, told, open)
		}
	}
}

func TestAGroupsPropertyComesBeforeThatOfAllClients(t *testing.T) {
	const properties = `properties: {"spring.http.clients.connect-timeout": "500ms", "spring.http.clients.read-timeout": "5s", "spring.http.serviceclient.bank.read-timeout": "1s"}`
	for client, want := range map[string]string{"httpclient5": "1s 500ms", "jdkHttpClient": "1s 500ms", "httpUrlConnection": "1s 500ms"} {
		s := resolveText(t, jvmStack(`springBoot: "4.0.8", jdk: "17"`, client+`: `+properties, "external: {}", "GET /"))
		c := call(t, s, "api", "pay")
		read, ok := c.Limit(chain.ResponseReadGap)
		if !ok {
			read, _ = c.Limit(chain.TotalDeadline)
		}
		connect, _ := c.Limit(chain.Connect)
		if got := chain.Format(read.Bound) + " " + chain.Format(connect.Bound); got != want || len(s.Notices) > 0 {
			t.Errorf("%s: %s, want %s: %s", client, got, want, notices(s))
		}
		if got := settledTimer(t, s, "read"); !strings.Contains(got, "not spring.http.clients.read-timeout 5s: spring.http.serviceclient.bank.read-timeout is of the client's own group, which comes first") {
			t.Errorf("%s: %s", client, got)
		}
	}
}
