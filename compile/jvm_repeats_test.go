package compile

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
)

// Sections 3.7 to 3.13 and 5.7 of the facts: who sends how often, and when it is over.
func TestJVMClientsSendAsOftenAsTheFactsSay(t *testing.T) {
	for _, row := range []struct {
		n, runtime, client, method string
		fault                      chain.FaultKind
		sent, at                   string
	}{
		{"87: java.net.http ends a silent request at its timeout", `jdk: "17"`, `jdkHttpClient: request: timeout: "500ms"`, "GET", chain.Silent, "[0s]", "500ms"},
		{"88: and not its body", `jdk: "17"`, `jdkHttpClient: request: timeout: "500ms"`, "GET", chain.Trickle, "[0s]", "never"},
		{"but JDK 26 does", `jdk: "26"`, `jdkHttpClient: request: timeout: "500ms"`, "GET", chain.Trickle, "[0s]", "500ms"},
		{"81: Spring's factory does since 6.2", `springBoot: "3.5.10"`, `jdkHttpClient: factory: readTimeout: "500ms"`, "GET", chain.Trickle, "[0s]", "500ms"},
		{"82: and did not in 6.1", `spring: "6.1.21"`, `jdkHttpClient: factory: readTimeout: "500ms"`, "GET", chain.Trickle, "[0s]", "never"},
		{"83: a zero there fails at once", `spring: "6.2.19"`, `jdkHttpClient: factory: readTimeout: "0s"`, "GET", chain.Silent, "[]", "0s"},
		{"up to Spring 7.0.9", `spring: "7.0.9"`, `jdkHttpClient: factory: readTimeout: "0s"`, "GET", chain.Silent, "[]", "0s"},
		{"since 7.0.10 it is no limit", `spring: "7.0.10"`, `jdkHttpClient: factory: readTimeout: "0s"`, "GET", chain.Silent, "[0s]", "never"},
		{"as Boot 4.1.2 has it", `springBoot: "4.1.2"`, `jdkHttpClient: factory: readTimeout: "0s"`, "GET", chain.Silent, "[0s]", "never"},
		{"Boot's property is the factory's, so that it fails at once as well", `springBoot: "3.5.9"`, `jdkHttpClient: properties: "spring.http.client.read-timeout": "0s"`, "GET", chain.Silent, "[]", "0s"},
		{"89: the handshake is in the time of connecting", `jdk: "17"`, `jdkHttpClient: builder: connectTimeout: "400ms"`, "GET", chain.TLSStall, "[]", "400ms"},
		{"92: java.net.http sends a GET twice when the connection breaks", `jdk: "17"`, `jdkHttpClient: {}`, "GET", chain.ResetFault, "[0s 0s]", "0s"},
		{"92: and a POST once", `jdk: "17"`, `jdkHttpClient: {}`, "POST", chain.ResetFault, "[0s]", "0s"},
		{"unless it is told to repeat every method", `jdk: "17"`, `jdkHttpClient: system: "jdk.httpclient.enableAllMethodRetry": true`, "POST", chain.ResetFault, "[0s 0s]", "0s"},
		{"91: HttpURLConnection sends a buffered POST twice", `jdk: "17"`, `httpUrlConnection: {}`, "POST", chain.ResetFault, "[0s 0s]", "0s"},
		{"91: and a streamed one once", `jdk: "17"`, `httpUrlConnection: streaming: true`, "POST", chain.ResetFault, "[0s]", "0s"},
		{"91: as Spring's factory does it since 6.1", `springBoot: "3.3.12"`, `httpUrlConnection: {}`, "POST", chain.ResetFault, "[0s]", "0s"},
		{"and as it did not before", `springBoot: "3.1.0"`, `httpUrlConnection: {}`, "POST", chain.ResetFault, "[0s 0s]", "0s"},
		{"86: a zero is no limit for the factory of HttpURLConnection", `spring: "6.2.19"`, `httpUrlConnection: factory: readTimeout: 0`, "GET", chain.Silent, "[0s]", "never"},
		{"HttpClient 5 sends a GET twice when a connection breaks, a new one too, and at once", ``, `httpclient5: {}`, "GET", chain.ResetFault, "[0s 0s]", "0s"},
		{"and as often as it is told", ``, `httpclient5: client: retryStrategy: maxRetries: 2`, "GET", chain.ResetFault, "[0s 0s 0s]", "0s"},
		{"and a POST once", ``, `httpclient5: {}`, "POST", chain.ResetFault, "[0s]", "0s"},
		{"but after a 503 a POST as well, a second later", ``, `httpclient5: {}`, "POST", chain.Unavailable, "[0s 1s]", "1s"},
		{"OkHttp does not repeat after a timeout", ``, `okhttp: {}`, "GET", chain.Silent, "[0s]", "10s"},
		{"Feign by itself makes five attempts, of a POST too, and waits longer each time", ``, `feign: options: readTimeout: 1000`, "POST", chain.Silent, "[0s 1.1s 2.25s 3.475s 4.8125s]", "5.8125s"},
		{"Feign under OpenFeign makes one", ``, `feign: {openfeign: {}, options: readTimeout: 1000}`, "POST", chain.Silent, "[0s]", "1s"},
		{"unless a Retryer is set", ``, `feign: {openfeign: {}, retryer: maxAttempts: 2, options: readTimeout: 1000}`, "POST", chain.Silent, "[0s 1.1s]", "2.1s"},
		{"HttpClient 4 makes four, at once, and none after a timeout", ``, `httpclient4: {}`, "GET", chain.ResetFault, "[0s 0s 0s 0s]", "0s"},
		{"of a request with a body one", ``, `httpclient4: {}`, "POST", chain.ResetFault, "[0s]", "0s"},
		{"a time limit inside of a retry starts anew: 3 x 1000 + 2 x 500", ``, `{wrap: [{resilience4jRetry: {}}, {resilience4jTimeLimiter: {}}], socket: {}}`, "POST", chain.Silent, "[0s 1.5s 3s]", "4s"},
		{"one around a retry ends them all", ``, `{wrap: [{resilience4jTimeLimiter: timeoutDuration: "2s"}, {resilience4jRetry: {}}], socket: soTimeout: 1000}`, "POST", chain.Silent, "[0s 1.5s]", "2s"},
		{"a retry for one exception leaves others", ``, `{wrap: [{resilience4jRetry: retryExceptions: ["java.net.ConnectException"]}], socket: soTimeout: 1000}`, "POST", chain.Silent, "[0s]", "1s"},
		{"and repeats its own", ``, `{wrap: [{resilience4jRetry: retryExceptions: ["java.net.ConnectException"]}], socket: {}}`, "POST", chain.Refused, "[]", "1s"},
		{"OkHttp returns a 503, and Resilience4j sees no exception to repeat after", ``, `{wrap: [{resilience4jRetry: {}}], okhttp: {}}`, "POST", chain.Unavailable, "[0s]", "0s"},
		{"nor does Failsafe", ``, `{wrap: [{failsafeRetry: {}}], okhttp: {}}`, "POST", chain.Unavailable, "[0s]", "0s"},
		{"nor where the exceptions are named", ``, `{wrap: [{failsafeRetry: handle: ["java.lang.Exception"]}], httpclient4: {}}`, "POST", chain.Unavailable, "[0s]", "0s"},
		{"a status that is listed is repeated with any client", ``, `{wrap: [{failsafeRetry: handle: ["Exception", "503"]}], okhttp: {}}`, "POST", chain.Unavailable, "[0s 0s 0s]", "0s"},
		{"java.net.http returns it, too", `jdk: "21"`, `{wrap: [{resilience4jRetry: {}}], jdkHttpClient: {}}`, "POST", chain.Unavailable, "[0s]", "0s"},
		{"and Spring's client above it throws", `springBoot: "3.5.9"`, `{wrap: [{resilience4jRetry: {}}], jdkHttpClient: {}}`, "POST", chain.Unavailable, "[0s 500ms 1s]", "1s"},
		{"as it does with a factory of its own", ``, `{wrap: [{resilience4jRetry: {}}], jdkHttpClient: factory: readTimeout: "2s"}`, "POST", chain.Unavailable, "[0s 500ms 1s]", "1s"},
		{"and Feign", ``, `{wrap: [{resilience4jRetry: {}}], feign: openfeign: {}}`, "POST", chain.Unavailable, "[0s 500ms 1s]", "1s"},
		{"a broken connection is an exception of every client", ``, `{wrap: [{resilience4jRetry: {}}], httpclient4: {}}`, "POST", chain.ResetFault, "[0s 500ms 1s]", "1s"},
		{"a wait that doubles", ``, `{wrap: [{resilience4jRetry: {maxAttempts: 4, waitDuration: "100ms", exponentialBackoffMultiplier: 2}}], webclient: {}}`, "POST", chain.Unavailable, "[0s 100ms 300ms 700ms]", "700ms"},
		{"a bare number of a property of Resilience4j is milliseconds", ``, `{wrap: [{resilience4jTimeLimiter: timeoutDuration: 700}], okhttp: {}}`, "POST", chain.Silent, "[0s]", "700ms"},
		{"Failsafe's time limit covers the body", ``, `{wrap: [{failsafeTimeout: timeout: "1s"}], okhttp: {}}`, "POST", chain.Stall, "[0s]", "1s"},
		{"Failsafe's bulkhead lets a call wait", ``, `{wrap: [{failsafeBulkhead: {maxConcurrency: 4, maxWaitTime: "300ms"}}], httpclient5: manager: maxConnPerRoute: 5}`, "POST", chain.Saturated, "[]", "300ms"},
		{"Failsafe counts the repeats, and does not wait", ``, `{wrap: [{failsafeRetry: {}}, {failsafeTimeout: timeout: "1s"}], okhttp: {}}`, "POST", chain.Silent, "[0s 1s 2s]", "3s"},
		{"and without end where it is told -1", ``, `{wrap: [{failsafeRetry: maxRetries: -1}], okhttp: {}}`, "POST", chain.Refused, "[]", "never"},
		{"Hystrix ends a call after a second", ``, `{wrap: [{hystrix: {}}], okhttp: {}}`, "POST", chain.Silent, "[0s]", "1s"},
		{"and none with a semaphore", ``, `{wrap: [{hystrix: execution: isolation: strategy: "SEMAPHORE"}], okhttp: {}}`, "POST", chain.Silent, "[0s]", "10s"},
		{"a bulkhead of its size lets nobody wait", ``, `{wrap: [{resilience4jBulkhead: {}}], okhttp: {}}`, "POST", chain.Saturated, "[]", "0s"},
		{"and as long as it says", ``, `{wrap: [{resilience4jBulkhead: {maxConcurrentCalls: 4, maxWaitDuration: "300ms"}}], httpclient5: manager: maxConnPerRoute: 5}`, "POST", chain.Saturated, "[]", "300ms"},
		{"which a smaller pool leaves out of force", ``, `{wrap: [{resilience4jBulkhead: {maxConcurrentCalls: 9, maxWaitDuration: "300ms"}}], httpclient5: client: requestConfig: connectionRequestTimeout: "2s"}`, "POST", chain.Saturated, "[]", "2s"},
		{"Hystrix has ten threads and no queue", ``, `{wrap: [{hystrix: {}}], okhttp: {}}`, "POST", chain.Saturated, "[]", "0s"},
		{"with a queue its limit is what ends the wait", ``, `{wrap: [{hystrix: threadpool: maxQueueSize: 5}], okhttp: {}}`, "POST", chain.Saturated, "[]", "1s"},
		{"HikariCP's time ends the making of a connection, too", ``, `hikari: {connectionTimeout: 2000, pgjdbc: connectTimeout: 1}`, "POST", chain.Blackhole, "[]", "2s"},
		{"a silent database is waited for without end", ``, `hikari: pgjdbc: {}`, "POST", chain.Silent, "[0s]", "never"},
	} {
		s := resolveText(t, jvmStack(row.runtime, row.client, `{endpoint: scheme: "https", external: {}}`, row.method+" /"))
		sent, at, _ := played(t, s, row.fault, "api", "pay")
		if fmt.Sprint(sent) != row.sent || strings.TrimPrefix(chain.Format(at), "+") != row.at && at.String() != row.at {
			t.Errorf("%s:\nsent %v at %v, want %s %s", row.n, sent, at, row.sent, row.at)
		}
	}
}

