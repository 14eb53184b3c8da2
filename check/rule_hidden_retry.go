package check

import (
	"cmp"
	"fmt"
	"slices"

	"tchain.dev/tchain/chain"
)

var hiddenRetry = &Rule{
	ID:       "hidden-retry",
	Title:    "a retry that nobody wrote",
	Why:      "The product sends a request again by itself. Most of the time that helps; it also doubles the calls when the callee is busy, and where the budget around it ends before the second attempt can begin, it only delays the error.",
	Severity: Warning,
	Since:    "0.1.0",
	Check:    checkHiddenRetry,
}

func checkHiddenRetry(p *Pass) {
	others := p.found(retryBudget, retryUnsafe)
	p.eachHopAlone(func(h hop) {
		if slices.ContainsFunc(others, func(f Finding) bool { return aboutRetriesOf(f, h) }) {
			return
		}
		for _, r := range repeaters(h) {
			if r.retry.Hidden {
				reportHidden(p, r)
			}
		}
		if r := h.call.Resend; r != nil && r.Hidden && mayBeStale(h) && beyondStale(h, r) {
			p.Report(h.found(Finding{
				Setting:  r.Origin.Setting,
				Severity: Info, Pos: r.Origin.Pos, Label: "sends it again" + known(r.Origin),
				Message: fmt.Sprintf("%s sends a request to %s again when its reused connection breaks%s", h.from.Layer, h.call.To.Layer, nobodyWrote(r)),
				Trace:   h.shown(func(t chain.Trace) bool { return t.Fault.Call == h.call && t.Fault.Kind == chain.IdleRace }),
			}))
		}
	})
}

// aboutRetriesOf reports whether a finding is about a retry of the hop's call.
func aboutRetriesOf(f Finding, h hop) bool {
	if f.Layer != h.from.Layer || !slices.Contains(f.Routes, h.route.Name) {
		return false
	}
	own := func(r *chain.Retry) bool {
		return r != nil && (r.Attempts.Origin.Setting == f.Setting || r.Origin.Setting == f.Setting)
	}
	return own(h.call.Resend) || slices.ContainsFunc(h.call.Layers, func(l chain.ClientLayer) bool { return own(l.Retry) })
}

// mayBeStale reports whether a connection can have been closed when it is
// reused, and keepalive-race, which knows both sides, does not say so.
func mayBeStale(h hop) bool {
	_, known := h.to.ServeLimit(chain.IdleKeepalive)
	return len(h.call.Idle) > 0 && !known
}

// beyondStale reports whether a product repeats by itself more than what it wrote
// to a connection that was closed already, as every client does.
func beyondStale(h hop, r *chain.Retry) bool {
	return len(repeated(h, r, func(c chain.Cond) bool { return c != chain.CondStale })) > 0
}

func reportHidden(p *Pass, r repeater) {
	h, o := r.hop, r.retry.Attempts.Origin
	conds, waited := repeated(h, r.retry, anyCond), repeated(h, r.retry, r.retry.Waits)
	again := func(conds []chain.Cond) *chain.Trace {
		return h.trace(func(t chain.Trace) bool {
			return t.Fault.Call == h.call && repeatedBy(t, h, func(c chain.Cond) bool { return slices.Contains(conds, c) }) > 0
		})
	}
	f := h.found(Finding{
		Setting:  o.Setting,
		Severity: Info, Pos: o.Pos, Label: "sends it again" + known(o),
		Message: fmt.Sprintf("%s sends a request to %s %s, again after %s%s",
			h.from.Layer, h.call.To.Layer, upTo(r.attempts), chain.CondText(conds), nobodyWrote(r.retry)),
		Trace: cmp.Or(again(waited), again(conds)),
	})
	if budget, t := cutShort(h); budget != nil && len(waited) > 0 && again(waited) == nil {
		f.Severity, f.Trace = soften(Warning, budget.Origin), t
		f.Message = fmt.Sprintf("%s waits %s to send a request to %s again after %s, but %s ends the call before the second attempt%s",
			h.from.Layer, chain.Shown(r.retry.Backoff(2)), h.call.To.Layer, chain.CondText(waited), setting(budget.Origin, chain.Shown(budget.Bound)), nobodyWrote(r.retry))
		f.Related = []Related{{Pos: budget.Origin.Pos, Message: "ends all attempts" + known(budget.Origin)}}
		f.Fixes = onceOnly(r.retry)
	}
	p.Report(f)
}

// cutShort is the budget that ends the wait for a further attempt of the hop's
// call, with the trace that shows it; nil if none does.
func cutShort(h hop) (*chain.Limit, *chain.Trace) {
	for _, t := range h.traces() {
		if t.Fault.Call != h.call {
			continue
		}
		for _, e := range t.Events {
			own := e.Peer == h.call.To && e.Limit != nil
			if own && (e.Kind == chain.EvTimeout && e.Cond == chain.CondDeadline || e.Kind == chain.EvNotStarted && e.Limit.Kind == chain.RetryWindow) {
				return e.Limit, &t
			}
		}
	}
	return nil, nil
}
