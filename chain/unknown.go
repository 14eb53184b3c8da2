package chain

import (
	"slices"
	"time"
)

// unsure remembers the first timer whose value is given at run time only and that
// ran for a while before a moment: it may have ended the wait.
func (p *player) unsure(l *Limit, began, moment time.Duration) {
	if p.unless == "" && l.Unknown() && l.Ends() && began < moment {
		p.unless = l.Origin.Name
	}
}

// unsureOf are the timers of an attempt, on the way to a moment that comes at natural,
// or is given up at fires.
func (a *attempting) unsureOf(m Moment, natural, fires time.Duration, r Reply) {
	if natural == Never && fires == Never {
		a.p.untold = a.p.untold || a.c.Undocumented(m)
	}
	for i := range a.limits {
		l := &a.limits[i]
		switch {
		case !l.Covers(m), l.Reset == ResetRead && m > AtFirstByte && r.Gap == 0, l.Reset == ResetWrite && natural != Never:
		default:
			a.p.unsure(l, a.at[l.Start], min(natural, fires))
		}
	}
	for _, x := range a.around {
		if x.limit.Complete && m > x.limit.End {
			continue
		}
		a.p.unsure(x.limit, a.at[AtCall], min(natural, fires))
	}
}

// Undocumented reports whether nobody outside knows if something ends the wait for m.
func (c *Call) Undocumented(m Moment) bool {
	return slices.ContainsFunc(c.Unbounded, func(u Unbounded) bool { return u.Undocumented && u.Phase == m })
}
