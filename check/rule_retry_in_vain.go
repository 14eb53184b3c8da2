package check

import (
	"fmt"
	"slices"
	"time"

	"tchain.dev/tchain/chain"
)

// A vain is attempts of which none can succeed: the play that shows it, the time
// that some layer says it takes, and how a message compares it with a limit.
type vain struct {
	trace   chain.Trace
	tail    chain.Value
	against func(chain.Limit) string
	chance  bool        // another answer may be faster: it is a p99, or several layers at their slowest
	assumed *chain.Node // who is taken to answer 500, where its own error is not declared
}

// checkInVain finds attempts of which none can succeed: a layer says that it
// takes longer than a limit on the way gives it, and the hop repeats what comes
// of that. Where that limit is the hop's own and the tail its callee's, one
// finding is enough: ejection or one of named, of tail-latency, is about it.
func checkInVain(p *Pass, h hop, named func() []Finding) {
	all := repeaters(h)
	if len(all) == 0 || ejects(h) {
		return
	}
	v, ok := h.inVain()
	if !ok {
		return
	}
	limit, who := firstLimit(v.trace)
	if limit == nil || slices.ContainsFunc(named(), func(f Finding) bool { return v.trace.Fault.Call == h.call && isAbout(f, h, *limit) }) {
		return
	}
	r := all[0]
	for _, x := range all {
		if repeatsIn(v.trace, x) {
			r = x
		}
	}
	each, note := "each ends", nobodyWrote(r.retry)
	if who != h.from {
		each = who.Layer + " " + fires(*limit)
	}
	if v.assumed != nil {
		note = "; that " + v.assumed.Layer + " then answers 500 is not declared" + note
	}
	o, slow := r.retry.Attempts.Origin, v.trace.Fault.Call.To
	p.Report(Finding{
		Routes: []string{h.route.Name}, Layer: h.from.Layer, Setting: o.Setting, Owner: h.from.Owner,
		Severity: v.severity(o, limit.Origin), Pos: o.Pos, Label: plural(r.attempts, "attempt") + " in vain" + known(o),
		Message: fmt.Sprintf("%s tries %s up to %d times, and none can succeed: %s at %s, %s; %s gets %s, and the end is %s%s",
			h.from.Layer, h.call.To.Layer, r.attempts, each, chain.Format(limit.Bound), v.against(*limit), slow.Layer, plural(sentTo(v.trace, slow), "call"), v.trace.Outcome.Text(), note),
		Related: []Related{{limit.Origin.Pos, "ends each attempt" + known(limit.Origin)}, {v.tail.Origin.Pos, fmt.Sprintf("%s takes %s", slow.Layer, chain.Format(v.tail.D))}},
		Trace:   &v.trace,
		Fixes:   onceOnly(r.retry),
	})
}

// severity is an error where every attempt fails for sure and a person sees it: a
// fallback may hide it.
func (v vain) severity(origins ...chain.Origin) Severity {
	o := v.trace.Outcome
	if v.chance || v.assumed != nil || o.At != chain.Never && o.Error == "" && o.Status < 400 {
		return Warning
	}
	return soften(Error, append(origins, v.tail.Origin)...)
}

// inVain are the hop's attempts, where it repeats because of nothing but the time
// that layers say they take: one alone, or the callee with all that it calls.
func (h hop) inVain() (vain, bool) {
	for _, t := range h.traces() {
		if t.Fault.Kind != chain.Slow {
			continue
		}
		if v, ok := h.repeatedSlow(t); ok {
			at := hop{call: t.Fault.Call}
			v.tail, v.chance = tailOf(t.Fault.Call.To), !t.Fault.Call.To.Work.Max.Declared()
			v.against = func(l chain.Limit) string { return tailText(at, l, v.tail) }
			return v, true
		}
	}
	to := h.call.To
	sum, was := declared(to), to.Work
	if sum <= tailOf(to).D || sum == chain.Never || chain.Worst(h.route, to).Total < sum {
		return vain{}, false
	}
	to.Work.Max = chain.Value{D: sum, Origin: chain.Origin{Source: chain.Derived, Name: "work", Pos: to.Pos}}
	tail := to.Work.Max
	v, ok := h.repeatedSlow(chain.Play(h.route, chain.Fault{Kind: chain.Slow, Call: h.call, From: h.from}))
	to.Work = was
	v.tail, v.chance, v.against = tail, true, func(chain.Limit) string {
		return fmt.Sprintf("and %s with what it calls says that it takes %s", to.Layer, chain.Format(sum))
	}
	return v, ok
}

// repeatedSlow is the play of a slow callee in which the hop repeats. Where a
// layer answers with an error of its own that is not declared, and the hop
// repeats a 500, it is played as one.
func (h hop) repeatedSlow(t chain.Trace) (vain, bool) {
	if repeatedBy(t, h, anyCond) > 0 {
		return vain{trace: t}, true
	}
	if !slices.ContainsFunc(repeaters(h), func(r repeater) bool {
		return len(repeated(h, r.retry, func(c chain.Cond) bool { return c == "500" })) > 0
	}) {
		return vain{}, false
	}
	for _, e := range t.Events {
		if e.Kind != chain.EvAnswers || e.Status != 0 {
			continue
		}
		was := e.Node.Answers
		e.Node.Answers = append(slices.Clone(was), chain.Answer{Cond: e.Cond, Status: 500})
		again := chain.Play(h.route, t.Fault)
		e.Node.Answers = was
		return vain{trace: again, assumed: e.Node}, repeatedBy(again, h, anyCond) > 0
	}
	return vain{}, false
}

// declared is how long a layer and what it calls say that they take, one step
// after the other.
func declared(n *chain.Node) time.Duration {
	sum := tailOf(n).D
	for _, step := range n.Steps {
		var longest time.Duration
		for _, c := range step.Calls {
			if !c.Detached {
				longest = max(longest, chain.Times(max(c.Times, 1), declared(c.To)))
			}
		}
		sum = chain.Add(sum, longest)
	}
	return sum
}

// isAbout reports whether a finding is about a limit of the hop's caller.
func isAbout(f Finding, h hop, l chain.Limit) bool {
	return f.Layer == h.from.Layer && f.Setting == l.Origin.Setting && slices.Contains(f.Routes, h.route.Name)
}

// firstLimit is the limit that fires first in a trace, and whose it is.
func firstLimit(t chain.Trace) (*chain.Limit, *chain.Node) {
	for _, e := range t.Events {
		if e.Limit != nil {
			return e.Limit, e.Node
		}
	}
	return nil, nil
}

// repeatsIn reports whether a trace shows a failure that the policy repeats.
func repeatsIn(t chain.Trace, r repeater) bool {
	return slices.ContainsFunc(t.Events, func(e chain.Event) bool {
		return e.Kind == chain.EvRetries && e.Node == r.hop.from && e.Peer == r.hop.call.To &&
			slices.ContainsFunc(r.retry.On, func(c chain.Cond) bool { return c == e.Cond || e.Cond == "" && isStatus(c) })
	})
}

func sentTo(t chain.Trace, n *chain.Node) (calls int) {
	for _, e := range t.Events {
		if e.Kind == chain.EvSent && e.Peer == n {
			calls++
		}
	}
	return calls
}
