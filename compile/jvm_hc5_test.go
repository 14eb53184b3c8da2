package compile

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
)

// The numbers of the rows are those of the facts, section 5: what HttpClient 5
// does, as it comes out of a stack and of the play of a fault.
func TestJVMHttpClient5EndsWhenItWasMeasuredToEnd(t *testing.T) {
	const three = `{endpoint: {scheme: "https", addresses: 3}, external: {}}`
	const plain = `{endpoint: scheme: "http", external: {}}`
	for _, row := range []struct {
		n, version, manager, config, pay string
		fault                            chain.FaultKind
		at                               string
	}{
		{"26: each of three addresses has the time of connecting", "5.6.4", `connectionConfig: connectTimeout: "400ms"`, ``, three, chain.Blackhole, "1.2s"},
		{"27: the request's beats it", "5.2.3", `connectionConfig: connectTimeout: "400ms"`, `connectTimeout: "200ms"`, three, chain.Blackhole, "600ms"},
		{"28: a zero leaves each of them to the kernel", "5.5.2", `connectionConfig: connectTimeout: "600ms"`, `connectTimeout: "0s"`, three, chain.Blackhole, "6m45s"},
		{"31: the handshake has the time of connecting since 5.5.1", "5.5.1", `{connectionConfig: connectTimeout: "400ms", socketConfig: soTimeout: "600ms"}`, ``, three, chain.TLSStall, "1.2s"},
		{"41: and before it the socket's, at each address", "5.5", `{connectionConfig: connectTimeout: "400ms", socketConfig: soTimeout: "600ms"}`, ``, three, chain.TLSStall, "1.8s"},
		{"41: so also in 5.2.3", "5.2.3", `{connectionConfig: connectTimeout: "400ms", socketConfig: soTimeout: "600ms"}`, ``, three, chain.TLSStall, "1.8s"},
		{"33: with neither it is waited for without end", "5.5.1", `{connectionConfig: connectTimeout: "0s", socketConfig: soTimeout: "900ms"}`, ``, three, chain.TLSStall, "never"},
		{"44: the response's time beats the others", "5.5.2", `{connectionConfig: socketTimeout: "500ms", socketConfig: soTimeout: "300ms"}`, `responseTimeout: "700ms"`, plain, chain.Silent, "700ms"},
		{"61: bytes inside of the gap are never too late", "5.5.2", ``, `responseTimeout: "400ms"`, plain, chain.Trickle, "never"},
		{"61: a silence after the header is", "5.5.2", ``, `responseTimeout: "400ms"`, plain, chain.Stall, "400ms"},
		{"64: a pool wait of zero fails at once", "5.5.2", ``, `connectionRequestTimeout: "0s"`, plain, chain.Saturated, "0s"},
		{"66: and one of 200 ms after them", "5.5.2", ``, `connectionRequestTimeout: "200ms"`, plain, chain.Saturated, "200ms"},
	} {
		manager := row.manager
		if manager == "" {
			manager = "{}"
		}
		s := resolveText(t, jvmStack(``, `httpclient5: {version: "`+row.version+`", manager: `+manager+`, client: requestConfig: {`+row.config+`}}`, row.pay, "GET /"))
		sent, at, _ := played(t, s, row.fault, "api", "pay")
		if chain.Format(at) != row.at && at.String() != row.at || len(sent) > 1 {
			t.Errorf("%s: sent %v, at %v, want %s", row.n, sent, at, row.at)
		}
	}
}

