package check

import (
	"fmt"
	"time"

	"tchain.dev/tchain/chain"
)

var drainOrder = &Rule{
	ID:       "drain-order",
	Title:    "an instance is gone before the requests that it still has are",
	Why:      "An instance is stopped in an order: its balancer lets go of it, preStop passes while requests still come, the stop signal lets it finish those in flight, and at the end it is killed. preStop counts into the grace period. Where an inner time ends later than the one around it, each rollout cuts requests, and the person sees a 502. Only what is written of both ends is compared.",
	Severity: Error,
	Since:    "0.1.0",
	Check:    checkDrainOrder,
}

func checkDrainOrder(p *Pass) {
	for _, r := range p.Stack.Routes {
		for _, n := range r.Nodes() {
			p.killed(r, n)
		}
		for _, h := range p.hops(r) {
			p.deregistered(h)
		}
	}
}

// saidToStop reports whether a person wrote how the layer is stopped: a grace
// period alone is there for every pod.
func saidToStop(s chain.Stop) bool {
	return s.PreStop.Declared() || s.Grace.Origin.Said()
}

// killed finds what the end of a layer cuts: its preStop, its drain, or a request.
func (p *Pass) killed(r *chain.Route, n *chain.Node) {
	if !saidToStop(n.Stop) {
		return
	}
	left := n.Stop.Left()
	request := longest(r, n)
	drain, drains := n.ServeLimit(chain.Drain)
	drains = drains && drain.Bound != chain.Never
	f := p.stopFinding(r, n)
	switch {
	case left == 0:
		f.Severity = Error
		f.Message = fmt.Sprintf("%s is killed at once when it stops, and requests in flight are cut", n.Layer)
		if pre := n.Stop.PreStop; pre.D > 0 {
			f.Message = fmt.Sprintf("%s is killed at %s, within its preStop of %s: it is not told to stop in time, and requests in flight are cut", n.Layer, chain.Shown(n.Stop.Grace.D), chain.Shown(pre.D))
		}
		p.raiseGrace(&f, n, request.d)
	case drains && drain.Bound == 0:
		f.Severity = Error
		f.Setting, f.Pos, f.Label = drain.Origin.Setting, drain.Origin.Pos, "requests are cut then"+known(drain.Origin)
		f.Message = fmt.Sprintf("%s lets no request finish after the stop signal: %s, and those in flight are cut", n.Layer, setting(drain.Origin, drain.Origin.Text))
		if drain.Origin.Text == "immediate" && drain.Origin.Place != nil {
			f.Fixes = append(f.Fixes, write(drain.Origin, "graceful"))
		} else {
			f.offer(set(drain.Origin, above(drain.Origin, request.d)))
		}
	case drains && drain.Origin.Said() && drain.Bound >= left:
		if request.ordinary && request.d >= left {
			f.Severity = Error
		}
		f.Message = fmt.Sprintf("%s lets requests finish for %s, and has %s between the stop signal and the kill", n.Layer, chain.Shown(drain.Bound), leftText(n.Stop))
		if idle, _ := n.ServeLimit(chain.IdleKeepalive); idle.Origin.Setting == drain.Origin.Setting {
			f.Message = fmt.Sprintf("%s waits for idle connections to end when it stops, %s of %s, unless its program closes them, and has %s between the stop signal and the kill",
				n.Layer, chain.Shown(drain.Bound), drain.Origin.Name, leftText(n.Stop))
		}
		f.Related = append(f.Related, Related{Pos: drain.Origin.Pos, Message: "not over at the kill"})
		p.raiseGrace(&f, n, drain.Bound)
	case drains && drain.Bound < left && request.d >= drain.Bound:
		if request.ordinary {
			f.Severity = Error
		}
		f.Setting, f.Pos, f.Label = drain.Origin.Setting, drain.Origin.Pos, "requests are cut then"+known(drain.Origin)
		f.Message = fmt.Sprintf("%s lets requests finish for %s after the stop signal, and may work on one %s: it is cut", n.Layer, byRoute(drain.Bound), request.text())
		f.Amount = request.amount()
		switch longer := above(drain.Origin, request.d); {
		case n.Stop.PreStopOpen: // whether that fits is not known
		case longer < left:
			f.offer(set(drain.Origin, longer))
		default:
			fix, ok := set(drain.Origin, longer)
			grace, settable := set(n.Stop.Grace.Origin, above(n.Stop.Grace.Origin, chain.Add(n.Stop.PreStop.D, longer)))
			if ok && settable {
				f.Fixes = append(f.Fixes, both(fix, grace))
			}
		}
	case request.d >= left:
		if request.ordinary {
			f.Severity = Error
		}
		f.Message = fmt.Sprintf("%s may work on a request %s, and has %s between the stop signal and the kill: it is cut", n.Layer, request.text(), leftText(n.Stop))
		f.Amount = request.amount()
		p.raiseGrace(&f, n, request.d)
	default:
		return
	}
	p.cutSeen(&f, r, n)
	f.Severity = soften(f.Severity, n.Stop.Grace.Origin, n.Stop.PreStop.Origin)
	p.Report(f)
}

