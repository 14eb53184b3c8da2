package report

import (
	"fmt"
	"path"
	"time"

	"tchain.dev/tchain/chain"
)

// A scale is the axis of time that all bars of a picture share. What never ends
// is drawn to its end and left open.
type scale struct {
	max   Duration
	ticks []Duration
}

// nominal is the axis where nothing ends: it has to have some length.
const nominal = Duration(10 * time.Second)

// scale is the axis for one fault: all limits that a caller waits for and all that
// happens are on it. A callee that can be far too late is drawn as leaving it.
func (r *Route) scale(f *Fault) scale {
	var most Duration
	see := func(d Duration) {
		if chainTime(d) != chain.Never {
			most = max(most, d)
		}
	}
	for i := range r.Hops {
		see(r.wait(i, f).Limit)
	}
	if f != nil {
		see(f.Outcome.At)
		for _, s := range f.spans {
			see(s.to)
		}
	}
	if most == 0 {
		most = nominal
	}
	limits := most
	for i := range r.Hops {
		if w := r.wait(i, f); w.Left != nil && w.until+w.Room <= 2*limits {
			see(w.until + w.Room)
		}
	}
	// What has no end has to be seen to go on behind everything that has one.
	return scale{max: most + most/25, ticks: ticks(most)}
}

// ticks are about five round times, from zero on.
func ticks(most Duration) []Duration {
	step := Duration(1)
	for factor := 0; step*5 < most; factor++ {
		if factor%3 == 1 {
			step = step / 2 * 5 // 1, 2, 5, 10, …
		} else {
			step *= 2
		}
	}
	var out []Duration
	for t := Duration(0); t <= most; t += step {
		out = append(out, t)
	}
	return out
}

// share is where a time stands on the axis, from 0 to 1.
func (s scale) share(d Duration) float64 {
	if d > s.max {
		return 1
	}
	return float64(d) / float64(s.max)
}

// A row is a line of the picture: a call, or the layer that goes wrong.
type row struct {
	hop     int  // -1 for the layer that goes wrong
	reached bool // the fault lets the request come this far
	span    *span
}

// rows are the calls of a route, with the layer that goes wrong below the call
// that is answered badly.
func (r *Route) rows(f *Fault) []row {
	var out []row
	for i := range r.Hops {
		x := row{hop: i, reached: f == nil}
		if f != nil {
			for j := range f.spans {
				if f.spans[j].hop == i {
					x.reached, x.span = true, &f.spans[j]
				}
			}
		}
		out = append(out, x)
		if f != nil && f.hop == i {
			out = append(out, row{hop: -1, reached: true, span: x.span})
		}
	}
	return out
}

// lasts says how long what a faulted layer does is drawn: from when on, and until
// when. Some faults are over at once, and most have no end of their own.
func (f *Fault) lasts() (from, to Duration) {
	to = Duration(chain.Never)
	for _, s := range f.spans {
		if s.hop == f.hop {
			from = s.from
			if f.Fault == string(chain.Slow) {
				to = s.to
			}
		}
	}
	switch chain.FaultKind(f.Fault) {
	case chain.Refused, chain.ResetFault, chain.Unavailable, chain.IdleRace:
		to = from
	}
	return from, to
}

// does is what the layer that goes wrong does, without its name.
func (f *Fault) does() string { return chain.FaultKind(f.Fault).Does() }

// limitText is the limit of a wait with its setting: "90s responseTimeout".
func (w *Wait) limitText() string {
	switch {
	case chainTime(w.Limit) == chain.Never:
		return w.Why
	case w.unknown:
		return "at most " + w.Limit.String() + " " + w.name
	}
	return w.Limit.String() + " " + w.name
}

// leftText says what is left under a limit; nothing where that is not known.
func leftText(left *Duration) string {
	switch {
	case left == nil:
		return ""
	case *left > 0:
		return left.String() + " left"
	case *left == 0:
		return "nothing left"
	}
	return (-*left).String() + " too late"
}

// waits says what the caller of a row's hop does under the fault.
func (x row) waits(h *Hop) string {
	if !x.reached {
		return "does not call " + h.To
	}
	return "waits for " + h.To
}

// place is where the limit of a wait comes from, short enough for a picture.
func (w *Wait) place() string {
	if w.File != "" && w.Line > 0 {
		return fmt.Sprintf("%s:%d", path.Base(w.File), w.Line)
	}
	return w.source
}
