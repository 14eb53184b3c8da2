package node

import (
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit/internal/golden"
	"tchain.dev/tchain/emit/internal/sample"
)

// nodeApp is the sample with an app whose client is of Node.js.
func nodeApp() *chain.Stack {
	s := sample.Insurance()
	s.Routes = []*chain.Route{nodeRoute()}
	return s
}

func nodeRoute() *chain.Route {
	r := sample.InsuranceRoute()
	sample.Node(r, "api").Calls()[0].Product = "undici 7.16.0"
	return r
}

func TestBesideABrowserAppsOfOtherPlatformsAreNotWritten(t *testing.T) {
	s := sample.Insurance()
	files, warnings := golden.Emit(t, Target, s)
	if len(files) != 1 || files["web_fetch.ts"] == "" || len(warnings) != 1 || warnings[0] != "api is not written: its clients are not Node.js's but httpclient5's; of web there is a fetch" {
		t.Errorf("%q, %q", files, warnings)
	}
	sample.Node(s.Routes[0], "web").Type = "custom"
	if files, _ := golden.Emit(t, Target, s); files["api_limits.ts"] == "" {
		t.Errorf("without a browser there is nothing else to write: %q", files)
	}
}

// served is the sample whose app answers with Node's server, with the values that
// its settings have.
func served(values map[string]string) *chain.Stack {
	s := nodeApp()
	n := sample.Node(s.Routes[0], "api")
	for _, d := range []struct{ name, text string }{
		{"headersTimeout", "60000"}, {"requestTimeout", "300000"}, {"connectionsCheckingInterval", "30000"}, {"keepAliveTimeout", "5000"},
		{"keepAliveTimeoutBuffer", "1000"}, {"timeout", "0"}, {"maxRequestsPerSocket", "0"},
	} {
		o := chain.Origin{Source: chain.Default, Setting: "api.app.server.node." + d.name, Name: d.name, ID: "node." + d.name, Text: d.text, Product: "node 24"}
		if text, ok := values[d.name]; ok {
			d.text, o.Text, o.Source = text, text, chain.Written
		}
		n.Settings = append(n.Settings, chain.Setting{Block: "server", Value: d.text, Origin: o})
	}
	return s
}

func TestGolden(t *testing.T) {
	for name, s := range map[string]*chain.Stack{"insurance": nodeApp(), "served": served(map[string]string{"keepAliveTimeout": "65000"})} {
		files, warnings := golden.Emit(t, Target, s)
		if files["tchain_client.ts"] != mechanism || files["tchain_undici.ts"] != mechanismUndici {
			t.Error("the mechanisms are not written as they are")
		}
		delete(files, "tchain_client.ts")
		delete(files, "tchain_undici.ts")
		golden.Compare(t, "testdata/"+name, files)
		if len(warnings) != 1 || !strings.Contains(warnings[0], `authLimits: Header 90s is never first, PerCall 90s is: a silent response is "perCall"`) {
			t.Errorf("warnings = %q", warnings)
		}
	}
}

