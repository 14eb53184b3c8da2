package compile

import (
	"fmt"
	"slices"
	"time"

	"tchain.dev/tchain/chain"
)

// announced takes for the idle time of a call what its callee announces, less
// what the caller's product gives up earlier, where it honours that; where shorter,
// only in place of a longer one. With nothing left of it it never reuses a connection.
func announced(c *chain.Call, honours bool, less time.Duration, shorter bool) {
	a := c.To.Announces
	if !honours && less == 0 || len(c.Idle) == 0 || !a.Declared() || a.D == chain.Never {
		return
	}
	if less > 0 && a.D <= less {
		c.Idle = nil
		return
	}
	l := c.Idle[0]
	if shorter && (l.Bound == chain.Never || l.Bound <= a.D-less) {
		return
	}
	l.Bound, l.Why, l.Zero, l.Origin = a.D-less, "", false, a.Origin
	l.Origin.Note = "announced by " + c.To.Layer
	if less > 0 {
		l.Origin.Source, l.Origin.Place = chain.Derived, nil
		l.Origin.Note += ", less " + chain.Format(less)
	}
	c.Idle = []chain.Limit{l}
}

// announcedSince notes that an open version leaves it open whether the announced
// time counts, where that changes how long the call keeps a connection; own is how
// long it does without.
func (e *effective) announcedSince(out *clientOutput, c *chain.Call, own []chain.Limit) {
	if out.ShorterSince == "" || e.version != "" || slices.Equal(c.Idle, own) {
		return
	}
	now := "no idle connection is kept"
	if len(c.Idle) > 0 {
		now = "an idle connection is kept for " + chain.Format(c.Idle[0].Bound)
	}
	out.Notices = append(out.Notices, chain.Notice{
		Kind: chain.NoticeImplicit, Origin: e.itself(),
		Message: fmt.Sprintf("version of %s is open: from %s on %s, as %s announces %s, before it is kept for %s",
			e.typ.Key, out.ShorterSince, now, c.To.Layer, chain.Format(c.To.Announces.D), chain.Format(own[0].Bound)),
	})
}
