package compile

import (
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
)

// proxied is a stack of a browser, NGINX as given and an external service.
func proxied(nginx, routes string) string {
	return `package s
tchain: "v1"
name: "s"
layers: {
	web: browser: fetch: {}
	proxy: nginx: ` + nginx + `
	api: external: {}
}
path: ["web", "proxy", "api"]
routes: ` + routes + "\n"
}

func TestAnInnerBlockWinsAndLocationsMatchAsInTheProduct(t *testing.T) {
	s := resolveText(t, proxied(`{
		version: "1.30.0"
		http: {proxy_read_timeout: "1s", proxy_send_timeout: "2s", send_timeout: "9s"}
		server: {proxy_read_timeout: "3s"}
		location: {
			"/":       proxy_read_timeout: "4s"
			"/a/":     proxy_read_timeout: "5s"
			"^~ /a/b": proxy_read_timeout: "6s"
			"= /a/b/c": proxy_read_timeout: "7s"
		}
	}`, `{"/x": {}, "/a/x": {}, "/a/bc": {}, "/a/b/c": {}, "/u/{id}": {}}`))
	want := map[string]string{"/x": "4s", "/a/x": "5s", "/a/bc": "6s", "/a/b/c": "7s", "/u/{id}": "4s"}
	for _, r := range s.Routes {
		c := r.Root.Calls()[0].To.Calls()[0]
		if l, _ := c.Limit(chain.ResponseHeader); chain.Format(l.Bound) != want[r.Name] {
			t.Errorf("%s reads for %s, want %s", r.Name, chain.Format(l.Bound), want[r.Name])
		}
		has(t, r.Name, c.Limits(), "write-gap 2s proxy.nginx.http.proxy_send_timeout written", "connect 60s proxy.nginx.server.proxy_connect_timeout default")
	}
}

func TestARegularExpressionAndAPartOfARouteAreNotChecked(t *testing.T) {
	s := resolveText(t, proxied(`{version: "1.30.0", location: {"~ [.]php$": proxy_read_timeout: "5s", "/u/5": proxy_read_timeout: "6s", "= /f/x": proxy_read_timeout: "7s"}}`,
		`{"/u/{id}": {}, "/f/": {}}`))
	for i, want := range []string{`"/u/5" may or may not hold for this route`, `"= /f/x" may or may not hold for this route`} {
		got := reasons(s.Routes[i])
		if !strings.Contains(got, want) || !strings.Contains(got, `"~ [.]php$" may or may not hold for this route`) {
			t.Errorf("%s: not checked:\n%s", s.Routes[i].Name, got)
		}
	}
}

func reasons(r *chain.Route) string {
	var out []string
	for _, n := range r.NotChecked {
		out = append(out, n.Reason)
	}
	return strings.Join(out, "\n")
}

func TestALayerThatBuffersHoldsAResponseBackUnlessItIsSwitchedOff(t *testing.T) {
	for server, want := range map[string]bool{`{}`: true, `proxy_buffering: "off"`: false} {
		s := resolveText(t, proxied(`{version: "1.30.0", server: `+server+`}`, `"/": {}`))
		if got := call(t, s, "proxy", "api").HoldsBack; got != want {
			t.Errorf("%s: %v", server, got)
		}
	}
}

func TestARoutesOverrideIsMergedFieldByField(t *testing.T) {
	s := resolveText(t, proxied(`{
		version: "1.30.0"
		server: {proxy_read_timeout: "3s", proxy_send_timeout: "2s"}
		location: "/": proxy_read_timeout: "4s"
	}`, `{"/a": {}, "/b": at: proxy: nginx: server: proxy_read_timeout: "20s"}`))
	limits := func(i int) []chain.Limit { return s.Routes[i].Root.Calls()[0].To.Calls()[0].Limits() }
	has(t, "/a", limits(0), "response-header 4s proxy.nginx.location.\"/\".proxy_read_timeout written", "write-gap 2s proxy.nginx.server.proxy_send_timeout written")
	has(t, "/b", limits(1), "response-header 20s routes.\"/b\".at.proxy.nginx.server.proxy_read_timeout written", "write-gap 2s proxy.nginx.server.proxy_send_timeout written")
}

func TestAnOverrideReachesClientsDeadlinesAndFacts(t *testing.T) {
	s := resolveText(t, insuranceToResolve+`routes: "GET /slow": {
		path: ["web", "edge", "proxy", "api", "auth"]
		at: api: {errorRoom: "3s", app: {deadline: perCall: "100s", clients: auth: httpclient5: client: requestConfig: responseTimeout: "99s"}}
	}
`)
	r := s.Routes[1]
	api := r.Nodes()[3]
	if api.Deadline.PerCall.D != 100*time.Second || api.Deadline.Total.D != 110*time.Second || api.ErrorRoom.D != 3*time.Second {
		t.Errorf("api is %+v", api.Deadline)
	}
	has(t, "auth", api.Calls()[0].Limits(),
		"response-first-byte 99s routes.\"GET /slow\".at.api.app.clients.auth.httpclient5.client.requestConfig.responseTimeout written",
		"pool-wait 1s api.app.clients.auth.httpclient5.client.requestConfig.connectionRequestTimeout written")
}

