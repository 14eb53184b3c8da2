package chain

import (
	"strings"
	"time"
)

// A Deadline is the budget that an app declares for its own answer.
type Deadline struct {
	Total, PerCall, Reserve Value
	// Enforced says that a call is really ended when its share is spent. A
	// deadline that is not enforced shapes budgets between calls but ends no
	// blocked read.
	Enforced bool
	Header   string // the header in which it is sent on
	From     string // the header from which it is shortened
	FromAt   Origin // where From is written
	// Given is the most that a caller gives in From; not declared where none does.
	Given Value
}

// InForce is the total that counts: the shorter of the app's own and the one
// that a caller gave it.
func (d *Deadline) InForce() Value {
	if d.Given.Declared() && (!d.Total.Declared() || d.Given.D < d.Total.D) {
		return d.Given
	}
	return d.Total
}

// Left is what the deadline leaves for a call after some is spent: total −
// reserve − spent, never below zero; Never if no total is declared.
func (d *Deadline) Left(spent time.Duration) time.Duration {
	total := d.InForce()
	switch {
	case !total.Declared():
		return Never
	case spent == Never:
		return 0
	}
	return max(total.D-d.Reserve.D-spent, 0)
}

// Share is what one call may take after some is spent: what is left, and no more
// than PerCall. It is not declared where neither is.
func (d *Deadline) Share(spent time.Duration) Value {
	out := d.PerCall
	if left := d.Left(spent); left != Never && (!out.Declared() || left < out.D) {
		out = Value{D: left, Origin: d.InForce().Origin}
	}
	return out
}

// Limit is the enforced deadline as a limit of one call. Where nothing is left
// the call ends at once. ok is false if the deadline is not declared or not enforced.
func (d *Deadline) Limit(spent time.Duration) (l Limit, ok bool) {
	share := d.Share(spent)
	if !d.Enforced || !share.Declared() {
		return Limit{}, false
	}
	return Limit{
		Kind: TotalDeadline, Side: Calling, Start: AtCall, End: AtBodyEnd, Per: PerRequest, Bound: share.D, Fires: FiresError, Origin: share.Origin,
	}, true
}

// Takes reports whether a budget that is sent in header shortens the deadline.
func (d *Deadline) Takes(header string) bool {
	return header != "" && strings.EqualFold(header, d.From)
}

// given is a budget that came in From.
func (d *Deadline) given(left time.Duration) Value {
	v := Value{D: left, Origin: d.FromAt}
	v.Origin.Source, v.Origin.Name = Derived, "deadline"
	return v
}

// HandOn works out the most that each app of a route is given by its caller, where
// the caller sends its deadline in the header that the app reads. Layers that pass
// requests on pass the header on too.
func HandOn(r *Route) { handOn(r.Root, "", Value{}) }

// sent is what a call gives in the caller's header: what is left for it, and no
// more than the client's own total allows.
func (d *Deadline) sent(c *Call, spent time.Duration) Value {
	share := d.Share(spent)
	if l, ok := c.Limit(TotalDeadline); ok && l.Bound != Never && (!share.Declared() || l.Bound < share.D) {
		return Value{D: l.Bound, Origin: l.Origin}
	}
	return share
}

func handOn(n *Node, header string, share Value) {
	if n.Deadline.Takes(header) && share.Declared() {
		n.Deadline.Given = n.Deadline.given(share.D)
		n.Deadline.Given.Origin.Note = Format(share.D) + " " + share.Origin.Name + " of its caller"
	}
	for _, c := range n.Calls() {
		if n.Role == RoleBuffering {
			header, share = n.Deadline.Header, n.Deadline.sent(c, 0)
		}
		handOn(c.To, header, share)
	}
}
