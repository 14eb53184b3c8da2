package compile

import (
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

const fanOut = `{
		server: gohttp: {}
		clients: {
			partners: {to: ["pay", "risk"], gohttp: DefaultTransport: MaxConnsPerHost: 5}
			price: gohttp: {}
		}
		calls: [{pay: {}, risk: {method: "POST"}}, {price: {times: 3, fallback: true}}, {audit: {background: true}}]
	}
	price: external: {}
	audit: external: {}`

func TestStepsFollowTheCallsOfTheApp(t *testing.T) {
	s := resolveText(t, strings.Replace(served(fanOut, `"/": path: ["proxy", "api"]`), "price: gohttp: {}", "price: gohttp: {}, audit: gohttp: {}", 1))
	var got []string
	for _, step := range node(t, s, "api").Steps {
		var names []string
		for _, c := range step.Calls {
			names = append(names, c.Client+"→"+c.To.Layer)
		}
		got = append(got, strings.Join(names, " "))
	}
	if want := "partners→pay partners→risk, price→price, audit→audit"; strings.Join(got, ", ") != want {
		t.Errorf("steps are %s, want %s", strings.Join(got, ", "), want)
	}
	pay, risk, price := call(t, s, "api", "pay"), call(t, s, "api", "risk"), call(t, s, "api", "price")
	if len(pay.Pool.Shared) != 1 || pay.Pool.Shared[0] != "risk" || pay.Pool.PerHost.N != 5 || risk.Method != "POST" || price.Times != 3 || !price.Fallback || !call(t, s, "api", "audit").Detached {
		t.Errorf("pay %+v, risk %+v, price %+v", pay, risk, price)
	}
}

func TestARoutesCallsWinOverTheAppsOwn(t *testing.T) {
	app := strings.Replace(fanOut, "price: gohttp: {}", "price: gohttp: {}, audit: gohttp: {}", 1)
	s := resolveText(t, served(app, `{"/": {path: ["proxy", "api"], calls: api: [{risk: {}}]}}`))
	if calls := node(t, s, "api").Calls(); len(calls) != 1 || calls[0].To.Layer != "risk" {
		t.Errorf("calls are %v", calls)
	}
}

func TestAPathThatGoesOnBehindAnAppMustAgreeWithItsCalls(t *testing.T) {
	app := `{server: gohttp: {}, clients: {pay: gohttp: {}, risk: gohttp: {}}, calls: [{risk: {}}]}`
	_, errs := tryResolve(t, served(app, `"/": {}`))
	if len(errs) != 1 || !strings.Contains(errs[0].Message, "goes on to pay after api") || errs[0].Range.Line == 0 {
		t.Errorf("errors: %v", errs)
	}
	s := resolveText(t, served(app, `"/": path: ["proxy", "api", "risk"]`))
	call(t, s, "api", "risk")
}

func TestCallsThatGoInACircleAreAMistake(t *testing.T) {
	_, errs := tryResolve(t, `package s
tchain: "v1"
name: "s"
layers: {
	a: app: {server: gohttp: {}, clients: b: gohttp: {}, calls: [{b: {}}]}
	b: app: {server: gohttp: {}, clients: a: gohttp: {}, calls: [{a: {}}]}
	proxy: nginx: {}
}
routes: "/": path: ["proxy", "a"]
`)
	if len(errs) != 1 || errs[0].Message != `route "/" comes to a twice` {
		t.Errorf("errors: %v", errs)
	}
}

func TestAnOverrideOfAClientIsOfItsOwnType(t *testing.T) {
	_, errs := tryResolve(t, served(`{server: gohttp: {}, clients: pay: custom: {}}`, `"/": at: api: app: clients: pay: gohttp: context: timeout: "2s"`))
	if len(errs) != 1 || !strings.Contains(errs[0].Message, "pay of api is custom, not gohttp") {
		t.Errorf("errors: %v", errs)
	}
}

func TestEachEntranceIsARouteOfItsOwn(t *testing.T) {
	s := resolveText(t, served(`{server: gohttp: {}, clients: pay: gohttp: {}}`, `"/": paths: {web: ["proxy", "api", "pay"], inside: ["api", "pay"]}`))
	if len(s.Routes) != 2 || s.Routes[0].Entrance != "web" || s.Routes[1].Entrance != "inside" || s.Routes[1].Root.Layer != "api" || s.Routes[0].Root == s.Routes[1].Root {
		t.Errorf("routes are %+v", s.Routes)
	}
}

func TestWhatIsNotKnownIsListed(t *testing.T) {
	s := resolveText(t, `package s
tchain: "v1"
name: "s"
layers: {
	web: browser: fetch: {}
	cdn: unknown: "vendor CDN"
	api: app: clients: pay: gohttp: {}
	pay: external: {}
	spare: external: {}
}
routes: "/": path: ["web", "cdn", "api", "pay"]
`)
	got := reasons(s.Routes[0])
	for _, want := range []string{"cdn is unknown (vendor CDN): its limits are not known", "server of api not declared"} {
		if !strings.Contains(got, want) {
			t.Errorf("not checked lacks %q:\n%s", want, got)
		}
	}
	if len(s.NotChecked) != 1 || s.NotChecked[0].Reason != "spare is on no route: no path names it" {
		t.Errorf("of the stack: %+v", s.NotChecked)
	}
	if c := call(t, s, "cdn", "api"); node(t, s, "cdn").Role != chain.RoleUnknown || len(c.Unbounded) == 0 {
		t.Errorf("cdn calls by %+v", c)
	}
}

func TestAnAppThatDoesNotSayWhetherItRelaysIsTakenToMakeAStream(t *testing.T) {
	const says = "whether mid hands on the bytes of its callees as they come is not declared: mid is taken to make the stream itself"
	for _, row := range []struct {
		name, mid, response string
		want                bool
	}{
		{"nothing is said", ``, `stream: {}`, true},
		{"it relays", `relay: true, `, `stream: {}`, false},
		{"it does not", `relay: false, `, `stream: {}`, false},
		{"one answer is none", ``, `poll: {}`, false},
	} {
		s := resolveText(t, `package s
tchain: "v1"
name: "s"
layers: {
	web: app: {server: gohttp: {}, clients: mid: gohttp: {}}
	mid: app: {`+row.mid+`server: gohttp: {}, clients: src: gohttp: {}}
	src: app: {server: gohttp: {}, clients: db: gohttp: {}}
	db: external: {}
}
routes: "GET /": {path: ["web", "mid", "src", "db"], response: `+row.response+`}
`)
		if got := reasons(s.Routes[0]); strings.Contains(got, says) != row.want || strings.Contains(got, "web is taken") || row.want && strings.Contains(got, "src is taken") {
			t.Errorf("%s: not checked:\n%s", row.name, got)
		}
	}
}

func TestHowASpringServerStopsIsAskedWhereTheReleaseDoesNotSay(t *testing.T) {
	for _, row := range []struct{ name, app, want string }{
		{"nothing of it is written", `server: tomcat: {}`, ""},
		{"a phase without a release", `server: tomcat: timeoutPerShutdownPhase: "5s"`, "whether requests in flight may finish when api stops is not known"},
		{"a phase that is written to be one", `server: tomcat: {shutdown: "graceful", timeoutPerShutdownPhase: "5s"}`, ""},
		{"a release that may be either", `runtime: springBoot: "3", server: tomcat: {}`, "Spring Boot 3 may be before 3.4"},
		{"a release", `runtime: springBoot: "3.3", server: tomcat: {}`, ""},
	} {
		s := resolveText(t, `package s
tchain: "v1"
name: "s"
layers: {
	web: app: {server: gohttp: {}, clients: api: gohttp: {}}
	api: app: {`+row.app+`}
}
routes: "GET /": path: ["web", "api"]
`)
		if got := reasons(s.Routes[0]); !strings.Contains(got, row.want) || row.want == "" && got != "" {
			t.Errorf("%s: not checked:\n%s", row.name, got)
		}
	}
}

func TestAForwardProxyIsCrossedOrTunnelled(t *testing.T) {
	stack := func(scheme, path string) string {
		return `package s
tchain: "v1"
name: "s"
layers: {
	api: app: {server: gohttp: {}, clients: pay: {via: "squid", gohttp: {}}}
	squid: custom: call: {connect: "5s", responseHeader: "60s"}
	pay: {endpoint: scheme: "` + scheme + `", external: {}}
}
routes: "/": path: ` + path + "\n"
	}
	for _, path := range []string{`["api", "pay"]`, `["api", "squid", "pay"]`} {
		s := resolveText(t, stack("http", path))
		has(t, "squid", call(t, s, "squid", "pay").Limits(), "connect 5s squid.custom.call.connect written")
		if call(t, s, "api", "squid").Via != "" {
			t.Error("a plain request is no tunnel")
		}
		s = resolveText(t, stack("https", path))
		if c := call(t, s, "api", "pay"); c.Via != "squid" || !c.TLS {
			t.Errorf("a secured request is a tunnel: %+v", c)
		}
	}
}

// A tunnel is there when its proxy has answered CONNECT, which clients wait for as
// long as their own rules say, and the handshake with the callee begins then.
func TestTheAnswerToConnectIsWaitedForByTheClientsOwnLimit(t *testing.T) {
	for _, row := range []struct{ client, scheme, want, unchecked string }{
		{`gohttp: {}`, "https", "tunnel 60s api.app.clients.pay.gohttp.DefaultTransport.proxyConnect fixed", ""},
		{`gohttp: Transport: {}`, "https", "tunnel 60s api.app.clients.pay.gohttp.Transport.proxyConnect fixed", ""},
		{`webclient: {}`, "https", "tunnel 10s api.app.clients.pay.webclient.proxy.connectTimeoutMillis default", ""},
		{`webclient: proxy: connectTimeoutMillis: 0`, "https", "tunnel never api.app.clients.pay.webclient.proxy.connectTimeoutMillis written", ""},
		{`webclient: proxy: connectTimeoutMillis: 3000`, "http", "", ""}, // the proxy itself is called
		{`requests: {}`, "https", "", "nor what happens when its answer to CONNECT does not come"},
	} {
		s := resolveText(t, `package s
tchain: "v1"
name: "s"
layers: {
	api: app: {server: gohttp: {}, clients: pay: {via: "squid", `+row.client+`}}
	squid: custom: {}
	pay: {endpoint: scheme: "`+row.scheme+`", external: {}}
}
routes: "GET /": path: ["api", "pay"]
`)
		c := s.Routes[0].Root.Calls()[0]
		l, tunnels := c.Limit(chain.Tunnel)
		if row.want != "" {
			has(t, row.client, c.Limits(), row.want)
		}
		if tls, ok := c.Limit(chain.TLSHandshake); tunnels != (row.want != "") || ok && tunnels && tls.Start != l.End {
			t.Errorf("%s to %s: %+v, then %+v", row.client, row.scheme, l, tls)
		}
		if got := reasons(s.Routes[0]); !strings.Contains(got, row.unchecked) || row.unchecked == "" && strings.Contains(got, "CONNECT") {
			t.Errorf("%s to %s: not checked:\n%s", row.client, row.scheme, got)
		}
	}
}

func TestTheRouteSaysWhatItIs(t *testing.T) {
	s := resolveText(t, proxied(`version: "1.30.0"`, `{
	"POST api.x.io/f/": {
		tps: 2.5, within: "2s", quietFor: "1h", idempotent: true, idempotencyKey: "Idempotency-Key"
		request: upload: {size: "10MB", rate: "64KiB"}
		response: stream: {silence: "15s", heartbeat: {every: "10s", from: "api"}}
	}
	"/{$}": response: download: {size: "1.5GB", rate: "1MB"}
}`))
	r := s.Routes[0]
	if r.Method != "POST" || r.Host != "api.x.io" || r.Pathname != "/f/" || !r.Prefix || r.TPS != 2500 || chain.Format(r.Within.D) != "2s" || r.Within.Origin.Pos.Line == 0 ||
		!*r.Idempotent || r.IdempotencyKey == "" || r.Upload.Bytes != 10_000_000 || r.Upload.BytesPerSecond != 65536 ||
		r.Response.Mode != chain.Stream || chain.Format(r.Response.HeartbeatEvery.D) != "10s" || r.Response.HeartbeatFrom != "api" {
		t.Errorf("route is %+v", r)
	}
	if r := s.Routes[1]; r.Prefix || r.Pathname != "/" || r.Response.DownloadBytes != 1_500_000_000 {
		t.Errorf("route is %+v", r)
	}
}

func TestABrowserUsesWhatIsWrittenOfIt(t *testing.T) {
	for browser, want := range map[string]string{
		"fetch: signal: timeout: 5000": "total-deadline 5s web.browser.fetch.signal.timeout written",
		"xhr: timeout: 6000":           "total-deadline 6s web.browser.xhr.timeout written",
		"xhr: {}":                      "total-deadline never web.browser.xhr.timeout default",
		"{}":                           "total-deadline never web.browser.fetch.signal.timeout ",
	} {
		s := resolveText(t, strings.Replace(proxied(`version: "1.30.0"`, `"/": {}`), "browser: fetch: {}", "browser: "+browser, 1))
		c := call(t, s, "web", "proxy")
		n := 0
		for _, l := range c.Limits() {
			if l.Kind == chain.TotalDeadline {
				n++
			}
		}
		if has(t, browser, c.Limits(), want); n != 1 {
			t.Errorf("%s has %d deadlines", browser, n)
		}
	}
}

func TestABrowserHasALoopAndNoRuntime(t *testing.T) {
	s := resolveText(t, `package s
tchain: "v1"
name: "s"
layers: {
	web: browser: {wrap: [{loop: {attempts: 3, on: ["5xx"]}}], fetch: {}}
	api: app: server: gohttp: {}
}
routes: "GET /": path: ["web", "api"]
`)
	layers := call(t, s, "web", "api").Layers
	if len(layers) == 0 || layers[0].Retry == nil || layers[0].Retry.Attempts.N != 3 {
		t.Errorf("the page's loop is %+v", layers)
	}
}
