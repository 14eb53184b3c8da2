package limits

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// limits are the fields of one call, in the order in which they are written.
func (cl *Client) limits(u Use, c *emit.Collector) []Field {
	var out []Field
	add := func(name string, l chain.Limit, note string) {
		if l.Bound == chain.Never || l.Origin.Source == "" {
			return
		}
		if l.Bound <= 0 {
			c.Refuse(emit.Refuse(u.d.Target, l.Origin, "it ends at once, and a zero in %s is no limit", name))
			return
		}
		u.d.Check(l, c)
		out = append(out, Field{Name: name, D: l.Bound, Origin: l.Origin, Note: note})
	}
	if cl.Pool.N > 0 {
		out = append(out, Field{Name: "PoolSize", N: cl.Pool.N, Count: true, Origin: cl.Pool.Origin})
		wait, _ := u.Call.Limit(chain.PoolWait)
		add("PoolWait", wait, "")
	}
	connect, tls := u.Connect(c)
	add("Connect", connect, u.d.connectNote(connect))
	add("TLS", tls, tlsNote(tls))
	header, note := u.Header()
	add("Header", header, note)
	if u.d.has(chain.WriteGap) {
		write, _ := u.Call.Limit(chain.WriteGap)
		add("WriteGap", write, "")
	}
	gap, _ := u.Call.Limit(chain.ResponseReadGap)
	add("Gap", gap, "")
	perCall, note := u.perCall(c)
	add("PerCall", perCall, note)
	attempt, note := u.perAttempt()
	add("PerAttempt", attempt, note)
	if r := u.Node.Deadline.Reserve; r.Declared() && r.D > 0 {
		add("Reserve", chain.Limit{Bound: r.D, Origin: r.Origin}, "")
	}
	idle, note := u.Idle(c)
	add("Idle", idle, note)
	for _, l := range u.Call.Upkeep {
		if l.Kind == chain.PingInterval && u.d.has(l.Kind) {
			add("Ping", l, "")
		}
	}
	attempts := u.attempts(c)
	if s, ok := cl.setting(u, u.d.Repeats); ok && s.Value == "0" && attempts[0].Origin.Source == "" {
		attempts[0].Origin = s.Origin // no policy of the call is left of it
	}
	out = append(out, attempts...)
	if size, smaller := u.idleSize(); u.d.KeepsIdle && smaller {
		out = append(out, Field{Name: "IdlePerHost", N: size.N, Count: true, Origin: size.Origin})
	}
	out = append(out, cl.own(u, c)...)
	u.Rest(c)
	cl.lost(u, out, c)
	return out
}

// Connect are the limits of dialling and of the handshake. Where dialling goes on
// when its call has left, neither may be without.
func (u Use) Connect(c *emit.Collector) (connect, tls chain.Limit) {
	connect, _ = u.Call.Limit(chain.Connect)
	where := u.Node.Layer + " to " + u.Call.To.Layer
	for _, l := range u.Call.Limits() { // that of the kernel is in force wherever it runs
		if connect.Kernel && l.Kind == chain.Connect && !l.Kernel && l.Ends() {
			connect = l
		}
	}
	if connect.Kernel && connect.Origin.Source == chain.Fixed {
		connect.Bound = chain.Never
	}
	if u.d.DialGoesOn && (connect.Origin.Source == "" || connect.Bound == chain.Never) {
		c.Refuse(&emit.Refusal{Target: u.d.Target, Setting: connect.Origin.Setting, Value: where, Why: "connecting has no limit, and in " + u.d.Name + " it goes on behind the call that has left"})
	}
	tls, _ = u.Call.Limit(chain.TLSHandshake)
	switch {
	case u.Call.TLS:
	case tls.Origin.Said() && tls.Bound > 0: // for the day on which the callee has TLS
		return connect, tls
	default:
		return connect, chain.Limit{}
	}
	switch known := tls.Origin.Source != "" && tls.Bound != chain.Never; {
	case !known && connect.Covers(chain.AtSecured) && u.d.ConnectCoversTLS:
	case !known && connect.Covers(chain.AtSecured):
		tls = connect
		c.Warn(connect.Origin.Setting, "it bounds connecting and handshake together; in "+u.d.Name+" each may take "+chain.Format(connect.Bound))
	case !known && u.d.DialGoesOn:
		c.Refuse(&emit.Refusal{Target: u.d.Target, Setting: tls.Origin.Setting, Value: where, Why: "the TLS handshake has no limit, and in " + u.d.Name + " it goes on behind the call that has left"})
	}
	return connect, tls
}

