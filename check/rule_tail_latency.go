package check

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

var tailLatency = &Rule{
	ID:       "tail-latency",
	Title:    "the callee's declared tail does not fit the limit for its answer",
	Why:      "One answer in a hundred takes as long as the declared p99, with nothing broken. If the caller gives up before, one call in a hundred fails on an ordinary day, and its repeat adds load to a callee that was about to answer. The limit has to be above the tail, or the tail has to come down. A limit of zero, where that is no word for none, leaves no time for any answer at all, and one that is no longer than the way there and back is over before the first could come. A deadline of which an app keeps back all that it has leaves none either. And a connection that is closed at a certain age needs a grace that the tail fits in.",
	Severity: Error,
	Since:    "0.1.0",
	Check:    checkTailLatency,
}

func checkTailLatency(p *Pass) {
	p.closesAtOnce()
	p.answersAtOnce()
	p.eachHop(func(h hop) {
		p.tooFar(h)
		p.abandoned(h)
		p.nothingLeft(h)
		if tail := h.call.To.Work.Tail(); !h.route.Response.Flows() {
			p.aged(h, tail, fmt.Sprintf("its %s is %s", tail.Origin.Name, chain.Shown(tail.D)))
		}
		if p.atOnce(h) {
			return
		}
		limit, tail, over := overTail(p, h)
		if !over || ejects(h) {
			return
		}
		t := chain.Play(h.route, chain.Fault{Kind: chain.Slow, Call: h.last, From: h.by})
		sev, sees := tailSeen(t)
		f := h.found(Finding{
			Setting:  limit.Origin.Setting,
			Severity: soften(sev, limit.Origin, tail.Origin), Pos: limit.Origin.Pos, Label: "gives up on ordinary slow answers" + known(limit.Origin),
			Message: fmt.Sprintf("%s %s at %s, %s%s", h.from.Layer, fires(limit), chain.Shown(limit.Bound), tailText(h.to, limit, tail), sees),
			Related: []Related{{Pos: tail.Origin.Pos, Message: fmt.Sprintf("%s takes %s", h.to.Layer, chain.Shown(tail.D))}},
			Trace:   &t,
			Fixes:   p.tailFixes(h, limit, tail),
		})
		p.Report(f)
	})
}

// leastRoundTrip is the least that is proposed for what a round trip has to fit: one
// packet is lost now and then, and is sent again after a second.
const leastRoundTrip = time.Second

// tooFar finds a limit for connecting, for the handshake or for the answer that is
// over before the way to the callee and back is.
func (p *Pass) tooFar(h hop) {
	rtt := h.call.RTT
	for _, l := range h.call.Limits() {
		ways := 1
		switch {
		case !l.Ends() || !rtt.Declared():
			continue
		case l.Kind == chain.Connect && l.End == chain.AtSecured && h.call.TLS:
			ways = 2
		case l.Kind != chain.Connect && l.Kind != chain.TLSHandshake && !l.Covers(chain.AtFirstByte):
			continue
		}
		need := chain.Times(ways, rtt.D)
		if l.Kind == chain.TLSHandshake && !h.call.TLS || need < l.Bound {
			continue
		}
		end := p.comesTo(h, endsIn(l))
		f := h.found(Finding{
			Setting:  l.Origin.Setting,
			Severity: soften(Error, l.Origin, rtt.Origin), Pos: l.Origin.Pos, Label: "over before an answer can be there" + known(l.Origin),
			Message: fmt.Sprintf("%s allows %s %s, and %s is %s away: none ever gets through", h.from.Layer, phaseOf(l), setting(l.Origin, chain.Shown(l.Bound)), h.call.To.Layer, chain.Shown(rtt.D)) + inWords(", and each request ends so:", end),
			Outcome: end,
			Related: []Related{{Pos: rtt.Origin.Pos, Message: "the way there and back"}},
		})
		f.offer(set(l.Origin, above(l.Origin, max(need, leastRoundTrip))))
		p.Report(f)
	}
}