// cutSeen says what the person has of a request that is cut because a layer ends: its
// caller's connection breaks.
func (p *Pass) cutSeen(f *Finding, r *chain.Route, n *chain.Node) {
	for _, h := range p.hops(r) {
		if h.call.To != n || h.call.Detached {
			continue
		}
		if t, ok := p.traceOf(r, chain.ResetFault, h.call); ok {
			_, seen := raceSeen(h, t, "that is cut")
			f.Message, f.Outcome = f.Message+seen, &t.Outcome
			return
		}
	}
}

// stopFinding is a finding at the grace period, or at the preStop where nobody
// wrote that.
func (p *Pass) stopFinding(r *chain.Route, n *chain.Node) Finding {
	grace, pre := n.Stop.Grace, n.Stop.PreStop
	f := Finding{
		Routes: []string{r.Name}, Layer: n.Layer, Setting: grace.Origin.Setting, Owner: n.Owner, Severity: Warning,
		Pos: grace.Origin.Pos, Label: "killed at " + chain.Shown(grace.D) + known(grace.Origin),
	}
	switch {
	case !grace.Origin.Said():
		f.Pos = pre.Origin.Pos
	case pre.Declared():
		f.Related = append(f.Related, Related{Pos: pre.Origin.Pos, Message: "counts into the grace period" + known(pre.Origin)})
	}
	return f
}

func (p *Pass) raiseGrace(f *Finding, n *chain.Node, need time.Duration) {
	if n.Stop.PreStopOpen {
		return // how much it takes off is not known
	}
	f.offer(set(n.Stop.Grace.Origin, above(n.Stop.Grace.Origin, chain.Add(n.Stop.PreStop.D, need))))
}

// amount is that of a message that says for how long a layer may work on a request.
func (s stay) amount() Amount { return Amount{D: s.d, Of: "it may work on one for"} }

func (s stay) text() string {
	switch {
	case s.d == chain.Never:
		return "for ever"
	case s.least:
		return "for at least " + byRoute(s.d)
	}
	return "for " + byRoute(s.d)
}

func leftText(s chain.Stop) string {
	switch {
	case s.PreStopOpen:
		return fmt.Sprintf("less than the %s of its grace, for its preStop comes first,", chain.Shown(s.Left()))
	case !s.PreStop.Declared():
		return chain.Shown(s.Left())
	}
	return fmt.Sprintf("%s = %s grace − %s preStop", chain.Shown(s.Left()), chain.Shown(s.Grace.D), chain.Shown(s.PreStop.D))
}

