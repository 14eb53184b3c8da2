package draft

import (
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
)

// busy is how many requests each of some instances has open, if each stays for so long.
func (d *drafter) busy(instances int, held time.Duration) int {
	b := chain.Busy{Instances: max(instances, 1)}
	b.Add(d.route.TPS, held)
	return b.Need()
}

// pool makes room for what a silent callee holds, and lets nobody wait long for it.
func (d *drafter) pool(n *chain.Node, c *chain.Call) {
	held := first(n, c)
	if c.Pool == nil || c.Pool.InForce().N == 0 || held == chain.Never {
		return
	}
	need := d.busy(n.Instances.N, held)
	for _, s := range []chain.Size{c.Pool.PerHost, c.Pool.Total} {
		if s.N > 0 && s.N < need {
			d.number(s.Origin, s.For(need), "%d/s ÷ %d × %s are open while %s is silent", perSecond, max(n.Instances.N, 1), chain.Format(held), c.To.Layer)
		}
	}
	if wait, ok := c.Limit(chain.PoolWait); ok && wait.Bound >= held {
		d.duration(wait, begins, "fails soon when all connections are taken")
	}
}

// reuse puts keep-alive times in order: the side that reuses gives up first.
func (d *drafter) reuse(n *chain.Node, c *chain.Call) {
	serves, ok := c.To.ServeLimit(chain.IdleKeepalive)
	if !ok || len(c.Idle) == 0 || serves.Bound == chain.Never {
		return
	}
	reuses := c.Idle[0]
	if reuses.Bound < serves.Bound {
		return
	}
	if reuses.Bound == chain.Never || !d.duration(serves, over(reuses.Bound), "longer than the %s for which %s reuses connections", chain.Format(reuses.Bound), n.Layer) {
		d.duration(reuses, (serves.Bound / 2).Truncate(time.Second), "shorter than the %s for which %s keeps connections", chain.Format(serves.Bound), c.To.Layer)
	}
}

// quiet keeps a connection from being reused after something on the way has
// forgotten it, which nobody is told of.
func (d *drafter) quiet(n *chain.Node, c *chain.Call) {
	forgets, ok := c.To.ServeLimit(chain.FlowIdle)
	if !ok || len(c.Idle) == 0 || c.Idle[0].Bound < forgets.Bound {
		return
	}
	reuses := c.Idle[0]
	if !d.duration(reuses, (forgets.Bound / 2).Truncate(time.Second), "shorter than the %s after which %s forgets a quiet connection", chain.Format(forgets.Bound), c.To.Layer) {
		d.duration(forgets, over(reuses.Bound), "longer than the %s for which %s reuses connections", chain.Format(reuses.Bound), n.Layer)
	}
}

// serving raises what would end n's work before its own calls end.
func (d *drafter) serving(n *chain.Node) {
	end := time.Duration(0)
	for _, c := range n.Calls() {
		if w := chain.WorstCall(d.route, n, c, 0).Total; w != chain.Never {
			end = max(end, w)
		}
	}
	for _, l := range n.Serve {
		switch l.Kind {
		case chain.HandlerDeadline, chain.WorkerKill, chain.WriteTotal:
			if end > 0 && l.Bound < over(end) && l.Ends() {
				d.duration(l, over(end), "over the %s that its calls may take", chain.Format(end))
			}
		}
	}
}

// capacity lets a layer work on as much at once as its callers can have open.
func (d *drafter) capacity(s *chain.Stack, n *chain.Node) {
	for _, from := range d.route.Nodes() {
		for _, c := range from.Calls() {
			if c.Answering() != n || from.PassesFlows() {
				continue
			}
			held := check.HeldInside(s, d.route, from, c)
			if need := d.busy(n.Instances.N, held); held != chain.Never && need > n.Concurrency.N {
				d.number(n.Concurrency.Origin, n.Concurrency.For(need), "%d/s ÷ %d × %s may be inside at once", perSecond, max(n.Instances.N, 1), chain.Format(held))
			}
		}
	}
}
