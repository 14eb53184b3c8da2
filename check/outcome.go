package check

import (
	"strconv"
	"time"

	"tchain.dev/tchain/chain"
)

// comesTo is the outcome of a call that goes wrong in a way; nil where it has none, or
// that is not known.
func (p *Pass) comesTo(h hop, k chain.FaultKind) *chain.Outcome {
	t, ok := p.traceOf(h.route, k, h.call)
	if o := t.Outcome; !ok || o.At == chain.Never || o.Unless != "" || answers(o) {
		return nil
	}
	return &t.Outcome
}

// inWords is an outcome behind some words, without the time at which it comes, which is
// not the finding's; "" where there is none.
func inWords(words string, o *chain.Outcome) string {
	if o == nil {
		return ""
	}
	return words + " " + o.What()
}

// closedTo is what the person has of a request whose connection a layer closes at a time;
// nil where nobody calls it who waits.
func (p *Pass) closedTo(r *chain.Route, n *chain.Node, at time.Duration) *chain.Outcome {
	if n == r.Root {
		return &chain.Outcome{Error: "connection closed", From: n, At: at}
	}
	for _, h := range p.hops(r) {
		if h.call.To == n && !h.call.Detached {
			return p.comesTo(h, chain.ResetFault)
		}
	}
	return nil
}

// ended is what the person has of a request that a limit ends: of the call of a hop, whose
// callee is taken to be silent for so long, or of its callee's answering side.
func (p *Pass) ended(h hop, who *chain.Node, l chain.Limit) *chain.Outcome {
	if who == h.from {
		return p.comesTo(h, chain.Silent)
	}
	return p.broken(h, who, l)
}

// broken is what the person has of a request of a hop that a limit of a layer ends while
// its callee is at work.
func (p *Pass) broken(h hop, by *chain.Node, l chain.Limit) *chain.Outcome {
	if status, err := strconv.Atoi(string(l.Fires)); err == nil {
		return &chain.Outcome{Status: status, From: by, At: l.Bound}
	}
	return p.comesTo(h, chain.ResetFault)
}

// turnedAway is what the person has of a request of a hop that its callee does not take;
// nil where that depends on how it says so.
func (p *Pass) turnedAway(h hop) *chain.Outcome {
	refused, answered := p.comesTo(h, chain.Refused), p.comesTo(h, chain.Unavailable)
	if refused == nil || answered == nil || refused.What() != answered.What() {
		return nil
	}
	return refused
}
