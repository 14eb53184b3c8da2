package fault

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

// begun starts a server that the test ends.
func begun(t testing.TB, c Config) *Server {
	t.Helper()
	s, err := Start(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// sent is a connection over which one request was sent, with a reader for what
// comes back; reads end after 5 s.
func sent(t testing.TB, s *Server, method string) (net.Conn, *bufio.Reader) {
	t.Helper()
	c, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(5 * time.Second))
	again(t, c, method)
	return c, bufio.NewReader(c)
}

func again(t testing.TB, c net.Conn, method string) {
	t.Helper()
	if _, err := io.WriteString(c, method+" / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
}

func status(t testing.TB, in *bufio.Reader) (int, http.Header) {
	t.Helper()
	resp, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, resp.Header
}

// trusting is the client side of the server's certificate.
func trusting(s *Server) *tls.Config {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(s.CertificatePEM())
	return &tls.Config{RootCAs: roots}
}

// eventually waits for at most 5 s until the server has counted want.
func eventually(t testing.TB, s *Server, want Counts) {
	t.Helper()
	for range 500 {
		if s.Counts() == want {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("counts are %+v, want %+v", s.Counts(), want)
}

// hears reads for d and returns what came.
func hears(c net.Conn, in io.Reader, d time.Duration) string {
	c.SetReadDeadline(time.Now().Add(d))
	b, _ := io.ReadAll(in)
	return string(b)
}
