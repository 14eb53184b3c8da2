package report

import (
	"strings"

	"tchain.dev/tchain/chain"
)

// mainFault is what a route is first asked: what happens if a layer at the end of its
// calls goes silent. Of several it is the one that is worst for the person, and of
// equals the one at the end of the first calls.
func (r *Route) mainFault() int {
	best, first := -1, r.lastHop()
	for i := range r.Faults {
		f := &r.Faults[i]
		if f.Fault != string(chain.Silent) || f.hop < 0 || !r.Hops[f.hop].leaf {
			continue
		}
		if best < 0 || f.badness() > r.Faults[best].badness() || f.badness() == r.Faults[best].badness() && f.hop == first {
			best = i
		}
	}
	if best < 0 && len(r.Faults) > 0 {
		return 0
	}
	return best
}

// lastHop is where the way of first calls ends: from the root on, each callee's
// first call stands directly behind the call that reaches it, or further down
// behind the callees of its siblings.
func (r *Route) lastHop() int {
	at := 0
	for i, h := range r.Hops {
		if i > 0 && h.From == r.Hops[at].To && !r.Hops[at].leaf {
			at = i
		}
	}
	return at
}

// Main is the fault that a route is shown under first; nil if none can happen.
func (r *Route) Main() *Fault {
	if r.main < 0 {
		return nil
	}
	return &r.Faults[r.main]
}

// Verdict says in one sentence who gives up first and what the person then has:
// "api gives up first at 90s; the person sees 504 from proxy at 90s".
func (r *Route) Verdict(f *Fault) string {
	first, then := r.verdict(f)
	return first + "; " + then
}

const nobodyKnows = "who gives up first is not known"

// verdict is the sentence in its two halves.
func (r *Route) verdict(f *Fault) (first, then string) {
	o := f.Outcome
	never := chainTime(o.At) == chain.Never
	switch {
	case never && o.Error == chain.NotKnown:
		return nobodyKnows, strings.TrimPrefix(f.sees, "not known: ")
	case o.Unless != "" && o.Error == "gives up":
		return nobodyKnows, f.sees
	case o.Unless != "":
		return nobodyKnows, r.person + " sees " + f.sees
	case f.GivesUp == nil && never:
		return "nobody gives up", r.person + " waits for ever"
	case f.GivesUp == nil:
		return "nobody has to give up", r.person + " sees " + f.sees
	}
	first = f.GivesUp.Layer + " gives up first at " + f.GivesUp.At.String()
	own := r.outermost()
	switch {
	case never:
		return first, r.person + " still waits for ever"
	case o.Error == "gives up" && o.Cut && f.gaveUp() == own:
		return first, r.person + " has half an answer"
	case o.Error == "gives up" && f.gaveUp() == own:
		return first, r.person + " has no answer"
	case o.Error == "gives up":
		return first, f.sees + " in the end"
	}
	return first, r.person + " sees " + f.sees
}
