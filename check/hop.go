package check

import (
	"time"

	"tchain.dev/tchain/chain"
)

// A hop is one call of a route with its caller, and the call that reaches the
// caller, nil at the outermost layer.
type hop struct {
	route  *chain.Route
	from   *chain.Node
	call   *chain.Call
	outer  *chain.Call // of layers that only pass flows, the one that reaches those
	outerN *chain.Node // who makes the outer call
	// to is what answers the call, which a limit of the call is compared with: its callee,
	// or what is behind layers that only pass flows. last is the call that reaches it, of by.
	to   *chain.Node
	last *chain.Call
	by   *chain.Node
	pass *Pass
}

// hopOf is a call of a route by itself, of which nothing further out is looked at.
func hopOf(r *chain.Route, from *chain.Node, c *chain.Call) hop {
	by, last := from.Through(c)
	return hop{route: r, from: from, call: c, to: last.To, last: last, by: by}
}

// hops are all calls of a route, outermost first.
func hops(r *chain.Route) []hop {
	var out []hop
	var walk func(n *chain.Node, outer *chain.Call, outerN *chain.Node)
	walk = func(n *chain.Node, outer *chain.Call, outerN *chain.Node) {
		for _, c := range n.Calls() {
			h := hopOf(r, n, c)
			h.outer, h.outerN = outer, outerN
			out = append(out, h)
		}
		for _, c := range n.Calls() {
			if n.PassesFlows() {
				walk(c.To, outer, outerN)
			} else {
				walk(c.To, c, n)
			}
		}
	}
	walk(r.Root, nil, nil)
	return out
}

// eachHop runs f over the calls of all routes.
func (p *Pass) eachHop(f func(hop)) {
	for _, r := range p.Stack.Routes {
		for _, h := range p.hops(r) {
			f(h)
		}
	}
}

// reaches reports whether a call is the hop's own, or one behind it that only passes flows.
func (h hop) reaches(c *chain.Call) bool {
	for x := h.call; ; x = x.To.Calls()[0] {
		if x == c || x == h.last {
			return x == c
		}
	}
}

// watching is the limit of a call that ends the wait for its callee's answer
// first; ok is false if none does.
func (h hop) watching() (chain.Limit, bool) { return h.from.Watching(h.call) }

// told reports whether the caller can tell an error of its callee's from none: of a
// WebSocket that does not open a person's page has no status.
func (h hop) told() bool {
	return h.from.Role != chain.RoleCaller || h.route.Response.Mode != chain.WebSocket
}

// worst is how late the callee's answer can be after a limit of the caller began, or is by
// what is known, where that has no end only since nobody knows what ends a part of it.
func (h hop) worst(l chain.Limit) chain.Sum {
	return atLeast(h.to, func() chain.Sum { return chain.WorstAnswer(h.route, h.from, h.call, l) })
}

// worstOf is how late a layer's answer can be, as [hop.worst].
func worstOf(r *chain.Route, n *chain.Node) chain.Sum {
	return atLeast(n, func() chain.Sum { return chain.Worst(r, n) })
}

// atLeast is a worst case of a layer, without what is not known of it where only that has no end.
func atLeast(n *chain.Node, worst func() chain.Sum) chain.Sum {
	whole := worst()
	if whole.Total != chain.Never {
		return whole
	}
	undo, some := withoutUnknown(n)
	defer undo()
	if !some {
		return whole
	}
	return worst()
}

// deadline is the caller's enforced deadline as a limit of this call.
func (h hop) deadline() (chain.Limit, bool) { return h.from.Deadline.Limit(0) }

// room is the margin that an inner layer needs under an outer limit.
func (p *Pass) room(inner *chain.Node, outer time.Duration) time.Duration {
	return p.Stack.Policy.Room(inner, outer)
}

// instances is how many of a layer run, and whether that was said.
func instances(n *chain.Node) (count int, declared bool) {
	if n.Instances.N > 0 {
		return n.Instances.N, n.Instances.Declared()
	}
	return 1, false
}

// shown is trace for what a finding shows and nothing else rests on.
func (h hop) shown(shows func(chain.Trace) bool) *chain.Trace {
	if h.pass != nil && h.pass.memo.trial {
		return nil
	}
	return h.trace(shows)
}

// trace is the play of the first fault that shows a finding; nil if none does.
func (h hop) trace(shows func(chain.Trace) bool) *chain.Trace {
	var out *chain.Trace
	ts := h.traces()
	for i := range ts {
		if t := &ts[i]; shows(*t) && (out == nil || better(t, out)) {
			out = t
		}
	}
	if out == nil {
		return nil
	}
	one := *out // a finding keeps none of the others alive
	return &one
}

// better reports whether a trace is told more easily than another: one that rests on
// no value that is not given, and of a fault that is plain, silence first.
func better(a, b *chain.Trace) bool {
	if known := a.Outcome.Unless == ""; known != (b.Outcome.Unless == "") {
		return known
	}
	return rank(a.Fault.Kind) < rank(b.Fault.Kind)
}

func rank(k chain.FaultKind) int {
	for i, x := range []chain.FaultKind{chain.Silent, chain.Blackhole, chain.Stall, chain.Saturated, chain.TLSStall} {
		if x == k {
			return i
		}
	}
	return 9
}

// soften lowers an error that rests on an estimate.
func soften(s Severity, origins ...chain.Origin) Severity {
	for _, o := range origins {
		if o.Estimate != "" && s == Error {
			return Warning
		}
	}
	return s
}

// found is a finding about the hop: on its route, in the caller, of this callee.
func (h hop) found(f Finding) Finding {
	f.Routes, f.Layer, f.Callee, f.Owner = []string{h.route.Name}, h.from.Layer, h.call.To.Layer, h.from.Owner
	return f
}
