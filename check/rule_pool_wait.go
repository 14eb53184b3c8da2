package check

import (
	"fmt"
	"slices"
	"time"

	"tchain.dev/tchain/chain"
)

var poolWait = &Rule{
	ID:       "pool-wait",
	Title:    "waiting for a connection may last as long as a read, or for ever",
	Why:      "A request that waits for a pooled connection is work that has not begun. If it may wait as long as the one that holds the connection may read, the queue never gets shorter while the callee is silent, and threads are gone before anything gives up. It should give up long before.",
	Severity: Error,
	Since:    "0.1.0",
	Check:    checkPoolWait,
}

func checkPoolWait(p *Pass) {
	reads := map[string]time.Duration{} // read limit of all calls that have a setting for their wait
	p.eachHop(func(h hop) {
		wait, read, ok := waitAndRead(h)
		if least, known := reads[wait.Origin.Setting]; ok && (!known || read.Bound < least) {
			reads[wait.Origin.Setting] = read.Bound
		}
	})
	p.eachHop(func(h hop) {
		wait, read, ok := waitAndRead(h)
		held := read // what the request that has the connection may take
		ends, around := queueEnds(h)
		if around && wait.Kind == chain.PoolWait && !wait.Unknown() && ends.Bound < wait.Bound {
			held.Bound = min(read.Bound, ends.Bound)
			wait.Bound = ends.Bound
		} else {
			around = false
		}
		if !ok || wait.Bound < held.Bound || wait.Unknown() {
			return
		}
		sev, text := Warning, fmt.Sprintf("may wait %s for a connection to %s, no less than the %s that it may read", byRoute(wait.Bound), h.call.To.Layer, byRoute(held.Bound))
		if around {
			text += fmt.Sprintf(": only %s ends the wait", ends.Origin.Name)
		}
		of := Amount{D: held.Bound, Of: "it may read for", Low: true}
		if wait.Bound == chain.Never {
			of, sev, text = Amount{}, Error, fmt.Sprintf("waits for ever for a connection to %s: %s is %s", h.call.To.Layer, wait.Origin.Name, wait.Why)
		}
		if wait.Kind != chain.PoolWait {
			of, text = Amount{}, fmt.Sprintf("waits for ever for a connection to %s once %s are in use: no setting of %s ends the wait",
				h.call.To.Layer, setting(wait.Origin, fmt.Sprint(h.call.Pool.InForce().N)), h.call.Product)
		}
		f := h.found(Finding{
			Amount:   of,
			Setting:  wait.Origin.Setting,
			Severity: soften(sev, wait.Origin), Pos: wait.Origin.Pos, Label: "waits in the queue" + known(wait.Origin),
			Message: h.from.Layer + " " + text,
			Related: []Related{{Pos: read.Origin.Pos, Message: "reads for up to " + chain.Shown(read.Bound) + known(read.Origin)}},
			Trace:   h.shown(func(t chain.Trace) bool { return t.Fault.Kind == chain.Saturated && t.Fault.Call == h.call }),
		})
		if wait.Kind == chain.PoolWait {
			f.offer(set(wait.Origin, min(time.Second, reads[wait.Origin.Setting]/2)))
		}
		p.Report(f)
	})
}

// waitAndRead are the limits of a call that waits for a pooled connection; ok is
// false if it does not, or if nothing ends the read. Where the product has no
// setting for the wait, and nothing around the call ends it, it is the pool's size
// that makes it wait. Of a wait without end, what ends the attempt bounds the read.
func waitAndRead(h hop) (wait, read chain.Limit, ok bool) {
	if h.call.Pool == nil || h.call.Pool.InForce().N == 0 {
		return wait, read, false
	}
	read, ok = readLimit(h.call)
	wait, has := h.call.Limit(chain.PoolWait)
	_, ends := queueEnds(h)
	if endless := !ends && (!has || wait.Bound == chain.Never && !wait.Unknown()); endless && !ok {
		read, ok = attemptLimit(h.call)
	}
	if has || ends {
		return wait, read, has && ok
	}
	return chain.Limit{Kind: chain.PoolSizePerHost, Bound: chain.Never, Origin: h.call.Pool.InForce().Origin}, read, ok
}

// queueEnds is the limit around a call that ends its wait for a connection first; ok
// is false if none does.
func queueEnds(h hop) (ends chain.Limit, ok bool) {
	ends, ok = h.deadline()
	for _, l := range h.call.Limits() {
		if l.Kind != chain.PoolWait && l.Bound != chain.Never && l.Ends() && l.Covers(chain.AtLease) && (!ok || l.Bound < ends.Bound) {
			ends, ok = l, true
		}
	}
	return ends, ok
}

// attemptLimit is the shortest limit that runs on while the response is waited for.
func attemptLimit(c *chain.Call) (l chain.Limit, ok bool) {
	ends := slices.DeleteFunc(slices.Clone(c.Limits()), func(l chain.Limit) bool {
		return l.Bound == chain.Never || !l.Ends() || !l.Covers(chain.AtHeaderEnd)
	})
	if len(ends) == 0 {
		return l, false
	}
	return shortest(ends), true
}

// readLimit is the limit of the response's beginning: one of its own, or a gap
// that begins with the wait for it.
func readLimit(c *chain.Call) (chain.Limit, bool) {
	for _, k := range []chain.Kind{chain.ResponseFirstByte, chain.ResponseHeader} {
		if l, ok := c.Limit(k); ok && l.Bound != chain.Never {
			return l, true
		}
	}
	if l, ok := c.Limit(chain.ResponseReadGap); ok && l.Bound != chain.Never && l.Start <= chain.AtRequestSent {
		return l, true
	}
	return chain.Limit{}, false
}
