package check

import (
	"fmt"
	"time"

	"tchain.dev/tchain/chain"
)

var streamCut = &Rule{
	ID:       "stream-cut",
	Title:    "a limit on the way cuts a stream, a download or a WebSocket that is as it should be",
	Why:      "A stream is compared gap with gap and total with total. A limit between two bytes that is no longer than the stream's own silence ends it while all is well, and so does a total that is over before the stream is. Only bytes that the sender itself makes, a heartbeat, shorten the silence, and only from where they are made outward.",
	Severity: Error,
	Since:    "0.1.0",
	Check:    checkStreamCut,
}

// A flow is what a route's answer looks like on one call: the wait for its
// first byte, its longest silence, and how long it lasts; zero is not declared.
type flow struct{ first, silence, total chain.Value }

func checkStreamCut(p *Pass) {
	for _, r := range p.Stack.Routes {
		if r.Response.Mode == chain.Unary || r.Response.Mode == chain.Poll {
			continue
		}
		beats := false
		hs := p.hops(r)
		for i := len(hs) - 1; i >= 0; i-- {
			h := hs[i]
			beats = beats || h.call.To.Layer == r.Response.HeartbeatFrom
			f := flowOf(r, beats)
			for _, l := range h.call.Limits() {
				p.cuts(h, h.from, l, f)
			}
			for _, l := range h.call.To.Serve {
				p.cuts(h, h.call.To, l, f)
			}
			p.collected(h)
		}
	}
}

// collected finds a layer that keeps the events of a stream until it has a
// buffer full of them.
func (p *Pass) collected(h hop) {
	o := h.call.HoldsBackAt
	if h.route.Response.Mode != chain.Stream || !h.call.HoldsBack {
		return
	}
	f := Finding{
		Routes: []string{h.route.Name}, Layer: h.from.Layer, Setting: o.Setting, Owner: h.from.Owner, Severity: soften(Warning, o),
		Pos: o.Pos, Label: "collects the response" + known(o),
		Message: fmt.Sprintf("%s collects the stream of %s in a buffer: nothing goes on before it is full, neither the first byte nor a heartbeat, and the limits further out see silence",
			h.from.Layer, h.route.Name),
	}
	if off, ok := map[string]string{"on": "off", "true": "false"}[o.Text]; ok && o.Place != nil {
		f.Fixes = append(f.Fixes, write(o, off))
	}
	p.Report(f)
}

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

func (p *Pass) cuts(h hop, who *chain.Node, l chain.Limit, x flow) {
	if l.Bound == chain.Never || l.Fires == chain.FiresEvent {
		return
	}
	var need chain.Value
	what := ""
	switch l.Kind {
	case chain.ResponseFirstByte, chain.ResponseHeader, chain.HandlerDeadline:
		need, what = x.first, "waits for its first byte for"
	case chain.ResponseReadGap, chain.FlowIdle:
		need, what = x.silence, "is silent for"
	case chain.AttemptDeadline, chain.TotalDeadline, chain.WriteTotal, chain.WorkerKill:
		need, what = x.total, "lasts"
	}
	if !need.Declared() || need.D < l.Bound {
		return
	}
	f := Finding{
		Routes: []string{h.route.Name}, Layer: who.Layer, Setting: l.Origin.Setting, Owner: who.Owner,
		Severity: soften(Error, l.Origin, need.Origin), Pos: l.Origin.Pos, Label: "ends it at " + chain.Format(l.Bound) + known(l.Origin),
		Message: fmt.Sprintf("%s %s at %s, and the %s of %s %s %s while all is well",
			who.Layer, fires(l), chain.Format(l.Bound), modeText(h.route.Response.Mode), h.route.Name, what, chain.Format(need.D)),
		Related: []Related{{need.Origin.Pos, chain.Format(need.D)}},
	}
	f.offer(set(l.Origin, above(l.Origin, need.D+time.Second)))
	p.Report(f)
}

func modeText(m chain.Mode) string {
	if m == chain.WebSocket {
		return "WebSocket"
	}
	return string(m)
}
