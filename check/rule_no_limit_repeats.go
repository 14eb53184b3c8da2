package check

import (
	"fmt"
	"time"

	"tchain.dev/tchain/chain"
)

// asGoodAsNever is an end that nobody is there for.
const asGoodAsNever = 365 * 24 * time.Hour

// endlessRepeats finds calls that end each time and are repeated so often that
// they never do.
func (p *Pass) endlessRepeats(r *chain.Route) {
	for _, h := range p.hops(r) {
		for i := range h.call.Layers {
			retry := h.call.Layers[i].Retry
			if chain.MaxAttempts(retry, h.call) == 1 {
				continue
			}
			var found []chain.Trace
			for _, t := range p.traces(r) {
				if t.Outcome.At >= asGoodAsNever && endsWithoutRepeats(r, t, h.call, i) {
					found = append(found, t)
				}
			}
			if len(found) > 0 {
				p.Report(repeatsFinding(h, retry, found))
			}
		}
	}
}

func repeatsFinding(h hop, retry *chain.Retry, found []chain.Trace) Finding {
	t := found[0]
	for _, x := range found {
		if never := x.Outcome.At == chain.Never; never == (t.Outcome.At == chain.Never) && better(&x, &t) || never && t.Outcome.At != chain.Never {
			t = x
		}
	}
	waits := "waits for ever"
	if t.Outcome.At != chain.Never {
		waits = fmt.Sprintf("has its answer only after %d years", t.Outcome.At/asGoodAsNever)
	}
	o := retry.Attempts.Origin
	f := h.found(Finding{
		Setting:  o.Setting,
		Severity: soften(Error, o), Pos: o.Pos, Label: "repeats it without an end" + known(o),
		Message: fmt.Sprintf("%s %s when %s %s%s: %s's %s %s repeats each call that has ended",
			h.route.Root.Layer, waits, t.Fault.Where(), t.Fault.Kind.Does(), others(len(found)-1), h.from.Layer, o.Name, o.Text),
		Trace: &t,
	})
	f.offer(setNumber(o, 1)).After = "then it ends"
	return f
}

// repeatedForEver reports whether a play has no end only because a layer of some
// client repeats its call.
func (p *Pass) repeatedForEver(r *chain.Route, t chain.Trace) bool {
	for _, h := range p.hops(r) {
		for i := range h.call.Layers {
			if chain.MaxAttempts(h.call.Layers[i].Retry, h.call) > 1 && endsWithoutRepeats(r, t, h.call, i) {
				return true
			}
		}
	}
	return false
}

// endsWithoutRepeats reports whether a play ends if layer i of a call's client makes
// one attempt only.
func endsWithoutRepeats(r *chain.Route, t chain.Trace, c *chain.Call, i int) bool {
	retry := c.Layers[i].Retry
	defer func() { c.Layers[i].Retry = retry }()
	c.Layers[i].Retry = nil
	return chain.Play(r, t.Fault).Outcome.At < asGoodAsNever
}
