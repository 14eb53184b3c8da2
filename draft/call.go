package draft

import (
	"cmp"
	"slices"
	"time"

	"tchain.dev/tchain/chain"
)

const (
	// answers is how long the innermost layer may take.
	answers = 5 * time.Second
	// begins is how long it may take until a request is on its way: connecting,
	// and before it the wait for a connection.
	begins = time.Second
)

// once takes away repeats that nobody has asked for. A product counts the
// attempts, or the repeats, or takes 0 for its default.
func (d *drafter) once(c *chain.Call) {
	for _, l := range c.Layers {
		if chain.MaxAttempts(l.Retry, c) < 2 {
			continue
		}
		count := l.Retry.Attempts.Origin
		if n, ok := map[string]int{"": 1, "1": 0, "0": -1}[d.written(count)]; ok {
			d.number(count, n, "sent once: a repeat must be safe, and fit every limit further out")
		}
	}
}

// connect bounds connecting where the product waits long or for ever.
func (d *drafter) connect(c *chain.Call) {
	for _, l := range c.Limits() {
		if l.Kind == chain.Connect && l.Bound > 2*begins && !slices.ContainsFunc(c.Limits(), func(o chain.Limit) bool {
			return o.Origin.Setting == l.Origin.Setting && slices.Contains(notConnecting, o.Kind)
		}) {
			d.duration(l, begins, "connecting takes milliseconds, or fails")
		}
	}
}

// notConnecting are kinds with which a setting is no mere limit of connecting.
var notConnecting = append([]chain.Kind{chain.PoolWait, chain.ResponseReadGap}, ends...)

// ends are the kinds that end the wait for an answer, the one that bounds most first.
var ends = []chain.Kind{chain.TotalDeadline, chain.AttemptDeadline, chain.ResponseFirstByte, chain.ResponseHeader}

// waits are the limits of a call that end the wait for the answer, in the order
// in which one is chosen: a total where a program calls, else what the product
// has switched on.
func waits(n *chain.Node, c *chain.Call) []chain.Limit {
	var out []chain.Limit
	for _, l := range c.Limits() {
		if slices.Contains(ends, l.Kind) && l.Ends() {
			out = append(out, l)
		}
	}
	rank := func(l chain.Limit) int {
		if l.Bound == chain.Never && n.Role == chain.RolePassing {
			return len(ends) + slices.Index(ends, l.Kind)
		}
		return slices.Index(ends, l.Kind)
	}
	slices.SortStableFunc(out, func(a, b chain.Limit) int { return cmp.Compare(rank(a), rank(b)) })
	return out
}

// first is the limit that ends the wait for the answer first; Never without one.
func first(n *chain.Node, c *chain.Call) time.Duration {
	out := chain.Never
	for _, l := range waits(n, c) {
		out = min(out, l.Bound)
	}
	if l, ok := n.Deadline.Limit(0); ok {
		out = min(out, l.Bound)
	}
	return out
}

// answer sets the limit of the answer over what the callee can take, and with
// it each that would fire before, or without which nothing ends the call.
func (d *drafter) answer(n *chain.Node, c *chain.Call) {
	end := d.end(c.To)
	want, why := over(end), "over "+c.To.Layer+"'s own error at "+chain.Format(end)
	if end == 0 {
		want, why = answers, "your choice: how long "+c.To.Layer+" may take"
	}
	chosen := false
	for _, l := range waits(n, c) {
		switch {
		case l.Origin.Place == nil:
			continue
		case !chosen && d.written(l.Origin) == "" || l.Bound < want:
			d.duration(l, want, "%s", why)
		case l.Bound == chain.Never && chain.WorstCall(d.route, n, c, 0).Total == chain.Never:
			d.duration(l, over(want), "ends what the limit of %s does not", chain.Format(want))
		}
		if chosen = true; d.changed {
			return
		}
	}
}

// gap ends a silence within the answer where no total ends the whole.
func (d *drafter) gap(n *chain.Node, c *chain.Call) {
	for _, l := range c.Limits() {
		if (l.Kind == chain.TotalDeadline || l.Kind == chain.AttemptDeadline) && l.Bound != chain.Never {
			return
		}
	}
	want := first(n, c)
	for _, l := range c.Limits() {
		if l.Kind == chain.ResponseReadGap && l.Ends() && l.Bound > want {
			d.duration(l, want, "the longest silence within an answer")
		}
	}
}

// end is how late a layer's own answer can be: 0 of one that promises nothing,
// and that of the layer behind one that nothing bounds.
func (d *drafter) end(n *chain.Node) time.Duration {
	if n.Role == chain.RoleLeaf {
		return 0
	}
	if worst := chain.Worst(d.route, n).Total; worst != chain.Never && worst > 0 {
		return worst
	}
	out := answers
	for _, c := range n.Calls() {
		if l := first(n, c); l != chain.Never {
			out = max(out, l)
		}
		out = max(out, d.end(c.To))
	}
	return out
}
