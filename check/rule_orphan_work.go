package check

import (
	"fmt"
	"slices"
	"time"

	"tchain.dev/tchain/chain"
)

var orphanWork = &Rule{
	ID:       "orphan-work",
	Title:    "work goes on after the person has had an error",
	Why:      "The person sees an error and tries again, or gives up, while a layer further in still works on the first request and may yet succeed. For an order or a payment the outcome is then unknown to everybody. It asks for an idempotency key, so that the second try is harmless, for a way to ask what became of it, or for accepting it at once and letting the caller poll. For a request that may be repeated it is only a matter of load. Of a client whose dial goes on when its request is over, the dial has a place of the pool until its own limit.",
	Severity: Warning,
	Since:    "0.1.0",
	Check:    checkOrphanWork,
}

// muchLonger is how many times the limit that fired the work on an idempotent
// request goes on before it is told.
const muchLonger = 10

func checkOrphanWork(p *Pass) {
	for _, r := range p.Stack.Routes {
		var worst *orphan
		apart := background(r)
		for _, t := range p.traces(r) {
			if o := orphanOf(p, r, apart, t); o != nil && (worst == nil || o.longer(worst)) {
				worst = o
			}
		}
		if worst != nil {
			worst.report(p, r)
		}
	}
	p.eachHop(p.dialsOn)
}

// dialsOn finds a dial that goes on in a bounded pool when its request is over: once
// the callee is back, requests wait for places that such dials still have.
func (p *Pass) dialsOn(h hop) {
	dial, bounded := h.call.Limit(chain.Connect)
	if !h.call.DialsOn || !bounded || dial.Bound == chain.Never || h.call.Pool == nil || h.call.Pool.PerHost.N == 0 {
		return
	}
	t, _ := pick(h.traces(), chain.Blackhole, h.call)
	i := slices.IndexFunc(t.Events, func(e chain.Event) bool { return e.Kind == chain.EvTimeout && e.Peer == h.call.To })
	if i < 0 || t.Events[i].Limit.Bound >= dial.Bound {
		return
	}
	gave, pool := *t.Events[i].Limit, h.call.Pool.PerHost
	f := h.found(Finding{
		Setting:  gave.Origin.Setting,
		Severity: Info, Pos: gave.Origin.Pos, Label: "gives up, and the dial goes on" + known(gave.Origin),
		Message: fmt.Sprintf("%s gives up on a dial of %s at %s, and the dial keeps its place of %s until %s: requests still find none when %s is back",
			h.from.Layer, h.call.To.Layer, setting(gave.Origin, chain.Shown(gave.Bound)), setting(pool.Origin, fmt.Sprint(pool.N)), setting(dial.Origin, chain.Shown(dial.Bound)), h.call.To.Layer),
		Related: []Related{{Pos: pool.Origin.Pos, Message: "what it takes a place of"}},
		Trace:   &t,
	})
	f.offer(set(dial.Origin, below(dial.Origin, gave.Bound)))
	p.Report(f)
}

// An orphan is work that nobody waits for any more.
type orphan struct {
	trace   chain.Trace
	node    *chain.Node
	forTime time.Duration
	fired   chain.Event // what ended the wait
}

// longer prefers the work that goes on longest, and then the plainest fault.
func (o *orphan) longer(than *orphan) bool {
	if o.forTime == than.forTime {
		return better(&o.trace, &than.trace)
	}
	return o.forTime > than.forTime
}

// orphanOf is the longest work that goes on in a trace after the person has had
// an error, without that of layers apart; nil if there is none, or if the cause is an inner layer that ends too late, which has its own rules.
func orphanOf(p *Pass, r *chain.Route, apart map[*chain.Node]bool, t chain.Trace) *orphan {
	if o := t.Outcome; o.At == chain.Never || answers(o) {
		return nil
	}
	out := worksOn(t, apart)
	if out.node == nil || out.fired.Limit == nil {
		return nil
	}
	if r.IsIdempotent() && out.forTime < chain.Times(muchLonger, out.fired.Limit.Bound) || p.leftLate(r, t) {
		return nil
	}
	return out
}

// worksOn is the longest work that goes on in a trace after its outcome, without
// layers apart. A layer that does not answer has no events; one that is only slow
// works on like any other.
func worksOn(t chain.Trace, apart map[*chain.Node]bool) *orphan {
	o, out := t.Outcome, &orphan{trace: t}
	for _, e := range t.Events {
		switch {
		case e.At <= o.At:
			if e.Limit != nil {
				out.fired = e
			}
		case e.At == chain.Never || e.Kind == chain.EvEjects:
		case apart[e.Node] || apart[e.Peer]:
		case e.At-o.At > out.forTime:
			out.node, out.forTime = e.Node, e.At-o.At
		}
	}
	return out
}

// leftLate reports whether somebody gave up, before the person had an outcome,
// on a layer that can end too late for that.
func (p *Pass) leftLate(r *chain.Route, t chain.Trace) bool {
	return slices.ContainsFunc(p.hops(r), func(h hop) bool {
		return p.late(h) && slices.ContainsFunc(t.Events, func(e chain.Event) bool {
			return e.Kind == chain.EvTimeout && e.Peer == h.call.To && e.At <= t.Outcome.At
		})
	})
}

// background are the layers that only work for calls that nobody waits for,
// which is meant to outlast the request.
func background(r *chain.Route) map[*chain.Node]bool {
	out := map[*chain.Node]bool{}
	for _, h := range hops(r) {
		if h.call.Detached || out[h.from] {
			out[h.call.To] = true
		}
	}
	return out
}

func (o *orphan) report(p *Pass, r *chain.Route) {
	l := o.fired.Limit
	end := o.trace.Outcome
	text := fmt.Sprintf("%s works on for %s after %s %s at %s", o.node.Layer, byRoute(o.forTime), r.Root.Layer, had(end, r.Root), byRoute(end.At))
	if r.IsIdempotent() {
		text += fmt.Sprintf(", %s times as long as the limit that fired", differing(fmt.Sprint(int64(o.forTime/max(l.Bound, 1)))))
	} else {
		text += ": whether it was done is unknown; give it an idempotency key or a status query, or accept it and let the caller poll"
	}
	p.Report(Finding{
		Routes: []string{r.Name}, Layer: o.node.Layer, Setting: l.Origin.Setting, Owner: o.node.Owner,
		Severity: soften(Warning, l.Origin), Pos: l.Origin.Pos, Label: "gives up, and the work goes on" + known(l.Origin),
		Message: text, Amount: Amount{D: o.forTime, Of: "it works on for"}, Trace: &o.trace,
		Related: []Related{{Pos: o.node.Pos, Message: o.node.Layer + " works on for " + chain.Shown(o.forTime)}},
	})
}