func TestNames(t *testing.T) {
	for in, want := range map[string]string{"auth": "authLimits", "risk-engine": "riskEngineLimits", "3ds": "_3dsLimits", "price_v2": "priceV2Limits", "-": "limits"} {
		if got := camel(in, "limits"); got != want {
			t.Errorf("camel(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"PerCall": "perCall", "TLS": "tls", "Gap": "gap"} {
		if got := property(in); got != want {
			t.Errorf("property(%q) = %q, want %q", in, got, want)
		}
	}
	for d, want := range map[time.Duration]string{time.Millisecond: "1", 999 * time.Millisecond: "999", time.Second: "1_000", 20 * time.Minute: "1_200_000"} {
		if got := millis(d); got != want {
			t.Errorf("millis(%v) = %s, want %s", d, got, want)
		}
	}
}

func call(s *chain.Stack) *chain.Call { return sample.Node(s.Routes[0], "api").Calls()[0] }

func bound(c *chain.Call, k chain.Kind, d time.Duration) {
	for i := range c.Layers[0].Limits {
		if l := &c.Layers[0].Limits[i]; l.Kind == k {
			l.Bound = d
		}
	}
}

func TestLines(t *testing.T) {
	writes := chain.Limit{Kind: chain.WriteGap, Fires: chain.FiresError, Bound: 4 * time.Second, Origin: chain.Origin{Source: chain.Written, Setting: "api.x"}}
	for _, tc := range []struct {
		name     string
		change   func(s *chain.Stack)
		file     string
		want     string
		warnings int
	}{
		{"connecting that nothing bounds is bounded by the call", func(s *chain.Stack) { bound(call(s), chain.Connect, chain.Never) }, "api_limits.ts",
			"poolWait: 1_000, // api.app.clients.auth.httpclient5.client.requestConfig.connectionRequestTimeout tls: 3_000,", 1},
		{"connecting with the handshake", func(s *chain.Stack) {
			bound(call(s), chain.TLSHandshake, chain.Never)
			call(s).Layers[0].Limits[1].End, call(s).Layers[0].Limits[1].Per = chain.AtSecured, chain.PerAttempt
		}, "api_limits.ts", "connect: 3_000, // api.app.clients.auth.httpclient5.manager.connectionConfig.connectTimeout; the handshake too header:", 1},
		{"silence while writing", func(s *chain.Stack) { call(s).Layers[0].Limits = append(call(s).Layers[0].Limits, writes) }, "api_limits.ts", "writeGap: 4_000, // api.x", 1},
		{"a browser without a limit", func(s *chain.Stack) {
			bound(sample.Node(s.Routes[0], "web").Calls()[0], chain.TotalDeadline, chain.Never)
		}, "web_fetch.ts",
			"export const webLimits = { } as const;", 2},
		{"a WebSocket that a browser opens without fetch", func(s *chain.Stack) { s.Routes[0].Response.Mode = chain.WebSocket }, "web_fetch.ts",
			"export const webLimits = { } as const;", 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := nodeApp()
			tc.change(s)
			files, warnings := golden.Emit(t, Target, s)
			if text := strings.Join(strings.Fields(files[tc.file]), " "); !strings.Contains(text, tc.want) {
				t.Errorf("no %q in\n%s", tc.want, files[tc.file])
			}
			if len(warnings) != tc.warnings {
				t.Errorf("%d warnings, want %d: %q", len(warnings), tc.warnings, warnings)
			}
		})
	}
}

func TestBufferOfAnOldNodeIsNoSetting(t *testing.T) {
	s := served(nil)
	n := sample.Node(s.Routes[0], "api")
	for i, set := range n.Settings {
		if set.Origin.Name == "keepAliveTimeoutBuffer" {
			n.Settings[i].Origin.Source = chain.Fixed
		}
	}
	if files, _ := golden.Emit(t, Target, s); strings.Contains(files["api_server.ts"], "Buffer") {
		t.Errorf("it is written:\n%s", files["api_server.ts"])
	}
}

func TestRefusals(t *testing.T) {
	for _, tc := range []struct {
		name   string
		server map[string]string
		change func(s *chain.Stack)
		want   string
	}{
		{name: "a part of a millisecond", change: func(s *chain.Stack) { bound(call(s), chain.PoolWait, 1500*time.Microsecond) },
			want: "connectionRequestTimeout 1s: cannot be written by tchain emit node: timers in Node.js count in steps of 1ms"},
		{name: "more than a timer takes", change: func(s *chain.Stack) { bound(call(s), chain.ResponseFirstByte, 600*time.Hour) },
			want: "responseTimeout 90s: cannot be written by tchain emit node: a timer in Node.js takes no more than 2147483.647s"},
		{name: "a browser's wait that is more than a timer takes", change: func(s *chain.Stack) {
			bound(sample.Node(s.Routes[0], "web").Calls()[0], chain.TotalDeadline, 600*time.Hour)
		}, want: "web.browser.fetch.signal.timeout 160000: cannot be written by tchain emit node: a timer in a browser takes no more than"},
		{name: "retries in two layers", change: func(s *chain.Stack) {
			golden.Retries(s)
			call(s).Layers = append(call(s).Layers, chain.ClientLayer{Retry: call(s).Layers[0].Retry})
		}, want: "client auth repeats in two layers, and the Node.js client in one"},
		{name: "a first repeat without a wait", change: func(s *chain.Stack) { golden.Retries(s).FirstAtOnce = true },
			want: "it is first taken before the third attempt, and in the Node.js client before the second"},
		{name: "a share for connecting", change: func(s *chain.Stack) {
			golden.Retries(s).ConnectShare = chain.Size{N: 30, Origin: chain.Origin{Source: chain.Written, Setting: "api.share"}}
		},
			want: "api.share: cannot be written by tchain emit node: the Node.js client has no share of what is left for connecting"},
		{name: "a wait of a part of a millisecond", change: func(s *chain.Stack) { golden.Retries(s).Interval.D = 1500 * time.Microsecond },
			want: "timers in Node.js count in steps of 1ms"},
		{name: "a browser that repeats", change: func(s *chain.Stack) {
			sample.Node(s.Routes[0], "web").Calls()[0].Layers[0].Retry = &chain.Retry{Attempts: chain.Size{N: 2}, On: []chain.Cond{chain.CondTimeout}}
		}, want: "web makes 2 attempts, and fetch makes one"},
		{name: "headers that may take longer than all", server: map[string]string{"requestTimeout": "30000"}, change: func(*chain.Stack) {},
			want: "api.app.server.node.headersTimeout 60000: cannot be written by tchain emit node: http.createServer throws ERR_OUT_OF_RANGE above requestTimeout 30000"},
		{name: "a server's timer that is not known", server: map[string]string{"keepAliveTimeout": ""}, change: func(*chain.Stack) {},
			want: "api.app.server.node.keepAliveTimeout: cannot be written by tchain emit node: it has no value that is known here"},
		{name: "two layers with one file", change: func(s *chain.Stack) {
			for _, name := range []string{"web-api", "web_api"} {
				r := nodeRoute()
				r.Name = "GET /" + name
				sample.Node(r, "api").Layer = name
				s.Routes = append(s.Routes, r)
			}
		}, want: "web_api_limits.ts: cannot be written by tchain emit node: layers web-api and web_api would both be written to it"},
		{name: "nothing of Node", change: func(s *chain.Stack) {
			sample.Node(s.Routes[0], "web").Type = "custom"
			call(s).Client = ""
		}, want: "tchain emit node: no app of insurance has a client or Node's server"},
		{name: "one route with two waits", change: func(s *chain.Stack) {
			r := nodeRoute()
			bound(sample.Node(r, "web").Calls()[0], chain.TotalDeadline, time.Second)
			s.Routes = append(s.Routes, r)
		}, want: "is written for web once, and has 160s as well"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := nodeApp()
			if tc.server != nil {
				s = served(tc.server)
			}
			tc.change(s)
			golden.Refuses(t, Target, s, tc.want)
		})
	}
}
