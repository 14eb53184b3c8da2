package check

import (
	"fmt"
	"slices"

	"tchain.dev/tchain/chain"
)

// checkNeverDialled finds a callee with several addresses of which the others are of no
// use while the first one is dead: a limit of the caller's fires before the next is dialled.
func checkNeverDialled(p *Pass, h hop) {
	next := h.call.Next
	if !next.Declared() || next.D == chain.Never {
		return // what dials one address alone does so by its nature
	}
	t, ok := pick(h.traces(), chain.DeadAddress, h.call)
	if !ok || slices.ContainsFunc(t.Events, func(e chain.Event) bool { return e.Kind == chain.EvRedials }) {
		return
	}
	limit := h.fired(t)
	if limit == nil {
		return // a caller further out is the one that leaves
	}
	p.Report(h.found(Finding{
		Setting: limit.Origin.Setting, Severity: Warning, Pos: limit.Origin.Pos, Label: "fires first" + known(limit.Origin),
		Message: fmt.Sprintf("%s never dials another of %s's %d addresses when the first is dead: that one has %s (%s), and %s is over by then",
			h.from.Layer, h.call.To.Layer, h.call.Addresses, chain.Shown(next.D), next.Origin.Name, setting(limit.Origin, chain.Shown(limit.Bound))),
		Related: []Related{{Pos: next.Origin.Pos, Message: fmt.Sprintf("gives the first address %s%s", chain.Shown(next.D), known(next.Origin))}},
		Trace:   &t,
	}))
}

// fired is the limit by which the caller ends the call in a trace, the first that comes
// of it; nil if it ends it by none.
func (h hop) fired(t chain.Trace) *chain.Limit {
	for _, e := range t.Events {
		if e.Node == h.from && e.Peer == h.call.To {
			return e.Limit
		}
	}
	return nil
}
