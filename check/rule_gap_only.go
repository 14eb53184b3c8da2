package check

import (
	"fmt"
	"slices"
	"time"

	"tchain.dev/tchain/chain"
)

var gapOnly = &Rule{
	ID:       "gap-only",
	Title:    "a declared total that nothing enforces, or a trickle that no total ends",
	Why:      "A limit between two bytes never bounds the whole: a byte just inside it starts it again. Measuring the time around a blocking call does not end it either, and limits of its phases that each fit add up. Somewhere a total has to end the request, and where an app declares one, its client has to keep it.",
	Severity: Error,
	Since:    "0.1.0",
	Check:    checkGapOnly,
}

func checkGapOnly(p *Pass) {
	for _, r := range p.Stack.Routes {
		covered := false
		for _, h := range p.hops(r) {
			switch {
			case unenforced(h):
				p.Report(unenforcedFinding(h))
				covered = true
			case outlasts(h):
				p.Report(outlastsFinding(h))
			}
		}
		if !covered {
			endlessTrickle(p, r)
		}
	}
}

// unenforced: the app declares a deadline, and its client has no total of its own.
func unenforced(h hop) bool {
	d := &h.from.Deadline
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

// declaredBudget is what an app allows one call, and the time that the call is left of it.
func declaredBudget(d *chain.Deadline) (v chain.Value, left time.Duration) {
	if d.PerCall.Declared() {
		return d.PerCall, min(d.PerCall.D, d.Left(0))
	}
	return d.Total, d.Left(0)
}

// outlasts reports whether the limits of one call alone pass a deadline that
// nothing enforces.
func outlasts(h hop) bool {
	d := &h.from.Deadline
	if d.Enforced || !d.Total.Declared() && !d.PerCall.Declared() || h.call.Detached {
		return false
	}
	_, left := declaredBudget(d)
	worst := chain.WorstCall(h.route, h.from, h.call, 0).Total
	return worst != chain.Never && worst > left
}

func outlastsFinding(h hop) Finding {
	d := &h.from.Deadline
	v, left := declaredBudget(d)
	worst := chain.WorstCall(h.route, h.from, h.call, 0)
	f := h.found(Finding{
		Setting:  v.Origin.Setting,
		Severity: soften(Error, v.Origin), Pos: v.Origin.Pos, Label: "declared, not kept",
		Message: fmt.Sprintf("%s declares %s %s, but a call to %s can take %s; end it in the client and write enforced: true",
			h.from.Layer, v.Origin.Name, byRoute(v.D), h.call.To.Layer, byRoute(worst.Total)),
		Amount:  Amount{D: worst.Total, Of: "it can take"},
		Related: worstPlaces(h.from, worst),
	})
	f.Trace = h.shown(func(t chain.Trace) bool {
		return t.Fault.Call == h.call && slices.ContainsFunc(t.Events, func(e chain.Event) bool {
			return e.Node == h.from && e.Kind == chain.EvTimeout && e.At > left
		})
	})
	return f
}

func unenforcedFinding(h hop) Finding {
	v, _ := declaredBudget(&h.from.Deadline)
	f := h.found(Finding{
		Setting:  v.Origin.Setting,
		Severity: soften(Error, v.Origin), Pos: v.Origin.Pos, Label: "measured, not enforced",
		Message: fmt.Sprintf("%s declares %s %s, but nothing ends a call to %s that keeps sending; end it in the client and write enforced: true",
			h.from.Layer, v.Origin.Name, chain.Shown(v.D), h.call.To.Layer),
		Related: gapPlaces(h),
		Trace:   h.shown(func(t chain.Trace) bool { return t.Fault.Kind == chain.Trickle && t.Fault.Call == h.call }),
	})
	if outlasts(h) {
		worst := chain.WorstCall(h.route, h.from, h.call, 0)
		f.Message = fmt.Sprintf("%s declares %s %s, but nothing ends a call to %s that keeps sending, and one that does not can take %s; end it in the client and write enforced: true",
			h.from.Layer, v.Origin.Name, byRoute(v.D), h.call.To.Layer, byRoute(worst.Total))
		f.Amount = Amount{D: worst.Total, Of: "it can take"}
		same := func(r Related) bool {
			return slices.ContainsFunc(f.Related, func(gap Related) bool { return gap.Pos == r.Pos })
		}
		sum := worstPlaces(h.from, worst)
		f.Related = append(append(sum[:1], slices.DeleteFunc(sum[1:], same)...), f.Related...)
	}
	return f
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
		if _, ok := noBodyLimit(t); ok {
			return true
		}
	}
	return false
}

func gapPlaces(h hop) []Related {
	for _, l := range h.call.Limits() {
		if l.Kind == chain.ResponseReadGap && l.Bound != chain.Never {
			return []Related{{Pos: l.Origin.Pos, Message: fmt.Sprintf("%s %s starts again at every byte", l.Origin.Name, chain.Shown(l.Bound)) + known(l.Origin)}}
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
		if h.call.Fallback || meantToGoOn(r) && r.Carries(h.call) {
			continue
		}
		t, ok := p.traceOf(r, chain.Trickle, h.call)
		if !ok || t.Outcome.At != chain.Never || t.Outcome.Error == chain.NotKnown {
			continue
		}
		if p.waitsForEver(r) || p.repeatedForEver(r, t) {
			return
		}
		gap, ok := h.call.Limit(chain.ResponseReadGap)
		if !ok || gap.Bound == chain.Never {
			gap.Origin = chain.Origin{Pos: h.from.Pos, Setting: h.from.Layer}
		}
		p.Report(Finding{
			Routes: []string{r.Name}, Layer: h.from.Layer, Callee: h.call.To.Layer, Setting: gap.Origin.Setting, Owner: h.from.Owner,
			Severity: Warning, Pos: gap.Origin.Pos, Label: "starts again at every byte" + known(gap.Origin),
			Message: fmt.Sprintf("a trickle from %s never ends for %s: every limit on the way starts again at each byte, and no total is set", h.call.To.Layer, r.Root.Layer),
			Trace:   &t,
		})
		return
	}
}

// meantToGoOn reports whether bytes that keep coming are what a route's answer is: one
// without a declared end, or a WebSocket, which ends when one of its two sides closes it
// and for which no total that a layer has is meant.
func meantToGoOn(r *chain.Route) bool {
	return r.Response.Endless() || r.Response.Mode == chain.WebSocket
}
