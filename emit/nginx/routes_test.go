package nginx

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit/internal/sample"
)

var where = regexp.MustCompile(`(?m)^# (\S+ \S+): .*\n(?:# .*\n)*location (.*) \{\n(    proxy_pass .*\n)`)

// answering has every location of a site answer with the route that it was written
// for, in place of passing the request on.
func answering(t testing.TB, s site) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(s.dir, "*.server.conf"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text = where.ReplaceAllFunc(text, func(all []byte) []byte {
			part := where.FindSubmatch(all)
			return fmt.Appendf(nil, "location %s {\n    return 200 %q;\n%s", part[2], plain(string(part[1])), part[3])
		})
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// plain is a route without a dollar sign, which begins a variable in nginx.conf.
func plain(route string) string { return strings.ReplaceAll(route, "$", "") }

// A real NGINX sends each request to the location of the route that Go's ServeMux
// chooses among the same patterns, whose rules a stack's routes have: by host, exact
// path, everything below a path, and parameters.
func TestNginxChoosesAsServeMuxDoes(t *testing.T) {
	for _, routes := range [][]string{{
		"GET /", "GET /exact", "GET /below/", "GET /below/it", "GET /u/{id}", "GET /u/{id}/pay", "GET /u/me", "GET /u/{id}/files/",
		"GET /top/{$}", "GET /rest/{path...}", "GET /v1.0/{id}", "GET /{x}", "GET api.x.io/exact", "GET api.x.io/only/{id}", "GET api.x.io/below/",
	}, {
		// A host comes before a path, however specific that is.
		"GET /below/", "GET api.x.io/{x}/tail", "GET /u/{id}/pay", "GET /exact", "GET api.x.io/{x}",
	}, {
		"GET /{x}/files/", "GET api.x.io/a/", "GET /u/me", "GET api.x.io/u/",
	}} {
		chosen(t, routes)
	}
}

func chosen(t testing.TB, routes []string) {
	t.Helper()
	mux := http.NewServeMux()
	for _, r := range routes {
		mux.HandleFunc(r, func(http.ResponseWriter, *http.Request) {})
	}
	port := freePort(t)
	site := install(t, stackOf(routes...), port)
	answering(t, site)
	addr := serve(t, program(t), site, port)
	asked := map[string]bool{}
	for _, host := range []string{"api.x.io", "other.io"} {
		for _, path := range []string{
			"/", "/none", "/exact", "/exact/", "/exactly", "/below/", "/below/it", "/below/it/too", "/u/7", "/u/me", "/u/7/pay", "/u/me/pay", "/u/7/files/", "/u/7/files/a",
			"/u/7/other", "/top/", "/top/x", "/rest/a/b", "/v1.0/3", "/v1x0/3", "/some", "/below", "/some/tail", "/below/tail", "/a/files/x", "/b/files/x", "/a/b", "/only/1", "/only/1/2", "/%65xact", "/u/a%20b",
		} {
			req, err := http.NewRequest("GET", "http://"+addr+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Host = host
			_, want := mux.Handler(req)
			if got := ask(t, addr, host, path); got != plain(want) {
				t.Errorf("%s%s: NGINX chose %q, ServeMux %q", host, path, got, want)
			}
			asked[want] = true
		}
	}
	for _, r := range routes {
		if !asked[r] {
			t.Errorf("no request was for %s", r)
		}
	}
}

// ask is the answer to a request, through the slash that NGINX, as ServeMux, adds to
// a path below which all is one route; "" if nobody answers it.
func ask(t testing.TB, addr, host, path string) string {
	t.Helper()
	req, err := http.NewRequest("GET", "http://"+addr+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = host
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	to, _ := resp.Location()
	switch {
	case err != nil:
		t.Fatal(err)
	case resp.StatusCode == 404:
		return ""
	case to != nil && to.Path == path+"/":
		return ask(t, addr, host, to.Path)
	}
	return string(text)
}

// A WebSocket is upgraded through NGINX; a request to the same location that asks for
// none has the Connection header of every other one. Both have the team's own headers
// of server {}, and no other location is upgraded.
func TestWebSocketThroughNginx(t *testing.T) {
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") == "" {
			fmt.Fprintf(w, "Connection %q over %s with %q", r.Header["Connection"], r.Proto, r.Header["X-Team"])
			return
		}
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: %s\r\nUpgrade: %s\r\nX-Team: %s\r\n\r\nhello", r.Header.Get("Connection"), r.Header.Get("Upgrade"), r.Header.Get("X-Team"))
	}))
	defer upstream.Close()
	for connection, want := range map[string]string{"close": `Connection ["close"] over HTTP/1.%d with ["own"]`, "": `Connection [] over HTTP/1.%d with ["own"]`} {
		s := stackOf("GET /ws", "GET /other")
		s.Routes[0].Response.Mode = chain.WebSocket
		for _, r := range s.Routes {
			sample.Set(sample.Node(r, "proxy"), "upstream", "server", upstream.Listener.Addr().String())
			sample.Set(sample.Node(r, "proxy"), "server.proxy_set_header", "Connection", connection)
		}
		port := freePort(t)
		site := install(t, s, port)
		conf, err := os.ReadFile(site.conf)
		if err != nil {
			t.Fatal(err)
		}
		own := strings.Replace(string(conf), "server_name _;", "server_name _;\n        proxy_set_header X-Team own;", 1)
		if err := os.WriteFile(site.conf, []byte(own), 0o666); err != nil {
			t.Fatal(err)
		}
		addr := serve(t, program(t), site, port)

		for _, asks := range []struct {
			path, upgrade string
			minor         int // NGINX's own 1.0 where the stack says nothing
		}{{"/ws", "", 1}, {"/other", "", 0}, {"/other", "websocket", 0}} {
			req, err := http.NewRequest("GET", "http://"+addr+asks.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			if asks.upgrade != "" {
				req.Header.Set("Connection", "Upgrade")
				req.Header.Set("Upgrade", asks.upgrade)
			}
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			if want := fmt.Sprintf(want, asks.minor); string(got) != want {
				t.Errorf("Connection %q: %+v has %s, want %s", connection, asks, got, want)
			}
		}
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conn.SetDeadline(time.Now().Add(5 * time.Second))
		fmt.Fprint(conn, "GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		in := bufio.NewReader(conn)
		up, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		hello := make([]byte, 5)
		io.ReadFull(in, hello)
		if up.StatusCode != 101 || !strings.EqualFold(up.Header.Get("Connection"), "upgrade") || up.Header.Get("X-Team") != "own" || string(hello) != "hello" {
			t.Errorf("Connection %q: %s with Connection %q, then %q", connection, up.Status, up.Header.Get("Connection"), hello)
		}
	}
}
