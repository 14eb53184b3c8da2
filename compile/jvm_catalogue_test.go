package compile

import (
	"fmt"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

// jvmLimits are limits in one line each: kind, bound, what firing does, the setting
// from its type on, source. A limit that is not set is left out.
func jvmLimits(limits []chain.Limit) string {
	var b strings.Builder
	for _, l := range limits {
		if l.Bound == chain.Never && l.Origin.Source == "" {
			continue
		}
		_, setting, _ := strings.Cut(l.Origin.Setting, ".app.")
		parts := strings.SplitN(setting, ".", 3)
		setting = strings.TrimPrefix(setting, "clients.pay.")
		if parts[0] == "server" {
			setting = strings.TrimPrefix(setting, "server.")
		}
		fmt.Fprintf(&b, "%s %s %s %s %s\n", l.Kind, chain.Format(l.Bound), l.Fires, setting, l.Origin.Source)
	}
	return b.String()
}

// A jvmRow is a client in a stack and what it comes to.
type jvmRow struct {
	n, runtime, client string
	https              bool
	want               []string // limits, idle times and the like
	not                []string // which it must not have
	notices            string
}

func TestJVMClientsResolve(t *testing.T) {
	for _, row := range []jvmRow{
		{"a socket has no limit of its own", ``, `socket: {}`, true,
			[]string{"connect 135s error socket.connect.timeout fixed", "response-first-byte never error socket.soTimeout default"}, []string{"connect never"}, ""},
		{"a socket's limits are those of its methods, in milliseconds", ``, `socket: {connect: timeout: 2000, soTimeout: "5s"}`, true,
			[]string{"connect 2s error socket.connect.timeout written", "tls-handshake 5s error socket.soTimeout written", "response-first-byte 5s error socket.soTimeout written", "response-read-gap 5s error socket.soTimeout written"}, nil, ""},
		{"a socket that its constructor connects takes no limit", ``, `socket: {constructorConnects: true, connect: timeout: 2000}`, false,
			[]string{"connect 135s error socket fixed"}, []string{"connect 2s"},
			"ignored-value: connect.timeout 2000 has no effect: the constructor has connected\n"},
		{"a duration under a millisecond is none for a socket", ``, `socket: {connect: timeout: "2s", soTimeout: "999us"}`, false,
			[]string{"response-first-byte never error socket.soTimeout written"}, nil, "ignored-value: soTimeout 999us acts as 0: whole milliseconds count\n"},
		{"seconds are hardly meant as milliseconds", ``, `socket: {connect: timeout: 5}`, false, []string{"connect 5ms error socket.connect.timeout written"}, nil, "unit-trap: timeout 5 is 5ms in socket\n"},

		{"java.net.http keeps an idle connection for 20 minutes up to JDK 19", `jdk: "17"`, `jdkHttpClient: {}`, true,
			[]string{"idle-keepalive 1200s close jdkHttpClient.system.\"jdk.httpclient.keepalive.timeout\" default"}, []string{"total-deadline"}, ""},
		{"java.net.http keeps it for 30 s since", `jdk: "21"`, `jdkHttpClient: builder: connectTimeout: "2s"`, true,
			[]string{"connect 2s error jdkHttpClient.builder.connectTimeout written", "idle-keepalive 30s close jdkHttpClient.system.\"jdk.httpclient.keepalive.timeout\" default"}, nil, ""},
		{"its request's timeout ends with the header", `jdk: "17"`, `jdkHttpClient: request: timeout: "5s"`, false, []string{"response-header 5s error jdkHttpClient.request.timeout written"}, nil, ""},
		{"it refuses a zero", `jdk: "17"`, `jdkHttpClient: request: timeout: "0s"`, false, nil, []string{"response-header"}, "rejected: timeout: jdkHttpClient does not take 0s\n"},
		{"java.net.http is there since JDK 11", `jdk: "1.8"`, `jdkHttpClient: {}`, false, nil, nil, "rejected: jdk 1.8 has no java.net.http: it is there since 11\n"},
		{"Spring's factory bounds the whole since 6.2", `springBoot: "3.5.10", jdk: "21"`, `jdkHttpClient: factory: readTimeout: "5s"`, false, []string{"total-deadline 5s error jdkHttpClient.factory.readTimeout written"}, nil, ""},
		{"and the header only in 6.1", `springBoot: "3.3.12", jdk: "21"`, `jdkHttpClient: factory: readTimeout: "5s"`, false, []string{"response-header 5s error jdkHttpClient.factory.readTimeout written"}, nil, ""},
		{"a zero fails at once since 6.2", `spring: "6.2.19", jdk: "21"`, `jdkHttpClient: factory: readTimeout: "0s"`, false, []string{"total-deadline 0s error jdkHttpClient.factory.readTimeout written"}, nil, ""},
		{"84: and is refused in 6.1", `spring: "6.1.21", jdk: "21"`, `jdkHttpClient: factory: readTimeout: "0s"`, false, nil, nil, "rejected: readTimeout: Spring before 6.2 does not take 0s\n"},
		{"Boot's read-timeout is that of the factory", `springBoot: "4.0.2", jdk: "21"`, `jdkHttpClient: properties: {"spring.http.clients.read-timeout": "5s", "spring.http.client.connect-timeout": "1s"}`, false,
			[]string{`total-deadline 5s error jdkHttpClient.properties."spring.http.clients.read-timeout" written`}, []string{"connect 1s"}, "ignored-value: spring.http.client.connect-timeout is not bound by Spring Boot 4.0.2\n"},

		{"HttpURLConnection has no limit unless one is set", `jdk: "21"`, `httpUrlConnection: {}`, true,
			[]string{"idle-keepalive 5s close httpUrlConnection.\"http.keepAlive.time.server\" default", "connect 135s error httpUrlConnection.connectTimeout fixed", "response-read-gap never error httpUrlConnection.readTimeout derived"}, nil, ""},
		{"it falls back to the JVM's own", `jdk: "21"`, `httpUrlConnection: {"sun.net.client.defaultReadTimeout": 7000}`, true,
			[]string{"response-read-gap 7s error httpUrlConnection.readTimeout derived", "tls-handshake 7s error httpUrlConnection.readTimeout derived"}, []string{"connect 7s"}, ""},
		{"a zero beats the JVM's", `jdk: "21"`, `httpUrlConnection: {readTimeout: 0, "sun.net.client.defaultReadTimeout": 7000}`, true,
			[]string{"response-read-gap never error httpUrlConnection.readTimeout written"}, nil, ""},
		{"Spring's factory takes 0 for no limit, and less for not set", `springBoot: "3.3.12", jdk: "21"`, `httpUrlConnection: {factory: {readTimeout: 0, connectTimeout: -1}, "sun.net.client.defaultConnectTimeout": "3s"}`, true,
			[]string{"response-read-gap never error httpUrlConnection.factory.readTimeout written", "connect 3s error httpUrlConnection.connectTimeout derived"}, nil, ""},

		{"OkHttp has limits for each phase and none for the whole", ``, `okhttp: {}`, true,
			[]string{"connect 10s error okhttp.connectTimeout default", "tls-handshake 10s error okhttp.readTimeout default", "response-first-byte 10s error okhttp.readTimeout default", "write-gap 10s error okhttp.writeTimeout default",
				"idle-keepalive 300s close okhttp.connectionPool.keepAliveDuration default", "total-deadline never error okhttp.callTimeout default"}, nil, ""},
		{"an enqueued call's deadline begins when it runs", ``, `okhttp: {enqueue: true, callTimeout: "5s"}`, false, []string{"attempt-deadline 5s error okhttp.callTimeout written"}, []string{"total-deadline"}, ""},
		{"less than a millisecond is no limit in OkHttp", ``, `okhttp: readTimeout: "10us"`, false, []string{"response-read-gap never error okhttp.readTimeout written"}, nil, "ignored-value: readTimeout 10us acts as 0: whole milliseconds count\n"},

		{"Feign's options rule", ``, `feign: {}`, false, []string{"connect 10s error feign.options.connectTimeout default", "response-read-gap 60s error feign.options.readTimeout default"}, []string{"pool-wait"}, ""},
		{"OpenFeign's times of the client below have no effect", ``, `feign: openfeign: httpclient: {connectionTimeout: 1000, hc5: socketTimeout: 3000}`, false,
			[]string{"connect 10s error feign.options.connectTimeout default", "pool-wait 180s error feign.openfeign.httpclient.hc5.connectionRequestTimeout default", "max-lifetime 900s close feign.openfeign.httpclient.timeToLive default"}, nil,
			"ignored-value: connectionTimeout 1000 has no effect on Feign's calls: options.connectTimeout 10000 is put into every request\nignored-value: socketTimeout 3000 has no effect on Feign's calls: options.readTimeout 60000 is put into every request\n"},

		{"HttpClient 4 waits for ever unless told", ``, `httpclient4: {}`, true,
			[]string{"pool-wait never error httpclient4.requestConfig.connectionRequestTimeout default", "response-read-gap never error httpclient4.socketConfig.soTimeout default", "idle-keepalive never close httpclient4.keepAliveStrategy default"}, nil, ""},
		{"a zero is no limit in HttpClient 4, also for the pool", ``, `httpclient4: requestConfig: {connectionRequestTimeout: 0, socketTimeout: 0}`, false,
			[]string{"pool-wait never error httpclient4.requestConfig.connectionRequestTimeout written", "response-read-gap never error httpclient4.requestConfig.socketTimeout written"}, nil, ""},
		{"its read time falls back to the socket's, which the handshake has too", ``, `httpclient4: {requestConfig: connectTimeout: 2000, socketConfig: soTimeout: 7000}`, true,
			[]string{"response-first-byte 7s error httpclient4.socketConfig.soTimeout written", "tls-handshake 7s error httpclient4.socketConfig.soTimeout written", "connect 2s error httpclient4.requestConfig.connectTimeout written"}, nil, ""},
		{"without that the handshake has the time of connecting", ``, `httpclient4: requestConfig: {connectTimeout: 2000, socketTimeout: 5000}`, true,
			[]string{"response-first-byte 5s error httpclient4.requestConfig.socketTimeout written", "tls-handshake 2s error httpclient4.requestConfig.connectTimeout written"}, nil, ""},

		{"HikariCP waits 30 s, and the driver for ever", ``, `hikari: pgjdbc: {}`, false,
			[]string{"pool-wait 30s error hikari.connectionTimeout default", "response-read-gap never error hikari.pgjdbc.socketTimeout default", "max-lifetime 1800s close hikari.maxLifetime default"}, []string{"connect 10s"}, ""},
		{"a driver in seconds, a pool in milliseconds", ``, `hikari: {connectionTimeout: 2000, pgjdbc: {socketTimeout: 5, queryTimeout: 3}}`, false,
			[]string{"pool-wait 2s error hikari.connectionTimeout written", "response-first-byte 5s error hikari.pgjdbc.socketTimeout written", "attempt-deadline 3s cancel hikari.pgjdbc.queryTimeout written"}, nil, ""},
		{"HikariCP refuses and replaces values", ``, `hikari: {connectionTimeout: 100, maxLifetime: 20000, idleTimeout: 10000, keepaliveTime: 5000, connectorj: socketTimeout: 7000}`, false,
			[]string{"max-lifetime 1800s close hikari.maxLifetime written", "response-read-gap 7s error hikari.connectorj.socketTimeout written"}, []string{"ping-interval"},
			"rejected: connectionTimeout 100: HikariCP refuses less than 250\nignored-value: maxLifetime 20000 acts as 1800000: it is less than 30000\nignored-value: keepaliveTime 5000 has no effect: it is less than 30000\nignored-value: idleTimeout 10000 has no effect: minimumIdle is not less than maximumPoolSize 10\n"},
		{"a ping of HikariCP that comes no sooner than the end of the connection is off", ``, `hikari: {keepaliveTime: 60000, maxLifetime: 60000, idleTimeout: 59500, minimumIdle: 2, pgjdbc: {}}`, false,
			nil, []string{"ping-interval"},
			"ignored-value: keepaliveTime 60000 has no effect: it is not less than maxLifetime 60000\nignored-value: idleTimeout 59500 has no effect: it does not end a second before maxLifetime 60000\n"},
		{"nor does its own ping then come, of which nobody is told", ``, `hikari: {maxLifetime: 90000, idleTimeout: 9999, minimumIdle: 2, pgjdbc: {}}`, false,
			nil, []string{"ping-interval"}, "ignored-value: idleTimeout 9999 acts as 600000: it is less than 10000\n"},
		{"HikariCP pings by itself since 6.2.1", ``, `hikari: {version: "6.2.1", pgjdbc: {}}`, false, []string{"ping-interval 120s close hikari.keepaliveTime default"}, nil, ""},
		{"and did not before", ``, `hikari: {version: "6.2.0", pgjdbc: {}}`, false, []string{"ping-interval never close hikari.keepaliveTime default"}, nil, ""},
		{"a Java duration may be written as in ISO 8601", ``, `okhttp: callTimeout: "PT1M30S"`, false, []string{"total-deadline 90s error okhttp.callTimeout written"}, nil, ""},
		{"so may one of Spring's", ``, `hikari: {transaction: defaultTimeout: "PT30S", pgjdbc: {}}`, false, []string{"attempt-deadline 30s cancel hikari.transaction.defaultTimeout written"}, nil, ""},
		{"a bare number of a transaction is seconds", ``, `hikari: {transaction: defaultTimeout: 30, pgjdbc: {}}`, false, []string{"attempt-deadline 30s cancel hikari.transaction.defaultTimeout written"}, nil, ""},
		{"a transaction's time is cut to seconds and beats the query's", ``, `hikari: {transaction: defaultTimeout: "2500ms", pgjdbc: queryTimeout: 9}`, false,
			[]string{"attempt-deadline 2s cancel hikari.transaction.defaultTimeout written"}, nil,
			"ignored-value: transaction.defaultTimeout 2500ms acts as 2s: whole seconds count\nshadowed: queryTimeout 9 is never in force within a transaction; what is left of transaction.defaultTimeout 2500ms wins\n"},
	} {
		scheme := "http"
		if row.https {
			scheme = "https"
		}
		s := resolveText(t, jvmStack(row.runtime, row.client, `{endpoint: scheme: "`+scheme+`", external: {}}`, "POST /"))
		c := call(t, s, "api", "pay")
		got := jvmLimits(c.Limits()) + jvmLimits(c.Idle) + jvmLimits(c.Upkeep)
		for _, w := range row.want {
			if w = strings.Replace(w, " close ", "  ", 1); !strings.Contains(got, w+"\n") {
				t.Errorf("%s: no %q in\n%s", row.n, w, got)
			}
		}
		for _, w := range row.not {
			if strings.Contains("\n"+got, "\n"+w) {
				t.Errorf("%s: it has %q in\n%s", row.n, w, got)
			}
		}
		if told := notices(s); told != row.notices {
			t.Errorf("%s: it says\n%s, want\n%s", row.n, told, row.notices)
		}
		for _, n := range s.Notices {
			if n.Origin.Pos.Line != 5 {
				t.Errorf("%s: at %v", row.n, n.Origin.Pos)
			}
		}
	}
}

func TestJVMClientsRefuseWhatIsNoValue(t *testing.T) {
	for client, want := range map[string]string{
		`socket: connect: timeout: -1`:                "timeout is -1; it cannot be negative",
		`socket: soTimeout: "5"`:                      "",
		`jdkHttpClient: builder: connectTimeout: 5`:   `connectTimeout 5 has no unit; a Java duration looks like "90s"`,
		`okhttp: healthCheck: "5s"`:                   "healthCheck is fixed by the platform at 10s and cannot be set",
		`okhttp: readTimeut: "5s"`:                    `unknown setting "readTimeut" in okhttp; did you mean readTimeout?`,
		`httpUrlConnection: readTimeout: "5 s"`:       `is not a duration; milliseconds or a duration looks like 2000`,
		`feign: options: "connect-timeout": 5`:        `write feign: options: connectTimeout`,
		`httpclient4: manager: maxTotal: 0`:           "maxTotal is 0; it must be at least 1",
		`hikari: "maximum-pool-size": 5`:              "write maximumPoolSize",
		`{wrap: [{failsafeTimeout: {}}], socket: {}}`: "failsafeTimeout has no timeout",
		`{wrap: [{resilience4jRetry: {retryExceptions: ["Sometimes"]}}], socket: connect: timeout: 1000}`: `retryExceptions: unknown condition "Sometimes"`,
	} {
		_, errs := tryResolve(t, jvmStack(``, client, "external: {}", "GET /"))
		if want == "" && len(errs) == 0 {
			continue
		}
		if len(errs) != 1 || !strings.Contains(errs[0].Message, want) || errs[0].Range.Line != 5 {
			t.Errorf("%s: %s, want %s", client, shownErrors(errs), want)
		}
	}
}
