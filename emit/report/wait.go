package report

import (
	"slices"
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
		w.by(l)
	}
	if w.unknown {
		w.Why = "unknown: " + unknown
	}
	if chainTime(w.Limit) == chain.Never || worst == chain.Never || w.unknown {
		return w
	}
	w.weigh(s, c, worst)
	return w
}

// by makes a limit the one that ends the wait.
func (w *Wait) by(l chain.Limit) {
	o := l.Origin
	w.Limit, w.Why, w.Setting, w.File, w.Line = Duration(l.Bound), "", o.Setting, o.Pos.File, o.Pos.Line
	w.name, w.source = or(o.Name, string(l.Kind)), or(SourceText(o), l.Why)
}

// weigh lays the callee's worst end and its room beside the limit.
func (w *Wait) weigh(s *chain.Stack, c *chain.Call, worst time.Duration) {
	after := s.Policy.Room(c.To, chainTime(w.Limit))
	w.Room = Duration(after)
	if reserve := c.To.Deadline.Reserve.D; after == 0 && c.To.Role == chain.RoleBuffering && reserve > 0 {
		w.Room = Duration(min(reserve, worst))
		w.until -= w.Room
	}
	left := w.Limit - w.until - w.Room
	w.Left = &left
}

// firing is the wait that the limit of an event ended, which may be another one than
// what ends it for a callee at its worst. One that does not run until the answer says
// nothing of how late that may be.
func firing(s *chain.Stack, r *chain.Route, e *chain.Event) *Wait {
	i := slices.IndexFunc(e.Node.Calls(), func(c *chain.Call) bool { return c.To == e.Peer })
	if i < 0 || e.Limit.Count || e.Limit.Bound == chain.Never {
		return nil
	}
	w := Wait{until: Duration(chain.Never)}
	w.by(*e.Limit)
	if worst := worstOf(r, e.Peer); worst.Total != chain.Never && worst.Unknown == "" && e.Limit.Covers(chain.AtHeaderEnd) {
		w.until = Duration(worst.Total)
		w.weigh(s, e.Node.Calls()[i], worst.Total)
	}
	return &w
}

// wait is a hop's wait as it is drawn under a fault: of the layer that gives up first
// it is that of the limit which fires.
func (r *Route) wait(hop int, f *Fault) *Wait {
	w := &r.Hops[hop].Wait
	if w2 := f.firing(hop); w2 != nil && (w2.Setting != w.Setting || w2.Limit != w.Limit) {
		return w2
	}
	return w
}

// firing is the wait of a hop that the first limit to fire ends; nil for any other hop.
func (f *Fault) firing(hop int) *Wait {
	if hop < 0 || f == nil || f.first() == nil || f.first().hop != hop {
		return nil
	}
	return f.first().wait
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