func TestJVMHttpClient5RepeatsAsMeasured(t *testing.T) {
	for _, row := range []struct {
		n, version, config, method string
		fault                      chain.FaultKind
		sent                       string
	}{
		{"73: a POST that gets 503 is sent twice, a second apart", "5.5.2", ``, "POST", chain.Unavailable, "[0s 1s]"},
		{"74: not if a response may take less than that", "5.5.2", `responseTimeout: "500ms"`, "POST", chain.Unavailable, "[0s]"},
		{"76: but if it may take longer", "5.5.1", `responseTimeout: "1500ms"`, "POST", chain.Unavailable, "[0s 1s]"},
		{"79: a GET that times out is sent once", "5.5.2", `responseTimeout: "500ms"`, "GET", chain.Silent, "[0s]"},
	} {
		s := resolveText(t, jvmStack(``, `httpclient5: {version: "`+row.version+`", client: requestConfig: {`+row.config+`}}`, "external: {}", row.method+" /"))
		if sent, _, _ := played(t, s, row.fault, "api", "pay"); fmt.Sprint(sent) != row.sent {
			t.Errorf("%s: %v, want %s", row.n, sent, row.sent)
		}
	}
}

func TestJVMHttpClient5EntrancesWithSpring(t *testing.T) {
	const base = `client: requestConfig: {connectionRequestTimeout: "1s", connectTimeout: "1s", responseTimeout: "1s", connectionKeepAlive: "30s"}`
	for _, row := range []struct{ n, runtime, client, want, notices string }{
		{"6: a duration under a millisecond is no limit for the factory", `spring: "6.2.19"`, `{version: "5.5.2", factory: readTimeout: "999999ns", ` + base + `}`, "1s 1s never 30s", "ignored-value: readTimeout 999999ns acts as 0"},
		{"11: a context that holds a config replaces all, even one without a value", `spring: "6.2.19"`, `{version: "5.5.2", factory: connectionRequestTimeout: "2s", context: "/": {}, ` + base + `}`, "180s 135s 180s 180s", "shadowed: "},
		{"12: the factory's connectTimeout does not compile since Spring 7", `spring: "7.0.9"`, `{version: "5.5.2", factory: connectTimeout: "2s", ` + base + `}`, "1s 1s 1s 30s", "rejected: factory.connectTimeout is gone since Spring 7.0: the call does not compile"},
		{"69: a keep-alive of zero is for ever", ``, `{version: "5.5.2", client: requestConfig: connectionKeepAlive: "0s"}`, "180s 135s 180s never", ""},
		{"71: a life of zero is never used again", ``, `{version: "5.5.2", manager: connectionConfig: timeToLive: "0s"}`, "180s 135s 180s none", ""},
		{"Boot 3.4 before 3.4.12 sets the socket's time, and later the connection's, which is all the same without a handshake", `springBoot: "3.4"`, `properties: "spring.http.client.read-timeout": 5000`, "180s 135s 5s 180s", ""},
		{"Boot 3.3 has releases that drop the factory's times", `springBoot: "3.3"`, `factory: connectTimeout: "2s"`, "180s 2s 180s 180s", `version-boundary: springBoot 3.3 is too coarse: "connect, for each address" comes to 2s from 3.3.12 on, to 180s from 3.3.6 to 3.3.11, and to 2s before`},
		{"which are nothing to a client without a factory", `springBoot: "3.3"`, `{}`, "180s 135s 180s 180s", ""},
	} {
		s := resolveText(t, jvmStack(row.runtime, `httpclient5: `+row.client, "external: {}", "GET /"))
		c := call(t, s, "api", "pay")
		idle := "none"
		if len(c.Idle) > 0 {
			idle = chain.Format(c.Idle[0].Bound)
		}
		wait, _ := c.Limit(chain.PoolWait)
		connect, _ := c.Limit(chain.Connect)
		read, _ := c.Limit(chain.ResponseReadGap)
		if got := fmt.Sprint(chain.Format(wait.Bound), " ", chain.Format(connect.Bound), " ", chain.Format(read.Bound), " ", idle); got != row.want {
			t.Errorf("%s: %s, want %s", row.n, got, row.want)
		}
		if told := notices(s); row.notices == "" && told != "" || !strings.Contains(told, row.notices) {
			t.Errorf("%s: it says %q, want %q", row.n, told, row.notices)
		}
	}
	_, errs := tryResolve(t, jvmStack(``, `httpclient5: factory: connectionRequestTimeout: "-5ms"`, "external: {}", "GET /")) // 19
	if len(errs) != 1 || !strings.Contains(errs[0].Message, `"-5ms" is negative`) || errs[0].Range.Line != 5 {
		t.Errorf("19: %s", shownErrors(errs))
	}
}