func TestJVMPoolsAndBreakers(t *testing.T) {
	for client, want := range map[string]string{
		`okhttp: {}`:                          "none",
		`okhttp: enqueue: true`:               "5 of 64",
		`jdkHttpClient: {}`:                   "none",
		`feign: {}`:                           "none",
		`feign: openfeign: httpclient: {}`:    "50 of 200",
		`httpclient4: {}`:                     "2 of 20",
		`hikari: pgjdbc: {}`:                  "0 of 10",
		`{wrap: [{hystrix: {}}], okhttp: {}}`: "10 of 0, opens after 10 for 5s",
		`{wrap: [{hystrix: {execution: isolation: strategy: "SEMAPHORE", circuitBreaker: enabled: false, execution: isolation: semaphore: maxConcurrentRequests: 3}}], okhttp: {}}`: "3 of 0",
		`{wrap: [{resilience4jCircuitBreaker: {}}], okhttp: {}}`:                                                                               "none, opens after 50 for 60s",
		`{wrap: [{resilience4jCircuitBreaker: {slidingWindowSize: 10, failureRateThreshold: 25, waitDurationInOpenState: "9s"}}], okhttp: {}}`: "none, opens after 3 for 9s",
		`{wrap: [{failsafeCircuitBreaker: {}}, {failsafeBulkhead: maxConcurrency: 7}], okhttp: {}}`:                                            "7 of 0, opens after 1 for 60s",
	} {
		c := call(t, resolveText(t, jvmStack(``, client, "external: {}", "GET /")), "api", "pay")
		got := "none"
		if p := c.Pool; p != nil {
			got = fmt.Sprintf("%d of %d", p.PerHost.N, p.Total.N)
		}
		if e := c.Eject; e != nil {
			got += fmt.Sprintf(", opens after %d for %s", e.Fails, chain.Format(e.For))
		}
		if got != want {
			t.Errorf("%s: %s, want %s", client, got, want)
		}
	}
}

