package check

import (
	"fmt"
	"slices"
	"time"

	"tchain.dev/tchain/chain"
)

var neverFires = &Rule{
	ID:       "never-fires",
	Title:    "a written limit that is never the first to fire, under any fault on any route",
	Why:      "Another limit of the same layer is always over before it. As a safety net that is fine; as the time that a reader believes one attempt or one answer has, it is not, and whoever changes it in an incident changes nothing.",
	Severity: Warning,
	Since:    "0.1.0",
	Check:    checkNeverFires,
}

// firesUnder is the fault that each kind of limit is there for. Kinds that no
// fault is about, as name resolution and slow writers, are not judged.
var firesUnder = map[chain.Kind][]chain.FaultKind{
	chain.PoolWait:          {chain.Saturated},
	chain.Connect:           {chain.Blackhole},
	chain.Tunnel:            {chain.TunnelStall},
	chain.TLSHandshake:      {chain.TLSStall},
	chain.ResponseHeader:    {chain.Silent, chain.HeaderDrip},
	chain.ResponseFirstByte: {chain.Silent},
	chain.ResponseReadGap:   {chain.Stall},
	chain.AttemptDeadline:   {chain.Silent, chain.Trickle},
	chain.TotalDeadline:     {chain.Silent, chain.Trickle},
}

func checkNeverFires(p *Pass) {
	fired := map[string]bool{}
	for _, r := range p.Stack.Routes {
		for _, t := range p.traces(r) {
			for _, e := range t.Events {
				if e.Kind == chain.EvTimeout && !tiesWithTotal(e) {
					fired[e.Limit.Origin.Setting] = true
				}
			}
		}
	}
	retries := p.found(retryBudget)
	p.eachHop(func(h hop) {
		for _, l := range h.call.Limits() {
			if couldFire(l) && !idleToo(h, l) && !fired[l.Origin.Setting] {
				reportQuiet(p, h, l, retries)
			}
		}
	})
}

// couldFire reports whether a reader takes the limit for one.
func couldFire(l chain.Limit) bool {
	return l.Origin.Said() && l.Bound != chain.Never && l.Ends()
}

// idleToo reports whether the setting also bounds idle connections, which no
// fault is about.
func idleToo(h hop, l chain.Limit) bool {
	return slices.ContainsFunc(h.call.Idle, func(i chain.Limit) bool { return i.Origin.Setting == l.Origin.Setting })
}

// tiesWithTotal reports whether a limit of one attempt fires together with the
// total around the attempts: there is then no second one.
func tiesWithTotal(e chain.Event) bool {
	if e.Limit.Kind != chain.AttemptDeadline {
		return false
	}
	for _, c := range e.Node.Calls() {
		if c.To == e.Peer {
			total, ok := hopOf(nil, e.Node, c).totalAround(*e.Limit)
			return ok && total.Bound <= e.Limit.Bound
		}
	}
	return false
}

// totalAround is the total that is over first of those that a limit of one
// attempt is inside of: the deadline's, and those of its own layer of the client
// and the layers outside of it.
func (h hop) totalAround(l chain.Limit) (chain.Limit, bool) {
	total, ok := h.deadline()
	for _, layer := range h.call.Layers {
		for _, x := range layer.Limits {
			if x.Kind == chain.TotalDeadline && x.Bound != chain.Never && x.Ends() && (!ok || x.Bound < total.Bound) {
				total, ok = x, true
			}
		}
		if slices.ContainsFunc(layer.Limits, func(x chain.Limit) bool { return x.Kind == l.Kind && x.Origin.Setting == l.Origin.Setting }) {
			break
		}
	}
	return total, ok
}

func reportQuiet(p *Pass, h hop, l chain.Limit, retries []Finding) {
	first, t := firstInstead(h, l)
	if first == nil || first.Bound == l.Bound && l.Kind != chain.AttemptDeadline {
		return // a layer further out is first, or no fault of the kind can happen, or it makes no difference
	}
	f := h.found(Finding{
		Setting:  l.Origin.Setting,
		Severity: Info, Pos: l.Origin.Pos, Label: "never first" + known(l.Origin),
		Message: fmt.Sprintf("%s's %s is never the first to fire: %s is over %s", h.from.Layer, setting(l.Origin, chain.Shown(l.Bound)), setting(first.Origin, chain.Shown(first.Bound)), beforeOrWith(first.Bound, l.Bound)),
		Related: []Related{{Pos: first.Origin.Pos, Message: "fires first" + known(first.Origin)}},
		Trace:   t,
	})
	if reliedOn(h, l) {
		if slices.ContainsFunc(retries, func(r Finding) bool { return aboutRetriesOf(r, h) }) {
			return
		}
		f.Severity = soften(Warning, l.Origin, first.Origin)
		f.offer(set(l.Origin, below(l.Origin, first.Bound)))
	}
	p.Report(f)
}

// reliedOn reports whether a reader would take the limit for the one that ends
// an attempt or an answer, when the total around it is over before.
func reliedOn(h hop, l chain.Limit) bool {
	total, ok := h.totalAround(l)
	switch l.Kind {
	case chain.AttemptDeadline, chain.ResponseHeader, chain.ResponseFirstByte:
		return ok && l.Bound >= total.Bound
	}
	return false
}

// firstInstead is the limit of the same layer that fires where the limit would.
func firstInstead(h hop, l chain.Limit) (*chain.Limit, *chain.Trace) {
	total, ok := h.totalAround(l)
	for _, k := range firesUnder[l.Kind] {
		t, possible := pick(h.traces(), k, h.call)
		if !possible {
			continue
		}
		if ok && l.Kind == chain.AttemptDeadline && l.Bound == total.Bound {
			return &total, &t
		}
		for _, e := range t.Events {
			if e.Kind == chain.EvTimeout && e.Peer == h.call.To && e.Limit.Origin.Setting != l.Origin.Setting {
				return e.Limit, &t
			}
		}
	}
	return nil, nil
}

func beforeOrWith(first, l time.Duration) string {
	if first == l {
		return "at the same time"
	}
	return "before"
}
