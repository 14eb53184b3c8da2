package compile

import (
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
)

// springed is a stack of an app with one HttpClient 5 to an external service.
func springed(runtime, scheme, client, routes string) string {
	return `package s
tchain: "v1"
name: "s"
layers: {
	proxy: nginx: version: "1.30.0"
	api: app: {runtime: {` + runtime + `}, server: tomcat: {}, clients: pay: httpclient5: ` + client + `}
	pay: {endpoint: scheme: "` + scheme + `", external: {}}
}
path: ["proxy", "api", "pay"]
routes: ` + routes + "\n"
}

const hc5Path = "api.app.clients.pay.httpclient5."

func TestTheClientWithoutSettingsHasTheDefaultsOfTheProduct(t *testing.T) {
	s := resolveText(t, springed(`springBoot: "3.5.10"`, "http", "{}", `"/": {}`))
	c := call(t, s, "api", "pay")
	has(t, "pay", c.Limits(), "pool-wait 180s "+hc5Path+"client.requestConfig.connectionRequestTimeout default",
		"connect 135s "+hc5Path+"manager.connectionConfig.connectTimeout default",
		"response-first-byte 180s "+hc5Path+"manager.socketConfig.soTimeout default")
	has(t, "pay", c.Idle, "idle-keepalive 180s "+hc5Path+"client.requestConfig.connectionKeepAlive default")
	if c.Pool.PerHost.N != 5 || c.Pool.Total.N != 25 || c.Product != "httpclient5 5.5.2" {
		t.Errorf("pool is %+v of %s", c.Pool, c.Product)
	}
	r := c.Layers[0].Retry
	if r.Attempts.N != 2 || !r.Hidden || r.Interval.D != time.Second || !r.Waits("503") || !r.Allows("503", "POST", true) || r.Allows(chain.CondTimeout, "GET", true) {
		t.Errorf("after a status it repeats by %+v", r)
	}
	if r.Waits(chain.CondReset) || !r.Allows(chain.CondReset, "GET", true) || r.Allows(chain.CondReset, "POST", true) || c.Resend != nil {
		t.Errorf("after an error it repeats by %+v, %+v", r, c.Resend)
	}
	if len(c.Unbounded) != 2 || len(s.Notices) > 0 {
		t.Errorf("unbounded %+v, notices %+v", c.Unbounded, s.Notices)
	}
}

func TestAStatusIsNotRepeatedWhenTheWaitIsLongerThanAResponse(t *testing.T) { // rows 73 and 74
	for timeout, want := range map[string]bool{"500ms": false, "5s": true} {
		s := resolveText(t, springed(`springBoot: "3.5.10"`, "http", `client: requestConfig: responseTimeout: "`+timeout+`"`, `"/": {}`))
		if r := call(t, s, "api", "pay").Layers[0].Retry; r.Allows("503", "GET", true) != want || !r.Allows(chain.CondStale, "GET", true) {
			t.Errorf("%s: %+v", timeout, r)
		}
	}
}

