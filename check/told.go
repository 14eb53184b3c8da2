package check

import (
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

// A message is marked where it may differ between the routes of one finding, and Report
// takes the marks out: what is left without those parts tells which findings say the same.
const (
	timeMark = '\x01' // before a time that goes with the finding's Amount
	nameMark = '\x02' // before the name of a route
	endMark  = '\x03'
)

// byRoute is a time in a message, which another route may have longer or shorter.
func byRoute(d time.Duration) string { return differing(chain.Shown(d)) }

// differing is what follows from such a time.
func differing(text string) string { return string(timeMark) + text + string(endMark) }

// nameOf is a route's name in a message.
func nameOf(r *chain.Route) string { return string(nameMark) + r.Name + string(endMark) }

// told takes the marks out of the finding's message, and notes what it is without the parts
// that are marked. A time is one of those only where an Amount tells of the other routes'.
func (f *Finding) told() {
	var message, like strings.Builder
	inside := false
	for _, c := range f.Message {
		switch {
		case c == timeMark && f.Amount.Of != "", c == nameMark:
			inside = true
			like.WriteRune(c)
			f.namesRoute = f.namesRoute || c == nameMark
		case c == timeMark:
		case c == endMark:
			inside = false
		default:
			message.WriteRune(c)
			if !inside {
				like.WriteRune(c)
			}
		}
	}
	f.Message, f.like = message.String(), like.String()
}
