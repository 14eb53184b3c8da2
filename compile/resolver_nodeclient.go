package compile

import (
	"slices"

	"tchain.dev/tchain/chain"
)

// adjustNodeClient settles who says how long a socket may be silent: the
// request, else its agent; once it is connected req.setTimeout, else the same.
func adjustNodeClient(e *effective) {
	timeout, agent, later := e.find("timeout"), e.find("agent.timeout"), e.find("setTimeout")
	if !agent.written() && len(e.blocks.child("agent")) == 0 {
		agent.origin.Name = "globalAgent.timeout"
	}
	switch {
	case timeout.written():
	case agent.written():
		timeout.borrows(agent)
	default:
		timeout.origin.Name = agent.origin.Name
	}
	if !later.written() {
		later.borrows(timeout)
	}
}

// borrows gives a setting that is not written another one's value, as that one's.
func (s *setting) borrows(other *setting) {
	s.state, s.raw, s.text, s.d, s.rests, s.origin = other.state, other.raw, other.text, other.d, other.rests, other.origin
	s.field = like(s.field, other.field)
}

// The timers of Node's client, in words.
const (
	timerSocket = "silence until the socket is connected, name resolution included"
	timerLater  = "silence once it is connected"
	timerWhole  = "the whole request"
)

// nodeReadsAnnounced is the release since which the agent reads an announced time.
const nodeReadsAnnounced = "20"

// resolveNodeClient says how the competing timeouts were settled.
func resolveNodeClient(in clientInput) clientOutput {
	out := in.Defaults
	if in.version == "" || atLeast(in.version, nodeReadsAnnounced) {
		out.Shorter, out.ShorterSince = true, nodeReadsAnnounced
		if s := in.find("agent.agentKeepAliveTimeoutBuffer"); s != nil && s.state == known {
			out.ShorterBy = s.d
		}
	}
	out.Next = in.nodeNext(in.version)
	timeout, agent, later := in.find("timeout"), in.find("agent.timeout"), in.find("setTimeout")
	early := in.nodeSilence(timerSocket, timeout)
	if agent.written() && !timeout.is(agent) {
		early.Dropped = append(early.Dropped, chain.Dropped{Origin: agent.origin, Why: "the request's own timeout replaces the agent's, longer or shorter"})
		out.Notices = append(out.Notices, agent.hc5().beatenBy(timeout.hc5(), ""))
	}
	late := in.nodeSilence(timerLater, later)
	for _, d := range early.Dropped {
		if !drops(late, d.Origin) {
			late.Dropped = append(late.Dropped, d)
		}
	}
	if timeout.written() && !later.is(timeout) && !drops(late, timeout.origin) {
		late.Dropped = append(late.Dropped, chain.Dropped{Origin: timeout.origin, Why: "req.setTimeout replaces it once the socket is connected"})
	}
	out.Derived = append(out.Derived, early, late)
	if whole := in.find("signal.timeout"); whole.written() {
		d := whole.derived(timerWhole)
		d.Why = "AbortSignal.timeout runs on over header and body; it ends no wait in the agent's queue"
		out.Derived = append(out.Derived, d)
	}
	return out
}

// nodeSilence is how a timeout of silence got its value. Unless the program acts
// on the event, none ends anything.
func (in clientInput) nodeSilence(timer string, s *setting) chain.Derivation {
	destroys := in.find("destroyOnTimeout")
	if !destroys.on() {
		d := chain.Derivation{Timer: timer, Settled: chain.Settled{Value: chain.Never, Winner: destroys.origin}}
		d.Why = "Node only tells the program, which does not destroy the request"
		if s.finite() {
			d.Dropped = append(d.Dropped, chain.Dropped{Origin: s.origin, Why: "it is an event and ends nothing"})
		}
		return d
	}
	d := s.derived(timer)
	switch agent := in.find("agent.timeout"); {
	case s.is(in.find("timeout")) && in.find("timeout").is(agent):
		d.Why = "the request has no timeout of its own, so that the agent's counts"
	case s.origin.Name == "globalAgent.timeout":
		d.Why = "neither the request nor an agent of its own says one: http.globalAgent has 5 s since Node 19"
	case !s.written():
		d.Why = "neither the request nor its agent says one"
	case s.name == "setTimeout" && s.is(in.find("setTimeout")) && !s.is(in.find("timeout")):
		d.Why = "req.setTimeout begins when the socket is connected"
	default:
		d.Why = "the request's own timeout counts before the agent's"
	}
	return d
}

// drops reports whether a timer's derivation has left a setting out.
func drops(d chain.Derivation, o chain.Origin) bool {
	return slices.ContainsFunc(d.Dropped, func(x chain.Dropped) bool { return x.Origin.Setting == o.Setting })
}

// is reports whether a setting's value is that of another one as it was written.
func (s *setting) is(other *setting) bool {
	return s.written() && other.written() && s.origin.Setting == other.origin.Setting
}

// derived is the setting as the winner of a timer.
func (s *setting) derived(timer string) chain.Derivation {
	d := chain.Derivation{Timer: timer, Settled: chain.Settled{Value: chain.Never, Winner: s.origin, Unknown: s.state == unknown}}
	if bound, _, ok := s.bound(); ok {
		d.Value = bound
	}
	return d
}
