package compile

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
)

// served is a stack of NGINX in front of an app that calls an external service.
func served(app, routes string) string {
	return `package s
tchain: "v1"
name: "s"
layers: {
	proxy: nginx: version: "1.30.0"
	api: app: ` + app + `
	pay: external: {}
	risk: external: {}
}
path: ["proxy", "api", "pay"]
routes: ` + routes + "\n"
}

func TestAServersIdleTimeoutFallsBackAsInTheProduct(t *testing.T) {
	for server, want := range map[string]string{
		`ReadTimeout: "20s"`:                      "20s api.app.server.gohttp.IdleTimeout derived, IdleTimeout not set: ReadTimeout",
		`{ReadTimeout: "20s", IdleTimeout: "0s"}`: "20s api.app.server.gohttp.IdleTimeout derived, IdleTimeout not set: ReadTimeout; 0s means the default",
		`{}`: "never api.app.server.gohttp.IdleTimeout derived, IdleTimeout not set: ReadTimeout",
		`{ReadTimeout: "20s", IdleTimeout: "-1s"}`: "never api.app.server.gohttp.IdleTimeout written, ",
	} {
		s := resolveText(t, served(`{server: gohttp: `+server+`, clients: pay: gohttp: {}}`, `"/": {}`))
		l, _ := node(t, s, "api").ServeLimit(chain.IdleKeepalive)
		got := chain.Format(l.Bound) + " " + l.Origin.Setting + " " + string(l.Origin.Source) + ", " + l.Origin.Note
		if got != want {
			t.Errorf("%s: %s, want %s", server, got, want)
		}
	}
}

func TestALiteralTransportHasNoDefaultsOfTheDefaultTransport(t *testing.T) {
	for client, want := range map[string][]string{
		`{}`: {"connect 30s api.app.clients.pay.gohttp.DefaultTransport.Dialer.Timeout default", "tls-handshake 10s api.app.clients.pay.gohttp.DefaultTransport.TLSHandshakeTimeout default"},
		`DefaultTransport: Dialer: Timeout: "2s"`: {"connect 2s api.app.clients.pay.gohttp.DefaultTransport.Dialer.Timeout written", "tls-handshake 10s api.app.clients.pay.gohttp.DefaultTransport.TLSHandshakeTimeout default"},
		`Transport: ResponseHeaderTimeout: "3s"`:  {"connect 135s api.app.clients.pay.gohttp.Transport.Dialer.Timeout fixed", "dns never api.app.clients.pay.gohttp.Transport.Dialer.Timeout default", "tls-handshake never api.app.clients.pay.gohttp.Transport.TLSHandshakeTimeout default", "response-header 3s api.app.clients.pay.gohttp.Transport.ResponseHeaderTimeout written"},
	} {
		s := resolveText(t, served(`{server: gohttp: {}, clients: pay: gohttp: `+client+`}`, `"/": {}`))
		has(t, client, call(t, s, "api", "pay").Limits(), want...)
	}
}

func TestAZeroMeansWhatTheProductTakesItFor(t *testing.T) {
	s := resolveText(t, served(`{server: gohttp: {}, clients: pay: gohttp: {Timeout: "0s", context: timeout: "0s", Transport: {MaxConnsPerHost: 0, TLSHandshakeTimeout: "-1s"}}}`, `"/": {}`))
	c := call(t, s, "api", "pay")
	for _, l := range c.Limits() {
		switch l.Origin.Name {
		case "Timeout":
			if strings.Contains(l.Origin.Setting, "Dialer") {
				if l.Bound != chain.Never || l.Zero || l.Why != "not set" {
					t.Errorf("an unwritten zero: %+v", l)
				}
			} else if strings.Contains(l.Origin.Setting, "context") {
				if l.Bound != 0 || l.Why != "" {
					t.Errorf("at once: %+v", l)
				}
			} else if l.Bound != chain.Never || !l.Zero || l.Why != "0 means no limit" {
				t.Errorf("a written zero: %+v", l)
			}
		case "TLSHandshakeTimeout":
			if l.Bound != 0 {
				t.Errorf("a negative value fires at once: %+v", l)
			}
		}
	}
	if p := c.Pool; p == nil || p.PerHost.N != 0 || !p.PerHost.Declared() || p.Idle.N != 2 {
		t.Errorf("pool is %+v", p)
	}
	s = resolveText(t, proxied(`{version: "1.30.0", server: {keepalive_timeout: 0, proxy_read_timeout: 0, proxy_next_upstream_tries: 0, proxy_connect_timeout: "150s"}}`, `"/": {}`))
	if _, ok := node(t, s, "proxy").ServeLimit(chain.IdleKeepalive); ok {
		t.Error("keepalive_timeout 0 switches keep-alive off")
	}
	proxy := call(t, s, "proxy", "api")
	has(t, "proxy", proxy.Limits(), "response-header 0s proxy.nginx.server.proxy_read_timeout written", "connect 135s proxy.nginx.server.proxy_connect_timeout written")
	if r := proxy.Layers[0].Retry; r.Attempts.N != 0 || !r.CapAddresses {
		t.Errorf("tries 0 is as many as there are addresses: %+v", r)
	}
	if len(s.Notices) != 1 || s.Notices[0].Kind != chain.NoticeIgnored {
		t.Errorf("150s acts as 135s: %+v", s.Notices)
	}
}

