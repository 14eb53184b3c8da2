package spring

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/golden"
	"tchain.dev/tchain/emit/internal/sample"
)

func call(s *chain.Stack, route int) *chain.Call {
	return sample.Node(s.Routes[route], "api").Calls()[0]
}

func bound(c *chain.Call, k chain.Kind, d time.Duration) {
	for i := range c.Layers[0].Limits {
		if l := &c.Layers[0].Limits[i]; l.Kind == k {
			l.Bound = d
		}
	}
}

// waits sets the wait for a response, as a context of the path does.
func waits(c *chain.Call, d time.Duration, setting string) {
	for i := range c.Layers[0].Limits {
		if l := &c.Layers[0].Limits[i]; l.Kind == chain.ResponseFirstByte || l.Kind == chain.ResponseReadGap {
			l.Bound = d
			l.Origin.Setting = "api.app.clients.auth.httpclient5." + setting
		}
	}
}

// byPath is the sample with routes that wait for different times, repeats, and a
// Tomcat.
func byPath() *chain.Stack {
	s := sample.Insurance()
	for path, d := range map[string]time.Duration{"/balance": 300 * time.Millisecond, "/u/{id}/": 10 * time.Second} {
		r := sample.InsuranceRoute()
		r.Name, r.Pathname, r.Prefix = "GET "+path, path, strings.HasSuffix(path, "/")
		s.Routes = append(s.Routes, r)
		waits(call(s, len(s.Routes)-1), d, `context."`+path+`".responseTimeout`)
	}
	if s.Routes[1].Pathname != "/balance" {
		s.Routes[1], s.Routes[2] = s.Routes[2], s.Routes[1]
	}
	for i := range s.Routes {
		c := call(s, i)
		at := chain.Origin{Source: chain.Written, Setting: "api.app.clients.auth.httpclient5.client.retryStrategy.maxRetries", ID: "httpclient5.client.retryStrategy.maxRetries"}
		c.Layers[0].Retry = &chain.Retry{Attempts: chain.Size{N: 3, Origin: at}, On: []chain.Cond{"503"}, Interval: chain.Value{D: 200 * time.Millisecond, Origin: at}}
		c.Upkeep = append(c.Upkeep, chain.Limit{Kind: chain.MaxLifetime, Bound: 5 * time.Minute, Origin: chain.Origin{Source: chain.Written, Setting: "api.app.clients.auth.httpclient5.manager.connectionConfig.timeToLive"}},
			chain.Limit{Kind: chain.Evict, Bound: 20 * time.Second, Origin: chain.Origin{Source: chain.Written, Setting: "api.app.clients.auth.httpclient5.client.evictIdleConnections"}})
		n := sample.Node(s.Routes[i], "api")
		n.Settings = append(n.Settings, chain.Setting{Block: "clients.auth.client", Value: "true", Origin: chain.Origin{Source: chain.Written,
			Setting: "api.app.clients.auth.httpclient5.client.evictExpiredConnections", Name: "evictExpiredConnections", ID: "httpclient5.client.evictExpiredConnections"}})
		for _, p := range []struct{ block, name, text string }{
			{"server", "connectionTimeout", "60s"}, {"server", "keepAliveTimeout", "75s"}, {"server", "maxKeepAliveRequests", "100"}, {"server", "maxConnections", "8192"},
			{"server", "acceptCount", "100"}, {"server.threads", "max", "200"}, {"server.threads", "minSpare", "10"}, {"server.async", "requestTimeout", "30s"},
			{"server", "shutdown", "graceful"}, {"server", "timeoutPerShutdownPhase", "20s"},
		} {
			o := chain.Origin{Source: chain.Default, Setting: "api.app.server.tomcat." + p.name, Name: p.name, ID: "tomcat." + p.name, Text: p.text, Product: "tomcat 10.1"}
			n.Settings = append(n.Settings, chain.Setting{Block: p.block, Value: p.text, Origin: o})
		}
	}
	return s
}

