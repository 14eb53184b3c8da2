package compile

import (
	"fmt"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

// called is a stack of an app that calls one service by HttpClient 5; through a
// proxy's tunnel if via is given.
func called(runtime, scheme, via, client, routes string) string {
	if via != "" {
		via = `via: "` + via + `", `
	}
	return `package s
tchain: "v1"
name: "s"
layers: {
	api: app: {runtime: {` + runtime + `}, clients: up: {` + via + `httpclient5: ` + client + `}}
	squid: custom: {}
	up: {endpoint: scheme: "` + scheme + `", external: {}}
	other: external: {}
}
path: ["api", "up"]
routes: ` + routes + "\n"
}

// derived is one timer of the call of a route in words: the value, what it is
// instead, and what was dropped.
func derived(t *testing.T, s *chain.Stack, route, timer string) (text, why string) {
	t.Helper()
	for _, r := range s.Routes {
		if r.Name != route {
			continue
		}
		for _, d := range r.Root.Calls()[0].Derivations {
			if d.Timer != timer {
				continue
			}
			_, from, _ := strings.Cut(d.Winner.Setting, ".httpclient5.")
			text = chain.Format(d.Value) + " " + from
			for _, e := range d.Else {
				_, from, _ := strings.Cut(e.Winner.Setting, ".httpclient5.")
				text += fmt.Sprintf(", or %s %s %s", chain.Format(e.Value), e.When, from)
			}
			for _, x := range d.Dropped {
				_, from, _ := strings.Cut(x.Origin.Setting, ".httpclient5.")
				text += "; not " + from + ": " + x.Why
			}
			return text, d.Why
		}
	}
	return "none", ""
}

const (
	soDefault = "180s manager.socketConfig.soTimeout"
	ofA       = `context."/a".responseTimeout`
	keepsRT   = "a pooled connection keeps the responseTimeout of the latest request that had one, else "
)

// Through a tunnel the proxy's answer to CONNECT is read first, under the time that
// the handshake has since 5.5.1, and handshakeTimeout is of no account.
func TestTheAnswerToConnectHasALimitOfItsOwn(t *testing.T) {
	for _, row := range []struct{ n, version, via, client, want string }{
		{"responseTimeout", "5.5.2", "squid", `client: requestConfig: responseTimeout: "5s", manager: {connectionConfig: {connectTimeout: "1s", socketTimeout: "2s"}, tlsConfig: handshakeTimeout: "3s"}`, "5s"},
		{"else socketTimeout", "5.3.1", "squid", `manager: {connectionConfig: {connectTimeout: "1s", socketTimeout: "2s"}, tlsConfig: handshakeTimeout: "3s"}`, "2s"},
		{"else soTimeout", "5.1.4", "squid", `manager: socketConfig: soTimeout: "4s"`, "4s"},
		{"which is 180 s by default", "5.5.2", "squid", ``, "180s"},
		{"a zero is no limit", "5.5.2", "squid", `client: requestConfig: responseTimeout: "0s"`, "never"},
		{"without a tunnel there is none", "5.5.2", "", ``, ""},
	} {
		s := resolveText(t, called("", "https", row.via, `{version: "`+row.version+`", `+row.client+`}`, `"/x": {}`))
		got := ""
		if l, ok := s.Routes[0].Root.Calls()[0].Limit(chain.Tunnel); ok {
			got = chain.Format(l.Bound)
		}
		if got != row.want {
			t.Errorf("%s: %q, want %q", row.n, got, row.want)
		}
	}
}

// What a pooled connection can carry, by the request that used it before. The
// numbers are those of the facts, section 5.
func TestAReadOnAPooledConnectionHasASetOfLimits(t *testing.T) {
	const a = `context: "/a": responseTimeout: "300ms"`
	const st = `manager: connectionConfig: socketTimeout: "5s"`
	for _, row := range []struct {
		n, version, scheme, via, client string
		want, why                       string
	}{
		{"47: what the request before left", "5.2.3", "http", "", a, soDefault + ", or 300ms after GET /a " + ofA, "before 5.5.1 " + keepsRT + "what it was opened with; socketTimeout is not written again"},
		{"47: and so up to 5.6", "5.6", "http", "", a, soDefault + ", or 300ms after GET /a " + ofA, "from 5.5.1 to 5.6 " + keepsRT + "soTimeout"},
		{"before 5.2 there is no socketTimeout", "5.1.4", "http", "", a, soDefault + ", or 300ms after GET /a " + ofA, "before 5.2 " + keepsRT + "what it was opened with"},
		{"48: nothing since 5.6.1", "5.6.1", "http", "", a, soDefault, "since 5.6.1 a pooled connection gets back soTimeout each time that it is taken"},
		{"48: with TLS neither", "5.6.4", "https", "", a, soDefault, "since 5.6.1 a pooled connection gets back soTimeout each time that it is taken"},
		{"49: socketTimeout is no remedy in 5.5", "5.5", "http", "", a + ", " + st, "5s manager.connectionConfig.socketTimeout, or 300ms after GET /a " + ofA, "before 5.5.1 " + keepsRT + "what it was opened with; socketTimeout is not written again"},
		{"49: and is one since 5.5.1", "5.5.1", "http", "", a + ", " + st, "5s manager.connectionConfig.socketTimeout", "since 5.5.1 socketTimeout is written each time that a pooled connection is taken, over what it remembers"},
		{"and in 5.6.1", "5.6.1", "http", "", a + ", " + st, "5s manager.connectionConfig.socketTimeout", "since 5.5.1 socketTimeout is written each time that a pooled connection is taken, over what it remembers"},
		{"51: what the handshake left, or the request before", "5.5.1", "https", "", a + `, manager: connectionConfig: connectTimeout: "500ms"`, "500ms manager.connectionConfig.connectTimeout, or 300ms after GET /a " + ofA, "from 5.5.1 to 5.6 " + keepsRT + "what its handshake had: handshakeTimeout, else the connect timeout"},
		{"52: nothing of the handshake in 5.5", "5.5", "https", "", `manager: connectionConfig: connectTimeout: "500ms"`, soDefault, "before 5.5.1 " + keepsRT + "what it was opened with; socketTimeout is not written again"},
		{"53: the handshake's own time", "5.6", "https", "", `manager: {connectionConfig: connectTimeout: "500ms", tlsConfig: handshakeTimeout: "400ms"}`, "400ms manager.tlsConfig.handshakeTimeout", "from 5.5.1 to 5.6 " + keepsRT + "what its handshake had: handshakeTimeout, else the connect timeout"},
		{"the handshake had the connect timeout of the request that opened it", "5.5.1", "https", "", `manager: connectionConfig: connectTimeout: "500ms", context: "/a": connectTimeout: "700ms"`, "500ms manager.connectionConfig.connectTimeout, or 700ms where GET /a opened it context.\"/a\".connectTimeout", "from 5.5.1 to 5.6 " + keepsRT + "what its handshake had: handshakeTimeout, else the connect timeout"},
		{"56: no limit is left, too", "5.6", "http", "", `context: "/a": responseTimeout: "0s", manager: socketConfig: soTimeout: "300ms"`, "300ms manager.socketConfig.soTimeout, or never after GET /a " + ofA, "from 5.5.1 to 5.6 " + keepsRT + "soTimeout"},
		{"57: and is not since 5.6.1", "5.6.1", "http", "", `context: "/a": responseTimeout: "0s", manager: socketConfig: soTimeout: "300ms"`, "300ms manager.socketConfig.soTimeout", "since 5.6.1 a pooled connection gets back soTimeout each time that it is taken"},
		{"58: a tunnel keeps what the request before left", "5.3.1", "https", "squid", a, soDefault + ", or 300ms after GET /a " + ofA, "before 5.5.1 " + keepsRT + "what it was opened with; socketTimeout is not written again"},
		{"58: in 5.6, too", "5.6", "https", "squid", a, soDefault + ", or 300ms after GET /a " + ofA, "from 5.5.1 to 5.6 " + keepsRT + "soTimeout"},
		{"58: and since 5.6.1 what the request that opened it had", "5.6.4", "https", "squid", a, soDefault + ", or 300ms where GET /a opened it " + ofA, "since 5.6.1 a pooled connection gets back what it was opened with each time that it is taken; through a CONNECT tunnel that is the responseTimeout of the request that opened it, else soTimeout"},
		{"59: unless there is a socketTimeout", "5.6.4", "https", "squid", a + ", " + st, "5s manager.connectionConfig.socketTimeout", "since 5.5.1 socketTimeout is written each time that a pooled connection is taken, over what it remembers"},
		{"59: which is no remedy in a tunnel of 5.5", "5.5", "https", "squid", a + ", " + st, "5s manager.connectionConfig.socketTimeout, or 300ms after GET /a " + ofA, "before 5.5.1 " + keepsRT + "what it was opened with; socketTimeout is not written again"},
		{"a responseTimeout of its own is written before each request", "5.5", "http", "", a + `, client: requestConfig: responseTimeout: "2s"`, "2s client.requestConfig.responseTimeout", "responseTimeout is written before each request, so what the connection remembers does not matter"},
		{"a proxy that is called in the clear is no tunnel", "5.6.4", "http", "squid", a, soDefault, "since 5.6.1 a pooled connection gets back soTimeout each time that it is taken"},
		{"a connection that lives for 0 is not used again", "5.5", "http", "", a + `, manager: connectionConfig: timeToLive: "0s"`, "none", ""},
	} {
		client := `{version: "` + row.version + `", ` + row.client + `}`
		s := resolveText(t, called(``, row.scheme, row.via, client, `{"GET /a": {}, "GET /b": {}}`))
		got, why := derived(t, s, "GET /b", timerReused)
		if got != row.want || why != row.why {
			t.Errorf("%s, %s:\n%s\nbecause %s, want\n%s\nbecause %s", row.n, row.version, got, why, row.want, row.why)
		}
		// The finding says the same: there is one where a limit is not that of a fresh connection.
		fresh, _ := derived(t, s, "GET /b", timerRead)
		first, _, _ := strings.Cut(fresh, ";")
		sticky := strings.Contains(notices(s), "sticky-limit: ")
		if want := got != first && got != "none"; sticky != want {
			t.Errorf("%s, %s: fresh %s, reused %s, but the notices are %q", row.n, row.version, first, got, notices(s))
		}
	}
}

func TestTheFindingOfAPooledConnectionSaysAllThatItCanHave(t *testing.T) {
	for _, row := range []struct{ n, runtime, scheme, client, routes, want string }{
		{"a limit of another route, and that there is none", `spring: "6.2.19"`, "http", `{version: "5.5.2", context: {"/a": responseTimeout: "300ms", "/b": responseTimeout: "0s"}}`, `{"/a": {}, "/b": {}, "/c": {}}`,
			"a read on a pooled connection may take 300ms after /a, or has no limit after /b; on a fresh one it may take 180s"},
		{"what the handshake left", `springBoot: "3.5.7"`, "https", `{manager: connectionConfig: connectTimeout: "500ms", context: "/a": responseTimeout: "300ms"}`, `{"/a": {}, "/c": {}}`,
			"a read on a pooled connection may take 500ms by the connectTimeout that the handshake left in HttpClient 5.5.1, or may take 300ms after /a; on a fresh one it may take 180s"},
		{"no limit on a fresh one", ``, "http", `{version: "5.5.2", manager: socketConfig: soTimeout: "0s", context: "/a": responseTimeout: "300ms"}`, `{"/a": {}, "/c": {}}`,
			"a read on a pooled connection may take 300ms after /a; on a fresh one it has no limit"},
		{"two routes that leave the same are named together", ``, "http", `{version: "5.5.2", context: "/a/": responseTimeout: "300ms"}`, `{"/a/a": {}, "/a/b": {}, "/c": {}}`,
			"a read on a pooled connection may take 300ms after /a/a or /a/b; on a fresh one it may take 180s"},
		{"of many routes some", ``, "http", `{version: "5.5.2", context: "/a/": responseTimeout: "300ms"}`, `{"/a/a": {}, "/a/b": {}, "/a/c": {}, "/a/d": {}, "/c": {}}`,
			"a read on a pooled connection may take 300ms after /a/a, /a/b or 2 more routes; on a fresh one it may take 180s"},
		{"of many limits some", ``, "http", `{version: "5.5.2", context: {"/a": responseTimeout: "1s", "/b": responseTimeout: "2s", "/d": responseTimeout: "3s", "/e": responseTimeout: "4s"}}`, `{"/a": {}, "/b": {}, "/c": {}, "/d": {}, "/e": {}}`,
			"a read on a pooled connection may take 1s after /a, or may take 2s after /b, or has one of 2 other limits; on a fresh one it may take 180s"},
		{"a context that holds for a part of the route's own paths", ``, "http", `{version: "5.5.2", context: "/c/slow": responseTimeout: "300ms"}`, `{"/c/": {}}`,
			"a read on a pooled connection may take 300ms after /c/ at /c/slow; on a fresh one it may take 180s"},
		{"what a route sets for itself", ``, "http", `{version: "5.5.2"}`, `{"/a": at: api: app: clients: up: httpclient5: client: requestConfig: responseTimeout: "300ms", "/c": {}}`,
			"a read on a pooled connection may take 300ms after /a; on a fresh one it may take 180s"},
	} {
		s := resolveText(t, called(row.runtime, row.scheme, "", row.client, row.routes))
		found := 0
		for _, n := range s.Notices {
			if n.Kind != chain.NoticeSticky {
				continue
			}
			found++
			if n.Message != row.want || n.Origin.Pos.Line == 0 || n.Winner.Setting == "" || n.Layer != "api" || !strings.HasPrefix(n.Routes[0], "/c") {
				t.Errorf("%s: %+v, want %q", row.n, n, row.want)
			}
		}
		if found != 1 {
			t.Errorf("%s: %d notices: %s", row.n, found, notices(s))
		}
	}
}

// Each row has a twin in which the value is sent.
func TestOnlyWhatARouteSendsStaysOnAConnection(t *testing.T) {
	const client = `{version: "5.5.2", client: requestConfig: responseTimeout: "300ms", context: "/b": copyOf: "DEFAULT"}`
	const ways = `at: api: app: clients: up: httpclient5: client: requestConfig: responseTimeout: "300ms"`
	for _, row := range []struct{ n, client, clean, sticky string }{
		{"the client's config, which no route uses", client, `{"/b": {}}`, `{"/b": {}, "/a": {}}`},
		{"a context of no route", `{version: "5.5.2", context: "/a": responseTimeout: "300ms"}`, `{"/b": {}}`, `{"/b": {}, "/a": {}}`},
		{"a route that goes elsewhere", client, `{"/b": {}, "/a": path: ["api", "other"]}`, `{"/b": {}, "/a": {}}`},
		{"what a route sets for itself alone", `{version: "5.5.2"}`, `{"/b": {}}`, `{"/b": {}, "/a": {` + ways + `}}`},
	} {
		for routes, want := range map[string]bool{row.clean: false, row.sticky: true} {
			text := strings.Replace(called(``, "http", "", row.client, routes), "clients: up: {", "clients: {other: socket: {}, up: {", 1)
			s := resolveText(t, strings.Replace(text, "}}\n\tsquid", "}}}\n\tsquid", 1))
			if got := strings.Contains(notices(s), "sticky-limit"); got != want {
				t.Errorf("%s, %s: %v: %s", row.n, routes, got, notices(s))
			}
		}
	}
}

// Connections to one callee are not used for another, nor those of one client for
// another client.
func TestAConnectionIsOfOneClientAndOneCallee(t *testing.T) {
	for _, row := range []struct{ n, clients, a string }{
		{"the other callee of the client", `up: {to: ["up", "other"], httpclient5: CLIENT}`, `["api", "other"]`},
		{"the other callee behind the proxy of the client", `up: {to: ["up", "other"], via: "squid", httpclient5: CLIENT}`, `["api", "squid", "other"]`},
		{"another client", `up: httpclient5: CLIENT, other: httpclient5: CLIENT`, `["api", "other"]`},
	} {
		const client = `{version: "5.5.2", context: "/a": responseTimeout: "300ms"}`
		for path, want := range map[string]bool{row.a: false, `["api", "up"]`: true} {
			text := `package s
tchain: "v1"
name: "s"
layers: {
	api: app: clients: {` + strings.ReplaceAll(row.clients, "CLIENT", client) + `}
	squid: custom: {}
	up: external: {}
	other: external: {}
}
routes: {"/a": path: ` + path + `, "/b": path: ["api", "up"]}
`
			s := resolveText(t, text)
			if got := strings.Contains(notices(s), "sticky-limit"); got != want {
				t.Errorf("%s, %s: %v: %s", row.n, path, got, notices(s))
			}
		}
	}
}

func TestALimitThatIsNotKnownIsRememberedButNoFinding(t *testing.T) {
	s := resolveText(t, called(``, "http", "", `{version: "5.5.2", context: "/a": responseTimeout: string @env(T)}`, `{"/a": {}, "/b": {}}`))
	for _, d := range s.Routes[1].Root.Calls()[0].Derivations {
		if d.Timer == timerReused && (d.Unknown || len(d.Else) != 1 || !d.Else[0].Unknown || d.Else[0].When != "after /a") {
			t.Errorf("%+v", d)
		}
	}
	if told := notices(s); told != "" {
		t.Errorf("notices: %s", told)
	}
}

func TestTheStaleCheckIsOnByDefaultSinceHttpClient51(t *testing.T) {
	for _, row := range []struct{ n, client, want string }{
		{"before it is none", `{version: "5.0.4"}`, "none"},
		{"unless it is written", `{version: "5.0.4", manager: validateAfterInactivity: "3s"}`, "3s"},
		{"since then it is 2s", `{version: "5.1.4"}`, "2s"},
		{"and a negative one is none", `{version: "5.5.2", manager: connectionConfig: validateAfterInactivity: "-1s"}`, "none"},
	} {
		got := "none"
		for _, l := range call(t, resolveText(t, jvmStack(``, `httpclient5: `+row.client, "external: {}", "GET /")), "api", "pay").Upkeep {
			if l.Kind == chain.StaleCheck {
				got = chain.Format(l.Bound)
			}
		}
		if got != row.want {
			t.Errorf("%s: %s, want %s", row.n, got, row.want)
		}
	}
}
