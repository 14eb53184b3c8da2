package compile

import (
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
