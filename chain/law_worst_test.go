package chain

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// bounds are all the limits and deadlines of a route, to be changed.
func bounds(r *Route) (out []*time.Duration) {
	for _, n := range r.Nodes() {
		if n.Deadline.Total.Declared() {
			out = append(out, &n.Deadline.Total.D)
		}
		if n.Deadline.PerCall.Declared() {
			out = append(out, &n.Deadline.PerCall.D)
		}
		for _, c := range n.Calls() {
			for i := range c.Layers {
				for j := range c.Layers[i].Limits {
					out = append(out, &c.Layers[i].Limits[j].Bound)
				}
			}
			for _, left := range c.Reused {
				for i := range left {
					out = append(out, &left[i].Bound)
				}
			}
		}
	}
	return out
}

// longest is the worst case of each layer. A phase that could not be checked
// may take any time.
func longest(r *Route) (out []time.Duration) {
	for _, n := range r.Nodes() {
		w := Worst(r, n)
		if len(w.NotChecked) > 0 {
			w.Total = Never
		}
		out = append(out, w.Total)
	}
	return out
}

// raised is a route with one limit raised: it was low before.
func raised(t *rapid.T, r *Route) (low time.Duration, bound *time.Duration) {
	all := bounds(r)
	if len(all) == 0 {
		t.Skip("no limit at all")
	}
	bound = all[rapid.IntRange(0, len(all)-1).Draw(t, "which")]
	low = *bound
	if low == Never || rapid.Bool().Draw(t, "lower") {
		low = time.Duration(rapid.IntRange(0, 999).Draw(t, "low")) * time.Millisecond
		low = min(low, *bound)
	} else if rapid.IntRange(0, 3).Draw(t, "to never") == 3 {
		*bound = Never
	} else {
		*bound = Add(*bound, time.Duration(1+rapid.IntRange(0, 999).Draw(t, "more"))*time.Millisecond)
	}
	return low, bound
}

func TestRaisingALimitNeverShortensAWorstCaseAndLoweringNeverLengthensOne(t *testing.T) {
	repeat(t, 2500, func(t *rapid.T) {
		r := randomRoute(t, false)
		low, bound := raised(t, r)
		high := longest(r)
		top := *bound
		*bound = low
		for i, before := range longest(r) {
			if before > high[i] {
				n := r.Nodes()[i]
				*bound = top
				t.Fatalf("a limit raised from %s to %s takes the worst case of %s from %s to %s (%+v)\n%s",
					Format(low), Format(top), n.Layer, Format(before), Format(high[i]), Worst(r, n), describe(r))
			}
		}
	})
}

func TestAnErrorRoomThatWasThereIsStillThereAfterTheOuterLimitIsRaised(t *testing.T) {
	repeat(t, 500, func(t *rapid.T) {
		r := randomRoute(t, false)
		low, bound := raised(t, r)
		room := time.Duration(rapid.IntRange(0, 50).Draw(t, "room")) * time.Millisecond
		top := *bound
		for _, n := range r.Nodes() {
			for _, c := range n.Calls() {
				for _, l := range c.Limits() {
					*bound = low
					lowInner := holds(r, c.To, room, l.Bound)
					*bound = top
					highInner := holds(r, c.To, room, l.Bound)
					if highInner && !lowInner {
						t.Fatalf("with an inner limit lowered from %s to %s, %s no longer ends before %s", Format(top), Format(low), c.To.Layer, Format(l.Bound))
					}
					if holds(r, c.To, room, l.Bound) && !holds(r, c.To, room, Add(l.Bound, time.Millisecond)) {
						t.Fatalf("%s ends before %s and not before a later limit", c.To.Layer, Format(l.Bound))
					}
				}
			}
		}
	})
}

// holds is the rule of the error room on one pair.
func holds(r *Route, inner *Node, room, outer time.Duration) bool {
	w := Worst(r, inner)
	return len(w.NotChecked) == 0 && w.Total != Never && Add(w.Total, room) < outer
}

func TestNoFaultOutlastsAWorstCaseThatIsBounded(t *testing.T) {
	plays := 0
	repeat(t, 2500, func(t *rapid.T) {
		whole := randomRoute(t, false)
		for _, n := range whole.Nodes() {
			r := *whole
			r.Root = n
			if n.Role == RoleLeaf {
				continue
			}
			w := Worst(&r, n)
			if w.Total == Never || len(w.NotChecked) > 0 {
				continue
			}
			for _, f := range Faults(&r) {
				switch f.Kind {
				case Trickle, HeaderDrip, Stall: // a gap counts once, and a passing layer is bounded up to the header
					continue
				}
				plays++
				if tr := Play(&r, f); tr.Outcome.At > w.Total {
					t.Fatalf("%s: the outcome at %s comes after the worst case %s (%+v)\n%s\n%s",
						faultName(f), Format(tr.Outcome.At), Format(w.Total), w.Terms, brief(tr), describe(&r))
				}
			}
		}
	})
	t.Logf("%d plays end within the worst case", plays)
}