// deregistered compares the time that a balancer leaves to requests in flight
// with the callee that works on them.
func (p *Pass) deregistered(h hop) {
	delay, ok := writtenLimit(h.call.Upkeep, chain.Drain)
	if !ok {
		return
	}
	to := h.call.To
	request := longest(h.route, to)
	f := h.found(Finding{
		Setting: delay.Origin.Setting, Severity: Warning,
		Pos: delay.Origin.Pos, Label: "left for " + chain.Shown(delay.Bound) + known(delay.Origin),
	})
	switch {
	case request.d >= delay.Bound:
		if request.ordinary {
			f.Severity = Error
		}
		f.Message = fmt.Sprintf("%s %s %s after an instance of %s was deregistered, and %s may work on a request %s",
			h.from.Layer, fires(delay), byRoute(delay.Bound), to.Layer, to.Layer, request.text())
		f.Amount = request.amount()
		f.Outcome = p.broken(h, h.from, delay)
		f.offer(set(delay.Origin, above(delay.Origin, request.d)))
	case p.gone(h, delay, request.d):
		f.Message = fmt.Sprintf("%s leaves requests in flight to %s for %s after deregistration, of which %s serves %s",
			h.from.Layer, to.Layer, chain.Shown(delay.Bound), to.Layer, servingText(to))
		if pre := to.Stop.PreStop; pre.Declared() {
			f.Related = append(f.Related, Related{Pos: pre.Origin.Pos, Message: "then the stop signal" + known(pre.Origin)})
		}
		p.cutSeen(&f, h.route, to)
	default:
		return
	}
	f.Severity = soften(f.Severity, delay.Origin)
	p.Report(f)
}

// gone reports whether a pod may have ended before its balancer lets go of it. A
// pod is told to stop while it is deregistered; where a container stops, nothing
// says in which order.
func (p *Pass) gone(h hop, delay chain.Limit, request time.Duration) bool {
	to := h.call.To
	if !to.Stop.Pod || !saidToStop(to.Stop) || to.Stop.PreStopOpen {
		return false
	}
	serves := serving(to)
	_, drains := to.ServeLimit(chain.Drain)
	if delay.Bound < serves || delay.Bound == serves && drains {
		return false
	}
	if request == 0 {
		return !p.knownElsewhere(h)
	}
	return request >= serves && request < to.Stop.Left()
}

// knownElsewhere reports whether another route says how long the callee works.
func (p *Pass) knownElsewhere(h hop) bool {
	for _, r := range p.Stack.Routes {
		for _, n := range r.Nodes() {
			if n.Layer == h.call.To.Layer && longest(r, n).d > 0 {
				return true
			}
		}
	}
	return false
}

// serving is how long a layer that is being stopped goes on with its requests,
// as far as that is declared.
func serving(n *chain.Node) time.Duration {
	drain, _ := n.ServeLimit(chain.Drain) // 0 where there is none
	return min(chain.Add(n.Stop.PreStop.D, drain.Bound), n.Stop.Grace.D)
}

func servingText(n *chain.Node) string {
	if _, ok := n.ServeLimit(chain.Drain); ok {
		return chain.Shown(serving(n))
	}
	first := "none: it has no preStop"
	if n.Stop.PreStop.Declared() {
		first = chain.Shown(serving(n)) + ", its preStop"
	}
	return first + "; what it does after the stop signal is not declared"
}

// writtenLimit is the smallest limit of a kind that a person wrote.
func writtenLimit(ls []chain.Limit, k chain.Kind) (out chain.Limit, ok bool) {
	for _, l := range ls {
		if l.Kind == k && l.Origin.Said() && l.Bound != chain.Never && (!ok || l.Bound < out.Bound) {
			out, ok = l, true
		}
	}
	return out, ok
}

// A stay is how long a layer may work on one request.
type stay struct {
	d        time.Duration // chain.Never if nothing ends it; 0 where it is not known
	ordinary bool          // it was declared, and does not come of a fault
	least    bool          // without the resolution of names, which nothing ends
}

// longest is how long a layer may work on one request of a route.
func longest(r *chain.Route, n *chain.Node) stay {
	declared := stay{d: declaredWork(n), ordinary: true}
	sum, least := chain.Worst(r, n), false
	if len(sum.NotChecked) > 0 {
		undo := withoutResolving(n)
		sum, least = chain.Worst(r, n), true
		undo()
	}
	if n.Role == chain.RoleLeaf || len(sum.NotChecked) > 0 || sum.Total <= declared.d || sum.Total == chain.Never && n.Role != chain.RoleBuffering {
		return declared
	}
	return stay{d: sum.Total, least: least}
}

func declaredWork(n *chain.Node) time.Duration { return max(n.Work.Max.D, n.Work.P99.D) }
