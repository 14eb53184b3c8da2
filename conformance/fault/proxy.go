package fault

import (
	"io"
	"net"
	"net/http"
	"time"
)

// tunnel answers a CONNECT and carries bytes both ways until one side ends.
func (c *conn) tunnel(mode Mode, req *http.Request) {
	if req.Method != http.MethodConnect {
		c.write(req, http.StatusMethodNotAllowed, "")
		return
	}
	target := c.s.cfg.Target
	if target == "" {
		target = req.Host
	}
	if !onLoopback(target) {
		c.write(req, http.StatusForbidden, "")
		return
	}
	if mode == ProxyStall {
		io.WriteString(c, established)
		<-c.gone()
		return
	}
	far, err := net.DialTimeout("tcp", target, 5*time.Second)
	if err != nil {
		c.write(req, http.StatusBadGateway, "")
		return
	}
	if !c.s.keep(far) {
		return
	}
	defer c.s.drop(far)
	io.WriteString(c, established)
	c.s.count(func(n *Counts) { n.Answered++ })
	c.s.group.Go(func() {
		io.Copy(far, c.in)
		far.Close()
	})
	io.Copy(c, far)
}

const established = "HTTP/1.1 200 Connection established\r\n\r\n"

func onLoopback(target string) bool {
	host, _, err := net.SplitHostPort(target)
	if err != nil {
		return false
	}
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}
