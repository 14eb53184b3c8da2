package check

import (
	"fmt"
	"slices"
	"sort"
	"time"

	"tchain.dev/tchain/chain"
)

var retryBudget = &Rule{
	ID:        "retry-budget",
	Title:     "the attempts together take longer than the budget around them, or can never run or never succeed",
	Why:       "One attempt fits, all of them do not: the outer limit fires in the middle of a repeat, the person sees the outer layer's error, and the repeats only add load. A product's default number of attempts is often the number of addresses behind a name, so the sum grows when somebody adds an instance. Where one attempt may use the whole budget, as it does without a limit of its own, the others never run. And where the callee says that it takes longer than an attempt is given, each one fails as the first did: the person waits for all of them, and the callee has its work several times. The same holds for the addresses of one name: where the first one is dead and a limit is over before the next is dialled, each request fails although another address would answer.",
	Severity:  Error,
	Since:     "0.1.0",
	NoOutcome: "an attempt that never comes changes nothing that the person has",
	Check:     checkRetryBudget,
}

func checkRetryBudget(p *Pass) {
	p.eachHopAlone(func(h hop) {
		if outer, ok := h.watching(); ok && h.to.Role != chain.RoleLeaf {
			checkOuterBudget(p, h, outer)
		}
		checkOwnBudget(p, h)
		checkInVain(p, h)
		checkNeverDialled(p, h)
	})
}

// checkOuterBudget: the callee's repeats pass the limit that watches it.
func checkOuterBudget(p *Pass, h hop, outer chain.Limit) {
	if !overRetries(p, h, outer) {
		return
	}
	inner := h.to
	retry, call := retrying(inner)
	worst := h.worst(outer)
	f := Finding{
		Routes: []string{h.route.Name}, Layer: inner.Layer, Setting: retry.Attempts.Origin.Setting, Owner: inner.Owner,
		Severity: soften(Error, retry.Attempts.Origin, outer.Origin), Pos: retry.Attempts.Origin.Pos,
		Label: fmt.Sprintf("%s to %s%s", plural(chain.MaxAttempts(retry, call), "attempt"), call.To.Layer, known(retry.Attempts.Origin)),
		Message: fmt.Sprintf("%s tries %s %s and %s, %s %s %s at %s",
			inner.Layer, call.To.Layer, upTo(chain.MaxAttempts(retry, call)), endsAt(worst.Total), tooLate(worst.Total, outer.Bound), h.from.Layer, fires(outer), byRoute(outer.Bound)),
		Amount:  Amount{D: worst.Total, Of: "it ends at"},
		Related: append(worstPlaces(inner, worst), Related{Pos: outer.Origin.Pos, Message: "fires first" + known(outer.Origin)}),
		Trace:   h.shown(func(t chain.Trace) bool { return overtaken(t, h, outer) }),
	}
	if n := mostAttempts(retry, call, func() bool { return chain.Add(h.worst(outer).Total, p.room(inner, outer.Bound)) < outer.Bound }); n > 0 {
		f.offer(setNumber(retry.Attempts.Origin, n))
	}
	p.Report(f)
}

// mostAttempts is the largest number of attempts below the policy's own with which
// something fits, which it does with fewer if it does with more; 0 if with none.
func mostAttempts(retry *chain.Retry, call *chain.Call, fits func() bool) int {
	was := retry.Attempts.N
	defer func() { retry.Attempts.N = was }()
	return sort.Search(chain.MaxAttempts(retry, call)-1, func(i int) bool {
		retry.Attempts.N = i + 1
		return !fits()
	})
}

// checkOwnBudget: a total around the attempts leaves no time for a second one.
func checkOwnBudget(p *Pass, h hop) {
	retry, call := retrying(&chain.Node{Steps: []chain.Step{{Calls: []*chain.Call{h.call}}}})
	if retry == nil || retry.Hidden || sharesConnect(retry) {
		return
	}
	total, ok := totalOver(h.call, retry)
	if d, has := h.deadline(); has && (!ok || d.Bound < total.Bound) {
		total, ok = d, true
	}
	if w := retry.Window; w.Declared() && w.D != chain.Never && (!ok || w.D < total.Bound) && checkWindow(p, h, retry) {
		return
	}
	if !ok || total.Bound == chain.Never {
		return
	}
	if len(repeated(h, retry, comesLate)) == 0 && retry.Backoff(2) < total.Bound {
		return // what is repeated comes at once, and soon
	}
	layer := slices.IndexFunc(call.Layers, func(l chain.ClientLayer) bool { return l.Retry == retry })
	undo := withoutRetries(call)
	undoTotal := setBound(h.route, total, chain.Never)
	node := *h.from
	node.Deadline = chain.Deadline{}
	attempt := *call
	if !retry.Allows(chain.CondPoolTimeout, "", false) { // a wait for a connection that no repeat follows
		attempt.Pool = nil
	}
	one, again := chain.WorstRepeated(h.route, &node, &attempt, layer, retry)
	undo()
	undoTotal()
	if !again || one.Total < total.Bound {
		return
	}
	t := h.trace(func(t chain.Trace) bool { return waitsOnce(t, h, retry, total) })
	takes := "one attempt can take " + chain.Shown(one.Total) + " and all together have " + setting(total.Origin, chain.Shown(total.Bound))
	if one.Total == chain.Never {
		if t == nil {
			return // a wait without any limit is another rule's
		}
		takes = "nothing ends the first one before " + setting(total.Origin, chain.Shown(total.Bound)) + " ends them all"
	}
	label, once := "never gets to the second attempt", onceOnly(retry)
	if h.trace(func(t chain.Trace) bool { return repeatedBy(t, h, anyCond) > 0 }) != nil {
		label, once = "after a slow first attempt no other one can end in time", nil // after a quick failure it is of use
	}
	p.Report(h.found(Finding{
		Setting:  retry.Attempts.Origin.Setting,
		Severity: Warning, Pos: retry.Attempts.Origin.Pos, Label: label + known(retry.Attempts.Origin),
		Message: fmt.Sprintf("%s would try %s %s, but %s", h.from.Layer, call.To.Layer, often(chain.MaxAttempts(retry, call)), takes),
		Related: []Related{{Pos: total.Origin.Pos, Message: "ends all attempts" + known(total.Origin)}},
		Trace:   t,
		Fixes:   append(perAttempt(h, retry, total.Bound), once...),
	}))
}