func TestASettingThatIsNotWrittenAndHasNoDefaultIsOffered(t *testing.T) {
	s := resolveText(t, served(`{server: gohttp: {}, clients: pay: gohttp: {}}`, `"/": {}`))
	l, ok := node(t, s, "api").ServeLimit(chain.HandlerDeadline)
	if !ok || l.Bound != chain.Never || l.Why != "not set" || l.Origin.Source != "" || l.Origin.Place == nil {
		t.Errorf("TimeoutHandler is %+v", l)
	}
	if _, ok := node(t, s, "pay").ServeLimit(chain.IdleKeepalive); ok {
		t.Error("what an external service does not declare is not known")
	}
}

func TestRetriesAreReadWithTheirWordsAndMethods(t *testing.T) {
	s := resolveText(t, proxied(`{version: "1.30.0", server: {proxy_next_upstream: "timeout http_503", proxy_next_upstream_tries: 3, proxy_next_upstream_timeout: "9s"}}`, `"/": {}`))
	r := call(t, s, "proxy", "api").Layers[0].Retry
	if !slices.Equal(r.On, []chain.Cond{"connect-timeout", "tls-timeout", "write-timeout", "timeout", "503"}) || len(r.OnMethods) != 6 || r.Window.D != 9*time.Second || r.Attempts.N != 3 || r.Hidden {
		t.Errorf("retry is %+v", r)
	}
	s = resolveText(t, proxied(`{version: "1.30.0", server: proxy_next_upstream: ["error", "non_idempotent"]}`, `"/": {}`))
	if r := call(t, s, "proxy", "api").Layers[0].Retry; r.OnMethods != nil {
		t.Errorf("non_idempotent lifts the methods: %+v", r)
	}
	s = resolveText(t, proxied(`{version: "1.30.0", server: proxy_next_upstream: "off"}`, `"/": {}`))
	if r := call(t, s, "proxy", "api").Layers[0].Retry; r != nil {
		t.Errorf("off is no retry: %+v", r)
	}
	s = resolveText(t, proxied(`{version: "1.30.0", upstream: api: server: ["a:1", "b:1"]}`, `"/": {}`))
	if r := call(t, s, "proxy", "api").Layers[0].Retry; !r.Hidden || r.Origin.Source != chain.Default {
		t.Errorf("nobody wrote it: %+v", r)
	}
}

func TestAServersOwnParametersDecideItsEjection(t *testing.T) {
	s := resolveText(t, proxied(`{version: "1.30.0", upstream: api: {server: ["a:1 max_fails=5 fail_timeout=30s", "b:1 max_fails=3", "c:1 down"], fail_timeout: "20s"}}`, `"/": {}`))
	c := call(t, s, "proxy", "api")
	if e := c.Eject; c.Addresses != 2 || e.Fails != 5 || e.For != 20*time.Second || !strings.Contains(e.Origin.Note, "the servers differ") || e.Origin.Source != chain.Written {
		t.Errorf("%d addresses, ejected by %+v", c.Addresses, c.Eject)
	}
	for servers, want := range map[string]bool{`["a:1"]`: false, `["a:1 max_fails=0", "b:1 max_fails=0"]`: false, `["a:1", "b:1 max_fails=0"]`: false, `["a:1 max_fails=0", "b:1"]`: false, `["a:1", "b:1"]`: true} {
		s := resolveText(t, proxied(`{version: "1.30.0", upstream: api: server: `+servers+`}`, `"/": {}`))
		if e := call(t, s, "proxy", "api").Eject; (e != nil) != want {
			t.Errorf("%s is ejected by %+v", servers, e)
		}
	}
}

func TestALoopIsALayerAroundTheTransport(t *testing.T) {
	s := resolveText(t, served(`{server: gohttp: {}, clients: pay: {wrap: [{loop: {attempts: 3, on: ["5xx", "timeout"], delay: "200ms"}}], gohttp: {}}}`, `"/": {}`))
	c := call(t, s, "api", "pay")
	r := c.Layers[0].Retry
	if len(c.Layers) != 2 || c.Layers[0].Name != "loop" || r.Attempts.N != 3 || r.Interval.D != 200*time.Millisecond || !r.Allows("503", "POST", true) || !r.Allows(chain.CondTimeout, "POST", true) || r.Allows("404", "GET", true) {
		t.Errorf("layers are %+v", c.Layers)
	}
	_, errs := tryResolve(t, served(`{server: gohttp: {}, clients: pay: {wrap: [{loop: {attempts: 3, on: ["sometimes"]}}], gohttp: {}}}`, `"/": {}`))
	if len(errs) != 1 || !strings.Contains(errs[0].Message, `unknown condition "sometimes"`) || errs[0].Range.Line != 6 {
		t.Errorf("errors: %v", errs)
	}
}
