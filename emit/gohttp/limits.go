package gohttp

import (
	"slices"
	"strconv"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// limits are the fields of one call, in the order of Limits.
func (cl *client) limits(u use, c *collector) []field {
	var out []field
	add := func(name string, l chain.Limit, note string) {
		if l.Bound == chain.Never || l.Origin.Source == "" {
			return
		}
		if l.Bound <= 0 {
			c.Refuse(emit.Refuse(target, l.Origin, "it ends at once, and a zero in %s is no limit", name))
			return
		}
		out = append(out, field{name, expr(l.Bound), l.Origin, note})
	}
	if cl.pool.N > 0 {
		out = append(out, field{"PoolSize", strconv.Itoa(cl.pool.N), cl.pool.Origin, ""})
		wait, _ := u.call.Limit(chain.PoolWait)
		add("PoolWait", wait, "")
	}
	connect, tls := u.connect(c)
	add("Connect", connect, connectNote(connect))
	add("TLS", tls, tlsNote(tls))
	header, note := u.header()
	add("Header", header, note)
	gap, _ := u.call.Limit(chain.ResponseReadGap)
	add("Gap", gap, "")
	perCall, note := u.perCall(c)
	add("PerCall", perCall, note)
	if r := u.node.Deadline.Reserve; r.Declared() && r.D > 0 {
		out = append(out, field{"Reserve", expr(r.D), r.Origin, ""})
	}
	idle, note := u.idle(c)
	add("Idle", idle, note)
	for _, l := range u.call.Upkeep {
		if l.Kind == chain.PingInterval {
			add("Ping", l, "")
		}
	}
	out = append(out, u.attempts(c))
	u.rest(c)
	return out
}

// connect are the limits of dialling and of the handshake. Dialling goes on when
// its call has left, so that neither may be without.
func (u use) connect(c *collector) (connect, tls chain.Limit) {
	connect, _ = u.call.Limit(chain.Connect)
	where := u.node.Layer + " to " + u.call.To.Layer
	if connect.Origin.Source == "" || connect.Bound == chain.Never || connect.Kernel {
		c.Refuse(&emit.Refusal{Target: target, Setting: connect.Origin.Setting, Value: where, Why: "connecting has no limit, and in Go it goes on behind the call that has left"})
	}
	if !u.call.TLS {
		return connect, tls
	}
	tls, _ = u.call.Limit(chain.TLSHandshake)
	switch known := tls.Origin.Source != "" && tls.Bound != chain.Never; {
	case !known && connect.Covers(chain.AtSecured):
		tls = connect
		c.Warn(connect.Origin.Setting, "it bounds connecting and handshake together; in Go each may take "+chain.Format(connect.Bound))
	case !known:
		c.Refuse(&emit.Refusal{Target: target, Setting: tls.Origin.Setting, Value: where, Why: "the TLS handshake has no limit, and in Go it goes on behind the call that has left"})
	}
	return connect, tls
}

func connectNote(l chain.Limit) string {
	if l.Start > chain.AtLease || l.Per == chain.PerAddress {
		return "; here DNS and all addresses together"
	}
	return ""
}

func tlsNote(l chain.Limit) string {
	switch {
	case l.Kind == chain.Connect:
		return "; here timed apart from Connect"
	case l.Per == chain.PerRead || l.Reset == chain.ResetRead:
		return "; here the whole handshake"
	}
	return ""
}

// header is the limit of the wait for a response; Go knows the whole header only.
func (u use) header() (chain.Limit, string) {
	whole, ok := u.call.Limit(chain.ResponseHeader)
	first, ok2 := u.call.Limit(chain.ResponseFirstByte)
	if ok2 && (!ok || first.Bound < whole.Bound) {
		return first, "; here the whole header"
	}
	return whole, ""
}

// perCall is the smallest limit of the whole call.
func (u use) perCall(c *collector) (chain.Limit, string) {
	var out chain.Limit
	note := ""
	take := func(l chain.Limit, n string) {
		if l.Origin.Source != "" && (out.Origin.Source == "" || l.Bound < out.Bound) {
			out, note = l, n
		}
	}
	if d := u.node.Deadline; d.PerCall.Declared() {
		n := ": pool wait to last byte"
		if !d.Enforced {
			n += ", and enforced here"
			c.Warn(d.PerCall.Origin.Setting, "nothing enforces it in "+u.node.Layer+"; the Go client does")
		}
		take(chain.Limit{Bound: d.PerCall.D, Origin: d.PerCall.Origin}, n)
	}
	for _, k := range []chain.Kind{chain.AttemptDeadline, chain.TotalDeadline} {
		l, _ := u.call.Limit(k)
		n := ""
		if l.Start != chain.AtCall || l.End != chain.AtBodyEnd {
			n = "; here pool wait to last byte"
		}
		take(l, n)
	}
	return out, note
}

// idle is how long a connection is kept for reuse; none if it is not.
func (u use) idle(c *collector) (chain.Limit, string) {
	if len(u.call.Idle) == 0 {
		return chain.Limit{}, ""
	}
	l := u.call.Idle[0]
	if l.Bound == chain.Never {
		c.Refuse(emit.Refuse(target, l.Origin, "a connection that is kept for ever meets one that %s has closed; it needs an end", u.call.To.Layer))
		return l, ""
	}
	other := chain.Never
	if s, ok := u.call.To.ServeLimit(chain.IdleKeepalive); ok {
		other = s.Bound
	}
	if a := u.call.To.Announces; a.Declared() {
		other = min(other, a.D)
	}
	switch {
	case other == chain.Never:
		return l, ""
	case l.Bound >= other:
		c.Refuse(emit.Refuse(target, l.Origin, "%s closes at %s, and the Go client would still use the connection", u.call.To.Layer, chain.Format(other)))
	case other-l.Bound < time.Second:
		c.Warn(l.Origin.Setting, u.call.To.Layer+" closes at "+chain.Format(other)+", less than 1s after the Go client stops using a connection")
	}
	return l, "; " + u.call.To.Layer + " closes at " + chain.Format(other)
}

// attempts is one; more is refused until the mechanism can repeat.
func (u use) attempts(c *collector) field {
	out := field{name: "Attempts", value: "1"}
	for _, layer := range u.call.Layers {
		if layer.Retry == nil {
			continue
		}
		out.origin = layer.Retry.Attempts.Origin
		if out.origin.Source == "" {
			out.origin = layer.Retry.Origin
		}
		if n := chain.MaxAttempts(layer.Retry, u.call); n > 1 {
			c.Refuse(emit.Refuse(target, out.origin, "client %s makes %d attempts, and the Go client does not repeat yet", u.call.Client, n))
		}
	}
	return out
}

// written are the kinds that Limits has a field for, or that Go needs none for.
var written = []chain.Kind{chain.PoolWait, chain.Connect, chain.TLSHandshake, chain.ResponseHeader, chain.ResponseFirstByte,
	chain.ResponseReadGap, chain.AttemptDeadline, chain.TotalDeadline, chain.PingInterval, chain.IdleKeepalive,
	chain.StaleCheck, chain.Evict, chain.RetryInterval, chain.RetryWindow, chain.RetryCount, chain.RetryConditions,
	chain.PoolSizePerHost, chain.PoolSizeTotal}

// rest refuses what nothing in Go stands for, or warns where nobody wrote it.
func (u use) rest(c *collector) {
	lost := func(o chain.Origin, what string) {
		if o.Source == chain.Written || o.Source == chain.Injected {
			c.Refuse(emit.Refuse(target, o, "the Go client has nothing for %s", what))
		} else if o.Source != "" {
			c.Warn(o.Setting, "the Go client has nothing for "+what+", which "+u.call.Product+" has by default")
		}
	}
	for _, l := range append(u.call.Limits(), u.call.Upkeep...) {
		if l.Bound != chain.Never && !slices.Contains(written, l.Kind) {
			lost(l.Origin, string(l.Kind))
		}
	}
	if e := u.call.Eject; e != nil && e.Fails > 0 {
		lost(e.Origin, string(chain.Eject))
	}
	if p := u.call.Pool; p != nil && p.Idle.Declared() && p.Idle.N != p.InForce().N && p.Idle.Origin.Source == chain.Written {
		lost(p.Idle.Origin, "an idle pool of another size than the pool")
	}
	if u.call.Tunnel {
		c.Warn("", u.node.Layer+" reaches "+u.call.To.Layer+" through a proxy: the Go client takes it from HTTPS_PROXY")
	}
}
