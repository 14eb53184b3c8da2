package nginx

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit/internal/golden"
	"tchain.dev/tchain/emit/internal/sample"
)

// three routes to one upstream: one waits longer, one is a WebSocket.
func shop() *chain.Stack {
	s := stackOf("GET /x", "POST /slow", "GET /ws")
	sample.Set(sample.Node(s.Routes[1], "proxy"), "server", "proxy_read_timeout", "300s")
	s.Routes[2].Response.Mode = chain.WebSocket
	return s
}

// What all locations have in common is written once and included, and each shows
// what is its own.
func TestLocationsInclude(t *testing.T) {
	files, warnings := golden.Emit(t, Target, shop())
	if len(warnings) != 1 || !strings.Contains(warnings[0], "HTTP/1.1 towards api is needed for a WebSocket: proxy_http_version 1.1 is written") {
		t.Errorf("warnings = %q", warnings)
	}
	golden.Compare(t, "testdata/shop", files)
}

// An include changes no location: NGINX has the same directives in it as without.
func TestAnIncludeChangesNothing(t *testing.T) {
	s := shop()
	got := directives(t, install(t, s, 8080).conf)
	for i, r := range s.Routes {
		alone := *s
		alone.Routes = s.Routes[i : i+1]
		for key, want := range directives(t, install(t, &alone, 8080).conf) {
			if in, _, _ := strings.Cut(key, " | "); in == "location = "+r.Pathname && !cmp.Equal(got[key], want) {
				t.Errorf("%s: %q with an include, %q without", key, got[key], want)
			}
		}
	}
	if n := len(got["location = /slow | proxy_connect_timeout"]); n != 1 {
		t.Errorf("the include has %d proxy_connect_timeout", n)
	}
}

func TestWhoIncludes(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(s *chain.Stack)
		want   []string
	}{
		{"one location", func(s *chain.Stack) { s.Routes = s.Routes[:1] }, nil},
		{"two methods in one location", func(s *chain.Stack) { s.Routes = []*chain.Route{route("GET /x"), route("PUT /x")} }, nil},
		{"one path on two hosts", func(s *chain.Stack) { s.Routes = []*chain.Route{route("GET a.io/x"), route("GET b.io/x")} }, []string{"shop.proxy_params.conf"}},
		{"a grpc route beside one that is not", func(s *chain.Stack) {
			grpc(s.Routes[0])
			s.Routes = s.Routes[:2]
		}, nil},
		{"two grpc routes", func(s *chain.Stack) {
			grpc(s.Routes[0])
			grpc(s.Routes[1])
			s.Routes = s.Routes[:2]
		}, []string{"shop.grpc_params.conf"}},
		{"nothing in common", func(s *chain.Stack) {
			s.Routes = s.Routes[:2]
			for _, set := range slices.Clone(sample.Node(s.Routes[0], "proxy").Settings) {
				if strings.HasPrefix(set.Origin.Name, "proxy_") && strings.HasSuffix(set.Origin.Name, "_timeout") {
					sample.Set(sample.Node(s.Routes[0], "proxy"), "server", set.Origin.Name, "7s")
				}
				if strings.HasPrefix(set.Origin.Name, "proxy_next_upstream") {
					sample.Set(sample.Node(s.Routes[0], "proxy"), "server", set.Origin.Name, "9")
				}
			}
		}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := shop()
			tc.change(s)
			files, _ := golden.Emit(t, Target, s)
			var got []string
			for name := range files {
				if strings.HasSuffix(name, "params.conf") {
					got = append(got, name)
				}
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

// grpc makes a route one of gRPC, with the timers that it has as a proxy's.
func grpc(r *chain.Route) {
	r.Protocol = "grpc"
	n := sample.Node(r, "proxy")
	for _, set := range slices.Clone(n.Settings) {
		if rest, ok := strings.CutPrefix(set.Origin.Name, "proxy_"); ok {
			set.Origin.Name = "grpc_" + rest
			set.Origin.Source = chain.Default
			n.Settings = append(n.Settings, set)
		}
	}
	n.Settings = slices.DeleteFunc(n.Settings, func(s chain.Setting) bool { return strings.HasPrefix(s.Origin.Name, "proxy_") })
}

// The tries' comment and the line above the location reckon alike: a POST that was sent
// is not tried again.
func TestTriesEndWhereTheLayerEnds(t *testing.T) {
	for name, want := range map[string]string{"GET /x": "768s", "POST /x": "143s"} {
		s := stackOf(name)
		n := sample.Node(s.Routes[0], "proxy")
		sample.Set(n, "server", "proxy_next_upstream_tries", "0")
		n.Calls()[0].Layers[0].Retry.Attempts.N = 0
		files, _ := golden.Emit(t, Target, s)
		text := files["shop.server.conf"]
		if !strings.Contains(text, "this layer at "+want) || !strings.Contains(text, ": 6 servers, "+want+" in all\n") {
			t.Errorf("%s: no %s in\n%s", name, want, text)
		}
	}
}
