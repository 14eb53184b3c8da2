package envoy

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit/internal/golden"
	"tchain.dev/tchain/emit/internal/sample"
)

func route(name string) *chain.Route { return sample.Named(sample.FrontedRoute(), name) }

// shop has routes of every form, on two hosts and to two clusters, one of them with
// nothing that is tried again.
func shop() *chain.Stack {
	s := &chain.Stack{Name: "shop", Dir: "shop"}
	for _, n := range []string{"/", "GET /u/{id}", "POST /u/", "GET /u/me", "GET x.io/f/{rest...}", "x.io/{$}"} {
		s.Routes = append(s.Routes, route(n))
	}
	sample.Set(sample.Node(s.Routes[0], "proxy"), "route", "timeout", "5s")
	sample.Set(sample.Node(s.Routes[1], "proxy"), "route.retry_policy", "retry_on", "")
	sample.Node(s.Routes[4], "api").Layer = "files"
	s.Routes[3].Response.Mode = chain.WebSocket
	return s
}

// inside has the Envoy behind an app, for its calls.
func inside() *chain.Stack {
	s := sample.Fronted()
	r := s.Routes[0]
	proxy, api := sample.Node(r, "proxy"), sample.Node(r, "api")
	between := *proxy
	between.Layer = "egress"
	call := *proxy.Calls()[0]
	call.To = sample.Node(r, "auth")
	between.Steps = []chain.Step{{Calls: []*chain.Call{&call}}}
	api.Calls()[0].To = &between
	proxy.Type = "nginx"
	return s
}

var golds = []struct {
	name, routes, clusters string // what Envoy's types find
	stack                  *chain.Stack
	warnings               []string
}{
	{"fronted", "proxy all 1\n", "api\n", sample.Fronted(), nil},
	{"inside", "egress all 1\n", "auth\n", inside(), nil},
	{"shop", "proxy all 4\nproxy x.io 6\n", "api\nfiles\n", shop(), []string{
		"proxy.envoy.route.retry_policy.per_try_timeout: 62.5s is not written: without retry_on nothing is tried again",
		"proxy.envoy.route.retry_policy.retriable_status_codes: 502 503 is not written: without retry_on nothing is tried again"}},
}

func TestGolden(t *testing.T) {
	for _, tc := range golds {
		files, warnings := golden.Emit(t, Target, tc.stack)
		golden.Compare(t, "testdata/"+tc.name, files)
		if !slices.Equal(warnings, tc.warnings) {
			t.Errorf("%s: warnings %q", tc.name, warnings)
		}
	}
}

// Envoy answers a request for an upgrade with 403 unless its route, or the listener,
// knows the upgrade. ServeMux takes HEAD for GET.
func TestUpgradesAndHEAD(t *testing.T) {
	files, _ := golden.Emit(t, Target, shop())
	text := files["shop.routes.envoy.yaml"]
	_, ws, _ := strings.Cut(text, "# GET /u/me:")
	ws, _, _ = strings.Cut(ws, "\n          # ")
	if !strings.Contains(ws, "upgrade_configs: [{upgrade_type: websocket}]") || strings.Count(text, "upgrade_configs") != 2 {
		t.Errorf("GET /u/me is no WebSocket:\n%s", text)
	}
	if !strings.Contains(ws, `string_match: {safe_regex: {regex: "GET|HEAD"}}`) || !strings.Contains(text, "string_match: {exact: POST}") {
		t.Errorf("GET is not for HEAD, too:\n%s", text)
	}
}

// ServeMux takes a host before a path: api.io/ has all of its requests, however near
// the path of a route of no host comes. A port in the Host header is none of its own.
func TestAHostComesBeforeAPath(t *testing.T) {
	s := &chain.Stack{Name: "shop", Dir: "shop", Routes: []*chain.Route{route("GET /price/{id}"), route("api.io/")}}
	files, _ := golden.Emit(t, Target, s)
	_, own, found := strings.Cut(files["shop.routes.envoy.yaml"], `domains: ["api.io", "api.io:*"]`)
	first, second := strings.Index(own, "# api.io/:"), strings.Index(own, "# GET /price/{id}:")
	if !found || first < 0 || second < first {
		t.Errorf("want api.io/ before GET /price/{id}:\n%s", own)
	}
}

