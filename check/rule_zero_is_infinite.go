package check

import (
	"fmt"
	"slices"

	"tchain.dev/tchain/chain"
)

var zeroIsInfinite = &Rule{
	ID:        "zero-is-infinite",
	Title:     "a zero that means no limit, where nothing else bounds the same fault",
	Why:       "In one product zero gives up at once, in the next it waits for ever. A zero that was meant as the first and read as the second is a wait without end. A total that is off for a stream, a download or a WebSocket is as it should be, where a limit between two bytes ends it when it stalls.",
	Severity:  Error,
	Since:     "0.1.0",
	NoOutcome: "a warning is of a wait that nothing bounds and that none of the faults shows",
	Check:     checkZeroIsInfinite,
}

func checkZeroIsInfinite(p *Pass) {
	waits := map[string]bool{} // a wait for a connection is pool-wait's
	for _, f := range p.found(poolWait) {
		waits[f.Setting] = true
	}
	p.eachHop(func(h hop) {
		for _, l := range h.call.Limits() {
			if !l.Zero || l.Origin.Source != chain.Written || waits[l.Origin.Setting] || l.Start >= chain.AtConnect && l.End == chain.AtSecured && !h.call.TLS || bounded(h, l) {
				continue
			}
			never := func(t chain.Trace) bool {
				return t.Outcome.At == chain.Never && t.Fault.Call == h.call && !dripping(t.Fault.Kind)
			}
			var t *chain.Trace
			if l.Kind == chain.PoolWait {
				t = h.trace(func(t chain.Trace) bool { return never(t) && t.Fault.Kind == chain.Saturated })
			}
			if t == nil {
				t = h.trace(never)
			}
			sev, what, while := Error, "call to", ""
			if t == nil {
				if unending(h, l) {
					continue
				}
				sev = Warning
				if stalls(h, l) {
					while = " as long as a byte comes now and then"
				}
			}
			if l.Kind == chain.TLSHandshake {
				what = "TLS handshake with"
			}
			f := h.found(Finding{
				Setting:  l.Origin.Setting,
				Severity: soften(sev, l.Origin), Pos: l.Origin.Pos, Label: "no limit" + known(l.Origin),
				Message: fmt.Sprintf("%s %s means no limit, and nothing else ends %s's %s %s%s", l.Origin.Name, l.Origin.Text, h.from.Layer, what, h.call.To.Layer, while),
				Trace:   t,
			})
			p.offerEnding(&f, h.route, h.from, l)
			p.Report(f)
			return
		}
	})
}

// unending reports whether a total is off because the answer has no end of its own,
// a stream or another that lasts, and a limit between two bytes ends it when it stalls.
func unending(h hop, total chain.Limit) bool {
	if h.route.Response.Flows() && h.route.Carries(h.call) {
		return (total.Kind == chain.TotalDeadline || total.Kind == chain.AttemptDeadline) && slices.ContainsFunc(h.call.Limits(), func(l chain.Limit) bool {
			return l.Kind == chain.ResponseReadGap && l.Bound != chain.Never
		})
	}
	return false
}

// stalls reports whether other limits end the call once nothing comes any more,
// so that a total that is off is missed by a trickle only.
func stalls(h hop, total chain.Limit) bool {
	ends := func(m chain.Moment, reset chain.Reset) bool {
		return slices.ContainsFunc(h.call.Limits(), func(o chain.Limit) bool {
			return o.Bound != chain.Never && o.Ends() && o.Covers(m) && o.Reset == reset
		})
	}
	return total.Whole() && ends(chain.AtHeaderEnd, chain.ResetNone) && ends(chain.AtBodyEnd, chain.ResetRead)
}

// bounded reports whether another limit ends the wait that a limit would end.
func bounded(h hop, l chain.Limit) bool {
	if _, ok := h.deadline(); ok {
		return true
	}
	for _, o := range h.call.Limits() {
		if o.Kernel && l.Kind == chain.DNS && o.Origin.Setting == l.Origin.Setting {
			return true // of what the zero leaves open, no fault is about name resolution
		}
		if o.Bound != chain.Never && o.Ends() && o.Covers(l.End) && (o.Reset == chain.ResetNone || o.Reset == l.Reset) {
			return true
		}
	}
	return false
}
