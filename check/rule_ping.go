package check

import (
	"fmt"
	"time"

	"tchain.dev/tchain/chain"
)

var ping = &Rule{
	ID:       "ping",
	Title:    "nothing keeps a quiet connection alive under an idle limit on the way, or finds a dead one, or it is pinged more often than allowed",
	Why:      "A balancer or firewall that only knows flows forgets a quiet one and tells nobody. The caller still holds the connection, in its pool or as the one that all its calls share, writes a request on it, and waits for its read limit instead of failing at once. Either the caller stops reusing the connection before, or something sends a byte more often: a ping, or the kernel's TCP keep-alive probe at either end, which only what knows no more than flows takes for traffic. A server may set a least time between two pings as well: it closes the connection of a caller that pings more often, with all the calls on it, again and again. And on HTTP/2 one connection carries all requests: where its other end is gone without a word, a request that times out does not close it, and without a ping the next one is written on it, too.",
	Severity: Error,
	Since:    "0.1.0",
	Check:    checkPing,
}

func checkPing(p *Pass) {
	p.eachHop(func(h hop) {
		if !p.quietFlow(h) {
			p.keepsDead(h)
		}
		p.pingsTooOften(h)
		p.pingsWithoutCalls(h)
	})
}

// quietFlow finds a connection that is kept for longer than a flow without a
// byte is remembered.
func (p *Pass) quietFlow(h hop) (found bool) {
	flow, ok := h.call.To.ServeLimit(chain.FlowIdle)
	keeps, shared := keeping(h.call)
	pings, pingable := pingInterval(h.call)
	if !ok || keeps.Bound < flow.Bound || flow.Bound == chain.Never || keeps.Unknown() || pings.Unknown() {
		return false
	}
	sev := soften(Error, keeps.Origin, flow.Origin)
	if quiet := h.route.QuietFor; shared { // a pool may hold a quiet connection beside a busy one
		if quiet.Declared() && quiet.D < flow.Bound {
			return false
		}
		if !quiet.Declared() {
			sev = Warning
		}
	}
	probes, probed := probeInterval(h.call)
	if pings.Per != chain.PerRequest && pinged(h.call, flow.Bound) || probes.Unknown() || probed && probes.Bound < flow.Bound {
		return false
	}
	long := "for " + chain.Shown(keeps.Bound)
	if keeps.Bound == chain.Never {
		long = "without limit"
	}
	f := h.found(Finding{
		Setting:  keeps.Origin.Setting,
		Severity: sev, Pos: keeps.Origin.Pos, Label: "kept " + long + known(keeps.Origin),
		Message: fmt.Sprintf("%s forgets a connection that is quiet for %s, and %s reuses it %s with nothing to keep it alive",
			h.call.To.Layer, chain.Shown(flow.Bound), h.from.Layer, long),
		Related: []Related{{Pos: flow.Origin.Pos, Message: "forgets it after " + chain.Shown(flow.Bound) + known(flow.Origin)}},
	})
	if probed && probes.Bound != chain.Never {
		f.Related = append(f.Related, Related{Pos: probes.Origin.Pos, Message: "a TCP keep-alive probe every " + chain.Shown(probes.Bound) + " only" + known(probes.Origin)})
	}
	if pingable && keeps.Origin.Source != chain.Written { // nobody chose how long it is kept: a ping is missing
		why := pingText(pings)
		f.Setting, f.Pos, f.Label = pings.Origin.Setting, pings.Origin.Pos, why+known(pings.Origin)
		f.Message += ": " + why
	}
	text := ""
	text, f.Outcome = p.forgotten(h)
	f.Message += text
	for _, l := range []chain.Limit{pings, probes, keeps} {
		if l.Kind != chain.TCPKeepalive || l.Bound != chain.Never { // one that is off is no setting of a program's
			f.offer(set(l.Origin, below(l.Origin, flow.Bound)))
		}
	}
	p.Report(f)
	return true
}

