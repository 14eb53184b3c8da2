package nginx

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/golden"
	"tchain.dev/tchain/emit/internal/sample"
)

func TestGolden(t *testing.T) {
	files, warnings := golden.Emit(t, Target, sample.Insurance())
	if warnings != nil {
		t.Errorf("warnings: %v", warnings)
	}
	if len(files) != 2 {
		t.Errorf("%d files, want 2", len(files))
	}
	for name, got := range files {
		path := filepath.Join("testdata", name)
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
			t.Errorf("%s (-want +got), TCHAIN_UPDATE=1 accepts it:\n%s", name, d)
		}
	}
}

func TestLocations(t *testing.T) {
	for _, tc := range []struct {
		path   string
		prefix bool
		want   string
	}{
		{"/p", false, "= /p"},
		{"/p/", true, "/p/"},
		{"/", true, "/"},
		{"/", false, "= /"},
		{"/p/", false, "= /p/"},
		{"/u/{id}", false, "~ ^/u/[^/]+$"},
		{"/u/{id}/pay", false, "~ ^/u/[^/]+/pay$"},
		{"/u/{id}/", true, "~ ^/u/[^/]+/"},
		{"/u/{id}/", false, "~ ^/u/[^/]+/$"},
		{"/f/{rest...}", true, "/f/"},
		{"/v1.0/{id}", false, `~ ^/v1\.0/[^/]+$`},
		{"/a%7Bb.c/{id}", false, `~ "^/a\\{b\\.c/[^/]+$"`},
		{"/a%20b", false, `= "/a b"`},
	} {
		c := collector{&emit.Collector{}}
		if got := readPath(&chain.Route{Pathname: tc.path, Prefix: tc.prefix}, &c).match(); got != tc.want || c.Refusals != nil {
			t.Errorf("%s: location %s, want %s; %v", tc.path, got, tc.want, c.Refusals)
		}
	}
}

func route(name string) *chain.Route { return sample.Named(sample.InsuranceRoute(), name) }

func stackOf(names ...string) *chain.Stack {
	s := &chain.Stack{Name: "shop", Dir: "shop"}
	for _, n := range names {
		s.Routes = append(s.Routes, route(n))
	}
	return s
}

func matches(text string) []string {
	var out []string
	for l := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(l, "location "); ok {
			out = append(out, strings.TrimSuffix(rest, " {\n"))
		}
	}
	return out
}

// NGINX takes the first regular expression before any prefix; ServeMux the most
// specific pattern. The order and form of the locations make the two the same.
func TestLocationsChooseAsServeMuxDoes(t *testing.T) {
	for _, tc := range []struct{ routes, want []string }{
		{[]string{"GET /{x}/c", "GET /a/{id}", "GET /a/b"}, []string{"= /a/b", "~ ^/a/[^/]+$", "~ ^/[^/]+/c$"}},
		{[]string{"GET /u/{id}", "GET /u/"}, []string{"/u/", "~ ^/u/[^/]+$"}},
		{[]string{"GET /{x}/", "GET /a/", "GET /b"}, []string{"= /b", "~ ^/a/", "~ ^/[^/]+/"}},
		{[]string{"GET /{x}/y", "GET /z/q/"}, []string{"/z/q/", "~ ^/[^/]+/y$"}},
	} {
		files, _ := golden.Emit(t, Target, stackOf(tc.routes...))
		if d := cmp.Diff(tc.want, matches(files["shop.server.conf"])); d != "" {
			t.Errorf("%v (-want +got):\n%s", tc.routes, d)
		}
	}
}

func TestCovers(t *testing.T) {
	at := func(path string) pattern {
		return readPath(route("GET "+path), &collector{&emit.Collector{}})
	}
	for _, tc := range []struct {
		wide, narrow string
		want         bool
	}{
		{"/", "/{$}", true}, {"/", "/a", true}, {"/a/", "/a", false}, {"/a/", "/a/{$}", true}, {"/a/", "/a/b/c", true}, {"/a/", "/b/c", false},
		{"/a/b", "/a/b", true}, {"/a/b", "/a/", false}, {"/a", "/a/{$}", false}, {"/a/b", "/a", false}, {"/{x}", "/a", true}, {"/a", "/{x}", false},
		{"/{x}/b", "/a/b", true}, {"/{x}/", "/a/{y}", true}, {"/{x}", "/a/", false}, {"/{x}", "/a/b", false},
	} {
		if got := at(tc.wide).covers(at(tc.narrow)); got != tc.want {
			t.Errorf("%s covers %s: %v", tc.wide, tc.narrow, got)
		}
	}
}

func TestWhatIsNotKnownNamesItsRoute(t *testing.T) {
	s := stackOf("GET /a", "GET /b")
	s.Routes[1].NotChecked = []chain.NotChecked{{Layer: "proxy", Setting: "proxy.nginx", Reason: `"/b/" may or may not hold for this route`}}
	_, warnings := golden.Emit(t, Target, s)
	if want := `proxy.nginx: not written for GET /b: "/b/" may or may not hold for this route`; !slices.Contains(warnings, want) {
		t.Errorf("no %q in %q", want, warnings)
	}
}

