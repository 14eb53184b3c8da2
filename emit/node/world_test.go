package node

import (
	"bufio"
	"net"
	"net/http"
	"testing"
	"time"
)

// serve accepts connections and sends text to each request, whole; then, if there
// is one, drip over and over. With no text it only accepts. It returns its address.
func serve(t *testing.T, text string, drip ...string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { c.Close() })
			if text != "" {
				go answer(c, text, drip)
			}
		}
	}()
	return l.Addr().String()
}

func answer(c net.Conn, text string, drip []string) {
	in := bufio.NewReader(c)
	for {
		req, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		if _, err := in.Discard(int(req.ContentLength)); err != nil {
			return
		}
		if _, err := c.Write([]byte(text)); err != nil {
			return
		}
		for len(drip) > 0 {
			time.Sleep(100 * time.Millisecond)
			if _, err := c.Write([]byte(drip[0])); err != nil {
				return
			}
		}
	}
}
