package conformance

import (
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/conformance/fault"
)

// faultKinds are the faults of the model that the modes of the fault server are.
var faultKinds = map[fault.Mode]chain.FaultKind{
	fault.Refuse:      chain.Refused,
	fault.Backlog:     chain.Blackhole,
	fault.TLSStall:    chain.TLSStall,
	fault.Silent:      chain.Silent,
	fault.Reset:       chain.ResetFault,
	fault.HangUp:      chain.ResetFault, // the model has one end without an answer
	fault.HeaderDrip:  chain.HeaderDrip,
	fault.Stall:       chain.Stall,
	fault.Trickle:     chain.Trickle,
	fault.Unavailable: chain.Unavailable,
	fault.IdleRace:    chain.IdleRace,
	fault.Slow:        chain.Slow,
}

// faultOf is the fault of a scenario on the innermost call of its model, the
// zero one where nothing goes wrong. ok is false where the model knows none that
// is the same: upstreams that differ, an unread request body, or a state that an
// earlier request left.
func faultOf(s Scenario, r *chain.Route) (f chain.Fault, ok bool) {
	for _, u := range s.Upstreams {
		if u != s.Upstreams[0] {
			return f, false
		}
	}
	mode := s.Upstreams[0].Mode
	if mode == fault.OK {
		return f, true
	}
	kind, ok := faultKinds[mode]
	for _, n := range r.Nodes() {
		for _, c := range n.Calls() {
			f = chain.Fault{Kind: kind, Call: c, From: n}
		}
	}
	if kind == chain.IdleRace && len(f.Call.Idle) == 0 {
		return chain.Fault{}, true // of what keeps no connection none is closed under a request
	}
	ejected := s.Before > 0 && f.Call.Eject != nil
	unread := mode == fault.TLSStall && !f.Call.TLS
	return f, ok && !ejected && !unread
}

// predicted is what a trace says about a route whose product is the layer of
// that name: everything but FirstByteMS, which an outcome does not hold. name is
// what the setting of a limit is called.
func predicted(t chain.Trace, product string, name func(chain.Limit) string) Prediction {
	o := t.Outcome
	p := Prediction{Status: o.Status, Cut: o.Cut, Running: o.At == chain.Never, Attempts: 1}
	if !p.Running {
		p.ElapsedMS = int(o.At / time.Millisecond)
		p.By = o.From.Layer
	}
	for _, e := range t.Events {
		if e.Node.Layer != product {
			continue
		}
		switch e.Kind {
		case chain.EvRetries:
			p.Attempts++
			p.Setting = ""
		case chain.EvTimeout:
			p.Setting = name(*e.Limit)
		}
	}
	return p
}

// directive is the bare name of a limit's setting.
func directive(l chain.Limit) string { return l.Origin.Name }
