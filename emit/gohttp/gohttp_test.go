package gohttp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/golden"
	"tchain.dev/tchain/emit/internal/sample"
)

func TestGolden(t *testing.T) {
	files, warnings := golden.Emit(t, Target, sample.Insurance())
	own := mechanismFiles("", mechanismPackage)
	if len(files) != 1+len(own) {
		t.Errorf("%d files, want the values and those of the mechanism", len(files))
	}
	for _, f := range own {
		if text, err := os.ReadFile("internal/upstream/" + f.Name); err != nil || files[f.Name] != string(text) {
			t.Errorf("%s is not written as it is: %v", f.Name, err)
		}
	}
	path, got := filepath.Join("testdata", "insurance.api_limits.go.golden"), files["api_limits.go"]
	if os.Getenv("TCHAIN_UPDATE") == "1" {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("-want +got, TCHAIN_UPDATE=1 accepts it:\n%s", d)
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], "AuthLimits: Header 90s is never first, PerCall 90s is") {
		t.Errorf("warnings = %q", warnings)
	}
}

func TestRetriesGolden(t *testing.T) {
	s := sample.Insurance()
	golden.EveryRetry(s)
	files, warnings := golden.Emit(t, Target, s)
	golden.Compare(t, "testdata/retries", map[string]string{"api_limits.go": files["api_limits.go"]})
	if len(warnings) != 1 {
		t.Errorf("warnings = %q", warnings)
	}
}

func TestMechanismIsSmall(t *testing.T) {
	for _, f := range mechanismFiles("", mechanismPackage) {
		if n := strings.Count(string(f.Content), "\n"); n > 180 {
			t.Errorf("%s has %d lines", f.Name, n)
		}
		if strings.Contains(string(f.Content), "tchain.dev/") {
			t.Errorf("%s imports the project", f.Name)
		}
	}
}

func TestPackageName(t *testing.T) {
	files, _ := golden.EmitWith(t, Target, sample.Insurance(), emit.Options{Package: "out"})
	for name, text := range files {
		if !strings.Contains(text, "\npackage out\n") || strings.Contains(text, "package upstream") || strings.Contains(text, `"upstream: `) {
			t.Errorf("%s is not package out", name)
		}
	}
	if _, _, err := Target.Emit(sample.Insurance(), emit.Options{Package: "func"}); err == nil {
		t.Error("func is taken for a package name")
	}
}

func TestNames(t *testing.T) {
	for in, want := range map[string]string{"auth": "Auth", "risk-engine": "RiskEngine", "3ds": "X3ds", "price_v2": "PriceV2", "AUTH": "AUTH", "-": "X"} {
		if got := exported(in); got != want {
			t.Errorf("exported(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestExpr(t *testing.T) {
	for d, want := range map[time.Duration]string{90 * time.Second: "90 * time.Second", 1500 * time.Millisecond: "1500 * time.Millisecond",
		250 * time.Microsecond: "250 * time.Microsecond", 7: "7 * time.Nanosecond"} {
		if got := expr(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}

// authCall is the call of the insurance stack's app.
func authCall(s *chain.Stack) *chain.Call { return sample.Node(s.Routes[0], "api").Calls()[0] }

func limitOf(c *chain.Call, k chain.Kind) *chain.Limit {
	for i := range c.Layers[0].Limits {
		if l := &c.Layers[0].Limits[i]; l.Kind == k {
			return l
		}
	}
	panic(k)
}

func without(c *chain.Call, k chain.Kind) {
	var kept []chain.Limit
	for _, l := range c.Layers[0].Limits {
		if l.Kind != k {
			kept = append(kept, l)
		}
	}
	c.Layers[0].Limits = kept
}

func TestRefusals(t *testing.T) {
	origin := chain.Origin{Source: chain.Written, Setting: "api.app.clients.auth.x", Text: "5s"}
	for _, tc := range []struct {
		name   string
		change func(s *chain.Stack, c *chain.Call)
		want   string
	}{
		{"no client", func(s *chain.Stack, c *chain.Call) { c.Client = "" }, "no app of insurance has a client, or a server of Go's"},
		{"no connect", func(s *chain.Stack, c *chain.Call) { without(c, chain.Connect) }, "api to auth: cannot be written by tchain emit go: connecting has no limit"},
		{"a connect that only the kernel ends", func(s *chain.Stack, c *chain.Call) {
			l := limitOf(c, chain.Connect)
			l.Kernel, l.Origin.Source = true, chain.Fixed
		}, "api to auth: cannot be written by tchain emit go: connecting has no limit"},
		{"no handshake", func(s *chain.Stack, c *chain.Call) { limitOf(c, chain.TLSHandshake).Bound = chain.Never }, "tlsConfig.handshakeTimeout api to auth: cannot be written by tchain emit go: the TLS handshake has no limit"},
		{"at once", func(s *chain.Stack, c *chain.Call) { limitOf(c, chain.PoolWait).Bound = 0 }, "connectionRequestTimeout 1s: cannot be written by tchain emit go: it ends at once"},
		{"kept for ever", func(s *chain.Stack, c *chain.Call) { c.Idle[0].Bound = chain.Never }, "connectionKeepAlive 30s: cannot be written by tchain emit go: a connection that is kept for ever"},
		{"kept as long as the callee", func(s *chain.Stack, c *chain.Call) { c.Idle[0].Bound = 60 * time.Second }, "auth closes at 60s"},
		{"retries in two layers", func(s *chain.Stack, c *chain.Call) {
			c.Layers[0].Retry.Attempts.N, c.Layers[0].Retry.On = 3, []chain.Cond{chain.CondTimeout}
			c.Layers = append(c.Layers, chain.ClientLayer{Retry: c.Layers[0].Retry})
		}, "client auth repeats in two layers, and the Go client in one"},
		{"a limit without a place", func(s *chain.Stack, c *chain.Call) {
			c.Layers[0].Limits = append(c.Layers[0].Limits, chain.Limit{Kind: chain.DNS, Bound: 5 * time.Second, Origin: origin})
		}, "api.app.clients.auth.x 5s: cannot be written by tchain emit go: the Go client has nothing for dns"},
		{"upkeep without a place", func(s *chain.Stack, c *chain.Call) {
			c.Upkeep = append(c.Upkeep, chain.Limit{Kind: chain.MaxLifetime, Bound: 5 * time.Second, Origin: origin})
		}, "the Go client has nothing for max-lifetime"},
		{"two bounds", func(s *chain.Stack, c *chain.Call) { c.Pool.Shared, c.Pool.PerHost.N = []string{"risk"}, 30 }, "auth, risk have 30 each and 50 together"},
		{"routes that differ", func(s *chain.Stack, c *chain.Call) {
			other := sample.InsuranceRoute()
			other.Name = "GET /x"
			s.Routes = append(s.Routes, other)
			limitOf(sample.Node(other, "api").Calls()[0], chain.ResponseReadGap).Bound = time.Second
		}, "GET /v1/affiliation/health-insurance and GET /x share client auth, which has one Gap: 90s and 1s"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := sample.Insurance()
			tc.change(s, authCall(s))
			golden.Refuses(t, Target, s, tc.want)
		})
	}
}