// web is the sample with a WebClient, whose attempts, repeats and whole call have
// limits that a test can wait for.
func web() *chain.Stack {
	s := golden.Quick(sample.Insurance())
	c := call(s, 0)
	c.Product = "webclient 1.2.18"
	c.Upkeep, c.Unbounded = nil, nil
	at := func(path, text string) chain.Origin {
		return chain.Origin{Source: chain.Written, Setting: "api.app.clients.auth.webclient." + path, Name: path[strings.LastIndexByte(path, '.')+1:], Text: text}
	}
	whole := func(d time.Duration, path string) []chain.Limit {
		return []chain.Limit{{Kind: chain.TotalDeadline, Side: chain.Calling, End: chain.AtBodyEnd, Bound: d, Fires: chain.FiresError, Origin: at(path, "")}}
	}
	transport := c.Layers[0]
	transport.Retry = nil
	for i := range transport.Limits {
		l := &transport.Limits[i]
		l.Origin = at(string(l.Kind), "")
		l.Reset = chain.ResetNone
		if l.Kind == chain.TLSHandshake {
			l.Per = chain.PerAttempt
		}
	}
	c.Layers = []chain.ClientLayer{
		{Name: "timeout", Limits: whole(2300*time.Millisecond, `operators[2].timeout`)},
		{Name: "retryWhen", Retry: &chain.Retry{Attempts: chain.Size{N: 3, Origin: at(`operators[1].retryWhen.fixedDelay.attempts`, "2")}, ReadsBody: true,
			Interval: chain.Value{D: 200 * time.Millisecond, Origin: at(`operators[1].retryWhen.fixedDelay.delay`, "200ms")},
			On:       []chain.Cond{chain.CondTimeout, chain.CondDeadline, "503"}, Origin: at(`operators[1].retryWhen.filter`, "503 TimeoutException")}},
		{Name: "timeout", Limits: whole(1200*time.Millisecond, `operators[0].timeout`)},
		transport,
	}
	n := sample.Node(s.Routes[0], "api")
	n.Deadline = chain.Deadline{}
	max := at("provider.pendingAcquireMaxCount", "-2")
	max.ID = "webclient.provider.pendingAcquireMaxCount"
	resend := at("disableRetry", "true")
	resend.ID = "webclient.disableRetry"
	n.Settings = append(n.Settings, chain.Setting{Block: "clients.auth.provider", Value: "-2", Origin: max}, chain.Setting{Block: "clients.auth", Value: "true", Origin: resend})
	return s
}

func TestWebClientLines(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(s *chain.Stack, c *chain.Call)
		want   []string
	}{
		{"as it is", func(*chain.Stack, *chain.Call) {}, []string{"int WAITING = 4;", ".timeout(TIMEOUT_1)",
			".retryWhen(Retry.fixedDelay(REPEATS_2, WAIT_2).filter(failure -> status(failure, 503, 503) || failure instanceof TimeoutException))", ".timeout(TIMEOUT_3);"}},
		{"a wait that doubles", func(_ *chain.Stack, c *chain.Call) {
			r := c.Layers[1].Retry
			r.Multiplier, r.Jitter, r.Interval.D, r.MaxInterval = 2000, true, 250*time.Millisecond, time.Second
		}, []string{"Retry.backoff(REPEATS_2, WAIT_2).jitter(0.25).maxBackoff(LONGEST_2)", "Duration WAIT_2 = Duration.ofMillis(200);", "Duration LONGEST_2 = Duration.ofMillis(1_000);"}},
		{"no wait and no filter", func(_ *chain.Stack, c *chain.Call) {
			c.Layers[1].Retry.Interval, c.Layers[1].Retry.Origin.Name = chain.Value{}, "attempts"
		}, []string{".retryWhen(Retry.max(REPEATS_2))"}},
		{"repeats without end", func(_ *chain.Stack, c *chain.Call) { c.Layers[1].Retry.Attempts.N = chain.Endless },
			[]string{"long REPEATS_2 = Long.MAX_VALUE;"}},
		{"more repeats than an int holds", func(_ *chain.Stack, c *chain.Call) { c.Layers[1].Retry.Attempts.N = 3_000_000_001 },
			[]string{"long REPEATS_2 = 3000000000L;"}},
		{"the limit of a call that the app writes", func(s *chain.Stack, c *chain.Call) {
			c.Layers = c.Layers[3:]
			sample.Node(s.Routes[0], "api").Deadline = sample.Node(sample.InsuranceRoute(), "api").Deadline
		}, []string{"Duration TIMEOUT_0 = Duration.ofMillis(90_000); // api.app.deadline.perCall", ".timeout(TIMEOUT_0);"}},
		{"no bound of a call", func(_ *chain.Stack, c *chain.Call) { c.Layers = c.Layers[3:] }, []string{".disableRetry(NO_RESEND);"}},
		{"never reused", func(_ *chain.Stack, c *chain.Call) { c.Idle = nil }, []string{".keepAlive(false)"}},
		{"no limit of connecting, TLS and the pool's wait", func(_ *chain.Stack, c *chain.Call) {
			for i := range c.Layers[3].Limits[:3] {
				c.Layers[3].Limits[i].Bound = chain.Never
			}
		}, []string{"int CONNECT = 0; // api.app.clients.auth.webclient.connect; no limit", "Duration TLS = Duration.ZERO; // api.app.clients.auth.webclient.tls-handshake; no limit", "Duration POOL_WAIT = Duration.ZERO; // api.app.clients.auth.webclient.pool-wait; no limit"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := web()
			tc.change(s, call(s, 0))
			files, _ := golden.Emit(t, Target, s)
			for _, want := range tc.want {
				if text := files["AuthClientConfiguration.java"]; !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
		})
	}
}

