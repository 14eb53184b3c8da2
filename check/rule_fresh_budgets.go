package check

import (
	"fmt"

	"tchain.dev/tchain/chain"
)

var freshBudgets = &Rule{
	ID:        "fresh-budgets",
	Title:     "calls in a row each get a new budget and together pass the limit around them",
	Why:       "Each call of a layer has a limit that fits, and each begins with all of it. When one after the other is slow the layer takes the sum, and whoever waits for it has long gone. One deadline for the whole answer, from which each call gets what is left, ends that.",
	Severity:  Error,
	Since:     "0.1.0",
	NoOutcome: "past the layer's own declared total, and no limit around it, the answer is late and is no error",
	Check:     checkFreshBudgets,
}

func checkFreshBudgets(p *Pass) {
	watched := map[*chain.Node]bool{}
	p.eachHopAlone(func(h hop) {
		outer, ok := h.watching()
		if !ok || overRetries(p, h, outer) || !overFresh(p, h, outer) {
			return
		}
		inner := h.to
		watched[inner] = true
		worst := worstOf(h.route, inner)
		o := firstTerm(h.route, inner)
		f := Finding{
			Routes: []string{h.route.Name}, Layer: inner.Layer, Setting: o.Setting, Owner: inner.Owner,
			Severity: soften(Error, outer.Origin, o), Pos: o.Pos, Label: "a new budget for each call" + known(o),
			Message: fmt.Sprintf("%s gives each of %d calls in a row a new budget and ends at %s, but %s %s at %s",
				inner.Layer, inARow(inner), byRoute(worst.Total), h.from.Layer, fires(outer), byRoute(outer.Bound)),
			Amount:  Amount{D: worst.Total, Of: "it ends at"},
			Related: append(worstPlaces(inner, worst), Related{Pos: outer.Origin.Pos, Message: "fires first" + known(outer.Origin)}),
			Trace:   h.shown(func(t chain.Trace) bool { return overtaken(t, h, outer) }),
			Outcome: p.comesTo(h, chain.Silent),
			Fixes:   p.roomFixes(h, outer, worst, p.room(inner, outer.Bound)),
		}
		p.Report(f)
	})
	p.eachRoute(func(r *chain.Route) {
		for _, n := range r.Nodes() {
			if !watched[n] {
				checkDeclaredTotal(p, r, n)
			}
		}
	})
}

// overFresh reports whether the callee's calls in a row each end in time for
// the limit, and all together do not.
func overFresh(p *Pass, h hop, outer chain.Limit) bool {
	inner := h.to
	room := p.room(inner, outer.Bound)
	fits := func(n *chain.Node) bool { return chain.Add(worstOf(h.route, n).Total, room) < outer.Bound }
	return !fits(inner) && eachAlone(inner, fits)
}

// inARow is how many calls a layer makes one after the other.
func inARow(n *chain.Node) int {
	count := 0
	for _, s := range n.Steps {
		longest := 0
		for _, c := range s.Calls {
			if !c.Detached {
				longest = max(longest, c.Times, 1)
			}
		}
		count += longest
	}
	return count
}

// eachAlone tries a layer with each of its calls as the only one; false if it has none.
func eachAlone(n *chain.Node, fits func(*chain.Node) bool) bool {
	calls := n.Calls()
	for _, c := range calls {
		once, alone := *c, *n
		once.Times = 1
		alone.Steps = []chain.Step{{Calls: []*chain.Call{&once}}}
		if !fits(&alone) {
			return false
		}
	}
	return len(calls) > 0
}

// firstTerm is the setting that makes the largest part of the first call.
func firstTerm(r *chain.Route, n *chain.Node) chain.Origin {
	for _, c := range n.Calls() {
		if c.Detached {
			continue
		}
		if terms := largestFirst(chain.WorstCall(r, n, c, 0).Terms); len(terms) > 0 {
			return terms[0].Origin
		}
	}
	return chain.Origin{Pos: n.Pos, Setting: n.Layer}
}

// checkDeclaredTotal: the calls have limits of their own, so gap-only does not
// ask for an enforced total, and in a row they pass the one that is declared.
func checkDeclaredTotal(p *Pass, r *chain.Route, n *chain.Node) {
	total := n.Deadline.Total
	if !total.Declared() || n.Deadline.Enforced {
		return
	}
	for _, c := range n.Calls() {
		if unenforced(hopOf(r, n, c)) {
			return
		}
	}
	worst := chain.Worst(r, n)
	if worst.Total <= total.D || !eachAlone(n, func(x *chain.Node) bool { return chain.Worst(r, x).Total <= total.D }) {
		return
	}
	f := Finding{
		Routes: []string{r.Name}, Layer: n.Layer, Setting: total.Origin.Setting, Owner: n.Owner,
		Severity: soften(Error, total.Origin), Pos: total.Origin.Pos, Label: "declared, not kept",
		Message: fmt.Sprintf("%s gives each of %d calls in a row a new budget and ends at %s, past its own total of %s",
			n.Layer, inARow(n), byRoute(worst.Total), byRoute(total.D)),
		Amount:  Amount{D: worst.Total, Of: "it ends at"},
		Related: worstPlaces(n, worst),
	}
	f.offer(set(total.Origin, above(total.Origin, worst.Total-1)))
	p.Report(f)
}
