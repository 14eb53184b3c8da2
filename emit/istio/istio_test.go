package istio

import (
	"os/exec"
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

func route(name string) *chain.Route { return sample.Named(sample.MeshedRoute(), name) }

func stackOf(names ...string) *chain.Stack {
	s := &chain.Stack{Name: "shop", Dir: "shop"}
	for _, n := range names {
		s.Routes = append(s.Routes, route(n))
	}
	return s
}

// shop has routes of every form, on two hosts and to two callees.
func shop() *chain.Stack {
	s := stackOf("GET /u/{id}", "/", "GET /u/me", "POST /u/", "/u/", "GET /u/{id}/pay", "GET api.x.io/f/{rest...}")
	sample.Set(sample.Node(s.Routes[0], "proxy"), "virtualService.http", "timeout", "300ms")
	sample.Set(sample.Node(s.Routes[2], "proxy"), "virtualService.http.retries", "attempts", "0")
	sample.Node(s.Routes[6], "api").Layer = "files"
	sample.Set(sample.Node(s.Routes[6], "proxy"), "destinationRule.trafficPolicy.connectionPool.http", "maxRequestsPerConnection", "1")
	return s
}

// inside has the Istio beside an app, for its calls.
func inside() *chain.Stack {
	s := sample.Meshed()
	r := s.Routes[0]
	proxy, api := sample.Node(r, "proxy"), sample.Node(r, "api")
	toAPI := *proxy.Calls()[0]
	side := *proxy
	side.Layer = "sidecar"
	toAuth := toAPI
	toAuth.To = sample.Node(r, "auth")
	side.Steps = []chain.Step{{Calls: []*chain.Call{&toAuth}}}
	api.Calls()[0].To = &side
	proxy.Type = "nginx"
	return s
}

const bound = "VirtualService proxy is bound to a Gateway named proxy, which is yours to have"

func TestGolden(t *testing.T) {
	for _, tc := range []struct {
		name     string
		stack    *chain.Stack
		warnings []string
	}{
		{"meshed", sample.Meshed(), []string{bound}},
		{"shop", shop(), []string{bound, "VirtualService proxy-api.x.io is bound to a Gateway named proxy, which is yours to have"}},
		{"inside", inside(), nil},
	} {
		files, warnings := golden.Emit(t, Target, tc.stack)
		golden.Compare(t, "testdata/"+tc.name, files)
		if d := cmp.Diff(tc.warnings, warnings); d != "" {
			t.Errorf("%s: warnings (-want +got):\n%s", tc.name, d)
		}
	}
}

// Istio's own types read every resource, and know every field of it.
func TestIstioReadsIt(t *testing.T) {
	check := filepath.Join(t.TempDir(), "check")
	if out, err := exec.Command("go", "build", "-C", "testdata/check", "-o", check, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	read := func(s *chain.Stack, name string, change *strings.Replacer) (string, error) {
		files, _ := golden.Emit(t, Target, s)
		cmd := exec.Command(check)
		cmd.Stdin = strings.NewReader(change.Replace(files[name]))
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, tc := range []struct {
		stack      *chain.Stack
		name, want string
	}{
		{sample.Meshed(), "insurance.istio.yaml", "VirtualService proxy\nDestinationRule proxy-api\n"},
		{shop(), "shop.istio.yaml", "VirtualService proxy\nVirtualService proxy-api.x.io\nDestinationRule proxy-api\nDestinationRule proxy-files\n"},
		{inside(), "insurance.istio.yaml", "VirtualService sidecar-auth\nDestinationRule sidecar-auth\n"},
	} {
		if out, err := read(tc.stack, tc.name, strings.NewReplacer()); err != nil || out != tc.want {
			t.Errorf("%v\n%s\nwant %s", err, out, tc.want)
		}
	}
	if out, err := read(sample.Meshed(), "insurance.istio.yaml", strings.NewReplacer("perTryTimeout", "perTryTimeOut")); err == nil {
		t.Errorf("a field that there is not is taken:\n%s", out)
	}
}

// A host with a VirtualService of its own has the routes of no host in it, too, but
// for those that it takes over.
func TestAHostKeepsTheRoutesOfNoHost(t *testing.T) {
	files, _ := golden.Emit(t, Target, stackOf("GET /a", "GET /b", "GET x.io/b"))
	_, own, _ := strings.Cut(files["shop.istio.yaml"], "name: proxy-x.io")
	own, _, _ = strings.Cut(own, "---")
	if strings.Count(own, "- match:") != 2 || !strings.Contains(own, "# GET /a:") || !strings.Contains(own, "# GET x.io/b:") {
		t.Errorf("want GET /a and its own GET /b:\n%s", own)
	}
}

// ServeMux takes a host before a path.
func TestAHostComesBeforeAPath(t *testing.T) {
	files, _ := golden.Emit(t, Target, stackOf("GET /price/{id}", "api.io/"))
	_, own, _ := strings.Cut(files["shop.istio.yaml"], "name: proxy-api.io")
	first, second := strings.Index(own, "# api.io/:"), strings.Index(own, "# GET /price/{id}:")
	if first < 0 || second < first {
		t.Errorf("want api.io/ before GET /price/{id}:\n%s", own)
	}
}

// Istio takes the first rule that matches; ServeMux the most specific one.
func TestRulesChooseAsServeMuxDoes(t *testing.T) {
	var c emit.Collector
	var hops []emit.Hop
	for _, l := range emit.Layers(stackOf("/", "GET /u/{id}", "/u/", "GET /u/me", "POST /u/", "/u/{id}/", "/{$}", "/u/{id}/pay").Routes, emit.OfType("istio")) {
		hops = append(hops, l.Hops...)
	}
	var got []string
	for _, r := range rules(hops, &c) {
		got = append(got, strings.TrimSpace(r.Method+" "+match(r.Pattern)))
	}
	want := []string{`GET exact: "/u/me"`, `exact: "/"`, `regex: "/u/[^/]+/pay"`, `GET regex: "/u/[^/]+"`, `regex: "/u/[^/]+/.*"`, `POST prefix: "/u/"`, `prefix: "/u/"`, `prefix: "/"`}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestSeconds(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0s", 90 * time.Second: "90s", 25 * time.Millisecond: "0.025s", 62500 * time.Millisecond: "62.5s", time.Nanosecond: "0.000000001s"} {
		if got := inSeconds(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}

// Istio's webhook takes no duration below 1ms: what has no limit is left out.
func TestNoLimitIsLeftOut(t *testing.T) {
	s := sample.Meshed()
	n := sample.Node(s.Routes[0], "proxy")
	sample.Set(n, "virtualService.http", "timeout", "0s")
	sample.Set(n, "virtualService.http.retries", "perTryTimeout", "0ms")
	text := onlyFile(t, s)
	for _, want := range []string{"      # timeout: none, proxy.istio.virtualService.http.timeout; Istio takes no 0s\n", "        # perTryTimeout: none, "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	if strings.Contains(text, " timeout: 0s") || strings.Contains(text, "\n        perTryTimeout:") {
		t.Errorf("a zero is written:\n%s", text)
	}
}

// Istio drops the 503 of its default where a retryOn is written.
func TestTheDefaultRetryOnKeepsItsStatus(t *testing.T) {
	s := sample.Meshed()
	n := sample.Node(s.Routes[0], "proxy")
	for written, want := range map[bool]string{true: `"reset,retriable-status-codes"`, false: `"reset,retriable-status-codes,503"`} {
		sample.Set(n, "virtualService.http.retries", "retryOn", "reset,retriable-status-codes")
		for i := range n.Settings {
			if set := &n.Settings[i]; set.Origin.Name == "retryOn" && !written {
				set.Origin.Source = chain.Default
			}
		}
		if text := onlyFile(t, s); !strings.Contains(text, "retryOn: "+want+" #") {
			t.Errorf("written %v: no %s in:\n%s", written, want, text)
		}
	}
}

func onlyFile(t *testing.T, s *chain.Stack) string {
	t.Helper()
	files, _ := golden.Emit(t, Target, s)
	return files["insurance.istio.yaml"]
}

func TestMeshConfigIsSaid(t *testing.T) {
	s := sample.Meshed()
	sample.Set(sample.Node(s.Routes[0], "proxy"), "meshConfig", "connectTimeout", "3s")
	_, warnings := golden.Emit(t, Target, s)
	if len(warnings) != 2 || warnings[0] != "proxy.istio.meshConfig.connectTimeout: it stands in MeshConfig, not in a resource: write it there yourself" {
		t.Errorf("warnings = %q", warnings)
	}
}

func TestRefusals(t *testing.T) {
	set := func(block, name, text string) func(*chain.Stack, *chain.Node) {
		return func(_ *chain.Stack, n *chain.Node) { sample.Set(n, block, name, text) }
	}
	for _, tc := range []struct {
		name   string
		change func(s *chain.Stack, n *chain.Node)
		want   string
	}{
		{"no istio", func(_ *chain.Stack, n *chain.Node) { n.Type = "envoy" }, "no route of insurance crosses an Istio"},
		{"no duration", set("virtualService.http", "timeout", "10"), "proxy.istio.virtualService.http.timeout 10: cannot be written by tchain emit istio: it is no duration"},
		{"less than Istio takes", set("virtualService.http", "timeout", "0.5ms"), "Istio takes whole milliseconds, from 1ms on"},
		{"a part of a millisecond", set("virtualService.http.retries", "perTryTimeout", "1.5ms"), "Istio takes whole milliseconds, from 1ms on"},
		{"no wait at all", set("virtualService.http.retries", "backoff", "0s"), "Istio takes whole milliseconds, from 1ms on"},
		{"no whole number", set("destinationRule.trafficPolicy.connectionPool.tcp", "maxConnections", "4.5"), "it is a whole number up to 2147483647"},
		{"a connect that Istio does not take", func(_ *chain.Stack, n *chain.Node) { n.Calls()[0].Layers[0].Limits[2].Bound = time.Microsecond }, "connecting takes 1ms at least"},
		{"no connect", func(_ *chain.Stack, n *chain.Node) { n.Calls()[0].Layers = nil }, "proxy to api: cannot be written by tchain emit istio: connecting has no limit that is known here"},
		{"given at run time", func(s *chain.Stack, _ *chain.Node) {
			s.Routes[0].NotChecked = []chain.NotChecked{{Layer: "proxy", Setting: "proxy.istio.virtualService.http.timeout", Reason: "timeout is " + chain.WhyInjected, AtRunTime: "timeout"}}
		}, "proxy.istio.virtualService.http.timeout: cannot be written by tchain emit istio: its value comes at run time"},
		{"a name that Kubernetes does not take", func(s *chain.Stack, n *chain.Node) { n.Calls()[0].To.Layer = "My_API" }, "My_API: cannot be written by tchain emit istio: a name in Kubernetes takes lower-case letters"},
		{"two routes in one rule", func(s *chain.Stack, _ *chain.Node) {
			r := sample.MeshedRoute()
			r.Name = "again"
			sample.Set(sample.Node(r, "proxy"), "virtualService.http", "timeout", "1s")
			s.Routes = append(s.Routes, r)
		}, "GET /v1/affiliation/health-insurance and again: cannot be written by tchain emit istio: they match the same requests"},
		{"two values of one destination", func(s *chain.Stack, _ *chain.Node) {
			r := route("GET /x")
			sample.Set(sample.Node(r, "proxy"), "destinationRule.trafficPolicy.connectionPool.http", "idleTimeout", "9s")
			s.Routes = append(s.Routes, r)
		}, "they share the DestinationRule of api, and its values differ"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := sample.Meshed()
			tc.change(s, sample.Node(s.Routes[0], "proxy"))
			golden.Refuses(t, Target, s, tc.want)
		})
	}
}
