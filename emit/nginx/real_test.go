package nginx

import (
	"io"
	"net"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit/internal/golden"
	"tchain.dev/tchain/emit/internal/sample"
	"tchain.dev/tchain/internal/retake"
)

// program is the NGINX of the system. The proof is worth nothing without it, so
// that a missing one fails the test.
func program(t testing.TB) string {
	t.Helper()
	for _, p := range []string{"nginx", "/usr/sbin/nginx"} {
		if path, err := exec.LookPath(p); err == nil {
			return path
		}
	}
	t.Fatal("no nginx in PATH or /usr/sbin: run `make test`, which brings it")
	return ""
}

// opening is a WebSocket of which the stack says the lines that open it, beside a route
// that has them from the same block.
func opening() *chain.Stack {
	s := stackOf("GET /ws", "GET /other")
	s.Routes[0].Response.Mode = chain.WebSocket
	for _, r := range s.Routes {
		n := sample.Node(r, "proxy")
		sample.Set(n, "server", "proxy_http_version", "1.1")
		sample.Set(n, "server.proxy_set_header", "Connection", "$http_connection")
		sample.Set(n, "server.proxy_set_header", "Upgrade", "$http_upgrade")
	}
	return s
}

func TestTheLinesOfAWebSocketThatTheStackSaysAreWrittenOnce(t *testing.T) {
	files, warnings := golden.Emit(t, Target, opening())
	if len(warnings) > 0 {
		t.Error(warnings)
	}
	for file, text := range files {
		if !strings.HasSuffix(file, ".server.conf") {
			continue
		}
		server, _, _ := strings.Cut(text, "\nlocation ")
		for _, want := range []string{"set               $upgrade_header $http_upgrade;", "set               $connection_header $http_connection;"} {
			if !strings.Contains(server, want) {
				t.Errorf("no %s in\n%s", want, server)
			}
		}
		if n := strings.Count(text, "proxy_set_header  Upgrade"); n != 1 {
			t.Errorf("%d lines of Upgrade in\n%s", n, text)
		}
	}
}

func TestNginxAcceptsIt(t *testing.T) {
	bin := program(t)
	keep := sample.Insurance()
	sample.Set(sample.Node(keep.Routes[0], "proxy"), "upstream", "keepalive", "16")
	sample.Set(sample.Node(keep.Routes[0], "proxy"), "server", "proxy_http_version", "1.1")
	sample.Set(sample.Node(keep.Routes[0], "proxy"), "server.proxy_set_header", "Connection", "")
	socket := stackOf("GET /ws")
	socket.Routes[0].Response.Mode = chain.WebSocket
	opens := opening()
	unnamed := sample.Insurance()
	sample.Set(sample.Node(unnamed.Routes[0], "proxy"), "upstream", "server", "")
	for name, s := range map[string]*chain.Stack{
		"shared params": shop(), "insurance": sample.Insurance(), "keepalive": keep, "headers": headed(), "websocket": socket, "websocket with lines of its own": opens, "servers of an include": unnamed,
		"paths": stackOf("GET /", "GET /{$}", "GET /a.b/{id}", "GET /a%7Bb/{id}", "GET /a%20b", "GET /{x}/", "GET /p/", "POST /p/", "GET api.x.io/p/"),
	} {
		t.Run(name, func(t *testing.T) {
			site := install(t, s, 8080)
			out, err := exec.Command(bin, "-t", "-p", site.dir, "-c", site.conf).CombinedOutput()
			if err != nil || strings.Contains(string(out), "[warn]") {
				t.Errorf("nginx -t: %v\n%s", err, out)
			}
			directives(t, site.conf)
		})
	}
}

// A silent upstream gives NGINX's own 504 at proxy_read_timeout.
func TestSilentUpstream(t *testing.T) { retake.Test(t, silentUpstream) }

func silentUpstream(t testing.TB) {
	bin := program(t)
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	go func() {
		for {
			c, err := silent.Accept()
			if err != nil {
				return
			}
			defer c.Close()
		}
	}()
	s := stackOf("GET /x")
	n := sample.Node(s.Routes[0], "proxy")
	sample.Set(n, "server", "proxy_read_timeout", "2s")
	sample.Set(n, "upstream", "server", silent.Addr().String())
	port := freePort(t)
	site := install(t, s, port)
	addr := serve(t, bin, site, port)

	client := &http.Client{Timeout: 10 * time.Second}
	start := time.Now()
	resp, err := client.Get("http://" + addr + "/x")
	took := time.Since(start)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	io.Copy(io.Discard, resp.Body)
	if resp.StatusCode != 504 || took < 1700*time.Millisecond || took > 3*time.Second {
		t.Errorf("status %d after %v, want 504 after 2s", resp.StatusCode, took)
	}
}

// serve runs NGINX on a site until the test ends, and is the address of its port.
func serve(t testing.TB, bin string, site site, port int) string {
	t.Helper()
	cmd := exec.Command(bin, "-p", site.dir, "-c", site.conf)
	cmd.Stderr = t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	addr := "127.0.0.1:" + strconv.Itoa(port)
	awaitListener(t, addr)
	return addr
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func awaitListener(t testing.TB, addr string) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if c, err := net.Dial("tcp", addr); err == nil {
			c.Close()
			return
		}
	}
	t.Fatalf("nginx does not listen on %s", addr)
}
