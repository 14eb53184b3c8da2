package check

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"tchain.dev/tchain/chain"
)

var streamCut = &Rule{
	ID:        "stream-cut",
	Title:     "a limit on the way cuts a stream, a download or a WebSocket that is as it should be",
	Why:       "A stream is compared gap with gap and total with total. A limit between two bytes that is no longer than the stream's own silence ends it while all is well, and so does a total that is over before the stream is. It is cut then: the person has a status of success and a part of it. Only bytes that the sender itself makes, a heartbeat, shorten the silence, and only from where they are made outward. A WebSocket that a proxy asks for in HTTP/1.0, or without Upgrade and Connection: upgrade, never opens at all, and neither does one of a handler whose answer is kept until it is whole.",
	Severity:  Error,
	Since:     "0.1.0",
	NoOutcome: "a stream that a layer collects is late and is no error, and a WebSocket that never opens has what its callee answers to an ordinary request",
	Check:     checkStreamCut,
}

func checkStreamCut(p *Pass) {
	for _, r := range p.Stack.Routes {
		on := flows(r)
		hs := p.hops(r)
		for i := len(hs) - 1; i >= 0; i-- {
			h := hs[i]
			f, ok := on[h.call]
			if !ok {
				continue
			}
			for _, l := range h.call.Limits() {
				p.cuts(h, h.from, l, f)
			}
			for _, l := range h.call.To.Serve {
				p.cuts(h, h.call.To, l, f)
			}
			p.aged(h, f.total, fmt.Sprintf("the %s of %s lasts %s", r.Response.Mode.Text(), nameOf(r), chain.Shown(f.total.D)))
			p.collected(h)
			p.notUpgraded(h)
		}
		p.keptWhole(r)
	}
}

// keptWhole finds a layer on the way of a stream or a WebSocket that has its answer
// whole before it sends any of it.
func (p *Pass) keptWhole(r *chain.Route) {
	for _, n := range carriers(r) {
		o := n.WholeAnswer
		if o.Source == "" {
			continue
		}
		text := n.Layer + " keeps its answer until it is whole (" + o.Name + " " + o.Text + ")"
		switch r.Response.Mode {
		case chain.Stream:
			text += fmt.Sprintf(", and no part of it can be flushed: of the stream of %s nothing is sent before its end, neither the first byte nor a heartbeat", nameOf(r))
		case chain.WebSocket:
			text += fmt.Sprintf(", and its connection cannot be taken over: the WebSocket of %s never opens", nameOf(r))
		default:
			continue
		}
		f := Finding{
			Routes: []string{r.Name}, Layer: n.Layer, Setting: o.Setting, Owner: n.Owner, Severity: soften(Error, o),
			Pos: o.Pos, Label: "keeps the answer" + known(o), Message: text,
		}
		f.offer(setNull(o))
		p.Report(f)
	}
}

// carriers are the layers on the way of a route's answer as it comes, outermost first.
func carriers(r *chain.Route) []*chain.Node {
	on := []*chain.Node{r.Root}
	for _, c := range r.Carrying() {
		on = append(on, c.To)
	}
	return on
}

// neverOpens reports whether a route's answer is a WebSocket that a layer on its way
// lets never open: there is then no upgraded connection that anything could end.
func neverOpens(r *chain.Route) bool {
	return r.Response.Mode == chain.WebSocket &&
		(slices.ContainsFunc(r.Carrying(), func(c *chain.Call) bool { return c.NoUpgrade != nil }) ||
			slices.ContainsFunc(carriers(r), func(n *chain.Node) bool { return n.WholeAnswer.Source != "" }))
}

// collected finds a layer that keeps the events of a stream until it has a
// buffer full of them.
func (p *Pass) collected(h hop) {
	o := h.call.HoldsBackAt
	if h.route.Response.Mode != chain.Stream || !h.call.HoldsBack {
		return
	}
	f := h.found(Finding{
		Setting: o.Setting, Severity: soften(Warning, o),
		Pos: o.Pos, Label: "collects the response" + known(o),
		Message: fmt.Sprintf("%s collects the stream of %s in a buffer: nothing goes on before it is full, neither the first byte nor a heartbeat, and the limits further out see silence",
			h.from.Layer, nameOf(h.route)),
	})
	if off, ok := map[string]string{"on": "off", "true": "false"}[o.Text]; ok && o.Place != nil {
		f.Fixes = append(f.Fixes, write(o, off))
	}
	p.Report(f)
}

