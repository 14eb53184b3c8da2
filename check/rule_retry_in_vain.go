package check

import (
	"fmt"
	"slices"
	"time"

	"tchain.dev/tchain/chain"
)

// A vain is attempts of which none can succeed.
type vain struct {
	trace   chain.Trace
	limit   chain.Limit // that fires before the first repeat
	whose   string      // the layer of that limit
	takes   chain.Value // how long some layer says that it takes
	why     string      // how that compares with the limit
	chance  bool        // another answer may be faster
	assumed chain.Event // an answer that is taken to be a 500, where it is not declared
}

// checkInVain finds attempts of which none can succeed: a layer says that it
// takes longer than a limit on the way gives it, and the hop repeats what comes
// of that. Where the limit is the hop's own and the tail its callee's, one
// finding is enough: tail-latency has it, or ejection, which looks further in too.
func checkInVain(p *Pass, h hop) {
	if _, _, over := overTail(p, h); over || ejects(h) && !p.endsLate(h) {
		return
	}
	all := repeaters(h)
	slices.Reverse(all) // the innermost policy is the first to repeat
	for _, r := range all {
		if v, ok := r.inVain(); ok {
			p.reportVain(r, v)
			return
		}
	}
}

func (p *Pass) reportVain(r repeater, v vain) {
	h, o, limit, slow := r.hop, r.retry.Attempts.Origin, v.limit, v.trace.Fault.Call.To
	each, note := "each ends", nobodyWrote(r.retry)
	if v.whose != h.from.Layer {
		each = v.whose + " " + fires(limit)
	}
	sev, _ := tailSeen(v.trace)
	if v.chance {
		sev = Warning
	}
	if v.assumed.Node != nil {
		sev, note = Warning, "; that "+v.assumed.Node.Layer+" then answers 500 is not declared"+note
	}
	p.Report(h.found(Finding{
		Setting:  o.Setting,
		Severity: soften(sev, o, limit.Origin, v.takes.Origin), Pos: o.Pos, Label: plural(r.attempts, "attempt") + " in vain" + known(o),
		Message: fmt.Sprintf("%s tries %s %s, and none can succeed: %s at %s, %s; %s gets %s, and the end is %s%s",
			h.from.Layer, h.call.To.Layer, upTo(r.attempts), each, chain.Shown(limit.Bound), v.why, slow.Layer, plural(sentTo(v.trace, slow), "call"), v.trace.Outcome.Text(), note),
		Related: []Related{{Pos: limit.Origin.Pos, Message: "ends each attempt" + known(limit.Origin)}, {Pos: v.takes.Origin.Pos, Message: fmt.Sprintf("%s takes %s", slow.Layer, chain.Shown(v.takes.D))}},
		Trace:   &v.trace,
		Fixes:   onceOnly(r.retry),
	}))
}

// inVain are the policy's attempts, where it repeats because of nothing but the
// time that layers say they take: one alone, or the callee with all that it calls.
func (r repeater) inVain() (vain, bool) {
	for _, t := range r.hop.traces() {
		if t.Fault.Kind != chain.Slow {
			continue
		}
		if v, ok := r.repeatsSlow(t); ok {
			v.promised(t.Fault.Call)
			return v, true
		}
	}
	to := r.hop.to
	sum, was := declared(to), to.Work
	if sum <= 0 || chain.Worst(r.hop.route, to).Total < sum {
		return vain{}, false // nobody says that it takes any time, or limits further in end it before
	}
	to.Work = chain.Work{Max: chain.Value{D: sum, Origin: chain.Origin{Source: chain.Derived, Pos: to.Pos}}}
	v, ok := r.repeatsSlow(chain.Play(r.hop.route, chain.Fault{Kind: chain.Slow, Call: r.hop.last, From: r.hop.by}))
	v.takes, v.chance = to.Work.Max, true
	v.why = fmt.Sprintf("and %s with what it calls says that it takes %s", to.Layer, chain.Shown(sum))
	to.Work = was
	return v, ok
}

// promised fills in what the slow layer says: its tail, or a limit that somebody
// wrote for its work.
func (v *vain) promised(slow *chain.Call) {
	work := slow.To.Work
	v.takes, v.chance = work.Tail(), !work.Max.Declared()
	v.why = tailText(slow.To, v.limit, v.takes)
	if l, ok := slow.To.Promise(); ok {
		v.takes = chain.Value{D: l.Bound, Origin: l.Origin}
		v.why = fmt.Sprintf("and %s may work for %s", slow.To.Layer, setting(l.Origin, chain.Shown(l.Bound)))
	}
}

// repeatsSlow is the play of a slow callee in which the policy repeats. Where a
// layer answers with an error of its own that is not declared, it is played again
// as a 500.
func (r repeater) repeatsSlow(t chain.Trace) (vain, bool) {
	if v, ok := r.firesBefore(t); ok {
		return v, true
	}
	for _, e := range t.Events {
		if e.Kind != chain.EvAnswers || e.Status != 0 {
			continue
		}
		was := e.Node.Answers
		e.Node.Answers = append(slices.Clone(was), chain.Answer{Cond: e.Cond, Status: 500})
		again := chain.Play(r.hop.route, t.Fault)
		e.Node.Answers = was
		v, ok := r.firesBefore(again)
		v.assumed = e
		return v, ok
	}
	return vain{}, false
}

// firesBefore are the attempts of a play with the limit that fires before the
// policy repeats for the first time; ok is false if it does not repeat.
func (r repeater) firesBefore(t chain.Trace) (v vain, ok bool) {
	v.trace = t
	for _, e := range t.Events {
		if e.Limit != nil {
			v.limit, v.whose = *e.Limit, e.Node.Layer
		}
		if e.Kind == chain.EvRetries && e.Peer == r.hop.call.To && e.Retry == r.retry {
			return v, true
		}
	}
	return v, false
}

// declared is how long a layer and what it calls say that they take, one step
// after the other.
func declared(n *chain.Node) time.Duration {
	sum := n.Work.Tail().D
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

func sentTo(t chain.Trace, n *chain.Node) (calls int) {
	for _, e := range t.Events {
		if e.Kind == chain.EvSent && e.Peer == n {
			calls++
		}
	}
	return calls
}
