package gohttp

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

func TestLines(t *testing.T) {
	for _, tc := range []struct {
		name     string
		change   func(s *chain.Stack, c *chain.Call)
		want     string // a line, its alignment aside
		warnings int
	}{
		{"two routes", func(s *chain.Stack, c *chain.Call) {
			other := sample.InsuranceRoute()
			other.Name, other.TPS = "GET /x", 1500
			s.Routes = append(s.Routes, other)
		}, "need 68 = 4.5/s ÷ 6 instances × 90s", 1},
		{"calls of a request one after the other, of which a silent callee holds the first", func(s *chain.Stack, c *chain.Call) { c.Times, c.Requests = 3, 3 },
			"need 45 = 3/s ÷ 6 instances × 90s", 1},
		{"calls of a request at the same time", func(s *chain.Stack, c *chain.Call) { c.Times, c.AtOnce, c.Requests = 1, 3, 3 }, "need 135 = 9/s ÷ 6 instances × 90s", 1},
		{"by p99", func(s *chain.Stack, c *chain.Call) { s.Policy.PoolAgainst = "p99" }, "need 6 = 3/s ÷ 6 instances × 12s", 1},
		{"at once", func(s *chain.Stack, c *chain.Call) { s.Routes[0].TPS, s.Routes[0].Concurrent.N = 0, 100 }, "need 17 = 100 at once ÷ 6 instances", 1},
		{"no pool", func(s *chain.Stack, c *chain.Call) { c.Pool = nil }, "Limits{ Connect: 3 * time.Second,", 1},
		{"never reused", func(s *chain.Stack, c *chain.Call) { c.Idle = nil }, "Reserve: 5 * time.Second, // api.app.deadline.reserve Attempts: 1,", 1},
		{"default", func(s *chain.Stack, c *chain.Call) {
			c.Pool.Total.N, c.Pool.Total.Origin = 25, chain.Origin{Source: chain.Default, Product: "httpclient5 5.5.1", Name: "maxConnTotal", Setting: "x"}
		}, "PoolSize: 25, // default of httpclient5 5.5.1: maxConnTotal; need 45", 1},
		{"not enforced", func(s *chain.Stack, c *chain.Call) { sample.Node(s.Routes[0], "api").Deadline.Enforced = false }, "pool wait to last byte, and enforced here", 2},
		{"no deadline", func(s *chain.Stack, c *chain.Call) { sample.Node(s.Routes[0], "api").Deadline = chain.Deadline{} }, "// The stack gives the request no deadline;", 1},
		{"connect with handshake", func(s *chain.Stack, c *chain.Call) {
			without(c, chain.TLSHandshake)
			limitOf(c, chain.Connect).End = chain.AtSecured
		}, "TLS: 3 * time.Second, // the same; here timed apart from Connect", 2},
		{"no TLS", func(s *chain.Stack, c *chain.Call) { c.TLS = false; without(c, chain.TLSHandshake) }, "all addresses together Header: 90", 1},
		{"ping", func(s *chain.Stack, c *chain.Call) {
			c.Upkeep = []chain.Limit{{Kind: chain.PingInterval, Bound: 20 * time.Second, Origin: chain.Origin{Source: chain.Written, Setting: "api.ping"}}}
		}, "Ping: 20 * time.Second, // api.ping", 1},
		{"total", func(s *chain.Stack, c *chain.Call) {
			c.Layers[0].Limits = append(c.Layers[0].Limits, chain.Limit{Kind: chain.TotalDeadline, End: chain.AtBodyEnd, Bound: 100 * time.Millisecond * 601, Origin: chain.Origin{Source: chain.Written, Setting: "api.callTimeout"}})
		}, "PerCall: 60100 * time.Millisecond, // api.callTimeout", 1},
		{"a default without a place", func(s *chain.Stack, c *chain.Call) {
			c.Upkeep = append(c.Upkeep, chain.Limit{Kind: chain.MaxLifetime, Bound: time.Hour, Origin: chain.Origin{Source: chain.Default, Setting: "x"}})
		}, "PoolSize: 50,", 2},
		{"close to the callee's", func(s *chain.Stack, c *chain.Call) { c.Idle[0].Bound = 59500 * time.Millisecond }, "Idle: 59500 * time.Millisecond,", 2},
		{"silence from the request on", func(s *chain.Stack, c *chain.Call) {
			without(c, chain.ResponseFirstByte)
			limitOf(c, chain.ResponseReadGap).Start = chain.AtRequestSent
		}, "Header: 90 * time.Second, // api.app.clients.auth.httpclient5.client.requestConfig.responseTimeout; here the whole header", 1},
		{"a timeout that only tells", func(s *chain.Stack, c *chain.Call) {
			c.Layers[0].Limits = append(c.Layers[0].Limits, chain.Limit{Kind: chain.WriteGap, Fires: chain.FiresEvent, Bound: time.Second, Origin: chain.Origin{Source: chain.Written, Setting: "api.told"}})
		}, "PoolSize: 50,", 2},
		{"addresses", func(s *chain.Stack, c *chain.Call) {
			c.Addresses = 2
			limitOf(c, chain.Connect).Bound = 2 * time.Second
		}, "Connect: 2 * time.Second,", 2},
		{"one pool for two", func(s *chain.Stack, c *chain.Call) { c.Pool.Shared = []string{"risk"} }, "PoolSize: 50, // api.app.clients.auth.httpclient5.manager.maxConnTotal; need", 1},
		{"pools that fit", func(s *chain.Stack, c *chain.Call) { c.Pool.Shared, c.Pool.PerHost.N = []string{"risk"}, 25 }, "PoolSize: 25, // api.app.clients.auth.httpclient5.manager.maxConnPerRoute; need", 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := sample.Insurance()
			tc.change(s, authCall(s))
			files, warnings := golden.Emit(t, Target, s)
			if text := strings.Join(strings.Fields(files["api_limits.go"]), " "); !strings.Contains(text, tc.want) {
				t.Errorf("no %q in\n%s", tc.want, files["api_limits.go"])
			}
			if len(warnings) != tc.warnings {
				t.Errorf("%d warnings, want %d: %q", len(warnings), tc.warnings, warnings)
			}
		})
	}
}

