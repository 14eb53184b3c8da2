package fault

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/url"
	"testing"
	"time"
)

// connect asks the proxy for a tunnel to target.
func connect(t *testing.T, s *Server, target string) (net.Conn, *bufio.Reader) {
	t.Helper()
	c, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(5 * time.Second))
	io.WriteString(c, "CONNECT "+target+" HTTP/1.1\r\nHost: "+target+"\r\n\r\n")
	return c, bufio.NewReader(c)
}

func TestProxyCarriesATunnel(t *testing.T) {
	t.Parallel()
	origin := begun(t, Config{Mode: OK, TLS: true})
	proxy := begun(t, Config{Mode: Proxy})
	transport := &http.Transport{
		Proxy:             http.ProxyURL(&url.URL{Scheme: "http", Host: proxy.Addr()}),
		DisableKeepAlives: true,
	}
	transport.TLSClientConfig = trusting(origin)
	resp, err := (&http.Client{Transport: transport}).Get("https://" + origin.Addr())
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 200 || proxy.Counts().Requests != 1 {
		t.Errorf("answered %d, the proxy saw %+v", resp.StatusCode, proxy.Counts())
	}
}

func TestProxyLeadsToItsTargetAndNotOffLoopback(t *testing.T) {
	t.Parallel()
	origin := begun(t, Config{Mode: OK})
	proxy := begun(t, Config{Mode: Proxy, Target: origin.Addr()})
	c, in := connect(t, proxy, "auth.example:443")
	if line, _ := in.ReadString('\n'); line != "HTTP/1.1 200 Connection established\r\n" {
		t.Fatalf("CONNECT is answered %q", line)
	}
	in.ReadString('\n')
	again(t, c, "GET")
	if got, _ := status(t, in); got != 200 {
		t.Errorf("the tunnel is answered %d", got)
	}
	_, in = connect(t, begun(t, Config{Mode: Proxy}), "203.0.113.1:443")
	if got, _ := status(t, in); got != 403 {
		t.Errorf("a target off loopback is answered %d", got)
	}
}

func TestProxyCanStallBeforeAndInTheTunnel(t *testing.T) {
	t.Parallel()
	c, in := connect(t, begun(t, Config{Mode: ProxySilent}), "127.0.0.1:1")
	if got := hears(c, in, 300*time.Millisecond); got != "" {
		t.Errorf("CONNECT is answered %q", got)
	}
	c, in = connect(t, begun(t, Config{Mode: ProxyStall}), "127.0.0.1:1")
	io.WriteString(c, "hello")
	if got := hears(c, in, 300*time.Millisecond); got != established {
		t.Errorf("the tunnel carries %q", got)
	}
}
