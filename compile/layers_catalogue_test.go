package compile

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

// layerTold is what a stack of one layer in front of an external service comes
// to, a line for each limit, policy, notice and mistake.
func layerTold(t *testing.T, layer, route string) []string {
	t.Helper()
	dir := t.TempDir()
	text := "package s\ntchain: \"v1\"\nname: \"s\"\nlayers: {\n\tlb: " + layer + "\n\tapi: {endpoint: scheme: \"https\", external: {}}\n}\nroutes: \"GET /x\": {path: [\"lb\", \"api\"]" + route + "}\n"
	if err := os.WriteFile(filepath.Join(dir, "stack.cue"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var out []string
	Each([]string{dir}, Options{}, func(u *Unit) {
		for _, e := range u.Errors {
			out = append(out, fmt.Sprintf("error %d:%d %s", e.Range.Line, e.Range.Column, e.Message))
		}
		if u.Stack != nil && len(u.Stack.Routes) == 1 {
			out = append(out, routeTold(u.Stack, u.Stack.Routes[0])...)
		}
	})
	return out
}

func routeTold(s *chain.Stack, r *chain.Route) (out []string) {
	say := func(format string, args ...any) { out = append(out, strings.TrimSpace(fmt.Sprintf(format, args...))) }
	limits := func(side string, ls []chain.Limit) {
		for _, l := range ls {
			_, name, _ := strings.Cut(l.Origin.Setting, ".")
			_, name, _ = strings.Cut(name, ".")
			say("%s %s %s %s %s %s", side, l.Kind, chain.Format(l.Bound), l.Fires, name, l.Origin.Source)
		}
	}
	c := r.Root.Calls()[0]
	limits("serve", r.Root.Serve)
	limits("call", c.Limits())
	limits("idle", c.Idle)
	limits("upkeep", c.Upkeep)
	if p := c.Layers[0].Retry; p != nil {
		say("retry %s on %v of %v", chain.CountText(p.Attempts.N), p.On, p.OnMethods)
		if p.WaitOn != nil {
			say("waits %s after %v", chain.Format(p.Interval.D), p.WaitOn)
		}
	}
	if c.Pool != nil {
		say("pool %d", c.Pool.PerHost.N)
	}
	for _, n := range s.Notices {
		say("%s %d:%d %s", n.Kind, n.Origin.Pos.Line, n.Origin.Pos.Column, n.Message)
	}
	for _, n := range append(slices.Clone(s.NotChecked), r.NotChecked...) {
		say("not checked %s", n.Reason)
	}
	for _, a := range r.Root.Answers {
		say("answers %s %d", a.Cond, a.Status)
	}
	return out
}

// A layerCase is one sentence about a layer type; a want that begins with "no "
// must not be there.
type layerCase struct {
	says, layer, route string
	want               []string
}

func runLayers(t *testing.T, cases []layerCase) {
	for _, c := range cases {
		t.Run(c.says, func(t *testing.T) {
			got := layerTold(t, c.layer, c.route)
			for _, w := range c.want {
				line, not := strings.CutPrefix(w, "no ")
				there := slices.ContainsFunc(got, func(g string) bool { return g == line || not && strings.HasPrefix(g, line) })
				if there == not {
					t.Errorf("want %q; it has\n%s", w, strings.Join(got, "\n"))
				}
			}
		})
	}
}

func TestLayersOfProxies(t *testing.T) {
	runLayers(t, []layerCase{
		{"haproxy has no limit but four attempts of its own", `haproxy: {}`, "", []string{
			"call connect 135s 503 defaults.timeout.connect fixed", "call tls-handshake never 503 defaults.timeout.connect", "call response-header never 504 defaults.timeout.server",
			"retry 4 on [refused connect-timeout tls-timeout] of []", "answers refused 503", "answers reset 502",
		}},
		{"haproxy waits before it tries a refused connection again", `haproxy: defaults: timeout: connect: "300ms"`, "", []string{
			"retry 4 on [refused connect-timeout tls-timeout] of []", "waits 300ms after [refused]",
		}},
		{"haproxy's tunnel limit is for upgraded connections", `haproxy: {defaults: {timeout: {server: "30s", tunnel: "1h"}, "http-reuse": "never"}}`, "", []string{
			"call response-read-gap 30s cut defaults.timeout.server written", "no not checked haproxy keeps",
		}},
		{"haproxy lets a frontend and a backend say what defaults does not", `haproxy: {defaults: timeout: {connect: "5s", client: "91s", server: "91s"}, backend: api: timeout: server: "2m"}`, "", []string{
			"call connect 5s 503 defaults.timeout.connect written", "call response-header 120s 504 backend.api.timeout.server written", "call response-read-gap 120s cut backend.api.timeout.server written",
			"call pool-wait 5s 503 defaults.timeout.queue derived", "serve request-body-read 120s 504 backend.api.timeout.server written",
			`serve request-header-read 91s 408 defaults.timeout."http-request" derived`, `serve idle-keepalive 91s  defaults.timeout."http-keep-alive" derived`,
		}},
		{"haproxy reads a bare number as milliseconds", `haproxy: defaults: timeout: {connect: 5000, server: 60, client: "30"}`, "", []string{
			"call connect 5s 503 defaults.timeout.connect written", "call response-header 60ms 504 defaults.timeout.server written",
			"unit-trap 5:58 server 60 is 60ms in haproxy", "unit-trap 5:70 client 30 is 30ms in haproxy",
		}},
		{"haproxy's milliseconds are not minutes and a rest", `haproxy: defaults: timeout: {connect: "300ms", server: "1s500ms"}`, "", []string{
			"call connect 300ms 503 defaults.timeout.connect written", "call response-header 1s 504 defaults.timeout.server written", "no ignored-value 5:40 timeout connect",
		}},
		{"haproxy stops reading a time at its second unit", `haproxy: defaults: timeout: server: "1h30m"`, "", []string{
			"call response-header 3600s 504 defaults.timeout.server written", `ignored-value 5:42 timeout server "1h30m" acts as 1h: haproxy stops reading at "30m"`,
		}},
		{"haproxy refuses a time beyond its counter", `haproxy: defaults: timeout: server: "25d"`, "", []string{
			"rejected 5:42 server 25d is outside of what haproxy takes, 0 to 2147483647ms",
		}},
		{"haproxy takes zero for no limit, and retries 0 for none", `haproxy: defaults: {timeout: connect: 0, retries: 0}`, "", []string{
			"call connect 135s 503 defaults.timeout.connect fixed", "call tls-handshake never 503 defaults.timeout.connect written", "no retry",
		}},
		{"haproxy takes zero for what a timeout falls back to", `haproxy: defaults: timeout: {client: "20s", connect: "5s", "http-request": "9s", "http-keep-alive": 0, queue: "0"}`, "", []string{
			`serve idle-keepalive 9s  defaults.timeout."http-keep-alive" derived`, "call pool-wait 5s 503 defaults.timeout.queue derived",
		}},
		{"a zero that falls back to a bare number is no bare number itself", `haproxy: defaults: timeout: {connect: 5, queue: "0"}`, "", []string{
			"unit-trap 5:44 connect 5 is 5ms in haproxy", "no unit-trap 5:54",
		}},
		{"haproxy takes a zero that falls back to a zero for no limit", `haproxy: defaults: timeout: {client: 0, connect: "5s", "http-request": 0}`, "", []string{
			`serve request-header-read never 408 defaults.timeout."http-request" derived`,
		}},
		{"haproxy closes an idle connection at the shorter of two timeouts", `haproxy: defaults: timeout: {client: "30s", "http-request": "60s", "http-keep-alive": "75s"}`, "", []string{
			"serve idle-keepalive 30s  defaults.timeout.client written", "serve request-header-read 30s 408 defaults.timeout.client written", `serve request-header-read 60s 408 defaults.timeout."http-request" written`,
			"shadowed 5:92 http-keep-alive 75s is never in force; timeout client 30s ends an idle connection first",
		}},
		{"haproxy's inherited idle time is within timeout client too, and nothing is said of it", `haproxy: defaults: timeout: {client: "30s", "http-request": "60s"}`, "", []string{
			"serve idle-keepalive 30s  defaults.timeout.client written", "no shadowed",
		}},
		{"haproxy without timeout client runs no timer towards the client", `haproxy: defaults: timeout: {"http-request": "9s", "http-keep-alive": "8s"}`, "", []string{
			`serve request-header-read never 408 defaults.timeout."http-request" derived`, `serve idle-keepalive never  defaults.timeout."http-keep-alive" derived`,
			"ignored-value 5:51 http-request 9s never fires: without timeout client haproxy runs no timer towards the client",
			"ignored-value 5:76 http-keep-alive 8s never fires: without timeout client haproxy runs no timer towards the client",
		}},
		{"haproxy takes no decimals", `haproxy: defaults: timeout: server: "1.5s"`, "", []string{
			`error 5:42 server "1.5s" has decimals, which are not taken here; an HAProxy time looks like "5s"`,
		}},
		{"haproxy's keyword in one word is answered", `haproxy: defaults: "timeout connect": "5s"`, "", []string{
			`error 5:25 haproxy has no setting "timeout connect"; write haproxy: defaults: timeout: connect`,
		}},
		{"haproxy's maxconn is what one server takes", `haproxy: backend: api: {"default-server": maxconn: 50, server: ["a:80", "b:80"], "retry-on": "all-retryable-errors"}`, "", []string{
			"pool 100", "retry 4 on [refused connect-timeout tls-timeout reset stale killed timeout 500 502 503 504] of []",
		}},
		{"a maxconn on a server's line is that server's", `haproxy: backend: api: {"default-server": maxconn: 20, server: ["a:80 maxconn 50 check", "b:80"]}`, "", []string{"pool 70"}},
		{"a maxconn that every server has beats default-server's", `haproxy: backend: api: {"default-server": maxconn: 20, server: ["a:80 maxconn 50"]}`, "", []string{
			"pool 50", "shadowed 5:57 maxconn 20 of default-server is not in force: each server has its own",
		}},
		{"servers that all have a maxconn need none of default-server", `haproxy: backend: api: server: ["a:80 maxconn 50", "b:80 maxconn 7"]`, "", []string{"pool 57"}},
		{"a server without a maxconn takes any number", `haproxy: backend: api: server: ["a:80 maxconn 50", "b:80"]`, "", []string{"no pool"}},
		{"and so does one with zero", `haproxy: backend: api: {"default-server": maxconn: 20, server: ["a:80 maxconn 0", "b:80"]}`, "", []string{"pool 0"}},
		{"haproxy's bare hundreds are hardly meant as milliseconds", `haproxy: defaults: timeout: {"http-request": 100, connect: 300}`, "", []string{
			"unit-trap 5:51 http-request 100 is 100ms in haproxy", "unit-trap 5:65 connect 300 is 300ms in haproxy",
		}},
		{"haproxy cannot differ on one route", `haproxy: {}`, `, at: lb: haproxy: defaults: timeout: server: "5s"`, []string{
			"error 8:77 haproxy server holds for the whole proxy and cannot differ on one route",
		}},
		{"envoy ends a request after 15 s and repeats nothing", `envoy: {}`, "", []string{
			"call total-deadline 15s 504 route.timeout default", "call connect 5s 503 cluster.api.connect_timeout default", "call response-header 300s 504 http_connection_manager.stream_idle_timeout default",
			"idle idle-keepalive 3600s  cluster.api.common_http_protocol_options.idle_timeout default", "pool 1024", "no retry", "answers refused 503",
		}},
		{"envoy ignores a per-try limit at the route's", `envoy: route: {timeout: "10s", retry_policy: {retry_on: "5xx,retriable-status-codes", per_try_timeout: "10s", num_retries: 2, retriable_status_codes: [429]}}`, "", []string{
			"ignored-value 5:109 per_try_timeout 10s is ignored: envoy takes one only below timeout 10s", "no call attempt-deadline",
			"retry 3 on [refused connect-timeout tls-timeout reset stale killed 500 501 502 503 504 505 507 508 511 429] of []", // its stream's idle limit ends all of them
		}},
		{"envoy repeats after a per-try limit that is over before the stream's idle limit", `envoy: route: {timeout: "0s", retry_policy: {retry_on: "reset", per_try_timeout: "10s"}}`, "", []string{
			"retry 2 on [refused connect-timeout tls-timeout reset stale killed timeout] of []",
		}},
		{"and not after one that is over later", `envoy: route: {timeout: "0s", idle_timeout: "5s", retry_policy: {retry_on: "reset", per_try_timeout: "10s"}}`, "", []string{
			"retry 2 on [refused connect-timeout tls-timeout reset stale killed] of []",
		}},
		{"envoy's idle limit of a route replaces the listener's", `envoy: {route: {timeout: "0s", idle_timeout: "60s"}, http_connection_manager: stream_idle_timeout: "90s"}`, "", []string{
			"call total-deadline never 504 route.timeout written", "call response-read-gap 60s cut route.idle_timeout written",
			"shadowed 5:105 stream_idle_timeout 90s is not in force on this route; its idle_timeout 60s wins", "no call response-header 90s",
		}},
		{"envoy's routes are by path", `envoy: {route: timeout: "10s", routes: "/x": timeout: "1s"}`, "", []string{`call total-deadline 1s 504 routes."/x".timeout written`}},
		{"envoy refuses a connect limit of zero, and minutes", `envoy: {cluster: api: connect_timeout: "0s", route: timeout: "1m"}`, "", []string{
			`error 5:67 timeout "1m" is not a duration; an Envoy duration looks like "15s"`,
		}},
		{"istio has no limit and two repeats", `istio: {}`, "", []string{
			"call total-deadline never 504 virtualService.http.timeout default", "call connect 10s 503 destinationRule.api.trafficPolicy.connectionPool.tcp.connectTimeout derived",
			"retry 3 on [refused connect-timeout tls-timeout 503] of []",
		}},
		{"istio ignores a per-try limit above the whole", `istio: virtualService: http: {timeout: "2s", retries: {attempts: 3, retryOn: "reset,503", perTryTimeout: "60s"}}`, "", []string{
			"call total-deadline 2s 504 virtualService.http.timeout written", "retry 4 on [refused connect-timeout tls-timeout reset stale killed timeout 503] of []",
			"ignored-value 5:111 perTryTimeout 60s is ignored: istio takes one only below timeout 2s",
		}},
		{"an ALB's health check waits less than its interval", `alb: target_group: api: health_check: {interval: 10, timeout: 10}`, "", []string{
			"rejected 5:55 interval 10 is refused: it has to be longer than timeout 10",
		}},
		{"an ALB's health check waits less than the interval that is not written", `alb: target_group: api: health_check: timeout: 30`, "", []string{
			"rejected 5:53 timeout 30 is refused: it has to be shorter than interval 30",
		}},
		{"istio's attempts 0 leaves no limit of one attempt", `istio: virtualService: http: retries: {attempts: 0, perTryTimeout: "2s", backoff: "9s"}`, "", []string{
			"no retry", "no call attempt-deadline 2s", "rejected 5:73 perTryTimeout is refused: with attempts 0 Istio takes no other retries",
			"ignored-value 5:88 backoff is not in force: with attempts 0 Istio writes no retry policy",
		}},
		{"istio's retries without attempts are none", `istio: virtualService: http: retries: retryOn: "5xx"`, "", []string{
			"no retry", "rejected 5:53 retryOn is refused: without attempts, which is 0, Istio takes no other retries",
		}},
		{"istio takes no idle limit of zero", `istio: destinationRule: api: trafficPolicy: connectionPool: http: idleTimeout: "0s"`, "", []string{
			"rejected 5:85 idleTimeout: istio does not take 0s",
		}},
		{"istio's attempts 0 is none", `istio: virtualService: http: retries: attempts: 0`, "", []string{"no retry"}},
		{"traefik lets a request arrive for 60 s and waits for an answer for ever", `traefik: version: "3.6"`, "", []string{
			"serve request-body-read 60s close entryPoints.websecure.transport.respondingTimeouts.readTimeout default", "call response-header never 504 serversTransport.api.forwardingTimeouts.responseHeaderTimeout default",
			"call connect 30s 504 serversTransport.api.forwardingTimeouts.dialTimeout default", "call tls-handshake 10s 504 tls_handshake fixed", "no retry", "no implicit",
		}},
		{"traefik before 2.11.2 let a request arrive for ever", `traefik: version: "2.11.1"`, "", []string{
			"serve request-body-read never close entryPoints.websecure.transport.respondingTimeouts.readTimeout default",
		}},
		{"traefik has no entry point of another name", `traefik: {version: "3.6", entryPoint: "nope", entryPoints: {web: {}, other: {}}}`, "", []string{
			`rejected 5:44 entryPoint "nope" is none of entryPoints: web, other`,
		}},
		{"traefik has one entry point of several on a path", `traefik: {version: "3.6", entryPoints: {web: transport: respondingTimeouts: readTimeout: 30, websecure: {}}, retry: {attempts: 3, status: ["500", "502-503"]}}`, "", []string{
			"serve request-body-read 30s close entryPoints.web.transport.respondingTimeouts.readTimeout written", "not checked there are 2 entry points: web is counted; name another one in entryPoint",
			"retry 3 on [500 502 503 refused connect-timeout tls-timeout dns-timeout] of [GET HEAD OPTIONS TRACE PUT DELETE]",
		}},
		{"caddy answers a dial that times out with 502", `caddy: {}`, "", []string{
			"call connect 3s 502 reverse_proxy.api.transport.http.dial_timeout default", "call response-header never 504 reverse_proxy.api.transport.http.response_header_timeout",
			"idle idle-keepalive 120s  reverse_proxy.api.transport.http.keepalive default", "serve idle-keepalive 300s  servers.timeouts.idle default", "no retry",
		}},
		{"caddy answers a handshake that times out with 504", `caddy: reverse_proxy: api: transport: http: tls_timeout: "5s"`, "", []string{
			"call tls-handshake 5s 504 reverse_proxy.api.transport.http.tls_timeout written",
		}},
		{"caddy's try duration without a count is as many as fit", `caddy: reverse_proxy: api: {lb_try_duration: "1s"}`, "", []string{
			"retry 5 on [refused connect-timeout dns-timeout tls-timeout write-timeout timeout reset stale killed] of [GET]",
		}},
		{"caddy takes no bare number", `caddy: reverse_proxy: api: lb_try_duration: "5"`, "", []string{
			`error 5:50 lb_try_duration "5" has no unit; a Caddy duration looks like "30s"`,
		}},
		{"httpd's limits of a backend fall back to ProxyTimeout and Timeout", `apacheHttpd: {}`, "", []string{
			"call response-first-byte 60s 502 ProxyPass.api.timeout derived", "call connect 60s 503 ProxyPass.api.connectiontimeout derived", "serve idle-keepalive 5s  KeepAliveTimeout default",
			"serve request-header-read 40s 408 RequestReadTimeout.header default", "serve request-body-read 20s 408 RequestReadTimeout.body default", "idle idle-keepalive never  ProxyPass.api.ttl default",
		}},
		{"httpd takes minutes and hours, and milliseconds where it waits for a connection", `apacheHttpd: {KeepAliveTimeout: "1h", ProxyPass: api: {connectiontimeout: "1min", acquire: "3s"}}`, "", []string{
			"call connect 60s 503 ProxyPass.api.connectiontimeout written", "call pool-wait 3s 503 ProxyPass.api.acquire written", "serve idle-keepalive 3600s  KeepAliveTimeout written",
		}},
		{"and bare numbers in their own units", `apacheHttpd: ProxyPass: api: {connectiontimeout: "2mi", acquire: 300}`, "", []string{
			"call connect 120s 503 ProxyPass.api.connectiontimeout written", "call pool-wait 300ms 503 ProxyPass.api.acquire written",
		}},
		{"httpd reads a backend's timeout as whole seconds only", `apacheHttpd: ProxyPass: api: timeout: "500ms"`, "", []string{
			"error 5:44 timeout is a whole number of seconds; write 90",
		}},
		{"httpd answers 504 over FastCGI and takes milliseconds", `apacheHttpd: {ProxyTimeout: 30, RequestReadTimeout: header: "soon", ProxyPass: api: {scheme: "fcgi", connectiontimeout: "500ms"}}`, "", []string{
			"call response-first-byte 30s 504 ProxyPass.api.timeout derived", "call connect 500ms 503 ProxyPass.api.connectiontimeout written",
			"rejected 5:66 RequestReadTimeout header=soon has not the form header=20-40,MinRate=500",
		}},
	})
}