// risk gives the app of the insurance stack a second callee through its client.
func risk(s *chain.Stack) {
	api := sample.Node(s.Routes[0], "api")
	c, to := *api.Calls()[0], *api.Calls()[0].To
	to.Layer, c.To = "risk", &to
	pool := *c.Pool
	pool.Shared = []string{"auth"}
	c.Pool = &pool
	api.Calls()[0].Pool.Shared = []string{"risk"}
	api.Steps = append(api.Steps, chain.Step{Calls: []*chain.Call{&c}})
}

func TestOneClientForTwoCallees(t *testing.T) {
	s := sample.Insurance()
	risk(s)
	files, _ := golden.Emit(t, Target, s)
	if text := files["api_limits.go"]; strings.Count(text, "= Limits{") != 1 || !strings.Contains(text, "every call from api to auth and risk.") || !strings.Contains(text, "need 45 to auth = 3/s ÷ 6 instances × 90s, 45 to risk = 3/s") {
		t.Errorf("want one client for both:\n%s", text)
	}
	for _, c := range sample.Node(s.Routes[0], "api").Calls() {
		c.Pool.PerHost.N = 25
	}
	files, _ = golden.Emit(t, Target, s)
	if text := files["api_limits.go"]; !strings.Contains(text, "var AuthAuthLimits = Limits{") || !strings.Contains(text, "var AuthRiskLimits = Limits{") || strings.Count(text, "need 45 = 3/s") != 2 {
		t.Errorf("want a client for each:\n%s", text)
	}
}

// A database's client is no HTTP client, whatever its limits are.
func TestAStoreIsNotWritten(t *testing.T) {
	s := sample.Insurance()
	risk(s)
	api := sample.Node(s.Routes[0], "api")
	api.Calls()[1].To.Type, api.Calls()[1].Client, api.Calls()[1].Product = "postgres", "db", "hikari 6.0"
	files, warnings := golden.Emit(t, Target, s)
	if text := files["api_limits.go"]; strings.Contains(text, "Db") || strings.Count(text, "= Limits{") != 1 {
		t.Errorf("it is written:\n%s", text)
	}
	if !slices.Contains(warnings, "api to risk is not written: hikari 6.0 is no HTTP client") {
		t.Errorf("warnings = %q", warnings)
	}
}

func TestTwoApps(t *testing.T) {
	s := sample.Insurance()
	other := sample.InsuranceRoute()
	other.Name = "GET /x"
	sample.Node(other, "api").Layer = "web-api"
	s.Routes = append(s.Routes, other)
	files, _ := golden.Emit(t, Target, s)
	for _, name := range []string{"api/api_limits.go", "api/tchain_client.go", "web_api/web_api_limits.go", "web_api/tchain_client.go"} {
		if files[name] == "" {
			t.Errorf("no %s", name)
		}
	}
	if files, _ := golden.EmitWith(t, Target, s, emit.Options{Routes: []string{"GET /x"}}); files["web_api/web_api_limits.go"] == "" || len(files) != 5 {
		t.Errorf("narrowed: %d files", len(files))
	}
}

func TestAChangedNumberIsOneLine(t *testing.T) {
	before, _ := golden.Emit(t, Target, sample.Insurance())
	s := sample.Insurance()
	limitOf(authCall(s), chain.PoolWait).Bound = 3 * time.Second
	after, _ := golden.Emit(t, Target, s)
	a, b := strings.Split(before["api_limits.go"], "\n"), strings.Split(after["api_limits.go"], "\n")
	changed := 0
	for i := range a {
		if a[i] != b[i] {
			changed++
		}
	}
	if len(a) != len(b) || changed != 1 || before["tchain_client.go"] != after["tchain_client.go"] {
		t.Errorf("%d lines changed", changed)
	}
}