// notUpgraded finds a layer that asks for a WebSocket so that none can be opened.
func (p *Pass) notUpgraded(h hop) {
	no, to := h.call.NoUpgrade, h.call.To
	if no == nil {
		return
	}
	f := h.found(Finding{
		Setting: no.By.Setting, Severity: soften(Error, no.By),
		Pos: no.By.Pos, Label: no.Label + known(no.By),
		Message: fmt.Sprintf("%s asks %s %s: the WebSocket of %s never opens, and %s has whatever %s answers to an ordinary request",
			h.from.Layer, to.Layer, no.Asks, nameOf(h.route), h.route.Root.Layer, to.Layer),
	})
	fix, ok := changes(no.Remedy)
	fix.After = "then it is upgraded"
	f.offer(fix, ok)
	p.Report(f)
}

func (p *Pass) cuts(h hop, who *chain.Node, l chain.Limit, x flow) {
	if !l.Ends() {
		return
	}
	need, what, shows := x.asks(l)
	if !need.Declared() || need.D < l.Bound || l.Kind == chain.FlowIdle && kept(h.call, l.Bound) {
		return
	}
	t, sees, end := h.firedOver(l, shows), "", (*chain.Outcome)(nil)
	once := ""
	switch {
	case shows != chain.Silent && neverOpens(h.route): // no play has it
		t, once = nil, ", once it has opened"
	case t != nil:
	case shows != chain.Silent:
		sees, end = p.cutShort(h, who, l)
	default:
		end = p.ended(h, who, l)
	}
	f := Finding{
		Routes: []string{h.route.Name}, Layer: who.Layer, Setting: l.Origin.Setting, Owner: who.Owner,
		Severity: soften(Error, l.Origin, need.Origin), Pos: l.Origin.Pos, Label: "ends it at " + chain.Shown(l.Bound) + known(l.Origin),
		Message: fmt.Sprintf("%s %s at %s%s, and the %s of %s %s %s while all is well%s",
			who.Layer, ends(h.route, l, shows), byRoute(l.Bound), once, h.route.Response.Mode.Text(), nameOf(h.route), what, byRoute(need.D), sees),
		Amount:  Amount{D: need.D, Of: "it " + what},
		Related: []Related{{Pos: need.Origin.Pos, Message: chain.Shown(need.D)}},
		Trace:   t,
		Outcome: end,
	}
	f.offer(set(l.Origin, above(l.Origin, need.D+time.Second)))
	p.Report(f)
}

// ends is what a limit does to a flow: once the response has begun, a layer has
// no status left to answer with.
func ends(r *chain.Route, l chain.Limit, shows chain.FaultKind) string {
	_, err := strconv.Atoi(string(l.Fires))
	switch begun := l.Fires == chain.FiresCut || err == nil && shows != chain.Silent; {
	case begun && r.Response.Mode == chain.WebSocket:
		return "closes the upgraded connection"
	case begun:
		return "cuts the response"
	}
	return fires(l)
}

// firedOver is a play of the innermost fault of a kind, under which the limit
// fires as it does over the flow; nil if none shows it.
func (h hop) firedOver(l chain.Limit, kind chain.FaultKind) (out *chain.Trace) {
	for _, t := range h.traces() {
		if t.Fault.Kind != kind {
			continue
		}
		for _, e := range t.Events {
			if e.Limit != nil && e.Limit.Origin.Setting == l.Origin.Setting && e.At <= t.Outcome.At {
				out = &t
			}
		}
	}
	return out
}

// cutShort says who has a part of the flow, where no play shows it: a layer that
// only passes it on has nothing to say about it.
func (p *Pass) cutShort(h hop, by *chain.Node, l chain.Limit) (text string, end *chain.Outcome) {
	n := h.from
	for (n.Role == chain.RolePassing || n.Role == chain.RoleUnknown) && h.outer != nil {
		h = p.outward(h)
		n = h.from
	}
	end = &chain.Outcome{Status: http.StatusOK, Cut: true, From: by, At: l.Bound}
	if h.route.Response.Mode == chain.WebSocket {
		end.Status = http.StatusSwitchingProtocols
	}
	return fmt.Sprintf("; %s has %d, %s", n.Layer, end.Status, chain.CutText(end.Status)), end
}
