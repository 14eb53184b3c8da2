package check

import (
	"time"

	"tchain.dev/tchain/chain"
)

// A flow is what a route's answer looks like on one call: the wait for its
// first byte, its longest silence, and how long it lasts; zero is not declared.
type flow struct{ first, silence, total chain.Value }

// flowOf is the flow from where a heartbeat is made outward, or further in.
func flowOf(r *chain.Route, beats bool) flow {
	x := r.Response
	f := flow{x.First, x.Silence, x.Total}
	if x.Mode == chain.Download && x.BytesPerSecond > 0 {
		f.total = chain.Value{D: chain.Lasts(x.DownloadBytes, x.BytesPerSecond), Origin: chain.Origin{Source: chain.Derived, Name: "download", Pos: r.Pos}}
	}
	if every := x.HeartbeatEvery; beats && every.Declared() && (!f.silence.Declared() || every.D < f.silence.D) {
		f.silence = every
	}
	return f
}

// flows are the flows on the calls that a route's answer crosses as it comes; nil
// where it is one answer.
func flows(r *chain.Route) map[*chain.Call]flow {
	if !r.Response.Flows() {
		return nil
	}
	out := map[*chain.Call]flow{}
	beats := r.Response.Mode == chain.WebSocket // a ping is answered: bytes go both ways, all the way
	calls := r.Carrying()
	for i := len(calls) - 1; i >= 0; i-- {
		beats = beats || calls[i].To.Layer == r.Response.HeartbeatFrom
		out[calls[i]] = flowOf(r, beats)
	}
	return out
}

// asks is what the flow on a call asks of a limit, and what a message says of it;
// ok is false where it asks nothing that is declared.
func (x flow) asks(l chain.Limit) (need chain.Value, what string, shows chain.FaultKind) {
	switch l.Kind {
	case chain.ResponseFirstByte, chain.ResponseHeader, chain.HandlerDeadline:
		return x.first, "waits for its first byte for", chain.Silent
	case chain.ResponseReadGap, chain.FlowIdle:
		return x.silence, "is silent for", chain.Stall
	case chain.AttemptDeadline, chain.TotalDeadline, chain.WriteTotal, chain.WorkerKill:
		if !l.Covers(chain.AtBodyEnd) {
			return x.first, "waits for its first byte for", chain.Silent
		}
		return x.total, "lasts", chain.Trickle
	}
	return chain.Value{}, "", chain.Stall
}

// endsFlow reports whether a limit would end a call's flow whatever it does, and
// nobody says that it ends by itself.
func endsFlow(r *chain.Route, c *chain.Call, l chain.Limit) bool {
	return r.Response.Endless() && l.Whole() && r.Carries(c)
}

// overFlow is a value of a limit that lets a call's flow through; 0 where it asks
// for none.
func overFlow(r *chain.Route, c *chain.Call, l chain.Limit) time.Duration {
	need, _, _ := flows(r)[c].asks(l)
	if !need.Declared() {
		return 0
	}
	return above(l.Origin, chain.Add(need.D, time.Second))
}

// endsSomeFlow reports whether a fix sets a limit that was off and that ends the
// whole of a flow, on any route, which declares no end.
func (p *Pass) endsSomeFlow(f Fix) bool {
	for _, r := range p.Stack.Routes {
		if !r.Response.Endless() {
			continue
		}
		for _, c := range r.Carrying() {
			for _, l := range c.Limits() {
				if l.Whole() && l.Bound == chain.Never && f.sets(l.Origin) {
					return true
				}
			}
		}
	}
	return false
}
