package gohttp

import (
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// warnings says what holds among the values and a reader of one line misses.
func (cl *client) warnings(c *collector) {
	u := cl.uses[0]
	connect, _ := u.call.Limit(chain.Connect)
	tls := time.Duration(0)
	if l, ok := u.call.Limit(chain.TLSHandshake); ok && u.call.TLS && l.Bound != chain.Never {
		tls = l.Bound
	}
	header, _ := u.header()
	quiet := &collector{}
	perCall, _ := u.perCall(quiet)
	if perCall.Origin.Source == "" || perCall.Bound == chain.Never {
		if !u.node.Deadline.Total.Declared() {
			c.Warn("", cl.varName+": nothing bounds a whole call but the deadline of the caller's context, if it has one")
		}
		return
	}
	if connect.Bound > perCall.Bound && connect.Bound != chain.Never && !connect.Kernel {
		c.Refuse(emit.Refuse(target, connect.Origin, "a call ends at %s and its dialling would go on to %s", chain.Format(perCall.Bound), chain.Format(connect.Bound)))
	}
	switch headerSet := header.Origin.Source != "" && header.Bound != chain.Never; {
	case headerSet && header.Bound >= perCall.Bound:
		c.Warn(header.Origin.Setting, cl.varName+": Header "+chain.Format(header.Bound)+" is never first, PerCall "+chain.Format(perCall.Bound)+" is: a silent response is ErrPerCall")
	case headerSet && chain.Add(chain.Add(connect.Bound, tls), header.Bound) > perCall.Bound:
		c.Warn(perCall.Origin.Setting, cl.varName+": Connect, TLS and Header come to "+chain.Format(chain.Add(chain.Add(connect.Bound, tls), header.Bound))+", PerCall is "+chain.Format(perCall.Bound))
	}
	if n := u.call.Addresses; n > 1 && !u.call.OneByOne && max(2*time.Second, connect.Bound/time.Duration(n)) >= min(connect.Bound, perCall.Bound) {
		c.Warn(connect.Origin.Setting, cl.varName+": Go gives each of the addresses of "+u.call.To.Layer+" at least 2s of Connect "+chain.Format(connect.Bound)+": it may not come to the second one")
	}
}