// checkWindow: a budget that is looked at between attempts only ends none, and lets no
// further one begin after any failure that takes its time. It says whether that is found.
func checkWindow(p *Pass, h hop, retry *chain.Retry) bool {
	window := chain.Limit{Bound: retry.Window.D, Origin: retry.Window.Origin}
	t := h.trace(func(t chain.Trace) bool { return waitsOnce(t, h, retry, window) })
	late := func(t chain.Trace) bool {
		return t.Fault.Call == h.call && comesLate(waitsFor[t.Fault.Kind]) && repeatedBy(t, h, comesLate) > 0
	}
	if t == nil || window.Bound == 0 || h.trace(late) != nil {
		return false
	}
	takes := t.Events[slices.IndexFunc(t.Events, func(e chain.Event) bool { return e.Limit != nil && e.Limit.Origin.Setting == window.Origin.Setting })].At
	f := h.found(Finding{
		Setting:  retry.Attempts.Origin.Setting,
		Severity: Warning, Pos: retry.Attempts.Origin.Pos, Label: "never gets to the second attempt" + known(retry.Attempts.Origin),
		Message: fmt.Sprintf("%s would try %s %d times, but the first attempt takes %s and no other one begins after %s", h.from.Layer, h.call.To.Layer,
			chain.MaxAttempts(retry, h.call), chain.Shown(takes), setting(window.Origin, chain.Shown(window.Bound))),
		Related: []Related{{Pos: window.Origin.Pos, Message: "lets no attempt begin after it, and ends none" + known(window.Origin)}},
		Trace:   t,
		Fixes:   perAttempt(h, retry, window.Bound),
	})
	f.offer(set(window.Origin, above(window.Origin, takes)))
	if h.trace(func(t chain.Trace) bool { return repeatedBy(t, h, anyCond) > 0 }) != nil {
		f.Label = "after a slow first attempt no other one begins" + known(retry.Attempts.Origin)
	} else {
		f.Fixes = append(f.Fixes, onceOnly(retry)...)
	}
	p.Report(f)
	return true
}

// sharesConnect reports whether a policy keeps time for a second attempt from
// the first one's connect, which it repeats.
func sharesConnect(retry *chain.Retry) bool {
	return retry.ConnectShare.N > 0 && retry.ConnectShare.N < 100 && retry.Allows(chain.CondConnectTimeout, "", false)
}

// retrying is the first policy of a node that makes more than one attempt.
func retrying(n *chain.Node) (*chain.Retry, *chain.Call) {
	for _, c := range n.Calls() {
		for _, l := range c.Layers {
			if chain.MaxAttempts(l.Retry, c) > 1 {
				return l.Retry, c
			}
		}
	}
	return nil, nil
}

// overRetries reports whether the callee passes the limit only because of its repeats.
func overRetries(p *Pass, h hop, outer chain.Limit) bool {
	inner := h.to
	retry, call := retrying(inner)
	if retry == nil {
		return false
	}
	room := p.room(inner, outer.Bound)
	if chain.Add(h.worst(outer).Total, room) < outer.Bound {
		return false
	}
	undo := withoutRetries(call)
	defer undo()
	return chain.Add(h.worst(outer).Total, room) < outer.Bound
}

// totalOver is the smallest total of the client's layers that stands around a
// policy's attempts: its own layer's, or one further out.
func totalOver(c *chain.Call, retry *chain.Retry) (best chain.Limit, ok bool) {
	for _, layer := range c.Layers {
		for _, l := range layer.Limits {
			if l.Kind == chain.TotalDeadline && l.Ends() && (!ok || l.Bound < best.Bound) {
				best, ok = l, true
			}
		}
		if layer.Retry == retry {
			break
		}
	}
	return best, ok
}

// tooLate joins the end of the attempts with the limit that is over before, or
// that leaves no room for an error response.
func tooLate(ends, outer time.Duration) string {
	switch {
	case ends > outer:
		return "but"
	case ends == outer:
		return "and at the same time"
	}
	return "without room for its own error before"
}
