package report

import (
	"time"

	"tchain.dev/tchain/chain"
)

// A Wait is how long the caller of a hop waits for the callee's answer, and what
// of it is left when the callee is as late as it can be. All of it counts from
// the moment of the call.
type Wait struct {
	// Limit is when the caller stops waiting; "never" if nothing makes it.
	Limit   Duration `json:"limit"`
	Why     string   `json:"why"` // why it is "never", or may come before
	Setting string   `json:"setting"`
	File    string   `json:"file"`
	Line    int      `json:"line"`
	// Room is the end of the callee's time that is kept for its error to be
	// delivered: an app's reserve, or the error room that comes after its worst end.
	Room Duration `json:"room"`
	// Left is the limit less the callee's worst end and its room: nil where one of
	// them is "never". Nothing or less than nothing is a race that the callee loses.
	Left *Duration `json:"left"`

	name    string   // the last word of the setting
	source  string   // where the limit comes from, in words
	unknown bool     // a limit that may come before Limit is injected and not given: Why names it
	until   Duration // when the callee's own work is over at worst, without its room; Never if it never is
}

// waitOf is the limit of a call that ends the wait for an answer first.
func waitOf(s *chain.Stack, c *chain.Call, limits []chain.Limit, worst time.Duration) Wait {
	unknown := ""
	w := Wait{Limit: Duration(chain.Never), Why: "no limit", until: Duration(worst)}
	for _, l := range limits {
		if l.Unknown() && bounds(l) && !w.unknown {
			w.unknown, unknown = true, or(l.Origin.Name, string(l.Kind))+" is "+l.Why
		}
		if !watches(l) || l.Bound >= chainTime(w.Limit) {
			continue
		}
		o := l.Origin
		w.Limit, w.Why, w.Setting, w.File, w.Line = Duration(l.Bound), "", o.Setting, o.Pos.File, o.Pos.Line
		w.name, w.source = or(o.Name, string(l.Kind)), or(SourceText(o), l.Why)
	}
	if w.unknown {
		w.Why = "unknown: " + unknown
	}
	if chainTime(w.Limit) == chain.Never || worst == chain.Never || w.unknown {
		return w
	}
	after := s.Policy.Room(c.To, chainTime(w.Limit))
	w.Room = Duration(after)
	if reserve := c.To.Deadline.Reserve.D; after == 0 && c.To.Role == chain.RoleBuffering && reserve > 0 {
		w.Room = Duration(min(reserve, worst))
		w.until -= w.Room
	}
	left := w.Limit - w.until - w.Room
	w.Left = &left
	return w
}

// segments are the parts of a wait as they are drawn, in order and without gaps:
// the callee's time, its room, and what is left; or, where the limit comes first,
// what is too late.
func (w *Wait) segments() []segment {
	limit, until := w.Limit, w.until
	if chainTime(until) == chain.Never || chainTime(limit) == chain.Never {
		return []segment{{partWork, 0, limit}}
	}
	end := until + w.Room
	parts := []segment{{partWork, 0, min(until, limit)}, {partRoom, until, min(end, limit)}, {partLeft, end, limit}, {partLate, limit, end}}
	var out []segment
	for _, p := range parts {
		if p.from < p.to {
			out = append(out, p)
		}
	}
	return out
}

// A part is a meaning of a stretch of a bar; each has one colour.
type part int

const (
	partWork part = iota // the callee may take it
	partRoom             // kept for the callee's error
	partLeft             // left under the limit
	partLate             // after the limit: nobody waits for it
)

// A segment is a stretch of a bar; to may be Never.
type segment struct {
	part     part
	from, to Duration
}
