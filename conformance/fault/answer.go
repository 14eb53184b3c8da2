package fault

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// endless is the announced length of a body that never ends.
const endless = 1 << 40

// answer does to one request what the mode says, and reports whether the
// connection may carry another one.
func (c *conn) answer(mode Mode, req *http.Request) bool {
	switch mode {
	case OK, IdleRace:
		return c.write(req, http.StatusOK, "")
	case Slow:
		return c.slow(req)
	case Unavailable:
		return c.unavailable(req)
	case Reset:
		c.raw.SetLinger(0)
		c.raw.Close()
	case HangUp: // the connection is closed as of any last request
	case Silent, ProxySilent:
		<-c.gone()
	case Stall:
		c.stall()
	case Trickle:
		io.WriteString(c, c.head(http.StatusOK, "", endless))
		c.drip("", c.piece("a"))
	case HeaderDrip:
		c.drip("HTTP/1.1 200 OK\r\n"+Header+": ", "a")
	case Proxy, ProxyStall:
		c.tunnel(mode, req)
	}
	return false
}

func (c *conn) stall() {
	n := c.s.cfg.BodyBytes
	if n == 0 {
		n = 5
	}
	io.WriteString(c, c.head(http.StatusOK, "", endless)+c.piece(strings.Repeat("a", n)))
	<-c.gone()
}

// slow answers after the delay, unless the other side leaves before. A request
// that is already waiting behind this one does not shorten it.
func (c *conn) slow(req *http.Request) bool {
	until := time.Now().Add(c.s.cfg.delay())
	if !c.quiet(time.Until(until)) && c.in.Buffered() == 0 {
		c.s.abandoned()
		return false
	}
	select {
	case <-time.After(time.Until(until)):
		return c.write(req, http.StatusOK, "")
	case <-c.s.done:
		return false
	}
}

func (c *conn) unavailable(req *http.Request) bool {
	status := c.s.cfg.Status
	if status == 0 {
		status = http.StatusServiceUnavailable
	}
	extra := ""
	if c.s.cfg.RetryAfter != "" {
		extra = "Retry-After: " + c.s.cfg.RetryAfter + "\r\n"
	}
	return c.write(req, status, extra)
}

// write sends a short complete answer.
func (c *conn) write(req *http.Request, status int, extra string) bool {
	body := http.StatusText(status) + "\n"
	text := c.head(status, extra, len(body))
	if req.Method != http.MethodHead {
		text += body
	}
	if _, err := io.WriteString(c, text); err != nil {
		c.s.abandoned()
		return false
	}
	c.s.count(func(n *Counts) { n.Answered++ })
	return true
}

func (c *conn) head(status int, extra string, length int) string {
	size := fmt.Sprintf("Content-Length: %d", length)
	if length == endless && c.s.cfg.Chunked {
		size = "Transfer-Encoding: chunked"
	}
	return fmt.Sprintf("HTTP/1.1 %d %s\r\n%s: %s\r\n%sContent-Type: text/plain\r\n%s\r\n\r\n",
		status, http.StatusText(status), Header, c.s.cfg.Mode, extra, size)
}

// piece is a part of an endless body as it stands on the wire.
func (c *conn) piece(text string) string {
	if c.s.cfg.Chunked {
		return fmt.Sprintf("%x\r\n%s\r\n", len(text), text)
	}
	return text
}

// drip writes text byte by byte and then each, one of them per interval, until
// the other side leaves.
func (c *conn) drip(text, each string) {
	tick := time.NewTicker(c.s.cfg.interval())
	defer tick.Stop()
	gone := c.gone()
	for i := 0; ; i++ {
		b := each
		if i < len(text) {
			b = text[i : i+1]
		}
		if _, err := io.WriteString(c, b); err != nil {
			return
		}
		select {
		case <-tick.C:
		case <-gone:
			return
		}
	}
}
