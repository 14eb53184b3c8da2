package compile

import (
	"fmt"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
)

func (d Defaults) hosted() bool { return d.Type.hosted() }

// smallestOf says the limit that fires first.
func (d Defaults) smallestOf(limits []chain.Limit) (string, []chain.Limit) {
	var first *chain.Limit
	for i, l := range limits {
		if l.Ends() && (first == nil || l.Bound < first.Bound) {
			first = &limits[i]
		}
	}
	switch {
	case first == nil && d.hosted():
		return DefaultsNotKnown, nil
	case first == nil:
		return DefaultsNone, nil
	case first.Bound == chain.Never:
		if i := slices.IndexFunc(limits, func(l chain.Limit) bool { return l.Origin.Source != "" }); i >= 0 {
			first = &limits[i] // its default is none, which it says of itself
		}
		return DefaultsNone, []chain.Limit{*first}
	}
	text := chain.Format(first.Bound)
	switch {
	case first.Kernel:
		text += " (kernel)"
	case first.Kind == chain.AttemptDeadline:
		text += " an attempt"
	case first.Per == chain.PerAddress:
		text += " an address"
	}
	return text, []chain.Limit{*first}
}

func ofKinds(limits []chain.Limit, kinds ...chain.Kind) []chain.Limit {
	var out []chain.Limit
	for _, l := range limits {
		if slices.Contains(kinds, l.Kind) {
			out = append(out, l)
		}
	}
	return out
}

func callDefault(kinds ...chain.Kind) func(Defaults) (string, []chain.Limit) {
	return func(d Defaults) (string, []chain.Limit) {
		if d.Call == nil {
			return DefaultsNotKnown, nil
		}
		return d.smallestOf(ofKinds(d.Call.Limits(), kinds...))
	}
}

// phaseDefault is what ends the wait for a moment: the limit of the phase itself,
// or a longer one that runs while it lasts. Deadlines of the whole are told apart.
func phaseDefault(m chain.Moment, kinds ...chain.Kind) func(Defaults) (string, []chain.Limit) {
	return func(d Defaults) (string, []chain.Limit) {
		if d.Call == nil {
			return DefaultsNotKnown, nil
		}
		own := ofKinds(d.Call.Limits(), kinds...)
		for _, l := range d.Call.Limits() {
			if !slices.Contains(kinds, l.Kind) && l.Covers(m) && l.Kind != chain.TotalDeadline && l.Kind != chain.AttemptDeadline {
				own = append(own, l)
			}
		}
		return d.smallestOf(own)
	}
}

// gapDefault is the longest silence within an answer, of a balancer of bare
// connections that of the flow.
func gapDefault(d Defaults) (string, []chain.Limit) {
	if flow := ofKinds(d.Node.Serve, chain.FlowIdle); len(flow) > 0 {
		text, limits := d.smallestOf(flow)
		return text + " (flow)", limits
	}
	return callDefault(chain.ResponseReadGap)(d)
}

// waitDefault is the wait for a connection of a pool, where one may run out.
func waitDefault(d Defaults) (string, []chain.Limit) {
	if d.Call == nil || d.Call.Pool == nil || d.Call.Pool.InForce().N == 0 {
		return DefaultsNotKnown, nil
	}
	return d.smallestOf(ofKinds(d.Call.Limits(), chain.PoolWait))
}

func idleDefault(d Defaults) (string, []chain.Limit) {
	if d.Call == nil || len(d.Call.Idle) == 0 {
		return DefaultsNotKnown, nil
	}
	return d.smallestOf(d.Call.Idle[:1])
}

func poolDefault(d Defaults) (string, []chain.Limit) {
	text := poolText(d)
	if p := d.pool(); p != nil && p.InForce().N > 0 && p.InForce().Origin.Note != "" {
		text += " (" + p.InForce().Origin.Note + ")"
	}
	return text, nil
}

func poolText(d Defaults) string {
	switch p := d.pool(); {
	case d.Call == nil || p == nil && d.hosted():
		return DefaultsNotKnown
	case p == nil || p.InForce().N == 0:
		if p != nil && p.Idle.N > 0 {
			return fmt.Sprintf("none; %d idle", p.Idle.N)
		}
		return DefaultsNone
	case p.PerHost.N > 0 && p.Total.N > 0:
		return fmt.Sprintf("%d a host, %d in all", p.PerHost.N, p.Total.N)
	case p.PerHost.N > 0:
		return fmt.Sprintf("%d a host", p.PerHost.N)
	default:
		return fmt.Sprintf("%d in all", p.Total.N)
	}
}

func (d Defaults) pool() *chain.Pool {
	if d.Call == nil {
		return nil
	}
	return d.Call.Pool
}

// repeatDefault is how often a call is sent again by default, and what is sent
// again on a pooled connection that was already closed.
func repeatDefault(d Defaults) (string, []chain.Limit) {
	if d.Call == nil {
		return DefaultsNotKnown, nil
	}
	var parts []string
	for _, l := range d.Call.Layers {
		switch {
		case l.Retry == nil:
		case !l.Retry.Attempts.Declared() || l.Retry.Attempts.N == 0:
			parts = append(parts, "each address once")
		case l.Retry.Attempts.N > 1:
			parts = append(parts, fmt.Sprint(l.Retry.Attempts.N-1))
		}
	}
	if d.Call.Resend != nil {
		parts = append(parts, fmt.Sprintf("%d if stale", d.Call.Resend.Attempts.N-1))
	}
	switch {
	case len(parts) > 0:
		return strings.Join(parts, "; "), nil
	case d.hosted():
		return DefaultsNotKnown, nil
	}
	return DefaultsNone, nil
}

func serveDefault(kinds ...chain.Kind) func(Defaults) (string, []chain.Limit) {
	return func(d Defaults) (string, []chain.Limit) { return d.smallestOf(ofKinds(d.Node.Serve, kinds...)) }
}

// keptDefault is how long something is kept: what has no such limit keeps nothing,
// or it is not known.
func keptDefault(kind chain.Kind) func(Defaults) (string, []chain.Limit) {
	return func(d Defaults) (string, []chain.Limit) {
		limits := ofKinds(d.Node.Serve, kind)
		if len(limits) == 0 {
			return DefaultsNotKnown, nil
		}
		return d.smallestOf(limits)
	}
}

func concurrencyDefault(d Defaults) (string, []chain.Limit) {
	if d.Node.Concurrency.N == 0 {
		return DefaultsNone, nil
	}
	return fmt.Sprint(d.Node.Concurrency.N), nil
}
