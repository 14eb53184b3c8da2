package compile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
)

const insuranceToResolve = `package insurance

tchain: "v1"
name:   "insurance"

layers: {
	web: browser: fetch: signal: timeout: 160_000
	edge: alb: idle_timeout: 145
	proxy: nginx: {
		version: "1.28.0"
		server: {
			keepalive_timeout:         "150s" // longer than the balancer's 145 s, or reuse races
			proxy_connect_timeout:     "3s"
			proxy_send_timeout:        "10s"
			proxy_read_timeout:        "125s"
			proxy_next_upstream_tries: 1
		}
		upstream: api: server: ["10.0.1.11:8080", "10.0.1.12:8080", "10.0.1.13:8080", "10.0.1.14:8080", "10.0.1.15:8080", "10.0.1.16:8080"]
	}
	api: {
		instances: 6
		app: {
			runtime: {springBoot: "3.5.9", jdk: "21"}
			server: tomcat: threads: max: 200
			deadline: {total: "110s", perCall: "90s", reserve: "5s", enforced: true}
			clients: auth: httpclient5: {
				manager: {
					maxConnPerRoute: 50
					maxConnTotal:    50
					connectionConfig: connectTimeout: "3s"
					tlsConfig: handshakeTimeout:      "3s"
				}
				client: {
					requestConfig: {responseTimeout: "90s", connectionRequestTimeout: "1s", connectionKeepAlive: "30s"}
					disableAutomaticRetries: true
				}
			}
		}
	}
	auth: {
		endpoint: scheme: "https"
		external: {idleKeepalive: "60s", latency: {avg: "800ms", p99: "12s"}}
	}
}

routes: "GET /v1/affiliation/health-insurance": {
	path: ["web", "edge", "proxy", "api", "auth"]
	tps: 3
}
`

// resolveText reads, decodes and resolves a stack; an error of any step is fatal.
func resolveText(t testing.TB, text string) *chain.Stack {
	t.Helper()
	s, errs := tryResolve(t, text)
	if len(errs) > 0 {
		t.Fatalf("not clean:\n%s", shownErrors(errs))
	}
	return s
}

func tryResolve(t testing.TB, text string) (*chain.Stack, []Error) {
	t.Helper()
	src, errs := sourceOf(t, "stack.cue", text, nil)
	if len(errs) > 0 {
		return nil, errs
	}
	d, errs := decode(src, testCatalogue())
	if len(errs) > 0 {
		return nil, errs
	}
	return resolve(d, src.place)
}

// call is the call between two layers of the first route.
func call(t testing.TB, s *chain.Stack, from, to string) *chain.Call {
	t.Helper()
	for _, r := range s.Routes {
		for _, n := range r.Nodes() {
			for _, c := range n.Calls() {
				if n.Layer == from && c.To.Layer == to {
					return c
				}
			}
		}
	}
	t.Fatalf("no call from %s to %s", from, to)
	return nil
}

func node(t testing.TB, s *chain.Stack, name string) *chain.Node {
	t.Helper()
	for _, r := range s.Routes {
		for _, n := range r.Nodes() {
			if n.Layer == name {
				return n
			}
		}
	}
	t.Fatalf("no node %s", name)
	return nil
}

// brief is limits in one line each: kind, bound, setting, source.
func brief(limits []chain.Limit) string {
	var b strings.Builder
	for _, l := range limits {
		fmt.Fprintf(&b, "%s %s %s %s\n", l.Kind, chain.Format(l.Bound), l.Origin.Setting, l.Origin.Source)
	}
	return b.String()
}

// has fails unless each line of want is among the limits.
func has(t testing.TB, what string, limits []chain.Limit, want ...string) {
	t.Helper()
	got := strings.Split(brief(limits), "\n")
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("%s has no %q; it has\n%s", what, w, strings.Join(got, "\n"))
		}
	}
}

