package check

import (
	"fmt"
	"time"

	"tchain.dev/tchain/chain"
)

var platformCap = &Rule{
	ID:       "platform-cap",
	Title:    "what is needed is beyond what the platform can be set to",
	Why:      "An inner layer may take longer than an outer limit that cannot be raised that far: the platform fixes it, or takes no larger value. No setting helps. Either the inner limits come down, or the request is accepted at once and the caller asks for the result.",
	Severity: Error,
	Since:    "0.1.0",
	Check:    checkPlatformCap,
}

func checkPlatformCap(p *Pass) {
	p.eachHopAlone(func(h hop) {
		outer, ok := h.watching()
		if !ok || !h.told() || !p.endsLate(h) || overRetries(p, h, outer) || overFresh(p, h, outer) {
			return
		}
		inner := h.call.To
		worst, room := chain.Worst(h.route, inner), p.room(inner, outer.Bound)
		if !cannotRaise(outer, worst.Total, room) {
			return
		}
		most := "is fixed at " + chain.Shown(outer.Bound)
		if outer.Origin.Source != chain.Fixed {
			most = "takes " + chain.Shown(outer.Most) + " at most"
		}
		f := h.found(Finding{
			Setting:  outer.Origin.Setting,
			Severity: h.lateSeverity(outer), Pos: outer.Origin.Pos, Label: most + known(outer.Origin),
			Message: fmt.Sprintf("%s; %s %s, so accept the request at once and let the caller poll", lateMessage(h, outer, worst.Total, room), outer.Origin.Name, most),
			Amount:  ownError(inner, worst.Total),
			Aside:   h.unknownDone(outer),
			Related: worstPlaces(inner, worst),
			Trace:   h.shown(func(t chain.Trace) bool { return overtaken(t, h, outer) }),
			Outcome: p.comesTo(h, chain.Silent),
		})
		for _, fix := range p.roomFixes(h, outer, worst, room) {
			if fix.After == "" { // the one that lowers the inner limit
				f.Fixes = append(f.Fixes, fix)
			}
		}
		p.Report(f)
	})
}

// cannotRaise reports whether the limit that would have to be above an inner
// end and its room cannot be set so.
func cannotRaise(l chain.Limit, inner, room time.Duration) bool {
	return l.Origin.Source == chain.Fixed || l.Most > 0 && chain.Add(inner, room) >= l.Most
}