func (d Dialect) connectNote(l chain.Limit) string {
	switch {
	case d.ConnectCoversTLS && l.Covers(chain.AtSecured):
		return "; the handshake too"
	case l.Start > chain.AtLease || l.Per == chain.PerAddress:
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

// Header is the limit of the wait for a response, of which the target knows the
// whole header only. A limit of silence that begins with the wait is one as well.
func (u Use) Header() (chain.Limit, string) {
	out, ok := u.Call.Limit(chain.ResponseHeader)
	note := ""
	take := func(l chain.Limit, found bool) {
		if found && (!ok || l.Bound < out.Bound) {
			out, ok, note = l, true, "; here the whole header"
		}
	}
	take(u.Call.Limit(chain.ResponseFirstByte))
	if gap, found := u.Call.Limit(chain.ResponseReadGap); gap.Covers(chain.AtFirstByte) {
		take(gap, found)
	}
	return out, note
}

// perCall is the smallest limit of the whole call.
func (u Use) perCall(c *emit.Collector) (chain.Limit, string) {
	var out chain.Limit
	note := ""
	take := func(l chain.Limit, n string) {
		if l.Origin.Source != "" && (out.Origin.Source == "" || l.Bound < out.Bound) {
			out, note = l, n
		}
	}
	if d := u.Node.Deadline; d.PerCall.Declared() {
		n := ": pool wait to last byte"
		if !d.Enforced {
			n += ", and enforced here"
			c.Warn(d.PerCall.Origin.Setting, "nothing enforces it in "+u.Node.Layer+"; the "+u.d.Name+" client does")
		}
		take(chain.Limit{Bound: d.PerCall.D, Origin: d.PerCall.Origin}, n)
	}
	for i, layer := range u.Call.Layers {
		for _, l := range layer.Limits {
			if ends(l) && !u.ofAttempt(i, l) {
				take(l, whole(l))
			}
		}
	}
	return out, note
}

// ends reports whether a limit ends a whole call, or one attempt of it.
func ends(l chain.Limit) bool {
	return (l.Kind == chain.AttemptDeadline || l.Kind == chain.TotalDeadline) && l.Ends()
}

// whole is the note of a limit that bounds less of a call than it does here.
func whole(l chain.Limit) string {
	if l.Start != chain.AtCall || l.End != chain.AtBodyEnd {
		return "; here pool wait to last byte"
	}
	return ""
}

// ofAttempt reports whether a limit of layer i bounds each attempt anew: it stands
// within what repeats, or is the attempt's own beside it.
func (u Use) ofAttempt(i int, l chain.Limit) bool {
	at := u.repeatedIn()
	return at >= 0 && (i > at || i == at && l.Kind == chain.AttemptDeadline && l.Per != chain.PerRequest)
}

// perAttempt is the smallest limit of one attempt; none where there is but one.
func (u Use) perAttempt() (out chain.Limit, note string) {
	for i, layer := range u.Call.Layers {
		for _, l := range layer.Limits {
			if ends(l) && u.ofAttempt(i, l) && (out.Origin.Source == "" || l.Bound < out.Bound) {
				out, note = l, whole(l)
			}
		}
	}
	return out, note
}

// Idle is how long a connection is kept for reuse; none if it is not.
func (u Use) Idle(c *emit.Collector) (chain.Limit, string) {
	if len(u.Call.Idle) == 0 {
		return chain.Limit{}, ""
	}
	l := u.Call.Idle[0]
	if l.Bound == chain.Never {
		c.Refuse(emit.Refuse(u.d.Target, l.Origin, "a connection that is kept for ever meets one that %s has closed; it needs an end", u.Call.To.Layer))
		return l, ""
	}
	other := chain.Never
	if s, ok := u.Call.To.ServeLimit(chain.IdleKeepalive); ok {
		other = s.Bound
	}
	if a := u.Call.To.Announces; a.Declared() {
		other = min(other, a.D)
	}
	switch {
	case other == chain.Never:
		return l, ""
	case l.Bound >= other:
		c.Refuse(emit.Refuse(u.d.Target, l.Origin, "%s closes at %s, and the %s client would still use the connection", u.Call.To.Layer, chain.Format(other), u.d.Name))
	case other-l.Bound < time.Second:
		c.Warn(l.Origin.Setting, u.Call.To.Layer+" closes at "+chain.Format(other)+", less than 1s after the "+u.d.Name+" client stops using a connection")
	}
	return l, "; " + u.Call.To.Layer + " closes at " + chain.Format(other)
}

// elsewhere reports whether the setting of a limit also bounds something else.
func (u Use) elsewhere(l chain.Limit) bool {
	return slices.ContainsFunc(u.Call.Limits(), func(x chain.Limit) bool { return x.Kind != l.Kind && x.Origin.Setting == l.Origin.Setting })
}

// Rest refuses what nothing in the target stands for, or warns where nobody wrote it.
func (u Use) Rest(c *emit.Collector) {
	lost := func(o chain.Origin, what string) {
		if o.Source == chain.Written || o.Source == chain.Injected {
			c.Refuse(emit.Refuse(u.d.Target, o, "the %s client has nothing for %s", u.d.Name, what))
		} else if o.Source != "" {
			c.Warn(o.Setting, "the "+u.d.Name+" client has nothing for "+what+", which "+cmp.Or(o.Product, u.Call.Product)+" has by default")
		}
	}
	for _, l := range append(u.Call.Limits(), u.Call.Upkeep...) {
		switch {
		case slices.ContainsFunc(u.d.Own, func(o Own) bool { return o.ID == l.Origin.ID }): // own writes it
		case u.d.Always[l.Origin.ID] != "": // lost tells where it has another value
		case l.Kind == chain.Tunnel && u.elsewhere(l): // what else the setting bounds is written
		case l.Bound == chain.Never || l.Kernel && (l.Origin.Source == chain.Fixed || u.d.has(l.Kind)):
		case l.Fires == chain.FiresEvent && l.Origin.Said():
			c.Warn(l.Origin.Setting, "it only tells the program and ends nothing: it is not written")
		case l.Fires == chain.FiresCancel && l.Origin.Said():
			c.Warn(l.Origin.Setting, "it only asks the callee to cancel and ends no silence: it is not written")
		case l.Ends() && !u.d.has(l.Kind):
			lost(l.Origin, string(l.Kind))
		}
	}
	if e := u.Call.Eject; e != nil && e.Fails > 0 {
		lost(e.Origin, string(chain.Eject))
	}
	if p := u.Call.Pool; !u.d.KeepsIdle && p != nil && p.Idle.Declared() && p.Idle.N < cmp.Or(p.InForce().N, u.d.Keeps, math.MaxInt) {
		lost(p.Idle.Origin, fmt.Sprintf("an idle pool of %d", p.Idle.N))
	}
	if u.Call.Via != "" {
		c.Warn("", u.Node.Layer+" reaches "+u.Call.To.Layer+" through a proxy: the "+u.d.Name+" client "+u.d.Proxy)
	}
}