// 67 and 68: the total counts unless the pool is lax.
func TestJVMHttpClient5PoolsByPolicy(t *testing.T) {
	for policy, want := range map[string]int{"STRICT": 3, "LAX": 0} {
		s := resolveText(t, jvmStack(``, `httpclient5: manager: {maxConnPerRoute: 2, maxConnTotal: 3, poolConcurrencyPolicy: "`+policy+`"}`, "external: {}", "GET /"))
		if p := call(t, s, "api", "pay").Pool; p.PerHost.N != 2 || p.Total.N != want {
			t.Errorf("%s: %+v", policy, p)
		}
	}
}

// Section 7 of the facts: what each Spring Boot release brings. Within a row the
// facts name the first and the last release.
func TestJVMBootBringsWhatTheTagsSay(t *testing.T) {
	for boot, want := range map[string]string{
		"3.0.13": "6.0.14 5.1.4", "3.1.5": "6.0.9 to 6.0.21 5.2.1 to 5.2.3", "3.2.0": "6.1.1 5.2.1", "3.2.11": "6.1.14 5.2.3", "3.2.12": "6.1.15 5.2.3", "3.3.5": "6.1.14 5.3.1",
		"3.3.6": "6.1.15 5.3.1", "3.3.7": "6.1.15 to 6.1.19 5.3.1", "3.3.13": "6.1.21 5.3.1", "3.4.0": "6.2.0 5.4.1", "3.4.1": "6.2.0 to 6.2.6 5.4.1 to 5.4.3", "3.4.5": "6.2.6 5.4.3", "3.4.6": "6.2.7 5.4.4",
		"3.4.13": "6.2.15 5.4.4", "3.5.0": "6.2.7 5.4.4", "3.5.6": "6.2.11 5.5", "3.5.8": "6.2.12 to 6.2.15 5.5.1", "3.5.9": "6.2.15 5.5.1", "3.5.16": "6.2.19 5.5.2", "3.5": "6.2.19 5.5.2", "3.5.99": "6.2.19 5.5.2",
		"4.0.1": "7.0.2 5.5.1", "4.0.8": "7.0.9 5.5.2", "4.1.0": "7.0.8 5.6.1", "4.1.1": "7.0.9 5.6.4", "4.1.2": "7.0.10 5.6.5",
	} {
		row, _ := bootRowOf(boot)
		if got := row.spring.text(row, boot) + " " + row.httpclient5.text(row, boot); got != want {
			t.Errorf("%s: %s, want %s", boot, got, want)
		}
	}
	for _, row := range bootRows {
		for _, p := range springPoints {
			if atLeast(row.spring.first, p) != atLeast(row.spring.last, p) {
				t.Errorf("Spring %s is within the row of %s", p, row.from)
			}
		}
		for _, p := range hc5Points {
			if (&hc5Config{version: row.httpclient5.first}).has(p) != (&hc5Config{version: row.httpclient5.last}).has(p) {
				t.Errorf("HttpClient %s is within the row of %s", p, row.from)
			}
		}
	}
	s := resolveText(t, jvmStack(`jdk: "17"`, `jdkHttpClient: version: "21"`, "external: {}", "GET /"))
	if c := call(t, s, "api", "pay"); c.Product != "jdkHttpClient 21" || c.Idle[0].Bound != 30*time.Second || !strings.HasPrefix(notices(s), "shadowed: jdk 17 brings jdkHttpClient 17") {
		t.Errorf("%s, %s", c.Product, notices(s))
	}
	s = resolveText(t, jvmStack(``, `jdkHttpClient: {}`, "external: {}", "GET /"))
	if told := notices(s); !strings.HasPrefix(told, "implicit: version of jdkHttpClient is open: from 20 on") {
		t.Errorf("it says %q", told)
	}
}