func TestTheInsuranceStackResolvesToTheValuesOfTheDesign(t *testing.T) {
	s := resolveText(t, insuranceToResolve)
	web, edge := call(t, s, "web", "edge"), call(t, s, "edge", "proxy")
	has(t, "web", web.Limits(), "total-deadline 160s web.browser.fetch.signal.timeout written", "connect 240s web.browser.connectJob fixed")
	has(t, "edge", edge.Limits(), "response-first-byte 145s edge.alb.idle_timeout written", "connect 10s edge.alb.target_connect fixed")
	has(t, "edge's idle connections", edge.Idle, "idle-keepalive 145s edge.alb.idle_timeout written")

	proxy := call(t, s, "proxy", "api")
	has(t, "proxy", proxy.Limits(),
		"connect 3s proxy.nginx.server.proxy_connect_timeout written",
		"write-gap 10s proxy.nginx.server.proxy_send_timeout written",
		"response-header 125s proxy.nginx.server.proxy_read_timeout written",
		"response-read-gap 125s proxy.nginx.server.proxy_read_timeout written")
	if l, _ := proxy.Limit(chain.Connect); l.End != chain.AtSecured || l.Fires != "504" {
		t.Errorf("proxy_connect_timeout ends at %s and fires %s", l.End, l.Fires)
	}
	retry := proxy.Layers[0].Retry
	if retry.Attempts.N != 1 || retry.Attempts.Origin.Source != chain.Written || retry.Hidden || retry.Origin.Source != chain.Default {
		t.Errorf("proxy's retry is %+v", retry)
	}
	if proxy.Addresses != 6 || !proxy.OneByOne || proxy.Idle != nil || proxy.Resend != nil {
		t.Errorf("proxy dials %d addresses, one by one %v, idle %v, resend %v", proxy.Addresses, proxy.OneByOne, proxy.Idle, proxy.Resend)
	}
	if e := proxy.Eject; e == nil || e.Fails != 1 || e.For != 10*time.Second || e.Answer != 502 || len(e.On) == 0 {
		t.Errorf("proxy ejects by %+v", e)
	}
	has(t, "proxy's clients", node(t, s, "proxy").Serve, "idle-keepalive 150s proxy.nginx.server.keepalive_timeout written",
		"request-header-read 60s proxy.nginx.server.client_header_timeout default")

	auth := call(t, s, "api", "auth")
	has(t, "auth", auth.Limits(),
		"pool-wait 1s api.app.clients.auth.httpclient5.client.requestConfig.connectionRequestTimeout written",
		"connect 3s api.app.clients.auth.httpclient5.manager.connectionConfig.connectTimeout written",
		"tls-handshake 3s api.app.clients.auth.httpclient5.manager.tlsConfig.handshakeTimeout written",
		"response-first-byte 90s api.app.clients.auth.httpclient5.client.requestConfig.responseTimeout written",
		"response-read-gap 90s api.app.clients.auth.httpclient5.client.requestConfig.responseTimeout written")
	has(t, "auth's idle connections", auth.Idle, "idle-keepalive 30s api.app.clients.auth.httpclient5.client.requestConfig.connectionKeepAlive written")
	if auth.Pool.PerHost.N != 50 || auth.Pool.Total.N != 50 || !auth.TLS || auth.Addresses != 1 || auth.Product != "httpclient5 5.5.1" {
		t.Errorf("api calls auth by %+v", auth)
	}
	if auth.Layers[0].Retry != nil || auth.Resend != nil {
		t.Error("disableAutomaticRetries leaves a retry")
	}

	api := node(t, s, "api")
	if api.Instances.N != 6 || !api.Deadline.Enforced || api.Deadline.PerCall.D != 90*time.Second || api.Deadline.Reserve.D != 5*time.Second || api.Concurrency.N != 200 {
		t.Errorf("api is %+v", api)
	}
	if api.Announces.D != time.Minute || node(t, s, "proxy").Announces.D != chain.Never || node(t, s, "auth").Announces.Declared() {
		t.Error("api announces its 60 s, proxy announces nothing, and of auth it is not known")
	}
	if w := node(t, s, "auth").Work; w.P99.D != 12*time.Second || w.Max.Declared() {
		t.Errorf("auth takes %+v", w)
	}
	if len(s.Notices) > 0 {
		t.Errorf("notices: %+v", s.Notices)
	}
}

func TestTheWorstCasesOfTheResolvedStackAreThoseOfTheDesign(t *testing.T) {
	r := resolveText(t, insuranceToResolve).Routes[0]
	if r.TPS != 3000 || r.Method != "GET" {
		t.Errorf("route is %+v", r)
	}
	want := map[string]time.Duration{"api": 95 * time.Second, "proxy": 128 * time.Second, "edge": 155 * time.Second, "web": 160 * time.Second}
	for _, n := range r.Nodes() {
		if w, ok := want[n.Layer]; ok && chain.Worst(r, n).Total != w {
			t.Errorf("%s ends at %s, want %s", n.Layer, chain.Format(chain.Worst(r, n).Total), chain.Format(w))
		}
	}
}

func TestEveryValueSaysWhereItComesFrom(t *testing.T) {
	s := resolveText(t, insuranceToResolve)
	proxy := node(t, s, "proxy")
	idle, _ := proxy.ServeLimit(chain.IdleKeepalive)
	o := idle.Origin
	if o.Layer != "proxy" || o.ID != "nginx.keepalive_timeout" || o.Name != "keepalive_timeout" || o.Text != "150s" || o.Product != "nginx 1.28.0" || o.Proved || o.Pos.Line != 12 || o.Doc == "" {
		t.Errorf("written: %+v", o)
	}
	header, _ := proxy.ServeLimit(chain.RequestHeaderRead)
	o = header.Origin
	if o.Source != chain.Default || o.Setting != "proxy.nginx.server.client_header_timeout" || o.Text != "60s" || o.Pos.Line != 9 {
		t.Errorf("default: %+v", o)
	}
	if o.Place == nil || o.Place.Edit("90s").NewText != "\t\t\tclient_header_timeout: \"90s\"\n" {
		t.Errorf("a default can be written at %+v", o.Place)
	}
	if l, _ := call(t, s, "edge", "proxy").Limit(chain.Connect); l.Origin.Source != chain.Fixed || l.Origin.Place != nil {
		t.Errorf("fixed: %+v", l.Origin)
	}
	if l, _ := node(t, s, "api").ServeLimit(chain.IdleKeepalive); l.Origin.Source != chain.Derived || l.Origin.Note != "keepAliveTimeout not set: connectionTimeout" {
		t.Errorf("derived: %+v", l.Origin)
	}
}
