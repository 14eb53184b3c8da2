package check

import "tchain.dev/tchain/chain"

// A memo keeps what several rules ask of the same route: its hops and the play
// of every fault, which routes that differ in no more than their names share. It holds only while the model is as it was compiled; what a
// rule tries on a changed model it plays itself.
type memo struct {
	hops   map[*chain.Route][]hop
	asked  asked
	traces map[chain.PlayKey][]chain.Trace
}

func newMemo() *memo {
	return &memo{hops: map[*chain.Route][]hop{}, traces: map[chain.PlayKey][]chain.Trace{}, asked: asked{}}
}

// hops are all calls of a route of the stack, outermost first.
func (p *Pass) hops(r *chain.Route) []hop {
	if hs, ok := p.memo.hops[r]; ok {
		return hs
	}
	hs := hops(r)
	for i := range hs {
		hs[i].pass = p
	}
	p.memo.hops[r] = hs
	return hs
}

// traces are the plays of all faults of a route of the stack.
func (p *Pass) traces(r *chain.Route) []chain.Trace {
	k := r.PlayKey()
	ts, ok := p.memo.traces[k]
	if !ok {
		ts = playAll(r)
		p.memo.traces[k] = ts
	}
	return ts
}

func playAll(r *chain.Route) []chain.Trace {
	var ts []chain.Trace
	for _, f := range chain.Faults(r) {
		ts = append(ts, chain.Play(r, f))
	}
	return ts
}

// traces are those of the hop's route; a hop that a rule made itself is played anew.
func (h hop) traces() []chain.Trace {
	if h.pass == nil {
		return playAll(h.route)
	}
	return h.pass.traces(h.route)
}

// traceOf is the play of one fault at one call.
func (p *Pass) traceOf(r *chain.Route, k chain.FaultKind, c *chain.Call) (chain.Trace, bool) {
	return pick(p.traces(r), k, c)
}

func pick(ts []chain.Trace, k chain.FaultKind, c *chain.Call) (chain.Trace, bool) {
	for _, t := range ts {
		if t.Fault.Kind == k && t.Fault.Call == c {
			return t, true
		}
	}
	return chain.Trace{}, false
}