// abandoned finds addresses that are given up for the next one before an answer of theirs
// can be there, where that is no limit, which tooFar has.
func (p *Pass) abandoned(h hop) {
	next, rtt := h.call.Next, h.call.RTT
	if !rtt.Declared() || !next.Declared() || !h.call.DialsNext() || h.call.NextBeside || next.D > rtt.D {
		return
	}
	if slices.ContainsFunc(h.call.Limits(), func(l chain.Limit) bool { return l.Origin.Setting == next.Origin.Setting }) {
		return
	}
	end := p.comesTo(h, chain.Blackhole)
	p.Report(h.found(Finding{
		Outcome:  end,
		Setting:  next.Origin.Setting,
		Severity: Warning, Pos: next.Origin.Pos, Label: "over before an answer can be there" + known(next.Origin),
		Message: fmt.Sprintf("%s gives each of %s's %d addresses but the last %s to connect, and %s is %s away: only the last one can ever be reached",
			h.from.Layer, h.call.To.Layer, h.call.Addresses, setting(next.Origin, chain.Shown(next.D)), h.call.To.Layer, chain.Shown(rtt.D)) + inWords("; where that one cannot be, each request ends so:", end),
		Related: []Related{{Pos: rtt.Origin.Pos, Message: "the way there and back"}},
	}))
}

// nothingLeft finds an app that keeps back all that its caller gives it, so that no
// call is ever made. Of its own total that is refused.
func (p *Pass) nothingLeft(h hop) {
	d := &h.from.Deadline
	given, keeps := d.Given, d.Reserve
	if !given.Declared() || given.D == 0 || given.D > keeps.D || h.call.Fallback || h.call.Detached {
		return
	}
	f := h.found(Finding{
		Setting:  keeps.Origin.Setting,
		Severity: soften(Error, keeps.Origin, given.Origin), Pos: keeps.Origin.Pos, Label: "leaves no time for a call" + known(keeps.Origin),
		Message: fmt.Sprintf("%s never calls %s: it keeps %s back of the %s that it is given at most, the %s", h.from.Layer, h.call.To.Layer, chain.Shown(keeps.D), chain.Shown(given.D), given.Origin.Note),
		Related: []Related{{Pos: given.Origin.Pos, Message: "takes the deadline of its caller"}},
		Trace: h.shown(func(t chain.Trace) bool {
			return slices.ContainsFunc(t.Events, func(e chain.Event) bool { return e.Kind == chain.EvNotStarted && e.Node == h.from })
		}),
	})
	f.offer(set(keeps.Origin, below(keeps.Origin, given.D)))
	p.Report(f)
}

// atOnce finds a limit of zero that is over as soon as it begins, on every
// request. A wait for a connection of zero is none where one is free, and a write
// waits seldom.
func (p *Pass) atOnce(h hop) bool {
	for _, l := range h.call.Limits() {
		switch {
		case l.Bound > 0 || !l.Ends() || l.Origin.Source == chain.Default:
			continue
		case l.Kind == chain.PoolWait || l.Kind == chain.DNS || l.Kind == chain.WriteGap || l.Kind == chain.TLSHandshake && !h.call.TLS:
			continue
		}
		if p.untaken(l.Origin) { // and what is not taken is said of it already
			return true
		}
		end := p.comesTo(h, endsIn(l))
		p.Report(h.found(Finding{
			Outcome:  end,
			Setting:  l.Origin.Setting,
			Severity: soften(Error, l.Origin), Pos: l.Origin.Pos, Label: "over as soon as it begins" + known(l.Origin),
			Message: fmt.Sprintf("%s%s is over as soon as it begins: no request of %s to %s gets an answer", setting(l.Origin, nothing(l)), ofProduct(l.Origin), h.from.Layer, h.call.To.Layer) + inWords(", and each ends so:", end),
		}))
		return true
	}
	return false
}

