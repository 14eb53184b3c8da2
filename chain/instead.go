package chain

import "slices"

// standIns are the calls of a node that are made instead of another one.
func (n *Node) standIns(c *Call) []*Call {
	var out []*Call
	for _, step := range n.Steps {
		for _, other := range step.Calls {
			if other.Instead == c {
				out = append(out, other)
			}
		}
	}
	return out
}

// TakesOver reports whether a call is made after the one that it stands in for
// failed in one way.
func (c *Call) TakesOver(cond Cond) bool {
	return c.InsteadOn == nil || slices.Contains(c.InsteadOn, cond)
}

// takes is TakesOver for a result: a limit that fired after the header is a
// timeout like one before it.
func (c *Call) takes(res result) bool {
	return c.TakesOver(res.why()) || res.why() == CondCut && res.limit != nil && c.TakesOver(CondTimeout)
}

// taken reports whether a call's failure is not passed on, since another one is
// made instead.
func (n *Node) taken(c *Call, res result) bool {
	return slices.ContainsFunc(n.standIns(c), func(t *Call) bool { return t.takes(res) })
}

// leadsTo reports whether a call, or one that would be made instead of it, is
// another one or leads to it.
func (n *Node) leadsTo(c, fault *Call) bool {
	if c == fault {
		return true
	}
	var below func(*Node) bool
	below = func(to *Node) bool {
		return slices.ContainsFunc(to.Calls(), func(x *Call) bool { return x == fault || below(x.To) })
	}
	return below(c.To) || slices.ContainsFunc(n.standIns(c), func(t *Call) bool { return n.leadsTo(t, fault) })
}

// Presumed is how a call is taken to fail where a fault is at what is made
// instead of it: at once, since that would not be made otherwise.
func (n *Node) Presumed(c, fault *Call) (Cond, bool) {
	for _, t := range n.standIns(c) {
		switch {
		case !n.leadsTo(t, fault):
		case t.TakesOver(CondRefused):
			return CondRefused, true
		default:
			return t.InsteadOn[0], true
		}
	}
	return "", false
}

// A lost call failed, and another one is made instead.
type lost struct {
	call *Call
	res  result
}

// due reports whether a call is made, given those that failed before.
func (c *Call) due(before []lost) bool {
	return c.Instead == nil || slices.ContainsFunc(before, func(l lost) bool { return l.call == c.Instead && c.takes(l.res) })
}
