package check

import (
	"fmt"
	"time"

	"tchain.dev/tchain/chain"
)

var retryBudget = &Rule{
	ID:       "retry-budget",
	Title:    "the attempts together take longer than the budget around them, or can never run or never succeed",
	Why:      "One attempt fits, all of them do not: the outer limit fires in the middle of a repeat, the person sees the outer layer's error, and the repeats only add load. A product's default number of attempts is often the number of addresses behind a name, so the sum grows when somebody adds an instance. Where one attempt may use the whole budget, as it does without a limit of its own, the others never run. And where the callee says that it takes longer than an attempt is given, each one fails as the first did: the person waits for all of them, and the callee has its work several times.",
	Severity: Error,
	Since:    "0.1.0",
	Check:    checkRetryBudget,
}

func checkRetryBudget(p *Pass) {
	p.eachHop(func(h hop) {
		if outer, ok := h.watching(); ok && h.call.To.Role != chain.RoleLeaf {
			checkOuterBudget(p, h, outer)
		}
		checkOwnBudget(p, h)
		checkInVain(p, h)
	})
}

// checkOuterBudget: the callee's repeats pass the limit that watches it.
func checkOuterBudget(p *Pass, h hop, outer chain.Limit) {
	if !overRetries(p, h, outer) {
		return
	}
	inner := h.call.To
	retry, call := retrying(inner)
	worst := h.worst(outer)
	f := Finding{
		Routes: []string{h.route.Name}, Layer: inner.Layer, Setting: retry.Attempts.Origin.Setting, Owner: inner.Owner,
		Severity: soften(Error, retry.Attempts.Origin, outer.Origin), Pos: retry.Attempts.Origin.Pos,
		Label: fmt.Sprintf("%s to %s%s", plural(chain.MaxAttempts(retry, call), "attempt"), call.To.Layer, known(retry.Attempts.Origin)),
		Message: fmt.Sprintf("%s tries %s up to %d times and ends at %s, %s %s %s at %s",
			inner.Layer, call.To.Layer, chain.MaxAttempts(retry, call), chain.Format(worst.Total), tooLate(worst.Total, outer.Bound), h.from.Layer, fires(outer), chain.Format(outer.Bound)),
		Related: append(worstPlaces(inner, worst), Related{outer.Origin.Pos, "fires first" + known(outer.Origin)}),
		Trace:   h.shown(func(t chain.Trace) bool { return endedBy(t, h, outer) }),
	}
	for n := chain.MaxAttempts(retry, call) - 1; n >= 1; n-- {
		was := retry.Attempts.N
		retry.Attempts.N = n
		fits := chain.Add(h.worst(outer).Total, p.room(inner, outer.Bound)) < outer.Bound
		retry.Attempts.N = was
		if fits {
			f.offer(setNumber(retry.Attempts.Origin, n))
			break
		}
	}
	p.Report(f)
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
	around := total
	if w := retry.Window; w.Declared() && w.D != chain.Never && (!ok || w.D < total.Bound) {
		total, ok = chain.Limit{Bound: w.D, Origin: w.Origin}, true
	}
	if !ok || total.Bound == chain.Never {
		return
	}
	if len(repeated(h, retry, comesLate)) == 0 && retry.Backoff(2) < total.Bound {
		return // what is repeated comes at once, and soon
	}
	undo := withoutRetries(call)
	undoTotal := setBound(h.route, total, chain.Never)
	node := *h.from
	node.Deadline = chain.Deadline{}
	attempt := *call
	if !retry.Allows(chain.CondPoolTimeout, "", false) { // a wait for a connection that no repeat follows
		attempt.Pool = nil
	}
	one := chain.WorstCall(h.route, &node, &attempt, 0)
	undo()
	undoTotal()
	if one.Total < total.Bound {
		return
	}
	t := h.trace(func(t chain.Trace) bool { return waitsOnce(t, h, retry, around) })
	takes := "one attempt can take " + chain.Format(one.Total)
	if one.Total == chain.Never {
		if t == nil {
			return // a wait without any limit is another rule's
		}
		takes = "nothing ends one attempt before"
	}
	label := "never gets to the second attempt"
	if h.trace(func(t chain.Trace) bool { return repeatedBy(t, h, anyCond) > 0 }) != nil {
		label = "after a slow first attempt no other one can end in time"
	}
	p.Report(Finding{
		Routes: []string{h.route.Name}, Layer: h.from.Layer, Setting: retry.Attempts.Origin.Setting, Owner: h.from.Owner,
		Severity: Warning, Pos: retry.Attempts.Origin.Pos, Label: label + known(retry.Attempts.Origin),
		Message: fmt.Sprintf("%s would try %s %d times, but %s and all together have %s", h.from.Layer, call.To.Layer,
			chain.MaxAttempts(retry, call), takes, setting(total.Origin, chain.Format(total.Bound))),
		Related: []Related{{total.Origin.Pos, "ends all attempts" + known(total.Origin)}},
		Trace:   t,
		Fixes:   append(perAttempt(h, retry, total.Bound), onceOnly(retry)...),
	})
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
	inner := h.call.To
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
			if l.Kind == chain.TotalDeadline && l.Fires != chain.FiresEvent && (!ok || l.Bound < best.Bound) {
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
