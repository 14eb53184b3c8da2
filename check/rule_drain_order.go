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
	return s.PreStop.Declared() || s.Grace.Origin.Source == chain.Written
}

// killed finds what the kill cuts: the preStop, the drain, or a request.
func (p *Pass) killed(r *chain.Route, n *chain.Node) {
	if !saidToStop(n.Stop) {
		return
	}
	grace, pre := n.Stop.Grace, n.Stop.PreStop
	drain, drains := writtenLimit(n.Serve, chain.Drain)
	request, ordinary := longest(r, n)
	need, sev := request, Warning
	var message string
	var related []Related
	switch left := n.Stop.Left(); {
	case left == 0:
		sev = Error
		message = fmt.Sprintf("%s is killed at %s, within its preStop of %s: it is never told to stop, and requests in flight are cut", n.Layer, chain.Format(grace.D), chain.Format(pre.D))
	case drains && drain.Bound >= left:
		sev, need = Error, drain.Bound
		message = fmt.Sprintf("%s lets requests finish for %s, and has %s between the stop signal and the kill", n.Layer, chain.Format(drain.Bound), leftText(n.Stop))
		if idle, ok := n.ServeLimit(chain.IdleKeepalive); ok && idle.Origin.Setting == drain.Origin.Setting {
			sev = Warning // it depends on what the program does
			message = fmt.Sprintf("%s waits for idle connections to end when it stops, %s of %s, unless its program closes them, and has %s between the stop signal and the kill",
				n.Layer, chain.Format(drain.Bound), drain.Origin.Name, leftText(n.Stop))
		}
		related = append(related, Related{drain.Origin.Pos, "not over at the kill"})
	case request >= left:
		if ordinary {
			sev = Error
		}
		message = fmt.Sprintf("%s may work on a request for %s, and has %s between the stop signal and the kill: it is cut", n.Layer, chain.Format(request), leftText(n.Stop))
	default:
		return
	}
	at := grace.Origin
	if at.Source != chain.Written {
		at = pre.Origin
	} else if pre.Declared() {
		related = append(related, Related{pre.Origin.Pos, "counts into the grace period" + known(pre.Origin)})
	}
	f := Finding{
		Routes: []string{r.Name}, Layer: n.Layer, Setting: grace.Origin.Setting, Owner: n.Owner, Severity: soften(sev, grace.Origin, pre.Origin),
		Pos: at.Pos, Label: "killed at " + chain.Format(grace.D) + known(grace.Origin), Message: message, Related: related,
	}
	f.offer(set(grace.Origin, above(grace.Origin, chain.Add(pre.D, need))))
	p.Report(f)
}

func leftText(s chain.Stop) string {
	if !s.PreStop.Declared() {
		return chain.Format(s.Left())
	}
	return fmt.Sprintf("%s = %s grace − %s preStop", chain.Format(s.Left()), chain.Format(s.Grace.D), chain.Format(s.PreStop.D))
}

// deregistered compares the time that a balancer leaves to requests in flight
// with the callee that works on them.
func (p *Pass) deregistered(h hop) {
	delay, ok := writtenLimit(h.call.Upkeep, chain.Drain)
	if !ok {
		return
	}
	to := h.call.To
	request, ordinary := longest(h.route, to)
	f := Finding{
		Routes: []string{h.route.Name}, Layer: h.from.Layer, Setting: delay.Origin.Setting, Owner: h.from.Owner, Severity: Warning,
		Pos: delay.Origin.Pos, Label: "cut after " + chain.Format(delay.Bound) + known(delay.Origin),
	}
	serves := serving(to)
	switch {
	case request >= delay.Bound:
		if ordinary {
			f.Severity = Error
		}
		f.Message = fmt.Sprintf("%s %s %s after an instance of %s was deregistered, and %s may work on a request for %s",
			h.from.Layer, fires(delay), chain.Format(delay.Bound), to.Layer, to.Layer, chain.Format(request))
		f.offer(set(delay.Origin, above(delay.Origin, request)))
	case saidToStop(to.Stop) && serves <= delay.Bound && (request == 0 || request >= serves && request < to.Stop.Left()):
		f.Message = fmt.Sprintf("%s leaves requests in flight to %s for %s after deregistration, of which %s serves %s",
			h.from.Layer, to.Layer, chain.Format(delay.Bound), to.Layer, servingText(to))
		if pre := to.Stop.PreStop; pre.Declared() {
			f.Related = append(f.Related, Related{pre.Origin.Pos, "then the stop signal" + known(pre.Origin)})
		}
		f.offer(set(delay.Origin, below(delay.Origin, serves)))
	default:
		return
	}
	f.Severity = soften(f.Severity, delay.Origin)
	p.Report(f)
}

// serving is how long a layer that is being stopped goes on with its requests,
// as far as that is declared.
func serving(n *chain.Node) time.Duration {
	after := time.Duration(0)
	if drain, ok := n.ServeLimit(chain.Drain); ok {
		after = min(drain.Bound, n.Stop.Left())
	}
	return min(chain.Add(n.Stop.PreStop.D, after), n.Stop.Grace.D)
}

func servingText(n *chain.Node) string {
	if _, ok := n.ServeLimit(chain.Drain); ok {
		return chain.Format(serving(n))
	}
	first := "none: it has no preStop"
	if n.Stop.PreStop.Declared() {
		first = chain.Format(serving(n)) + ", its preStop"
	}
	return first + "; what it does after the stop signal is not declared"
}

// writtenLimit is the smallest limit of a kind that a person wrote.
func writtenLimit(ls []chain.Limit, k chain.Kind) (out chain.Limit, ok bool) {
	for _, l := range ls {
		if l.Kind == k && l.Origin.Source == chain.Written && l.Bound != chain.Never && (!ok || l.Bound < out.Bound) {
			out, ok = l, true
		}
	}
	return out, ok
}

// longest is how long a layer may work on one request: ordinary says that this
// was declared, and does not come of a fault; 0 where it is not known.
func longest(r *chain.Route, n *chain.Node) (d time.Duration, ordinary bool) {
	work := declaredWork(n)
	sum := chain.Worst(r, n)
	if sum.Total == chain.Never || len(sum.NotChecked) > 0 || sum.Total <= work {
		return work, true
	}
	return sum.Total, false
}

func declaredWork(n *chain.Node) time.Duration { return max(n.Work.Max.D, n.Work.P99.D) }