func TestHosts(t *testing.T) {
	files, _ := golden.Emit(t, Target, stackOf("GET api.x.io/f/", "GET /f/", "GET /g"))
	want := map[string][]string{"shop.api.x.io.server.conf": {"/f/", "= /g"}, "shop.server.conf": {"/f/", "= /g"}, "shop.upstream.conf": nil, "shop.proxy_params.conf": nil}
	got := map[string][]string{}
	for name, text := range files {
		got[name] = matches(text)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if text := files["shop.api.x.io.server.conf"]; !strings.Contains(text, "# include in server { server_name api.x.io; }") || !strings.Contains(text, "# GET api.x.io/f/:") || strings.Contains(text, "# GET /f/:") {
		t.Errorf("the host's own route does not win:\n%s", text)
	}
}

func TestKeepalive(t *testing.T) {
	s := sample.Insurance()
	n := sample.Node(s.Routes[0], "proxy")
	sample.Set(n, "upstream", "keepalive", "16")
	sample.Set(n, "server", "proxy_http_version", "1.1")
	sample.Set(n, "server.proxy_set_header", "Connection", "")
	files, warnings := golden.Emit(t, Target, s)
	server, upstream := files["insurance.server.conf"], files["insurance.upstream.conf"]
	for _, want := range []string{"proxy_set_header  Connection \"\";", "    proxy_http_version           1.1;"} {
		if !strings.Contains(server, want) {
			t.Errorf("no %q in\n%s", want, server)
		}
	}
	for _, want := range []string{"    keepalive          16;", "    keepalive_timeout  60s;", "    keepalive_time     1h;"} {
		if !strings.Contains(upstream, want) {
			t.Errorf("no %q in\n%s", want, upstream)
		}
	}
	if warnings != nil {
		t.Errorf("warnings = %v", warnings)
	}
}

func TestWhatKeepsNoConnectionIsWrittenAsItIs(t *testing.T) {
	s := sample.Insurance()
	sample.Set(sample.Node(s.Routes[0], "proxy"), "upstream", "keepalive", "16")
	files, _ := golden.Emit(t, Target, s)
	server := files["insurance.server.conf"]
	if strings.Contains(server, "proxy_set_header") || !strings.Contains(server, "proxy_http_version           1.0;") {
		t.Errorf("the stack keeps no connection, and this does:\n%s", server)
	}
}

func TestAReleaseThatKeepsConnectionsByItselfNeedsNoHeader(t *testing.T) {
	s := sample.Insurance()
	n := sample.Node(s.Routes[0], "proxy")
	n.Settings = slices.DeleteFunc(n.Settings, isHeader)
	n.Settings = append(n.Settings, chain.Setting{Block: "server.proxy_set_header", Origin: chain.Origin{Source: chain.Default, Name: "Connection"}})
	sample.Set(n, "upstream", "keepalive", "16")
	for product, needed := range map[string]bool{"nginx 1.30.4": false, "nginx": true} {
		n.Product = product
		files, _ := golden.Emit(t, Target, s)
		if got := strings.Contains(files["insurance.server.conf"], `proxy_set_header  Connection "";`); got != needed {
			t.Errorf("%s: the header is written: %v", product, got)
		}
	}
}

// headed is a stack of two routes with headers that differ.
func headed() *chain.Stack {
	s := stackOf("GET /a", "GET /b")
	for i, value := range []string{"", "close"} {
		n := sample.Node(s.Routes[i], "proxy")
		sample.Set(n, "upstream", "keepalive", "16")
		sample.Set(n, "server", "proxy_http_version", "1.1")
		sample.Set(n, "server.proxy_set_header", "Connection", value)
		sample.Set(n, "server.proxy_set_header", "X-Shop", `a "b" \ {c}`)
	}
	return s
}

func TestHeadersThatDifferStandInTheirLocations(t *testing.T) {
	files, _ := golden.Emit(t, Target, headed())
	for file, text := range files {
		if !strings.HasSuffix(file, ".server.conf") {
			continue
		}
		server, locations, _ := strings.Cut(text, "location ")
		if strings.Contains(server, "proxy_set_header") {
			t.Errorf("a header of one location stands in the server block:\n%s", server)
		}
		for _, want := range []string{`Connection "";`, "Connection close;", `X-Shop "a \"b\" \\ {c}";`} {
			if !strings.Contains(locations, want) {
				t.Errorf("no %s in\n%s", want, locations)
			}
		}
	}
}

func TestModern(t *testing.T) {
	for product, want := range map[string]bool{"nginx": false, "nginx 1.29.6": false, "nginx 1.29.7": true, "nginx 1.29": false, "nginx 1.30": true, "nginx 2.0": true, "nginx 1.28.10": false} {
		if got := modern(product); got != want {
			t.Errorf("modern(%s) = %v", product, got)
		}
	}
}

func TestServerLines(t *testing.T) {
	got := serverLines("a:80 max_fails=3 backup b:80 unix:/s.sock down", " max_fails=1 fail_timeout=10s")
	want := []string{"a:80 max_fails=3 backup fail_timeout=10s", "b:80 max_fails=1 fail_timeout=10s", "unix:/s.sock down max_fails=1 fail_timeout=10s"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestNative(t *testing.T) {
	for in, want := range map[string]string{"90s": "90s", "1h 30m": "1h30m", "75s 60s": "75s 60s", "60": "60", "75 60": "75 60"} {
		if got := native(chain.Setting{Value: in, Origin: chain.Origin{Name: "keepalive_timeout"}}); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestSameBytesEveryTime(t *testing.T) {
	first, _ := golden.Emit(t, Target, stackOf("GET /a", "GET x.io/b/", "GET /{id}"))
	for range 5 {
		again, _ := golden.Emit(t, Target, stackOf("GET /a", "GET x.io/b/", "GET /{id}"))
		if d := cmp.Diff(first, again); d != "" {
			t.Fatal(d)
		}
	}
}
