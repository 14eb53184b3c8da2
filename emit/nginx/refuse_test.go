package nginx

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/golden"
	"tchain.dev/tchain/emit/internal/sample"
)

func TestTwoMethodsOnOnePath(t *testing.T) {
	s := stackOf("GET /x", "POST /x")
	files, warnings := golden.Emit(t, Target, s)
	if want := []string{"GET /x and POST /x meet in location = /x: what stands in it holds for both"}; !cmp.Equal(warnings, want) {
		t.Errorf("warnings = %q, want %q", warnings, want)
	}
	text := files["shop.server.conf"]
	if strings.Count(text, "location ") != 1 || !strings.Contains(text, "\nlocation = /x {") || !strings.Contains(text, "# GET /x: ") || !strings.Contains(text, "# POST /x: ") {
		t.Errorf("not one location naming both:\n%s", text)
	}
	sample.Set(sample.Node(s.Routes[1], "proxy"), "server", "proxy_read_timeout", "95s")
	_, _, err := Target.Emit(s, emit.Options{})
	want := "proxy.nginx.server.proxy_read_timeout: cannot be written by tchain emit nginx: GET /x and POST /x meet in location = /x, where proxy_read_timeout cannot be both 125s and 95s"
	if err == nil || err.Error() != want {
		t.Errorf("error = %v\n  want %s", err, want)
	}
	if files, _, err := Target.Emit(s, emit.Options{Routes: []string{"POST /x"}}); err != nil || len(files) != 2 {
		t.Errorf("narrowed to one route: %v", err)
	}
}

// NGINX chooses a location by the path alone: what a wider route is for by its method
// comes to the narrower one.
func TestAnotherMethodOfAWiderRoute(t *testing.T) {
	for _, tc := range []struct {
		narrow, want string
	}{
		{"POST /x/pay", "GET /x/ and POST /x/pay meet in location = /x/pay, which NGINX chooses by the path alone: there proxy_read_timeout is 300s for both, not 125s"},
		{"GET /x/pay", ""},
		{"POST /x", ""},
		{"POST /y/pay", ""},
	} {
		s := stackOf("GET /x/", tc.narrow)
		_, warnings := golden.Emit(t, Target, s)
		if warnings != nil {
			t.Errorf("%s, with the same values: %q", tc.narrow, warnings)
		}
		sample.Set(sample.Node(s.Routes[1], "proxy"), "server", "proxy_read_timeout", "300s")
		_, warnings = golden.Emit(t, Target, s)
		if got := strings.Join(warnings, "; "); got != tc.want {
			t.Errorf("%s: warnings %q, want %q", tc.narrow, got, tc.want)
		}
	}
}

func TestRouteOfItsOwn(t *testing.T) {
	s := stackOf("GET /x", "POST /up")
	sample.Set(sample.Node(s.Routes[1], "proxy"), "server", "client_body_timeout", "300s")
	n := sample.Node(s.Routes[1], "proxy")
	for i := range n.Settings {
		if n.Settings[i].Origin.Name == "client_body_timeout" {
			n.Settings[i].Block = "location"
		}
	}
	files, _ := golden.Emit(t, Target, s)
	text := files["shop.server.conf"]
	if !strings.Contains(text, "\nclient_body_timeout    60s;") || strings.Count(text, "    client_body_timeout        300s;") != 1 {
		t.Errorf("want 60s for the server and 300s for one location:\n%s", text)
	}
	sample.Set(n, "server", "client_header_timeout", "5s")
	if _, _, err := Target.Emit(s, emit.Options{}); err == nil || !strings.Contains(err.Error(), "client_header_timeout stands in server {}, and GET /x has 60s") {
		t.Errorf("error = %v", err)
	}
}

func TestRefusals(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(s *chain.Stack, n *chain.Node)
		want   string
	}{
		{"no nginx", func(s *chain.Stack, n *chain.Node) { n.Type = "haproxy" }, "no route of insurance crosses an NGINX layer"},
		{"grpc without settings", func(s *chain.Stack, n *chain.Node) { s.Routes[0].Protocol = "grpc" }, "grpc_read_timeout of proxy has no value that is known; name the other routes with --route to leave it out"},
		{"fastcgi", func(s *chain.Stack, n *chain.Node) { sample.Set(n, "server", "fastcgi_read_timeout", "9s") }, "proxy.nginx.server.fastcgi_read_timeout 9s: cannot be written by tchain emit nginx"},
		{"injected", func(s *chain.Stack, n *chain.Node) {
			s.Routes[0].NotChecked = []chain.NotChecked{{Layer: n.Layer, Setting: "proxy.nginx.server.proxy_read_timeout", Reason: "proxy_read_timeout is " + chain.WhyInjected, AtRunTime: "proxy_read_timeout"}}
		}, "proxy.nginx.server.proxy_read_timeout: cannot be written by tchain emit nginx: its value comes at run time"},
		{"a server that is none", func(s *chain.Stack, n *chain.Node) { sample.Set(n, "upstream", "server", "a:80;}") }, `is no server`},
		{"stack name", func(s *chain.Stack, n *chain.Node) { s.Name = "../x" }, "file name takes letters"},
		{"slash in a segment", func(s *chain.Stack, n *chain.Node) { s.Routes[0].Pathname = "/a%2Fb" }, "no single segment"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := sample.Insurance()
			tc.change(s, sample.Node(s.Routes[0], "proxy"))
			golden.Refuses(t, Target, s, tc.want)
		})
	}
}

// An NGINX behind an app: the route's path is not the path of the app's own calls.
func TestBehindAnApp(t *testing.T) {
	s := sample.Insurance()
	r := s.Routes[0]
	inner := *sample.Node(r, "proxy")
	inner.Layer = "sidecar"
	auth := sample.Node(r, "auth")
	toAuth := *inner.Calls()[0]
	toAuth.To = auth
	inner.Steps = []chain.Step{{Calls: []*chain.Call{&toAuth}}}
	sample.Node(r, "api").Calls()[0].To = &inner
	files, _ := golden.Emit(t, Target, s)
	if len(files) != 4 {
		t.Errorf("%d files, want 4", len(files))
	}
	if got := matches(files["insurance.sidecar.server.conf"]); !cmp.Equal(got, []string{"/"}) {
		t.Errorf("locations of the sidecar: %v", got)
	}
	if got := matches(files["insurance.proxy.server.conf"]); !cmp.Equal(got, []string{"= /v1/affiliation/health-insurance"}) {
		t.Errorf("locations of the proxy: %v", got)
	}
}
