package check

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"tchain.dev/tchain/chain"
)

var keepaliveRace = &Rule{
	ID:       "keepalive-race",
	Title:    "the answering side closes idle connections before the side that reuses them",
	Why:      "The caller writes a request on a connection that the callee is just closing. No answer comes, and a layer that may not repeat the request turns that into a 502: a few in an hour, on every route, with healthy servers. The side that reuses must give up first; a tie is a race as well.",
	Severity: Error,
	Since:    "0.1.0",
	Check:    checkKeepaliveRace,
}

func checkKeepaliveRace(p *Pass) {
	p.eachHop(func(h hop) {
		far := h.to
		serves, ok := far.ServeLimit(chain.IdleKeepalive)
		if len(h.call.Idle) == 0 || !ok || serves.Bound == chain.Never {
			return
		}
		reuses := shortest(h.call.Idle)
		if reuses.Bound < serves.Bound || tested(h.call, serves.Bound) || slices.ContainsFunc(h.call.Idle, func(l chain.Limit) bool { return l.Unknown() }) {
			return // it stops first, or may: that a value is not given is listed where it is read
		}
		t, _ := p.traceOf(h.route, chain.IdleRace, h.call)
		sev, sees := raceSeen(h, t, "at that moment")
		if reuses.If != "" {
			sev, sees = min(sev, Warning), sees+"; "+h.from.Layer+" reuses them only if "+reuses.If
		}
		f := Finding{
			Routes: []string{h.route.Name}, Layer: far.Layer, Case: h.from.Layer, Setting: serves.Origin.Setting, Owner: far.Owner,
			Severity: soften(sev, serves.Origin, reuses.Origin), Pos: serves.Origin.Pos, Label: "closes first" + known(serves.Origin),
			Message: raceMessage(h, serves, reuses) + sees, Amount: Amount{D: reuses.Bound, Of: h.from.Layer + " reuses them for"},
			Trace: &t,
		}
		if reuses.Origin.Pos != serves.Origin.Pos {
			keeps := "keeps them for " + chain.Shown(reuses.Bound)
			if reuses.Bound == chain.Never {
				keeps = "keeps them without limit"
			}
			f.Related = []Related{{Pos: reuses.Origin.Pos, Message: keeps + known(reuses.Origin)}}
		}
		f.raceFixes(h, serves, reuses)
		p.Report(f)
	})
}

// tested reports whether a caller tests a connection before it reuses it, in time: what
// the callee answers restarts its idle time.
func tested(c *chain.Call, idle time.Duration) bool {
	return slices.ContainsFunc(c.Upkeep, func(l chain.Limit) bool { return l.Kind == chain.ReuseTest && l.Bound < idle })
}

func raceMessage(h hop, serves, reuses chain.Limit) string {
	closes := h.to.Layer
	what := fmt.Sprintf("%s closes idle connections after %s, which %s reuses for %s", closes, byRoute(serves.Bound), h.from.Layer, byRoute(reuses.Bound))
	switch {
	case reuses.Bound == chain.Never:
		return fmt.Sprintf("%s closes idle connections after %s, which %s reuses without limit", closes, byRoute(serves.Bound), h.from.Layer)
	case reuses.Bound == serves.Bound:
		return fmt.Sprintf("%s closes idle connections after %s, at the same time as %s stops reusing them", closes, byRoute(serves.Bound), h.from.Layer)
	}
	return what
}

// raceSeen is what the person sees of a broken connection, by a request that is
// told which: an error, an answer that goes without it, or a repeat that hides it.
func raceSeen(h hop, t chain.Trace, which string) (Severity, string) {
	o := t.Outcome
	switch {
	case answers(o) && repeatedBy(t, h, anyCond) == 0:
		return Warning, "; the answer then goes without it"
	case answers(o):
		return Warning, "; a repeat hides it on this route" + elsewhere(h)
	case o.Status != 0:
		return Error, fmt.Sprintf("; a request %s gets %d from %s", which, o.Status, o.From.Layer)
	}
	return Error, fmt.Sprintf("; a request %s fails in %s", which, h.from.Layer)
}

// elsewhere says what the repeat of a balancer rests on: it goes to another address, of
// which the pooled connection may just have been closed, too.
func elsewhere(h hop) string {
	if r := h.call.Resend; r == nil || !h.call.OneByOne || h.call.Addresses < 2 {
		return ""
	}
	return ", unless the next address has just closed its connection, too"
}

// raceFixes raise the side that closes, or lower the side that reuses. The
// latter is not offered where the same setting also bounds an answer.
func (f *Finding) raceFixes(h hop, serves, reuses chain.Limit) {
	f.offer(set(serves.Origin, above(serves.Origin, reuses.Bound)))
	for _, l := range h.call.Limits() {
		if l.Origin.Setting == reuses.Origin.Setting {
			return
		}
	}
	f.offer(set(reuses.Origin, below(reuses.Origin, serves.Bound)))
}

// shortest is the limit that is over first of some.
func shortest(ls []chain.Limit) chain.Limit {
	return slices.MinFunc(ls, func(a, b chain.Limit) int { return cmp.Compare(a.Bound, b.Bound) })
}

// unknownRace is why it is not known whether a call may find its connection just closed;
// "" where it is.
func unknownRace(c *chain.Call) string {
	if l, ok := c.Answering().ServeLimit(chain.IdleKeepalive); !ok || l.Bound == chain.Never {
		return ""
	}
	return c.KeepsUnknown
}