func TestJVMAddressesOfOkHTTPAreDialledTogether(t *testing.T) {
	for version, want := range map[string]time.Duration{"4.12.0": 6 * time.Second, "5.4.0": 2500 * time.Millisecond} {
		s := resolveText(t, jvmStack(``, `okhttp: {version: "`+version+`", connectTimeout: "2s"}`, `{endpoint: addresses: 3, external: {}}`, "GET /"))
		if _, at, _ := played(t, s, chain.Blackhole, "api", "pay"); at != want {
			t.Errorf("%s: %v, want %v", version, at, want)
		}
	}
}

func TestJVMServersResolve(t *testing.T) {
	for _, row := range []struct{ n, runtime, server, want, notices string }{
		{"Tomcat reads for a minute, and bounds no handler", ``, `tomcat: {}`, "request-header-read 60s close tomcat.connectionTimeout default\nrequest-body-read 60s 400 tomcat.connectionTimeout default\nwrite-gap 60s cut tomcat.connectionTimeout default\nidle-keepalive 60s  tomcat.keepAliveTimeout derived\n", ""},
		{"but an asynchronous one", ``, `tomcat: {connectionTimeout: "-1s", async: {}}`, "request-header-read never close tomcat.connectionTimeout written\nrequest-body-read never 400 tomcat.connectionTimeout written\nwrite-gap never cut tomcat.connectionTimeout written\nidle-keepalive never  tomcat.keepAliveTimeout derived\nhandler-deadline 30s 503 tomcat.async.requestTimeout default\n", ""},
		{"a body has a time of its own in Tomcat only where that is on", ``, `tomcat: {disableUploadTimeout: false, connectionUploadTimeout: "20s"}`, "request-header-read 60s close tomcat.connectionTimeout default\nwrite-gap 60s cut tomcat.connectionTimeout default\nidle-keepalive 60s  tomcat.keepAliveTimeout derived\nrequest-body-read 20s 400 tomcat.connectionUploadTimeout written\n", ""},
		{"which is five minutes unless it is written", ``, `tomcat: disableUploadTimeout: false`, "request-header-read 60s close tomcat.connectionTimeout default\nwrite-gap 60s cut tomcat.connectionTimeout default\nidle-keepalive 60s  tomcat.keepAliveTimeout derived\nrequest-body-read 300s 400 tomcat.connectionUploadTimeout default\n", ""},
		{"and has no effect else", ``, `tomcat: connectionUploadTimeout: "20s"`, "request-header-read 60s close tomcat.connectionTimeout default\nrequest-body-read 60s 400 tomcat.connectionTimeout default\nwrite-gap 60s cut tomcat.connectionTimeout default\nidle-keepalive 60s  tomcat.keepAliveTimeout derived\n", "ignored-value: connectionUploadTimeout 20s has no effect: disableUploadTimeout is true, and a body has connectionTimeout\n"},
		{"Jetty has one idle timeout for all", ``, `jetty: connectionIdleTimeout: 5000`, "request-header-read 5s close jetty.connectionIdleTimeout written\nrequest-body-read 5s close jetty.connectionIdleTimeout written\nwrite-gap 5s cut jetty.connectionIdleTimeout written\nidle-keepalive 5s  jetty.connectionIdleTimeout written\n", ""},
		{"its default is 30 s", ``, `jetty: async: requestTimeout: "9s"`, "request-header-read 30s close jetty.connectionIdleTimeout default\nrequest-body-read 30s close jetty.connectionIdleTimeout default\nwrite-gap 30s cut jetty.connectionIdleTimeout default\nidle-keepalive 30s  jetty.connectionIdleTimeout default\nhandler-deadline 9s 503 jetty.async.requestTimeout written\n", ""},
		{"Undertow has none for reading", `springBoot: "3.5.10"`, `undertow: {}`, "drain 30s close undertow.timeoutPerShutdownPhase default\nidle-keepalive 60s  undertow.noRequestTimeout default\n", ""},
		{"unless its options say so", ``, `undertow: options: server: {IDLE_TIMEOUT: -1, REQUEST_PARSE_TIMEOUT: 5000}`, "idle-keepalive 60s  undertow.noRequestTimeout default\nrequest-body-read never close undertow.options.server.IDLE_TIMEOUT written\nwrite-gap never cut undertow.options.server.IDLE_TIMEOUT written\nrequest-header-read 5s close undertow.options.server.REQUEST_PARSE_TIMEOUT written\n", ""},
		{"Spring Boot 4 has no Undertow", `springBoot: "4.0.2"`, `undertow: {}`, "drain 30s close undertow.timeoutPerShutdownPhase default\nidle-keepalive 60s  undertow.noRequestTimeout default\n", "rejected: springBoot 4.0.2 has no Undertow: 3.5 was the last\n"},
		{"Reactor Netty keeps an idle connection for ever", ``, `netty: {}`, "idle-keepalive never  netty.idleTimeout default\nrequest-body-read never close netty.requestTimeout default\nrequest-body-read never close netty.readTimeout default\n", ""},
		{"and as long as it is told", ``, `netty: {idleTimeout: "20s", readTimeout: 3000}`, "idle-keepalive 20s  netty.idleTimeout written\nrequest-body-read never close netty.requestTimeout default\nrequest-body-read 3s close netty.readTimeout written\n", ""},
	} {
		s := resolveText(t, strings.Replace(jvmStack(row.runtime, `socket: connect: timeout: 1000`, "external: {}", "GET /"), "server: tomcat: {}", "server: "+row.server, 1))
		n := node(t, s, "api")
		if got := jvmLimits(n.Serve); got != row.want || notices(s) != row.notices {
			t.Errorf("%s: it has\n%s%s, want\n%s%s", row.n, got, notices(s), row.want, row.notices)
		}
		if !strings.HasPrefix(row.server, "netty") && !n.Concurrency.Declared() {
			t.Errorf("%s: nothing bounds what it works on", row.n)
		}
	}
}

