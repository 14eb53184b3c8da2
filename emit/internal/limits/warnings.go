package limits

import (
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// Warn says what holds among the values, called name, and a reader of one line
// misses.
func (cl *Client) Warn(name string, c *emit.Collector) {
	u := cl.Uses[0]
	connect, _ := u.Call.Limit(chain.Connect)
	tls := time.Duration(0)
	if l, ok := u.Call.Limit(chain.TLSHandshake); ok && u.Call.TLS && l.Bound != chain.Never {
		tls = l.Bound
	}
	header, _ := u.Header()
	quiet := &emit.Collector{}
	perCall, _ := u.perCall(quiet)
	if perCall.Origin.Source == "" || perCall.Bound == chain.Never {
		if !u.Node.Deadline.Total.Declared() {
			c.Warn("", name+": nothing bounds a whole call but the deadline of the caller's context, if it has one")
		}
		return
	}
	if u.d.DialGoesOn && connect.Bound > perCall.Bound && connect.Bound != chain.Never && !connect.Kernel {
		c.Warn(connect.Origin.Setting, name+": a call ends at "+chain.Format(perCall.Bound)+" and its dialling goes on behind it, up to Connect "+chain.Format(connect.Bound)+
			": "+u.d.Name+" keeps the connection for a later call; write a shorter limit for connecting to end it")
	}
	switch headerSet := header.Origin.Source != "" && header.Bound != chain.Never; {
	case headerSet && header.Bound >= perCall.Bound:
		c.Warn(header.Origin.Setting, name+": Header "+chain.Format(header.Bound)+" is never first, PerCall "+chain.Format(perCall.Bound)+" is: a silent response is "+u.d.PerCall)
	case headerSet && chain.Add(chain.Add(connect.Bound, tls), header.Bound) > perCall.Bound:
		c.Warn(perCall.Origin.Setting, name+": Connect, TLS and Header come to "+chain.Format(chain.Add(chain.Add(connect.Bound, tls), header.Bound))+", PerCall is "+chain.Format(perCall.Bound))
	}
	if n := u.Call.Addresses; u.d.SharesConnect && n > 1 && !u.Call.OneByOne && max(2*time.Second, connect.Bound/time.Duration(n)) >= min(connect.Bound, perCall.Bound) {
		c.Warn(connect.Origin.Setting, name+": "+u.d.Name+" gives each of the addresses of "+u.Call.To.Layer+" at least 2s of Connect "+chain.Format(connect.Bound)+": it may not come to the second one")
	}
}
