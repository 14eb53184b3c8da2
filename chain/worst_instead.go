package chain

import (
	"slices"
	"time"
)

// worstSteps is the longest way through a node's steps from one on: a call that
// another one stands in for may end well, or fail and let that one begin.
func worstSteps(r *Route, n *Node, from int, total Sum, failed []*Call) Sum {
	var other Sum
	for i := from; i < len(n.Steps); i++ {
		step := Step{}
		for _, c := range n.Steps[i].Calls {
			if c.Instead == nil || slices.Contains(failed, c.Instead) {
				step.Calls = append(step.Calls, c)
			}
		}
		for _, c := range step.Calls {
			for _, t := range n.standIns(c) {
				until := plus(total, worstFailing(r, n, step, c, t, total.Total))
				other = later(other, worstSteps(r, n, i+1, until, append(slices.Clone(failed), c)))
			}
		}
		total = plus(total, worstStep(r, n, step, total.Total))
	}
	return later(total, other)
}

// worstFailing is the longest that a step takes in which a call fails in a way
// after which another one is made.
func worstFailing(r *Route, n *Node, step Step, c, instead *Call, spent time.Duration) Sum {
	fails := worstStep(r, n, Step{Calls: []*Call{c}}, spent)
	if len(c.Layers) == 1 && c.Layers[0].Retry == nil && instead.InsteadOn != nil {
		t := transportWorst(r, n, c, c.Layers[0].Limits)
		at, _, _ := t.retriable(&Retry{On: instead.InsteadOn, ReadsBody: true}, n, methodOf(r, c))
		if at.Total < fails.Total {
			fails = at
		}
	}
	rest := Step{Calls: slices.DeleteFunc(slices.Clone(step.Calls), func(x *Call) bool { return x == c })}
	return later(fails, worstStep(r, n, rest, spent))
}