func TestJVMServersRefuseWhatIsNoValue(t *testing.T) {
	for server, want := range map[string]string{
		`jetty: connectionIdleTimeout: "30"`:   "",
		`jetty: connectionIdleTimeout: "30 s"`: "connectionIdleTimeout",
		`jetty: idleTimeout: "30s"`:            "write connectionIdleTimeout",
		`undertow: NO_REQUEST_TIMEOUT: 5`:      "write noRequestTimeout",
		`netty: "idle-timeout": "30s"`:         "write idleTimeout",
	} {
		_, errs := tryResolve(t, strings.Replace(jvmStack(``, `socket: {}`, "external: {}", "GET /"), "server: tomcat: {}", "server: "+server, 1))
		if want == "" && len(errs) == 0 {
			continue
		}
		if len(errs) != 1 || !strings.Contains(errs[0].Message, want) || errs[0].Range.Line != 5 {
			t.Errorf("%s: %s, want %s", server, shownErrors(errs), want)
		}
	}
}

func TestARepeatThatNobodyWroteStandsAtItsClient(t *testing.T) {
	for _, client := range []string{`jdkHttpClient: {}`, `httpUrlConnection: {}`, `okhttp: {}`, `httpclient5: {}`, `httpclient4: {}`} {
		s := resolveText(t, jvmStack(`jdk: "21"`, client, `external: {}`, "GET /"))
		c := call(t, s, "api", "pay")
		retries := []*chain.Retry{c.Resend}
		for _, l := range c.Layers {
			retries = append(retries, l.Retry)
		}
		for _, r := range retries {
			if r != nil && (r.Attempts.Origin.Pos.Line != 5 || r.Attempts.Origin.Setting == "") {
				t.Errorf("%s: %+v", client, r.Attempts.Origin)
			}
		}
	}
}
