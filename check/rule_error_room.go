package check

import (
	"fmt"
	"slices"
	"time"

	"tchain.dev/tchain/chain"
)

var errorRoom = &Rule{
	ID:       "error-room",
	Title:    "an inner layer ends too late for an outer limit that watches it",
	Why:      "When the outer limit fires first, the person gets the outer layer's page instead of the inner one's answer, the inner work goes on for nobody, and no log says why. The inner worst case plus room for an error response must end before the outer limit; a tie is a race.",
	Severity: Error,
	Since:    "0.1.0",
	Options: []Option{
		{"errorRoom", "the smaller of 1s and 5 % of the outer limit", "the margin, for all layers or beside one"},
	},
	Check: checkErrorRoom,
}

func checkErrorRoom(p *Pass) {
	p.eachRoute(func(r *chain.Route) {
		for _, n := range r.Nodes() {
			p.checkOwnAnswer(r, n)
		}
	})
	p.eachHopAlone(func(h hop) {
		inner := h.to
		outer, ok := h.watching()
		if !ok || !h.told() {
			return
		}
		worst := h.worst(outer)
		room := p.room(inner, outer.Bound)
		if chain.Add(worst.Total, room) < outer.Bound || worst.Total == 0 && outer.Bound == 0 {
			return // of a limit that is over as it begins tail-latency says so
		}
		if worst.Total == chain.Never {
			reportEndless(p, h, outer)
			return
		}
		if overRetries(p, h, outer) || overFresh(p, h, outer) || cannotRaise(outer, worst.Total, room) || h.overUpload(outer) {
			return // retry-budget, fresh-budgets, platform-cap or upload-cut names the cause
		}
		f := h.found(Finding{
			Setting:  outer.Origin.Setting,
			Severity: h.lateSeverity(outer), Pos: outer.Origin.Pos,
			Label:   "fires first" + known(outer.Origin),
			Message: lateMessage(h, outer, worst.Total, room),
			Amount:  ownError(inner, worst.Total),
			Aside:   h.unknownDone(outer, worst.Total),
			Related: worstPlaces(inner, worst),
			Trace:   h.endedLate(outer),
			Outcome: p.comesTo(h, chain.Silent),
		})
		f.Fixes = p.roomFixes(h, outer, worst, room)
		p.Report(f)
	})
}

// lateSeverity is a warning where the callee's end is a limit that it may use up
// and nothing is declared of how long its work takes.
func (h hop) lateSeverity(outer chain.Limit) Severity {
	if _, ok := h.to.Promise(); ok {
		return Warning
	}
	return soften(Error, outer.Origin)
}

// unknownDone says of a request that may not be sent twice that its work goes on
// after the person has had an error; none where that is not known. Where it is the
// callee's own, that is until the end that the finding is about: no one fault may show
// so late a one.
func (h hop) unknownDone(outer chain.Limit, worst time.Duration) Aside {
	if h.route.IsIdempotent() {
		return Aside{}
	}
	t := h.shown(func(t chain.Trace) bool { return overtaken(t, h, outer) })
	if t == nil {
		return Aside{}
	}
	o := worksOn(*t, background(h.route))
	if o.node == nil {
		return Aside{}
	}
	if o.node == h.call.To && worst != chain.Never {
		o.forTime = max(o.forTime, worst-outer.Bound)
	}
	return Aside{o.node.Layer + " works on for", o.forTime, ", and whether it was done is unknown"}
}

func lateMessage(h hop, outer chain.Limit, inner, room time.Duration) string {
	who, does, at := h.from.Layer, fires(outer), byRoute(outer.Bound)
	own := h.to.Layer + "'s own error at " + byRoute(inner)
	switch {
	case inner > outer.Bound:
		return fmt.Sprintf("%s %s at %s, before %s", who, does, at, own)
	case inner == outer.Bound:
		return fmt.Sprintf("%s %s at %s, at the same time as %s", who, does, at, own)
	}
	return fmt.Sprintf("%s %s at %s, %s after %s; more than %s must lie between them", who, does, at, byRoute(outer.Bound-inner), own, byRoute(room))
}

// ownError is the amount of lateMessage.
func ownError(inner *chain.Node, at time.Duration) Amount {
	return Amount{D: at, Of: inner.Layer + "'s own error comes at"}
}

