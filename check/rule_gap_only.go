package check

import (
	"fmt"

	"tchain.dev/tchain/chain"
)

var gapOnly = &Rule{
	ID:       "gap-only",
	Title:    "a declared total that nothing enforces, or a trickle that no total ends",
	Why:      "A limit between two bytes never bounds the whole: a byte just inside it starts it again. Measuring the time around a blocking call does not end it either. Somewhere a total has to end the request, and where an app declares one, its client has to keep it.",
	Severity: Error,
	Since:    "0.1.0",
	Check:    checkGapOnly,
}

func checkGapOnly(p *Pass) {
	for _, r := range p.Stack.Routes {
		covered := false
		for _, h := range p.hops(r) {
			if unenforced(h) {
				p.Report(unenforcedFinding(h))
				covered = true
			}
		}
		if !covered {
			endlessTrickle(p, r)
		}
	}
}

// unenforced: the app declares a deadline, and its client has no total of its own.
func unenforced(h hop) bool {
	d := h.from.Deadline
	if d.Enforced || !d.Total.Declared() && !d.PerCall.Declared() || h.call.Detached {
		return false
	}
	for _, l := range h.call.Limits() {
		if (l.Kind == chain.TotalDeadline || l.Kind == chain.AttemptDeadline) && l.Bound != chain.Never {
			return false
		}
	}
	return true
}

func unenforcedFinding(h hop) Finding {
	d := h.from.Deadline
	v := d.PerCall
	if !v.Declared() {
		v = d.Total
	}
	return Finding{
		Routes: []string{h.route.Name}, Layer: h.from.Layer, Setting: v.Origin.Setting, Owner: h.from.Owner,
		Severity: soften(Error, v.Origin), Pos: v.Origin.Pos, Label: "measured, not enforced",
		Message: fmt.Sprintf("%s declares %s %s, but nothing ends a call to %s that keeps sending; end it in the client and write enforced: true",
			h.from.Layer, v.Origin.Name, chain.Format(v.D), h.call.To.Layer),
		Related: gapPlaces(h),
		Trace:   h.trace(func(t chain.Trace) bool { return t.Fault.Kind == chain.Trickle && t.Fault.Call == h.call }),
	}
}

// waitsForEver reports whether a fault without progress does not end either:
// the missing limit is then one cause, and no-limit or zero-is-infinite names it.
func (p *Pass) waitsForEver(r *chain.Route) bool {
	for _, t := range p.traces(r) {
		if dripping(t.Fault.Kind) || t.Outcome.At != chain.Never {
			continue
		}
		if _, _, ok := ending(r, t.Fault); ok {
			return true
		}
	}
	return false
}

func gapPlaces(h hop) []Related {
	for _, l := range h.call.Limits() {
		if l.Kind == chain.ResponseReadGap && l.Bound != chain.Never {
			return []Related{{l.Origin.Pos, fmt.Sprintf("%s %s starts again at every byte", l.Origin.Name, chain.Format(l.Bound)) + known(l.Origin)}}
		}
	}
	return nil
}

// endlessTrickle: no total on the whole way ends a trickle from the innermost
// call from which one reaches the outermost caller.
func endlessTrickle(p *Pass, r *chain.Route) {
	if r.Root.Role == chain.RolePassing || r.Root.Role == chain.RoleUnknown {
		return // who calls it, and with what total, is not described
	}
	hs := p.hops(r)
	for i := len(hs) - 1; i >= 0; i-- {
		h := hs[i]
		if h.call.Detached || h.call.Fallback {
			continue
		}
		t, ok := p.traceOf(r, chain.Trickle, h.call)
		if !ok || t.Outcome.At != chain.Never || t.Outcome.Error == chain.NotKnown {
			continue
		}
		if p.waitsForEver(r) {
			return
		}
		gap, ok := h.call.Limit(chain.ResponseReadGap)
		if !ok || gap.Bound == chain.Never {
			gap.Origin = chain.Origin{Pos: h.from.Pos, Setting: h.from.Layer}
		}
		p.Report(Finding{
			Routes: []string{r.Name}, Layer: h.from.Layer, Setting: gap.Origin.Setting, Owner: h.from.Owner,
			Severity: Warning, Pos: gap.Origin.Pos, Label: "starts again at every byte" + known(gap.Origin),
			Message: fmt.Sprintf("a trickle from %s never ends for %s: every limit on the way starts again at each byte, and no total is set", h.call.To.Layer, r.Root.Layer),
			Trace:   &t,
		})
		return
	}
}