func TestWebClientRefusals(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(s *chain.Stack, c *chain.Call)
		want   string
	}{
		{"a failure that no filter here can name", func(_ *chain.Stack, c *chain.Call) { c.Layers[1].Retry.Origin.Text = "503 ConnectException" },
			"ConnectException is neither a status, a class as 5xx, nor one of TimeoutException"},
		{"a layer that is no operator", func(_ *chain.Stack, c *chain.Call) { c.Layers[0].Name = "resilience4jRetry" }, "its resilience4jRetry is no operator of Reactor's"},
		{"a jitter that cannot be known", func(_ *chain.Stack, c *chain.Call) {
			r := c.Layers[1].Retry
			r.Multiplier, r.Jitter, r.Interval.D, r.MaxInterval = 2000, true, 250*time.Millisecond, 250*time.Millisecond
		}, "what the jitter is is not known here"},
		{"routes that differ", func(s *chain.Stack, _ *chain.Call) {
			other := web().Routes[0]
			other.Name = "GET /x"
			other.Root = web().Routes[0].Root
			sample.Node(other, "api").Calls()[0].Layers[0].Limits[0].Bound = time.Second
			s.Routes = append(s.Routes, other)
		}, "in which TIMEOUT_3 cannot be both Duration.ofMillis(2_300) and Duration.ofMillis(1_000)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := web()
			tc.change(s, call(s, 0))
			golden.Refuses(t, Target, s, tc.want)
		})
	}
}

func TestGolden(t *testing.T) {
	files, warnings := golden.Emit(t, Target, web())
	golden.Compare(t, "testdata/web", files)
	if warnings != nil {
		t.Errorf("warnings = %q", warnings)
	}
	for name, s := range map[string]*chain.Stack{"insurance": sample.Insurance(), "bypath": byPath()} {
		files, warnings := golden.Emit(t, Target, s)
		golden.Compare(t, "testdata/"+name, files)
		if !slices.Equal(warnings, []string{"api.app.deadline.perCall: HttpClient 5 has no limit for a whole call: 90s is for the caller of auth to keep",
			"api.app.deadline.total: 110s is not written: ending the request is the program's own to do, since no class here knows of the request",
			"api.app.deadline.reserve: 5s is not written: keeping it back for the answer is the program's own to do, since no class here knows of the request"}) {
			t.Errorf("warnings = %q", warnings)
		}
	}
}

func TestLines(t *testing.T) {
	for _, tc := range []struct {
		name     string
		change   func(c *chain.Call)
		want     []string
		warnings int
	}{
		{"connections that are never kept", func(c *chain.Call) { c.Idle = nil }, []string{".setConnectionReuseStrategy((request, response, context) -> false)"}, 3},
		{"nobody waits for a connection", func(c *chain.Call) { bound(c, chain.PoolWait, 0) }, []string{"Timeout POOL_WAIT = Timeout.ofMilliseconds(0); // api.app.clients.auth.httpclient5.client.requestConfig.connectionRequestTimeout; nobody waits"}, 3},
		{"no pool", func(c *chain.Call) { c.Pool = nil }, []string{"int PER_ROUTE = Integer.MAX_VALUE; // no bound", "int TOTAL = Integer.MAX_VALUE; // no bound"}, 3},
		{"nothing bounds the response", func(c *chain.Call) {
			bound(c, chain.ResponseFirstByte, chain.Never)
			bound(c, chain.ResponseReadGap, chain.Never)
		}, []string{"Timeout RESPONSE = Timeout.DISABLED; // api.app.clients.auth.httpclient5.client.requestConfig.responseTimeout; no limit"}, 3},
		{"only the header is bounded", func(c *chain.Call) { bound(c, chain.ResponseReadGap, chain.Never) },
			[]string{"responseTimeout; here between two reads of the body, too"}, 3},
		{"the kernel ends a connect", func(c *chain.Call) { l := &c.Layers[0].Limits[1]; l.Kernel, l.Origin.Source = true, chain.Fixed }, []string{"Timeout CONNECT = Timeout.DISABLED; // api.app.clients.auth.httpclient5.manager.connectionConfig.connectTimeout; no limit"}, 3},
		{"one connect for all addresses", func(c *chain.Call) { c.Layers[0].Limits[1].Per = chain.PerAttempt }, []string{"connectTimeout; here for each address"}, 3},
		{"a silence of writing that is a default", func(c *chain.Call) {
			c.Layers[0].Limits = append(c.Layers[0].Limits, chain.Limit{Kind: chain.WriteGap, Fires: chain.FiresError, Bound: time.Second, Origin: chain.Origin{Source: chain.Default, Setting: "x"}})
		}, []string{"class AuthClientConfiguration"}, 4},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := sample.Insurance()
			tc.change(call(s, 0))
			files, warnings := golden.Emit(t, Target, s)
			for _, want := range tc.want {
				if text := files["AuthClientConfiguration.java"]; !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
			if len(warnings) != tc.warnings {
				t.Errorf("%d warnings, want %d: %q", len(warnings), tc.warnings, warnings)
			}
		})
	}
}

