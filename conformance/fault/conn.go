package fault

import (
	"bufio"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// conn is one accepted connection; Conn is raw, or TLS over it.
type conn struct {
	net.Conn
	s   *Server
	raw *net.TCPConn
	in  *bufio.Reader
}

func (s *Server) serve(raw *net.TCPConn) {
	if s.cfg.Mode == TLSStall {
		<-s.done
		return
	}
	c := &conn{Conn: raw, s: s, raw: raw}
	if s.tls != nil {
		c.Conn = tls.Server(raw, s.tls)
	}
	c.in = bufio.NewReader(c.Conn)
	for first := true; ; first = false {
		if !first && s.cfg.Mode == IdleRace && c.closesIdle() {
			return
		}
		req, err := http.ReadRequest(c.in)
		if err != nil {
			return
		}
		mode := s.begin()
		if strings.EqualFold(req.Header.Get("Expect"), "100-continue") {
			io.WriteString(c, "HTTP/1.1 100 Continue\r\n\r\n")
		}
		if req.Method != http.MethodConnect {
			if _, err := io.Copy(io.Discard, req.Body); err != nil {
				s.abandoned()
				return
			}
		}
		if !c.answer(mode, req) || req.Close {
			return
		}
	}
}

// begin counts a request and says how it is to be treated.
func (s *Server) begin() Mode {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts.Requests++
	if s.cfg.Times > 0 && s.counts.Requests > s.cfg.Times {
		return OK
	}
	return s.cfg.Mode
}

// closesIdle waits for the next request of an idle race, and reports whether the
// connection is to be closed instead of answering it. Only one byte is taken
// from the socket: what stays unread makes the kernel answer the request with
// RST, as it does when a close and a request cross.
func (c *conn) closesIdle() bool {
	if c.in.Buffered() > 0 {
		return false
	}
	if c.s.cfg.DelayMS > 0 {
		return c.quiet(c.s.cfg.delay())
	}
	if n, _ := c.Read(make([]byte, 1)); n == 1 {
		c.s.begin()
	}
	return true
}

// quiet waits until something comes from the other side, its leaving included;
// true if nothing did for d.
func (c *conn) quiet(d time.Duration) bool {
	c.SetReadDeadline(time.Now().Add(d))
	defer c.SetReadDeadline(time.Time{})
	_, err := c.in.Peek(1)
	return errors.Is(err, os.ErrDeadlineExceeded)
}

// gone is closed when the other side has left, or the server is closed.
func (c *conn) gone() <-chan struct{} {
	gone := make(chan struct{})
	c.s.group.Go(func() {
		defer close(gone)
		io.Copy(io.Discard, c.in)
		c.s.abandoned()
	})
	return gone
}

// abandoned counts an answer that is not complete, unless Close was its end.
func (s *Server) abandoned() {
	select {
	case <-s.done:
	default:
		s.count(func(n *Counts) { n.Abandoned++ })
	}
}
