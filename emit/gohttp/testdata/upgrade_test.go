package upstream

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"
	"time"
)

// The handshake has its own limit, and is not taken for a silent response.
func TestTLSStall(t *testing.T) {
	t.Parallel()
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	l := usual()
	l.TLS = 200 * ms
	start := time.Now()
	_, err = Client(l).Get("https://" + mute.Addr().String())
	if took := time.Since(start); err == nil || errors.Is(err, ErrHeader) || took < 180*ms || took > 800*ms {
		t.Errorf("%v after %v, want a handshake timeout after 200ms", err, took)
	}
}

// After a 101 the body is a connection: it can be written to, through a
// ReverseProxy too, and the call's limits hold on it.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	var left sync.WaitGroup
	echo := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		conn, buf, err := http.NewResponseController(rw).Hijack()
		if err != nil {
			return
		}
		left.Add(1)
		defer left.Done()
		defer conn.Close()
		fmt.Fprint(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
		io.Copy(conn, buf)
	}))
	defer echo.Close()
	dial := func(c *http.Client) io.ReadWriteCloser {
		req, _ := http.NewRequest("GET", echo.URL, nil)
		req.Header.Set("Connection", "Upgrade")
		req.Header.Set("Upgrade", "echo")
		resp, err := c.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		rw, ok := resp.Body.(io.ReadWriteCloser)
		if resp.StatusCode != 101 || !ok {
			t.Fatalf("status %d, body %T", resp.StatusCode, resp.Body)
		}
		return rw
	}
	talk := func(rw io.ReadWriter) {
		t.Helper()
		fmt.Fprintln(rw, "hello")
		if line, err := bufio.NewReader(rw).ReadString('\n'); line != "hello\n" {
			t.Errorf("echo: %q, %v", line, err)
		}
	}
	c := Client(usual())
	rw := dial(c)
	talk(rw)
	rw.Close()
	wantFree(t, c)

	for want, l := range map[error]Limits{
		ErrGap:     {Connect: time.Second, Gap: 200 * ms},
		ErrPerCall: {Connect: time.Second, PerCall: 200 * ms},
	} {
		c := Client(l)
		start := time.Now()
		rw := dial(c)
		talk(rw)
		_, err := rw.Read(make([]byte, 1))
		wantAt(t, "upgraded", err, want, time.Since(start), 200*ms)
		rw.Close()
		wantFree(t, c)
	}

	target, _ := url.Parse(echo.URL)
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }, Transport: Client(usual()).Transport})
	defer proxy.Close()
	conn, err := net.Dial("tcp", proxy.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
	in := bufio.NewReader(conn)
	if resp, err := http.ReadResponse(in, nil); err != nil || resp.StatusCode != 101 {
		t.Fatalf("through a ReverseProxy: %v, %v", resp, err)
	}
	talk(struct {
		io.Reader
		io.Writer
	}{in, conn})
	conn.Close()
	left.Wait()
}