// nothing is a bound of zero as it is written where that is no zero, as -1s is not.
func nothing(l chain.Limit) string {
	if strings.ContainsAny(l.Origin.Text, "123456789") {
		return l.Origin.Text
	}
	return chain.Shown(l.Bound)
}

// endsIn is the fault under which a limit fires in the phase that it is for.
func endsIn(l chain.Limit) chain.FaultKind {
	switch l.Kind {
	case chain.TLSHandshake:
		return chain.TLSStall
	case chain.Connect:
		return chain.Blackhole
	}
	return chain.Silent
}

func phaseOf(l chain.Limit) string {
	switch l.Kind {
	case chain.TLSHandshake:
		return "a TLS handshake"
	case chain.Connect:
		return "a connect"
	}
	return "an answer"
}

// overTail is the limit for the answer that the callee's declared tail does not
// fit; a tie does not. Where the callee's own limits end too late for it, that
// is the cause, and not its tail.
func overTail(p *Pass, h hop) (limit chain.Limit, tail chain.Value, over bool) {
	tail = h.to.Work.Tail()
	limit, ok := h.watching()
	return limit, tail, tail.Declared() && ok && tail.D >= limit.Bound && !p.endsLate(h)
}

// late reports whether the callee can end too late for the limit that watches
// it: error-room, retry-budget, fresh-budgets or platform-cap says so.
func (p *Pass) late(h hop) bool {
	_, late := p.lateBy(h)
	return late
}

// lateBy is late with the callee's worst case.
func (p *Pass) lateBy(h hop) (worst time.Duration, late bool) {
	outer, ok := h.watching()
	if !ok || h.to.Role == chain.RoleLeaf {
		return 0, false
	}
	room := p.room(h.to, outer.Bound)
	if worst = worstOf(h.route, h.to).Total; chain.Add(worst, room) >= outer.Bound {
		return worst, true
	}
	return chain.Never, chain.Worst(h.route, h.to).Total == chain.Never
}

// endsLate is late without a callee that never ends, for which the limit is all there is.
func (p *Pass) endsLate(h hop) bool {
	worst, late := p.lateBy(h)
	return late && worst != chain.Never
}

func tailText(n *chain.Node, limit chain.Limit, tail chain.Value) string {
	text := fmt.Sprintf("%s's %s of %s", n.Layer, tail.Origin.Name, chain.Shown(tail.D))
	if cold := n.Work.ColdStart; cold.Declared() && cold.Origin.Name != tail.Origin.Name {
		text = fmt.Sprintf("%s's %s of %s after a cold start of %s", n.Layer, tail.Origin.Name, chain.Shown(tail.D-cold.D), chain.Shown(cold.D))
	}
	if tail.D == limit.Bound {
		return "at the same time as " + text
	}
	return "before " + text
}

// tailSeen is what the person sees of an ordinary slow answer.
func tailSeen(t chain.Trace) (Severity, string) {
	o := t.Outcome
	switch {
	case o.From == nil: // it never ends
		return Error, ""
	case answers(o):
		return Warning, "; the answer then goes without it"
	case o.Status != 0 && !o.Cut:
		return Error, fmt.Sprintf("; the person then gets %d from %s", o.Status, o.From.Layer)
	}
	return Error, fmt.Sprintf("; the person then gets an error from %s", o.From.Layer)
}

// tailFixes raise the limit above the tail, with all that watches it further out.
func (p *Pass) tailFixes(h hop, limit chain.Limit, tail chain.Value) []Fix {
	fs := p.raise(h, limit, above(limit.Origin, tail.D))
	if fs == nil {
		return nil
	}
	fix := both(fs...)
	fix.After = fmt.Sprintf("over %s's %s", tail.Origin.Layer, chain.Shown(tail.D))
	return []Fix{fix}
}