// Envoy's own types read every file, know every field of it, and take every value.
func TestEnvoyReadsIt(t *testing.T) {
	check := filepath.Join(t.TempDir(), "check")
	if out, err := exec.Command("go", "build", "-C", "testdata/check", "-o", check, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	read := func(kind, text string) (string, error) {
		cmd := exec.Command(check, kind)
		cmd.Stdin = strings.NewReader(text)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, tc := range golds {
		files, _ := golden.Emit(t, Target, tc.stack)
		for kind, want := range map[string]string{"routes": tc.routes, "listener": "", "cluster": tc.clusters} {
			for name, text := range files {
				if !strings.Contains(name, "."+kind) {
					continue
				}
				if out, err := read(kind, text); err != nil || out != want {
					t.Errorf("%s: %v\n%s\nwant %s", name, err, out, want)
				}
			}
		}
	}
	files, _ := golden.Emit(t, Target, sample.Fronted())
	for _, wrong := range []*strings.Replacer{strings.NewReplacer("per_try_timeout", "per_try_time_out"), strings.NewReplacer("0.025s", "0s"), strings.NewReplacer("125s", "125")} {
		if out, err := read("routes", wrong.Replace(files["insurance.routes.envoy.yaml"])); err == nil {
			t.Errorf("a field or a value that Envoy does not take is taken:\n%s", out)
		}
	}
}

func TestTheCommandLineIsSaid(t *testing.T) {
	s := sample.Fronted()
	n := sample.Node(s.Routes[0], "proxy")
	n.Settings[0].Origin.Source, n.Settings[0].Value = chain.Written, "30"
	_, warnings := golden.Emit(t, Target, s)
	if d := cmp.Diff([]string{"proxy.envoy.drain-time-s: it stands on Envoy's command line, not in a resource: --drain-time-s 30"}, warnings); d != "" {
		t.Errorf("warnings (-want +got):\n%s", d)
	}
}

func TestRefusals(t *testing.T) {
	set := func(block, name, text string) func(*chain.Stack) {
		return func(s *chain.Stack) { sample.Set(sample.Node(s.Routes[0], "proxy"), block, name, text) }
	}
	second := func(block, name, text string) func(*chain.Stack) {
		return func(s *chain.Stack) {
			r := route("GET /x")
			sample.Set(sample.Node(r, "proxy"), block, name, text)
			s.Routes = append(s.Routes, r)
		}
	}
	for _, tc := range []struct {
		name   string
		change func(*chain.Stack)
		want   string
	}{
		{"no envoy", func(s *chain.Stack) { sample.Node(s.Routes[0], "proxy").Type = "istio" }, "no route of insurance crosses an Envoy"},
		{"a duration in minutes", set("route", "timeout", "2m"), "proxy.envoy.route.timeout 2m: cannot be written by tchain emit envoy: a duration is in seconds"},
		{"ten decimals", set("route", "timeout", "1.0123456789s"), "with at most nine decimals"},
		{"a part of a millisecond", set("cluster", "connect_timeout", "0.0015s"), "proxy.envoy.cluster.api.connect_timeout 0.0015s: cannot be written by tchain emit envoy: Envoy's timers count in steps of 1ms, and it would be 1ms there"},
		{"no whole number", set("cluster.circuit_breakers", "max_connections", "-1"), "it is a whole number up to 4294967295"},
		{"no condition", set("route.retry_policy", "retry_on", "a\"b"), "is no condition"},
		{"no status", set("route.retry_policy", "retriable_status_codes", "5xx"), `"5xx" is no status`},
		{"given at run time", func(s *chain.Stack) {
			s.Routes[0].NotChecked = []chain.NotChecked{{Layer: "proxy", Setting: "proxy.envoy.route.timeout", Reason: "timeout is " + chain.WhyInjected, AtRunTime: "timeout"}}
		}, "its value comes at run time"},
		{"two values of one cluster", second("cluster", "connect_timeout", "9s"), "they share the cluster api, and its values differ"},
		{"two values of one listener", second("http_connection_manager", "stream_idle_timeout", "9s"), "they share the listener of proxy, and its values differ"},
		{"two routes in one rule", func(s *chain.Stack) {
			r := sample.FrontedRoute()
			r.Name = "again"
			sample.Set(sample.Node(r, "proxy"), "route", "timeout", "1s")
			s.Routes = append(s.Routes, r)
		}, "they match the same requests, and their values differ"},
	} {
		s := sample.Fronted()
		tc.change(s)
		t.Run(tc.name, func(t *testing.T) { golden.Refuses(t, Target, s, tc.want) })
	}
}

func TestADomainHasOneStar(t *testing.T) {
	s := &chain.Stack{Name: "shop", Routes: []*chain.Route{route("GET *.x.io/")}}
	files, warnings := golden.Emit(t, Target, s)
	text := files["shop.routes.envoy.yaml"]
	if !strings.Contains(text, "domains: [\"*.x.io\"]\n") || len(warnings) != 1 || !strings.Contains(warnings[0], "a Host with a port matches no domain like *.x.io") {
		t.Errorf("%q\n%s", warnings, text)
	}
}
