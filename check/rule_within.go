package check

import (
	"fmt"

	"tchain.dev/tchain/chain"
)

var within = &Rule{
	ID:        "within",
	Title:     "the route's stated expectation is not kept in the worst case",
	Why:       "The route says by when an answer must be there, good or bad. The limits on the way allow more: in the worst case they add up past it, or a byte now and then keeps the request alive beyond it. What is promised has to be what is set.",
	Severity:  Error,
	Since:     "0.1.0",
	NoOutcome: "an answer that is late is no error",
	Check:     checkWithin,
}

func checkWithin(p *Pass) {
	for _, r := range p.Stack.Routes {
		if !r.Within.Declared() || p.waitsForEver(r) {
			continue
		}
		latest := latestOutcome(p, r)
		worst := chain.Worst(r, r.Root)
		o := r.Within.Origin
		f := Finding{
			Routes: []string{r.Name}, Layer: r.Root.Layer, Setting: o.Setting, Owner: r.Root.Owner,
			Severity: soften(Error, o), Pos: o.Pos, Label: "expected by then", Trace: latest,
		}
		switch {
		case worst.Total != chain.Never && worst.Total > r.Within.D:
			f.Message = fmt.Sprintf("%s can take %s, longer than the %s within which an answer is expected", r.Root.Layer, chain.Shown(worst.Total), chain.Shown(r.Within.D))
			f.Amount = Amount{D: worst.Total, Of: "it can take"}
			f.Related = worstPlaces(r.Root, worst)
		case latest == nil:
			continue
		case latest.Outcome.At == chain.Never:
			f.Message = fmt.Sprintf("%s never has an answer when %s %s, which is expected within %s", r.Root.Layer, latest.Fault.Where(), latest.Fault.Kind.Does(), chain.Shown(r.Within.D))
		default:
			f.Amount = Amount{D: latest.Outcome.At, Of: "it has one at"}
			f.Message = fmt.Sprintf("%s has an answer at %s when %s %s, later than the %s within which it is expected",
				r.Root.Layer, chain.Shown(latest.Outcome.At), latest.Fault.Where(), latest.Fault.Kind.Does(), chain.Shown(r.Within.D))
		}
		for _, h := range p.hops(r) {
			if l, _ := h.watching(); h.from == r.Root && l.Bound > r.Within.D {
				f.offer(set(l.Origin, r.Within.D))
			}
		}
		p.Report(f)
	}
}

// latestOutcome is the play of the fault that keeps the outermost caller
// longest, if that is past the expectation; nil if none does.
func latestOutcome(p *Pass, r *chain.Route) *chain.Trace {
	var out *chain.Trace
	for _, t := range p.traces(r) {
		if t.Outcome.At <= r.Within.D || t.Outcome.Unless != "" {
			continue
		}
		if out == nil || t.Outcome.At > out.Outcome.At || t.Outcome.At == out.Outcome.At && better(&t, out) {
			out = &t
		}
	}
	return out
}
