package check

import (
	"slices"
	"time"

	"tchain.dev/tchain/chain"
)

// setBound tries a limit with another bound: it changes every limit of the
// route that comes from the same setting. undo puts all back.
func setBound(r *chain.Route, l chain.Limit, bound time.Duration) (undo func()) {
	return tryLimit(r, l, func(x *chain.Limit) { x.Bound = bound })
}

// setEnding is setBound for a limit that may only tell the program: it then ends
// the call too.
func setEnding(r *chain.Route, l chain.Limit, bound time.Duration) (undo func()) {
	return tryLimit(r, l, func(x *chain.Limit) {
		x.Bound = bound
		if x.Fires == chain.FiresEvent {
			x.Fires = chain.FiresError
		}
	})
}

func tryLimit(r *chain.Route, l chain.Limit, edit func(*chain.Limit)) (undo func()) {
	type saved struct {
		at  *chain.Limit
		was chain.Limit
	}
	var all []saved
	try := func(limits []chain.Limit) {
		for i := range limits {
			x := &limits[i]
			if x.Origin.Setting == l.Origin.Setting && x.Origin.ID == l.Origin.ID {
				all = append(all, saved{x, *x})
				edit(x)
			}
		}
	}
	for _, n := range r.Nodes() {
		for _, c := range n.Calls() {
			for i := range c.Layers {
				try(c.Layers[i].Limits)
			}
			for _, left := range c.Reused {
				try(left)
			}
		}
	}
	return func() {
		for _, s := range all {
			*s.at = s.was
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

// withoutUnknown tries a layer whose calls, once they have a connection, have their answer
// at once where nobody outside knows what ends the wait for it. some is false where there is
// no such call.
func withoutUnknown(n *chain.Node) (undo func(), some bool) {
	var undos []func()
	for _, c := range n.Calls() {
		if len(c.Layers) == 0 || !c.Undocumented(chain.AtFirstByte) {
			continue
		}
		limits := &c.Layers[len(c.Layers)-1].Limits
		was := *limits
		*limits = append(slices.Clip(was), chain.Limit{
			Kind: chain.ResponseFirstByte, Side: chain.Calling, Start: chain.AtLease, End: chain.AtBodyEnd, Fires: chain.FiresError,
		})
		undos = append(undos, func() { *limits = was })
	}
	return func() {
		for _, undo := range undos {
			undo()
		}
	}, len(undos) > 0
}

// withoutResolving tries a layer whose names, and those of all that it calls, are resolved
// at once: that they are not is no fault that is looked at.
func withoutResolving(n *chain.Node) (undo func()) {
	var undos []func()
	for _, c := range n.Calls() {
		was := c.Skips
		c.Skips = append(slices.Clip(was), chain.AtResolved)
		undos = append(undos, withoutResolving(c.To), func() { c.Skips = was })
	}
	return func() {
		for _, undo := range slices.Backward(undos) {
			undo()
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

// tellingLimits are the limits of a call that somebody wrote and that only tell
// the program when they fire, outer first.
func tellingLimits(c *chain.Call) []chain.Limit {
	var out []chain.Limit
	for _, l := range c.Limits() {
		if l.Fires == chain.FiresEvent && l.Bound != chain.Never && l.Origin.Source == chain.Written {
			out = append(out, l)
		}
	}
	return out
}