func TestAWrittenValueThatLosesIsShadowedOnlyIfItDiffers(t *testing.T) {
	for client, want := range map[string]string{
		`{factory: readTimeout: "2s", client: requestConfig: responseTimeout: "5s"}`:                     "client.requestConfig.responseTimeout 5s is never in force; factory.readTimeout 2s wins",
		`{factory: readTimeout: "5s", client: requestConfig: responseTimeout: "5s"}`:                     "",
		`{manager: socketConfig: soTimeout: "7s", client: requestConfig: responseTimeout: "5s"}`:         "manager.socketConfig.soTimeout 7s is never in force; client.requestConfig.responseTimeout 5s wins",
		`{manager: connectionConfig: connectTimeout: "1s", client: requestConfig: connectTimeout: "2s"}`: "manager.connectionConfig.connectTimeout 1s is never in force; client.requestConfig.connectTimeout 2s wins",
	} {
		s := resolveText(t, springed(`spring: "6.2.19"`, "http", strings.TrimSuffix(client, "}")+`, version: "5.5.2"}`, `"/": {}`))
		got := ""
		for _, n := range s.Notices {
			got += n.Message
			if n.Kind != chain.NoticeShadowed || n.Origin.Pos.Line == 0 || n.Winner.Setting == "" || n.Layer != "api" {
				t.Errorf("%+v", n)
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", client, got, want)
		}
	}
}

func TestAFactoryThatSpringDropsSaysSo(t *testing.T) {
	s := resolveText(t, springed(`springBoot: "3.3.6"`, "http", `factory: connectTimeout: "2s"`, `"/": {}`))
	has(t, "pay", call(t, s, "api", "pay").Limits(), "connect 135s "+hc5Path+"manager.connectionConfig.connectTimeout default")
	want := "factory.connectTimeout 2s is never in force; manager.connectionConfig.connectTimeout 3m by default wins: Spring 6.1.15 with HttpClient 5.3.1 drops the factory's timeouts"
	if len(s.Notices) != 1 || s.Notices[0].Message != want {
		t.Errorf("notices: %+v", s.Notices)
	}
}

func TestAContextReplacesTheConfigOfItsPath(t *testing.T) {
	s := resolveText(t, springed(`springBoot: "4.1.1"`, "http", `{
		client: requestConfig: {responseTimeout: "5s", connectionRequestTimeout: "1s"}
		context: {
			"/balance": {copyOf: "client", responseTimeout: "300ms"}
			"/report": responseTimeout: "60s"
			"/nowhere": responseTimeout: "1s"
		}
	}`, `{"/balance": {}, "/report": {}, "/x": {}}`))
	want := map[string]string{"/balance": "300ms 1s", "/report": "60s 180s", "/x": "5s 1s"}
	for _, r := range s.Routes {
		c := r.Root.Calls()[0].To.Calls()[0]
		read, _ := c.Limit(chain.ResponseReadGap)
		wait, _ := c.Limit(chain.PoolWait)
		if got := chain.Format(read.Bound) + " " + chain.Format(wait.Bound); got != want[r.Name] {
			t.Errorf("%s: %s, want %s", r.Name, got, want[r.Name])
		}
		if !strings.Contains(reasons(r), `context "/nowhere" is of no route`) {
			t.Errorf("%s: not checked %s", r.Name, reasons(r))
		}
	}
	if len(s.Notices) > 0 {
		t.Errorf("a value that is in force on another route is not shadowed: %+v", s.Notices)
	}
}

func TestALimitThatStaysOnAPooledConnectionIsNoted(t *testing.T) {
	s := resolveText(t, springed(`springBoot: "3.5.7"`, "https", `properties: {"spring.http.client.connect-timeout": "500ms", "spring.http.client.read-timeout": 5000}`, `"/": {}`))
	has(t, "pay", call(t, s, "api", "pay").Limits(), `response-first-byte 5s `+hc5Path+`properties."spring.http.client.read-timeout" written`, `connect 500ms `+hc5Path+`properties."spring.http.client.connect-timeout" written`)
	if len(s.Notices) != 1 || s.Notices[0].Kind != chain.NoticeSticky || !strings.Contains(s.Notices[0].Message, "may take 500ms") {
		t.Errorf("notices: %+v", s.Notices)
	}
	s = resolveText(t, springed(`springBoot: "3.5.8"`, "https", `properties: {"spring.http.client.connect-timeout": "500ms", "spring.http.client.read-timeout": 5000}`, `"/": {}`))
	has(t, "pay", call(t, s, "api", "pay").Limits(), `response-first-byte 5s `+hc5Path+`properties."spring.http.client.read-timeout" written`)
	if len(s.Notices) != 0 {
		t.Errorf("3.5.8 puts it on the connection: %+v", s.Notices)
	}
	s = resolveText(t, springed(`springBoot: "3.5.0"`, "http", `{context: "/a": responseTimeout: "300ms"}`, `{"/a": {}, "/b": {}}`))
	if len(s.Notices) != 1 || s.Notices[0].Kind != chain.NoticeSticky || s.Notices[0].Routes[0] != "/b" {
		t.Errorf("the limit of /a stays for /b: %+v", s.Notices)
	}
}

func TestAVersionThatContradictsTheRuntimeIsNoted(t *testing.T) {
	s := resolveText(t, springed(`springBoot: "3.5.9"`, "http", `version: "5.3.1"`, `"/": {}`))
	if c := call(t, s, "api", "pay"); c.Product != "httpclient5 5.3.1" || len(s.Notices) != 1 || s.Notices[0].Kind != chain.NoticeShadowed {
		t.Errorf("%s, notices: %+v", c.Product, s.Notices)
	}
}

func TestAZeroOfThePoolWaitFailsAtOnceAndOneOfAReadNever(t *testing.T) { // rows 46 and 64
	s := resolveText(t, springed(`springBoot: "3.5.10"`, "http", `client: requestConfig: {connectionRequestTimeout: "0s", responseTimeout: "0s", connectionKeepAlive: "0s"}`, `"/": {}`))
	c := call(t, s, "api", "pay")
	wait, _ := c.Limit(chain.PoolWait)
	read, _ := c.Limit(chain.ResponseFirstByte)
	if wait.Bound != 0 || wait.Zero || read.Bound != chain.Never || !read.Zero || c.Idle[0].Bound != chain.Never {
		t.Errorf("wait %+v, read %+v, idle %+v", wait, read, c.Idle)
	}
}

func TestTheKeepAliveThatTheServerAnnouncesCounts(t *testing.T) {
	for _, row := range []struct{ n, announced, client, want, why string }{
		{"it is longer", `"60s"`, `client: requestConfig: connectionKeepAlive: "30s"`, "60s", "the server announces it, which beats connectionKeepAlive"},
		{"it is shorter", `"20s"`, `client: requestConfig: connectionKeepAlive: "30s"`, "20s", "the server announces it"},
		{"a zero is for ever", `"0s"`, `client: requestConfig: connectionKeepAlive: "30s"`, "never", "a 0 is no limit to the client"},
		{"the connection's own time counts beside it", `"60s"`, `manager: connectionConfig: idleTimeout: "10s"`, "10s", "is shorter"},
		{"it is known to announce none", `false`, `client: requestConfig: connectionKeepAlive: "30s"`, "30s", "it counts where the server announces no time of its own"},
	} {
		text := called(``, "http", "", `{version: "5.6.4", `+row.client+`}`, `"/x": {}`)
		s := resolveText(t, strings.Replace(text, `up: {endpoint: scheme: "http"`, `up: {endpoint: {scheme: "http", announcesKeepAlive: `+row.announced+`}`, 1))
		c := call(t, s, "api", "up")
		got, why := derived(t, s, "/x", timerKeep)
		if chain.Format(c.Idle[0].Bound) != row.want || !strings.HasPrefix(got, row.want+" ") || !strings.Contains(why, row.why) {
			t.Errorf("%s: %s; %s because %s, want %s because %s", row.n, chain.Format(c.Idle[0].Bound), got, why, row.want, row.why)
		}
	}
}

// Vector 7: a context's config drops all that the client has, by its defaults, too.
func TestAValueThatADefaultOfTheContextBeatsIsShadowed(t *testing.T) {
	s := resolveText(t, called(`spring: "6.2.19"`, "http", "", `{version: "5.5.2", client: requestConfig: {connectionRequestTimeout: "1s", connectTimeout: "1s", responseTimeout: "1s", connectionKeepAlive: "30s"}, context: "/x": responseTimeout: "300ms"}`, `"/x": {}`))
	for _, want := range []string{
		`client.requestConfig.connectionRequestTimeout 1s is never in force; context."/x".connectionRequestTimeout 3m by default wins`,
		`client.requestConfig.connectTimeout 1s is never in force; manager.connectionConfig.connectTimeout 3m by default wins`,
		`client.requestConfig.responseTimeout 1s is never in force; context."/x".responseTimeout 300ms wins`,
		`client.requestConfig.connectionKeepAlive 30s is never in force; context."/x".connectionKeepAlive 3m by default wins`,
	} {
		if !strings.Contains(notices(s), "shadowed: "+want+"\n") {
			t.Errorf("%s\nlacks %s", notices(s), want)
		}
	}
	if got, _ := derived(t, s, "/x", timerWait); got != `180s context."/x".connectionRequestTimeout; not client.requestConfig.connectionRequestTimeout: the context's config is in force as a whole` {
		t.Errorf("the wait: %s", got)
	}
}

func TestAShadowedValueNamesTheWinnerOfEachRoute(t *testing.T) {
	s := resolveText(t, called(`spring: "6.2.19"`, "http", "", `{version: "5.5.2", manager: socketConfig: soTimeout: "2s", factory: readTimeout: "5s", context: {"/a": responseTimeout: "300ms", "/b": responseTimeout: "10s"}}`, `{"/a": {}, "/b": {}, "/c": {}, "/d": {}}`))
	want := `shadowed: manager.socketConfig.soTimeout 2s is never in force; context."/a".responseTimeout 300ms wins on /a, context."/b".responseTimeout 10s on /b, factory.readTimeout 5s on /c and /d` + "\n"
	if told := notices(s); !strings.Contains(told, want) || strings.Count(told, "soTimeout 2s") != 1 {
		t.Errorf("it says\n%s", told)
	}
}
