package check

import (
	"fmt"
	"math"
	"slices"
	"time"

	"tchain.dev/tchain/chain"
)

var ejection = &Rule{
	ID:       "ejection",
	Title:    "slow but legal answers put all addresses of a callee out of use",
	Why:      "A balancer counts a timeout as a failure of the address and leaves it out for a while. If the limit is below what the callee legally takes, slow requests alone put out one address after the other, and then everybody gets an error at once, also those whose request would have been fast. A dead callee is no finding: leaving it out is what this is for.",
	Severity: Error,
	Since:    "0.1.0",
	Check:    checkEjection,
}

func checkEjection(p *Pass) {
	p.eachHopAlone(func(h hop) {
		if !ejects(h) || p.tooFew(h) {
			return
		}
		limit, tail, over := overTail(p, h)
		switch {
		case over:
			t := chain.Play(h.route, chain.Fault{Kind: chain.Slow, Call: h.last, From: h.by})
			sev, _ := tailSeen(t)
			reportEjection(p, h, limit, tail, h.to, sev, &t)
		case !p.endsLate(h):
			for _, x := range hops(&chain.Route{Root: h.to}) { // a tail further in that is passed on
				t := chain.Play(h.route, chain.Fault{Kind: chain.Slow, Call: x.call, From: x.from})
				if endedBy(t, h, limit) {
					reportEjection(p, h, limit, tailOf(x.call.To), x.call.To, Warning, &t)
				}
			}
		}
	})
}

func tailOf(n *chain.Node) chain.Value {
	if n.Work.Max.Declared() {
		return n.Work.Max
	}
	return n.Work.P99
}

// ejects reports whether timeouts of the call put addresses out of use.
func ejects(h hop) bool {
	e := h.call.Eject
	return e != nil && e.For != 0 && h.call.Addresses > 1 && slices.Contains(e.On, chain.CondTimeout)
}

// tooFew reports whether fewer requests come in, all repeats on their routes counted,
// than would have to fail in the time in which failures are counted.
func (p *Pass) tooFew(h hop) bool {
	e := h.call.Eject
	most := p.arriving(h.from.Layer, h.call.To.Layer, e.For)
	return most != chain.Endless && most < e.Fails*h.call.Addresses
}

// An arriving is what arrives at a layer from another one in a time.
type arriving struct {
	from, to string
	in       time.Duration
}

// arriving is the most attempts of all routes, repeats included, that one layer makes of
// another in a time; Endless where a route does not say how many requests come in.
func (p *Pass) arriving(from, to string, in time.Duration) int {
	k := arriving{from, to, in}
	most, ok := p.memo.arriving[k]
	for _, r := range p.Stack.Routes {
		if ok || most == chain.Endless {
			break
		}
		attempts, arrive := amplified{}, 0
		for _, x := range p.hops(r) {
			attempts = attempts.by(x)
			if x.from.Layer == from && x.call.To.Layer == to {
				if r.TPS == 0 {
					arrive, most = 0, chain.Endless
					break
				}
				arrive += min(r.Arrivals(x.call, in), math.MaxInt32) + 1 // one may be under way
			}
		}
		if arrive > 0 {
			most += min(chain.Product(callsOf(attempts.policies), arrive), math.MaxInt32)
		}
	}
	p.memo.arriving[k] = most
	return most
}

func reportEjection(p *Pass, h hop, limit chain.Limit, tail chain.Value, slow *chain.Node, sev Severity, t *chain.Trace) {
	e, n := h.call.Eject, h.call.Addresses
	then := "an error"
	if e.Answer != 0 {
		then = fmt.Sprint(e.Answer)
	}
	f := h.found(Finding{
		Setting:  limit.Origin.Setting,
		Severity: soften(sev, limit.Origin, tail.Origin), Pos: limit.Origin.Pos, Label: "counts slow answers as failures" + known(limit.Origin),
		Message: fmt.Sprintf("%s gives up on %s at %s although %s's %s is %s: %s within %s leave out all %d addresses, and everybody gets %s at once for %s",
			h.from.Layer, h.call.To.Layer, chain.Shown(limit.Bound), slow.Layer, tail.Origin.Name, chain.Shown(tail.D),
			plural(e.Fails*n, "slow answer"), chain.Shown(e.For), n, then, chain.Shown(e.For)),
		Related: []Related{{Pos: tail.Origin.Pos, Message: fmt.Sprintf("%s takes %s", slow.Layer, chain.Shown(tail.D))}},
		Trace:   t,
		Fixes:   p.tailFixes(h, limit, tail),
	})
	if e.Origin.Source == chain.Written {
		f.Related = append(f.Related, Related{Pos: e.Origin.Pos, Message: fmt.Sprintf("after %s it leaves an address out for %s", plural(e.Fails, "failure"), chain.Shown(e.For)) + known(e.Origin)})
	}
	p.Report(f)
}