func TestPackageName(t *testing.T) {
	files, _, err := Target.Emit(sample.Insurance(), emit.Options{Package: "dev.shop.clients"})
	if err != nil || !strings.Contains(string(files[0].Content), "\npackage dev.shop.clients;\n") {
		t.Errorf("%v", err)
	}
	if _, _, err := Target.Emit(sample.Insurance(), emit.Options{Package: "Shop;"}); err == nil {
		t.Error("Shop; is taken for a package name")
	}
}

func TestNames(t *testing.T) {
	for in, want := range map[string]string{"auth": "Auth", "risk-engine": "RiskEngine", "3ds": "X3ds", "-": "X"} {
		if got := upper(in); got != want {
			t.Errorf("upper(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	at := chain.Origin{Source: chain.Written, Setting: "api.x", Text: "2s"}
	for _, tc := range []struct {
		name   string
		change func(s *chain.Stack, c *chain.Call)
		want   string
	}{
		{"no client", func(_ *chain.Stack, c *chain.Call) { c.Client = "" }, "no app of insurance has a client"},
		{"a whole call", func(_ *chain.Stack, c *chain.Call) {
			c.Layers[0].Limits = append(c.Layers[0].Limits, chain.Limit{Kind: chain.TotalDeadline, Fires: chain.FiresError, Bound: 2 * time.Second, Origin: at})
		}, "api.x 2s: cannot be written by tchain emit spring: the HttpClient 5 client has nothing for total-deadline"},
		{"two limits of a response", func(_ *chain.Stack, c *chain.Call) { bound(c, chain.ResponseReadGap, time.Second) },
			"responseTimeout is one limit before the response and between its bytes, and cannot be both 90s and 1s"},
		{"a part of a millisecond", func(_ *chain.Stack, c *chain.Call) { bound(c, chain.Connect, 1500*time.Microsecond) }, "timers in HttpClient 5 count in steps of 1ms"},
		{"at once", func(_ *chain.Stack, c *chain.Call) { bound(c, chain.Connect, 0) }, "it ends at once, and HttpClient 5 takes 0 for no limit"},
		{"a wait without end", func(_ *chain.Stack, c *chain.Call) { bound(c, chain.PoolWait, chain.Never) }, "0 fails at once, and unset is 3 minutes"},
		{"repeats of another layer", func(_ *chain.Stack, c *chain.Call) {
			c.Layers[0].Retry = &chain.Retry{Attempts: chain.Size{N: 3, Origin: at}, On: []chain.Cond{chain.CondTimeout}}
		}, "client auth makes 3 attempts by a policy that is not HttpClient 5's"},
		{"kept as long as the callee", func(_ *chain.Stack, c *chain.Call) { c.Idle[0].Bound = time.Minute }, "auth closes at 60s, and the HttpClient 5 client would still use the connection"},
		{"routes that differ in what no request holds", func(s *chain.Stack, _ *chain.Call) {
			r := sample.InsuranceRoute()
			r.Name = "GET /x"
			s.Routes = append(s.Routes, r)
			bound(call(s, 1), chain.TLSHandshake, time.Second)
		}, "in which only what a RequestConfig holds may differ by path: TLS_READ is Timeout.ofMilliseconds(3_000) (api.app.clients.auth.httpclient5.manager.tlsConfig.handshakeTimeout) and Timeout.ofMilliseconds(1_000) (api.app.clients.auth.httpclient5.manager.tlsConfig.handshakeTimeout); give both one value, or each route a client of its own"},
		{"a path that is a pattern to Spring", func(s *chain.Stack, _ *chain.Call) {
			r := sample.InsuranceRoute()
			r.Name, r.Pathname = "GET /a*b", "/a*b"
			s.Routes = append(s.Routes, r)
			waits(call(s, 1), time.Second, "x")
		}, "GET /a*b: cannot be written by tchain emit spring: its path has characters that mean something else"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := sample.Insurance()
			tc.change(s, call(s, 0))
			golden.Refuses(t, Target, s, tc.want)
		})
	}
}

func TestAPackageIsOfNamesThatJavaTakes(t *testing.T) {
	for pkg, want := range map[string]string{"com.acme.shop": "", "com.acme.record": "", "com.acme.shop.class": "Java reserves class", "true.x": "Java reserves true", "Com": "it is no name for a Java package"} {
		_, _, err := Target.Emit(sample.Insurance(), emit.Options{Package: pkg})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", pkg, err)
		}
	}
}