// reportEndless is the case of an inner call that nothing inside ends: the
// cause is the missing limit, not the one that fires.
func reportEndless(p *Pass, h hop, outer chain.Limit) {
	inner := h.to
	for _, c := range inner.Calls() {
		if c.Detached || chain.WorstCall(h.route, inner, c, 0).Total != chain.Never {
			continue
		}
		l, ok := openLimit(h.route, inner, c)
		if !ok || l.Zero {
			continue
		}
		f := Finding{
			Routes: []string{h.route.Name}, Layer: inner.Layer, Setting: l.Origin.Setting, Owner: inner.Owner,
			Severity: soften(Error, outer.Origin), Pos: l.Origin.Pos, Label: l.Origin.Name + ": " + l.Why + known(l.Origin),
			Message: fmt.Sprintf("%s %s at %s, because nothing ends %s's call to %s: %s is %s", h.from.Layer, fires(outer), byRoute(outer.Bound), inner.Layer, c.To.Layer, l.Origin.Name, l.Why),
			Amount:  Amount{D: outer.Bound, Of: "at", Low: true},
			Related: []Related{{Pos: outer.Origin.Pos, Message: "fires first" + known(outer.Origin)}},
			Trace:   h.shown(func(t chain.Trace) bool { return endedBy(t, h, outer) }),
		}
		room := p.room(inner, outer.Bound)
		f.offer(set(l.Origin, below(l.Origin, outer.Bound-room-restOf(h.route, inner, c, l))))
		p.Report(f)
		return
	}
}

// openLimit is a limit that is off and would end the call's worst case if it were on.
func openLimit(r *chain.Route, n *chain.Node, c *chain.Call) (chain.Limit, bool) {
	for _, unwanted := range []bool{false, true} { // of a flow without an end, a limit of the whole comes last
		for _, l := range openLimits(c) {
			if endsFlow(r, c, l) != unwanted {
				continue
			}
			undo := setBound(r, l, time.Second)
			ends := chain.WorstCall(r, n, c, 0).Total != chain.Never
			undo()
			if ends {
				return l, true
			}
		}
	}
	return chain.Limit{}, false
}

// restOf is the worst case of a call without the share of one limit.
func restOf(r *chain.Route, n *chain.Node, c *chain.Call, l chain.Limit) time.Duration {
	undo := setBound(r, l, time.Second)
	defer undo()
	return chain.Worst(r, n).Total - time.Second
}

// endedBy reports whether a trace shows the limit ending the hop's call while
// the fault is further in.
func endedBy(t chain.Trace, h hop, l chain.Limit) bool {
	if h.reaches(t.Fault.Call) && t.Fault.Kind != chain.Slow { // a slow callee is not broken
		return false
	}
	for _, e := range t.Events {
		if e.Kind == chain.EvTimeout && e.Peer == h.call.To && e.Limit.Origin.Setting == l.Origin.Setting {
			return true
		}
	}
	return false
}

// endedLate is the trace that shows the limit ending the hop's call while the fault is
// further in. Where the end of some of those is not known it is one that shows the callee's.
func (h hop) endedLate(l chain.Limit) *chain.Trace {
	if chain.WorstAnswer(h.route, h.from, h.call, l).Total == chain.Never {
		if t := h.shown(func(t chain.Trace) bool {
			return endedBy(t, h, l) && slices.ContainsFunc(t.Events, func(e chain.Event) bool { return e.Kind == chain.EvTimeout && e.Node == h.to })
		}); t != nil {
			return t
		}
	}
	return h.shown(func(t chain.Trace) bool { return overtaken(t, h, l) })
}

// overtaken reports whether a trace shows the limit ending the hop's call before an error
// of the callee's own: one that has an end to come to. What never ends there, as a trickle
// through gaps, is no part of a worst case, and the fix of one leaves it as it is.
func overtaken(t chain.Trace, h hop, l chain.Limit) bool {
	if ended := endedBy(t, h, l); !ended || h.reaches(t.Fault.Call) {
		return ended
	}
	if h.worst(l).Total == chain.Never {
		return true // the callee has no end of its own
	}
	alone := *h.route
	alone.Root, alone.Upload = h.to, nil
	return chain.Play(&alone, t.Fault).Outcome.At != chain.Never
}

// worstPlaces are the lines that make a worst case, with the sum at the first.
func worstPlaces(n *chain.Node, s chain.Sum) []Related {
	var out []Related
	seen := map[chain.Range]bool{}
	for _, t := range s.Terms {
		if seen[t.Origin.Pos] || t.Origin.Source != chain.Written {
			continue
		}
		seen[t.Origin.Pos] = true
		place := Related{Pos: t.Origin.Pos, Message: t.Label, Term: t}
		if len(out) == 0 {
			place.Message, place.Term = n.Layer+": "+sumText(s), chain.Term{}
		}
		out = append(out, place)
	}
	if len(out) == 0 {
		out = append(out, Related{Pos: n.Pos, Message: n.Layer + ": " + sumText(s)})
	}
	return out
}