func TestTheNewestDefaultThatTheVersionHasIsInForce(t *testing.T) {
	for version, want := range map[string]string{"1.28.0": "", "1.29.6": "", "1.29.7": "idle-keepalive 60s proxy.nginx.upstream.api.keepalive_timeout default\n", "1.30.1": "idle-keepalive 60s proxy.nginx.upstream.api.keepalive_timeout default\n"} {
		s := resolveText(t, proxied(`{version: "`+version+`", upstream: api: server: ["a:1"]}`, `"/": {}`))
		if got := brief(call(t, s, "proxy", "api").Idle); got != want {
			t.Errorf("nginx %s keeps %q, want %q", version, got, want)
		}
		if len(s.Notices) > 0 {
			t.Errorf("nginx %s: %+v", version, s.Notices)
		}
	}
}

func TestADefaultMayHoldOnlyWhereABlockIsWrittenForThePeer(t *testing.T) {
	for block, want := range map[string]string{"": "1s", "pool: api: {}": "2s", "pool: other: {}": "1s"} {
		s := resolveText(t, `package s
tchain: "v1"
name: "s"
types: layers: acme: {
	pool?: {[string]: wait?: string @time("a time", units="s", example="1s") @limit(response-header, fires=error) @default("1s") @default("2s", when="pool")} @block(peer)
} @role(passing)
layers: {
	web: browser: fetch: {}
	proxy: acme: {`+block+`}
	api: external: {}
	other: external: {}
}
routes: "/": path: ["web", "proxy", "api"]
`)
		has(t, block, call(t, s, "proxy", "api").Limits(), "response-header "+want+" proxy.acme.pool.api.wait default")
	}
}

func TestAKeptConnectionNeedsAllThatItsLimitSays(t *testing.T) {
	s := resolveText(t, proxied(`{version: "1.28.0", server: {proxy_http_version: "1.1", proxy_set_header: Connection: ""}, upstream: api: {server: ["a:1"], keepalive: 16, keepalive_timeout: "20s"}}`, `"/": {}`))
	c := call(t, s, "proxy", "api")
	has(t, "proxy", c.Idle, "idle-keepalive 20s proxy.nginx.upstream.api.keepalive_timeout written")
	if c.Pool == nil || c.Pool.Idle.N != 16 || c.Pool.PerHost.Declared() || c.Resend == nil {
		t.Errorf("pool %+v, resend %v", c.Pool, c.Resend)
	}
	s = resolveText(t, proxied(`{version: "1.28.0", upstream: api: {server: ["a:1"], keepalive: 16}}`, `"/": {}`))
	if c := call(t, s, "proxy", "api"); c.Idle != nil {
		t.Errorf("with HTTP/1.0 nothing is kept, not %v", c.Idle)
	}
}

func TestAnOpenVersionIsNotedWhereItDecides(t *testing.T) {
	s := resolveText(t, proxied(`upstream: api: server: ["a:1"]`, `{"/": {}, "/b": {}}`))
	if len(s.Notices) != 1 || s.Notices[0].Kind != chain.NoticeImplicit || len(s.Notices[0].Routes) != 2 ||
		s.Notices[0].Message != "version of nginx is open: from 1.29.7 on proxy_http_version 1.1 and Connection \"\" and keepalive 32, before 1.0 and close and 0" {
		t.Errorf("notices: %+v", s.Notices)
	}
	s = resolveText(t, proxied(`{version: "1.29", upstream: api: server: ["a:1"]}`, `"/": {}`))
	if len(s.Notices) != 1 || s.Notices[0].Kind != chain.NoticeBoundary {
		t.Errorf("a version that is too coarse: %+v", s.Notices)
	}
	s = resolveText(t, proxied(`{server: {proxy_http_version: "1.1", proxy_set_header: Connection: ""}, upstream: api: keepalive: 4}`, `"/": {}`))
	if len(s.Notices) != 0 {
		t.Errorf("nothing that differs is left open: %+v", s.Notices)
	}
}

func TestAnInjectedValueThatIsNotGivenIsNotItsDefault(t *testing.T) {
	s := resolveText(t, proxied(`{version: "1.30.0", server: proxy_connect_timeout: string @env(CONNECT)}`, `"/": {}`))
	c := call(t, s, "proxy", "api")
	if n := node(t, resolveText(t, served(`{server: gohttp: ReadTimeout: string @env(READ), clients: pay: gohttp: {}}`, `"/": {}`)), "api"); len(n.Unbounded) != 2 {
		t.Errorf("what follows from an injected value is not known either: %+v", n.Unbounded)
	}
	l, _ := c.Limit(chain.Connect)
	if l.Bound != chain.Never || l.Origin.Source != chain.Injected || l.Why != unknownBound {
		t.Errorf("connect is %+v", l)
	}
	if len(c.Unbounded) != 1 || c.Unbounded[0].Phase != chain.AtSecured || !strings.Contains(reasons(s.Routes[0]), "proxy_connect_timeout is injected at run time and not given") {
		t.Errorf("unbounded %+v; not checked %s", c.Unbounded, reasons(s.Routes[0]))
	}
}
