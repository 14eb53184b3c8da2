package check

import (
	"fmt"

	"tchain.dev/tchain/chain"
)

// unknownAfter are the failures after which it is not known whether a request
// was done, as far as a call is made instead of the failed one after them.
func unknownAfter(c *chain.Call) []chain.Cond {
	var out []chain.Cond
	on := c.InsteadOn
	if on == nil {
		on = []chain.Cond{chain.CondTimeout, chain.CondReset, chain.CondKilled, chain.CondCut, "500", "503"}
	}
	for _, cond := range on {
		if mayBeDone(cond) || cond == chain.CondCut {
			out = append(out, cond)
		}
	}
	return out
}

// checkElsewhere: what must not be done twice is sent to somebody else while it
// is unknown what the first one did.
func checkElsewhere(p *Pass, h hop) {
	if h.from.Role != chain.RoleBuffering {
		return
	}
	unsafe, sure := repeatsHarm(h)
	if !unsafe {
		return
	}
	if first := h.call.Instead; first != nil {
		was, sureToo := repeatsHarm(hopOf(h.route, h.from, first))
		if conds := unknownAfter(h.call); was && len(conds) > 0 {
			reportElsewhere(p, h, conds, sure && sureToo)
		}
		return
	}
	if first := ignoredBefore(h); first != nil {
		reportMaybeElsewhere(p, h, first)
	}
}

func reportElsewhere(p *Pass, h hop, conds []chain.Cond, sure bool) {
	first, o := h.call.Instead, h.call.InsteadAt
	sev := Error
	if !sure {
		sev = Warning
	}
	before := hopOf(h.route, h.from, first)
	p.Report(h.found(Finding{
		Setting:  o.Setting,
		Severity: sev, Pos: o.Pos, Label: "after a failure of " + first.To.Layer,
		Message: fmt.Sprintf("%s sends to %s what is not idempotent after %s from %s, when %s may have done it: its outcome is unknown; "+
			"ask what became of it, or turn to another one only on: [\"refused\", \"connect-timeout\"]",
			h.from.Layer, h.call.To.Layer, chain.CondText(conds), first.To.Layer, first.To.Layer),
		Related: []Related{{Pos: first.Pos, Message: "may have been done"}},
		Trace: before.trace(func(t chain.Trace) bool {
			return t.Fault.Call == first && turnsTo(t, h) && unknownIn(t, first)
		}),
	}))
}

// ignoredBefore is the call of the step before whose failure is not passed on, and
// which must not be made twice either; nil if there is none. Only where each of the
// two is what its step waits for may the second be meant for a failure of the first:
// the calls of one step are made at once, and several together are the work itself.
func ignoredBefore(h hop) *chain.Call {
	for i, step := range h.from.Steps {
		if i == 0 || onlyAwaited(step) != h.call || h.call.Times > 1 {
			continue
		}
		first := onlyAwaited(h.from.Steps[i-1])
		if first == nil || !first.Fallback || first.To.Layer == h.call.To.Layer {
			return nil
		}
		if unsafe, _ := repeatsHarm(hopOf(h.route, h.from, first)); unsafe {
			return first
		}
	}
	return nil
}

// onlyAwaited is the one call of a step that its layer waits for; nil if there is none
// or several.
func onlyAwaited(s chain.Step) (out *chain.Call) {
	for _, c := range s.Calls {
		switch {
		case c.Detached:
		case out != nil:
			return nil
		default:
			out = c
		}
	}
	return out
}

func reportMaybeElsewhere(p *Pass, h hop, first *chain.Call) {
	before := hopOf(h.route, h.from, first)
	p.Report(h.found(Finding{
		Setting:  h.call.Setting,
		Severity: Warning, Pos: h.call.Pos, Label: "whatever became of " + first.To.Layer,
		Message: fmt.Sprintf("%s passes over a failure of %s and sends to %s: after a timeout it is unknown whether %s did it; if both do the same, write %s: instead: %q",
			h.from.Layer, first.To.Layer, h.call.To.Layer, first.To.Layer, h.call.To.Layer, first.To.Layer),
		Related: []Related{{Pos: first.Pos, Message: "its failure is not passed on"}},
		Trace:   before.trace(func(t chain.Trace) bool { return t.Fault.Call == first && unknownIn(t, first) }),
	}))
}

// turnsTo reports whether a trace makes the call of a hop in place of another one.
func turnsTo(t chain.Trace, h hop) bool {
	for _, e := range t.Events {
		if e.Kind == chain.EvInstead && e.Node == h.from && e.Peer == h.call.To {
			return true
		}
	}
	return false
}

// unknownIn reports whether a trace leaves it open what a callee did.
func unknownIn(t chain.Trace, c *chain.Call) bool {
	for _, e := range t.Events {
		if e.Unknown && e.Peer == c.To {
			return true
		}
	}
	return false
}
