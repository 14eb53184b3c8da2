package check

import "tchain.dev/tchain/chain"

// A memo keeps what several rules ask of the same stack: the hops of a route, the
// play of every fault, which routes share that differ in no more than their names,
// and what another rule finds. It holds only while the model is as it was compiled;
// what a rule tries on a changed model it plays itself.
type memo struct {
	hops     map[*chain.Route][]hop
	asked    asked
	traces   map[chain.PlayKey][]chain.Trace
	findings map[*Rule][]Finding // as reported, a route each
	trial    bool                // of a fix: what is only shown is left out
	first    map[*chain.Route]*chain.Route
	arriving map[arriving]int
	apart    bool // each route is judged anew, as in the tests of what is shared
}

func newMemo() *memo {
	return &memo{hops: map[*chain.Route][]hop{}, asked: asked{}, traces: map[chain.PlayKey][]chain.Trace{}, findings: map[*Rule][]Finding{}, arriving: map[arriving]int{}}
}

// reported are the findings of one rule before they are merged and graded.
func (m *memo) reported(s *chain.Stack, r *Rule) []Finding {
	fs, ok := m.findings[r]
	if !ok {
		r.Check(&Pass{Stack: s, Rule: r, memo: m, report: func(f Finding) { fs = append(fs, f) }})
		m.findings[r] = fs
	}
	return fs
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
		ts = chain.PlayAll(r)
		p.memo.traces[k] = ts
	}
	return ts
}

// traces are those of the hop's route; a hop that a rule made itself is played anew.
func (h hop) traces() []chain.Trace {
	if h.pass == nil {
		return chain.PlayAll(h.route)
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
