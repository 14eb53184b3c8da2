package check

import (
	"time"

	"tchain.dev/tchain/chain"
)

// setBound tries a limit with another bound: it changes every limit of the
// route that comes from the same setting. undo puts all back.
func setBound(r *chain.Route, l chain.Limit, bound time.Duration) (undo func()) {
	type saved struct {
		at  *chain.Limit
		was time.Duration
	}
	var all []saved
	for _, n := range r.Nodes() {
		for _, c := range n.Calls() {
			for i := range c.Layers {
				for j := range c.Layers[i].Limits {
					x := &c.Layers[i].Limits[j]
					if x.Origin.Setting == l.Origin.Setting && x.Origin.ID == l.Origin.ID {
						all = append(all, saved{x, x.Bound})
						x.Bound = bound
					}
				}
			}
		}
	}
	return func() {
		for _, s := range all {
			s.at.Bound = s.was
		}
	}
}

// withoutRetries tries a route with one attempt for a call.
func withoutRetries(c *chain.Call) (undo func()) {
	was := make([]*chain.Retry, len(c.Layers))
	for i := range c.Layers {
		was[i], c.Layers[i].Retry = c.Layers[i].Retry, nil
	}
	return func() {
		for i := range c.Layers {
			c.Layers[i].Retry = was[i]
		}
	}
}

// openLimits are the limits of a call that are off, outer first. One whose value
// is injected at run time is not known to be off.
func openLimits(c *chain.Call) []chain.Limit {
	var out []chain.Limit
	for _, l := range c.Limits() {
		if l.Bound == chain.Never && !l.Unknown() {
			out = append(out, l)
		}
	}
	return out
}