// forgotten is what a request has that is written on a connection of which what passes
// flows on knows no more. That may answer it with a reset, or drop it without a word,
// which takes as long as a callee that is silent.
func (p *Pass) forgotten(h hop) (text string, end *chain.Outcome) {
	reset, dropped := p.comesTo(h, chain.ResetFault), p.comesTo(h, chain.Silent)
	switch {
	case reset == nil && dropped == nil:
		return "", nil
	case dropped == nil:
		return inWords("; a request on it that is answered with a reset ends so:", reset), reset
	case reset == nil || reset.What() == dropped.What():
		return inWords("; a request on it then ends so:", dropped) + ", after up to " + chain.Shown(dropped.At), dropped
	}
	return inWords("; a request on it then ends so:", reset) + ", or where it is dropped without a reset " + dropped.Text(), dropped
}

// pingText says why pings do not keep a quiet connection alive.
func pingText(l chain.Limit) string {
	switch {
	case l.Zero:
		return l.Origin.Name + " is 0, which is off"
	case l.Bound == chain.Never:
		return l.Origin.Name + " is " + l.Why
	case l.Per == chain.PerRequest:
		return l.Origin.Name + " pings only while there is a call"
	}
	return fmt.Sprintf("%s pings every %s only", l.Origin.Name, chain.Shown(l.Bound))
}

// pingsTooOften finds a caller that pings more often than the other end of its
// connection takes.
func (p *Pass) pingsTooOften(h hop) {
	far := h.to
	least, _ := leastBetween(far, chain.PerAttempt)
	pings, pingable := pingInterval(h.call)
	if least.Unknown() || !pingable || pings.Bound >= least.Bound {
		return
	}
	end := p.comesTo(h, chain.ResetFault)
	f := h.found(Finding{
		Outcome:  end,
		Setting:  pings.Origin.Setting,
		Severity: soften(Error, pings.Origin, least.Origin), Pos: pings.Origin.Pos, Label: "pings every " + chain.Shown(pings.Bound) + known(pings.Origin),
		Message: fmt.Sprintf("%s pings %s every %s, more often than the %s that it allows: %s %s, with the calls on it",
			h.from.Layer, far.Layer, chain.Shown(pings.Bound), chain.Shown(least.Bound), far.Layer, fires(least)) +
			inWords("; each then ends so:", end),
		Related: []Related{{Pos: least.Origin.Pos, Message: "the least time between two pings" + known(least.Origin)}},
	})
	f.offer(set(pings.Origin, above(pings.Origin, least.Bound)))
	f.offer(set(least.Origin, below(least.Origin, pings.Bound)))
	p.Report(f)
}

// pingsWithoutCalls finds a caller that pings while there is no call, at a callee
// that hardly allows that.
func (p *Pass) pingsWithoutCalls(h hop) {
	far := h.to
	least, ok := leastBetween(far, chain.PerConnection)
	pings, pingable := pingInterval(h.call)
	if !ok || !pingable || !far.PingStrikes.Declared() || pings.Per != chain.PerConnection || pings.Bound >= least.Bound {
		return
	}
	if smallest, _ := leastBetween(far, chain.PerAttempt); pings.Bound < smallest.Bound {
		return // with calls or without
	}
	ends := far.PingStrikes.N + 2 // the first one follows none, and the last one is not forgiven
	enough := chain.Times(ends, pings.Bound)
	if keeps, _ := keeping(h.call); keeps.Bound < enough || keeps.Unknown() {
		return
	}
	if quiet := h.route.QuietFor; quiet.Declared() && quiet.D < enough {
		return
	}
	end := p.comesTo(h, chain.ResetFault)
	p.Report(h.found(Finding{
		Outcome:  end,
		Setting:  pings.Origin.Setting,
		Severity: Warning, Pos: pings.Origin.Pos, Label: "pings every " + chain.Shown(pings.Bound) + " also without calls" + known(pings.Origin),
		Message: fmt.Sprintf("%s pings %s every %s while there is no call, and %s then allows a ping every %s: %s %s after %d of them, and does so again and again%s; allow that there, or ping with calls only",
			h.from.Layer, far.Layer, chain.Shown(pings.Bound), far.Layer, chain.Shown(least.Bound), far.Layer, fires(least), ends, inWords(", and a call that has just begun then ends so:", end)),
	}))
}

