package report

import (
	"slices"

	"tchain.dev/tchain/chain"
)

// A span is how long a call was waited on under one fault.
type span struct {
	hop      int
	from, to Duration // to is Never if nothing ended it
	end      ending
	open     bool
}

// An ending says how a wait came to its end.
type ending int

const (
	endNever    ending = iota // nothing ended it
	endAnswered               // an answer came, of whatever sort
	endGaveUp                 // a limit fired
	endFailed                 // the call failed, or its caller's caller had left
)

// A played is a trace as it is drawn on the bars of a route's hops.
type played struct {
	hops  []call
	wrong []bool // the hops that are the faulted call, or on the way to it
	spans []span
}

// A call is a hop by its ends, as one route meets them.
type call struct{ from, to *chain.Node }

// callsOf are the calls of a route in the order of its hops.
func callsOf(r *chain.Route) []call {
	var out []call
	for _, n := range r.Nodes() {
		for _, c := range n.Calls() {
			out = append(out, call{n, c.To})
		}
	}
	return out
}

// spansOf are the waits of a trace, in the order in which they began.
func spansOf(r *chain.Route, calls []call, t *chain.Trace) []span {
	p := played{hops: calls, wrong: wayTo(calls, call{t.Fault.From, t.Fault.Call.To})}
	for i := range t.Events {
		p.add(&t.Events[i])
	}
	if t.Outcome.At != chain.Never {
		p.answered(r.Root, Duration(t.Outcome.At))
	}
	return p.spans
}

// wayTo marks a call and those that lead to it.
func wayTo(calls []call, faulted call) []bool {
	out := make([]bool, len(calls))
	callers := map[*chain.Node]bool{}
	for more := true; more; {
		more = false
		for i, c := range calls {
			if !out[i] && (c == faulted || callers[c.to]) {
				out[i], callers[c.from], more = true, true, true
			}
		}
	}
	return out
}

// answered closes what a layer still waits for when it has its whole answer, and so
// inward: a trace does not tell who passes on what is well. A call that nobody waits
// for goes on.
func (p *played) answered(n *chain.Node, at Duration) {
	for i := range p.spans {
		if s := &p.spans[i]; s.open && p.hops[s.hop].from == n && !detached(p.hops[s.hop]) {
			s.close(at, endAnswered)
			p.answered(p.hops[s.hop].to, at)
		}
	}
}

func detached(x call) bool {
	return slices.ContainsFunc(x.from.Calls(), func(c *chain.Call) bool { return c.To == x.to && c.Detached })
}

func (p *played) add(e *chain.Event) {
	switch e.Kind {
	case chain.EvSent:
		if s := p.open(e.Node, e.Peer, Duration(e.At)); s != nil && !p.wrong[s.hop] {
			s.close(Duration(e.At), endAnswered) // what is well answers at once
		}
	case chain.EvTimeout:
		p.ended(e, endGaveUp)
	case chain.EvFailed:
		p.ended(e, endFailed)
	case chain.EvAnswers, chain.EvPasses, chain.EvCuts, chain.EvCloses:
		p.above(e.Node, Duration(e.At), endAnswered)
	case chain.EvLeaves:
		for i := range p.spans {
			if s := &p.spans[i]; s.open && p.hops[s.hop].from == e.Node {
				s.close(Duration(e.At), endFailed)
			}
		}
	}
}

// open begins a wait, or goes on with it where the request is sent again.
func (p *played) open(from, to *chain.Node, at Duration) *span {
	hop := slices.Index(p.hops, call{from, to})
	if hop < 0 {
		return nil
	}
	i := slices.IndexFunc(p.spans, func(s span) bool { return s.hop == hop })
	if i < 0 {
		i = len(p.spans)
		p.spans = append(p.spans, span{hop: hop, from: at})
	}
	p.spans[i].open, p.spans[i].to, p.spans[i].end = true, Duration(chain.Never), endNever
	return &p.spans[i]
}

// ended closes the wait of the layer that gave up or lost its call. A call that
// never got as far as a request began when its caller had been asked.
func (p *played) ended(e *chain.Event, how ending) {
	hop := slices.Index(p.hops, call{e.Node, e.Peer})
	for i := range p.spans {
		if p.spans[i].hop == hop {
			p.spans[i].close(Duration(e.At), how)
			return
		}
	}
	if s := p.open(e.Node, e.Peer, p.asked(e.Node)); s != nil {
		s.close(Duration(e.At), how)
	}
}

// asked is when a layer was asked itself.
func (p *played) asked(n *chain.Node) Duration {
	for _, s := range p.spans {
		if p.hops[s.hop].to == n {
			return s.from
		}
	}
	return 0
}

// above closes the wait of whoever called n.
func (p *played) above(n *chain.Node, at Duration, how ending) {
	for i := range p.spans {
		if s := &p.spans[i]; s.open && p.hops[s.hop].to == n {
			s.close(at, how)
		}
	}
}

func (s *span) close(at Duration, how ending) {
	s.open, s.to, s.end = false, at, how
	if chainTime(at) == chain.Never {
		s.end = endNever
	}
}