// keepsDead finds a pooled HTTP/2 connection that nothing asks for a sign of life: once
// its other end is gone without a word, each request on it waits for its own limit, and
// the next one is written on it, too.
func (p *Pass) keepsDead(h hop) {
	keeps, shared := keeping(h.call)
	pings, pingable := pingInterval(h.call)
	if shared || !pingable || pings.Bound != chain.Never || pings.Unknown() || keeps.Bound == 0 {
		return
	}
	if pings.Origin.Source == "" {
		return // not declared is not the same as off
	}
	end := p.comesTo(h, chain.Silent)
	f := h.found(Finding{
		Outcome:  end,
		Setting:  pings.Origin.Setting,
		Severity: Warning, Pos: pings.Origin.Pos, Label: pingText(pings) + known(pings.Origin),
		Message: fmt.Sprintf("%s sends all requests on a connection to %s that may be dead, until TCP gives it up: %s%s", h.from.Layer, h.call.To.Layer, pingText(pings), inWords("; each then ends so:", end)),
	})
	f.offer(set(pings.Origin, soonEnough))
	p.Report(f)
}

// soonEnough is the silence after which a ping is offered: what a client that tchain
// writes has.
const soonEnough = 15 * time.Second

// leastBetween is the least time that a layer allows between two pings, of a
// connection with calls or, per connection, of one without.
func leastBetween(n *chain.Node, per chain.Per) (least chain.Limit, ok bool) {
	for _, l := range n.Serve {
		if l.Kind == chain.PingMinimum && l.Per == per && (!ok || l.Bound < least.Bound) {
			least, ok = l, true
		}
	}
	return least, ok
}

// keeping is how long a caller keeps a connection without calls, 0 if it keeps
// none or that is not known; shared says that it is one for all of them.
func keeping(c *chain.Call) (l chain.Limit, shared bool) {
	if len(c.Idle) > 0 {
		return shortest(c.Idle), false
	}
	for _, l := range c.Upkeep {
		if l.Kind == chain.ChannelIdle {
			return l, true
		}
	}
	return l, false
}

// pinged reports whether a caller pings a connection that has a call more often
// than a time.
func pinged(c *chain.Call, within time.Duration) bool {
	l, ok := pingInterval(c)
	return ok && l.Bound < within
}

// kept reports whether a flow that has a call is not forgotten within a time: its
// caller pings it, or one of the kernels at its ends asks for a sign of life. What
// answers itself takes such a probe for nothing.
func kept(c *chain.Call, within time.Duration) bool {
	l, ok := probeInterval(c)
	return pinged(c, within) || ok && l.Bound < within
}

// probeInterval is how long a connection over something that only knows flows is
// quiet before a TCP keep-alive probe of either end; ok is false where none is known.
func probeInterval(c *chain.Call) (l chain.Limit, ok bool) {
	l, ok = c.Answering().ServeLimit(chain.TCPKeepalive)
	for _, x := range c.Upkeep {
		if x.Kind == chain.TCPKeepalive && (!ok || x.Bound < l.Bound) {
			l, ok = x, true
		}
	}
	return l, ok
}

// pingInterval is how often a caller pings its connection, Never if it does not;
// ok is false where no setting says so.
func pingInterval(c *chain.Call) (l chain.Limit, ok bool) {
	for _, l := range c.Upkeep {
		if l.Kind == chain.PingInterval {
			return l, true
		}
	}
	return l, false
}
