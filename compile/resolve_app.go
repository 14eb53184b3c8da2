package compile

import (
	"fmt"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
)

// growApp is the node of an app with its calls, or with the next layer of the
// path as its single call where it has none.
func (t *tree) growApp(h here, rest, above []string) *chain.Node {
	l := h.layer
	n := t.appNode(h)
	steps := t.calls(l)
	if steps == nil && len(rest) > 0 {
		steps = []CallStep{{Calls: []StepCall{{Name: t.behindProxy(l, rest)}}}}
	}
	if len(steps) > 0 {
		t.takenToMake(h, above)
	}
	agreed, made := len(rest) == 0, map[string]*chain.Call{}
	for _, step := range steps {
		var out chain.Step
		for _, sc := range step.Calls {
			client, name := t.client(l, sc.Name)
			var below []string
			switch {
			case len(rest) > 0 && rest[0] == name:
				below, agreed = rest[1:], true
			case len(rest) > 1 && client != nil && rest[0] == client.Via && rest[1] == name:
				below, agreed = rest[2:], true
			}
			to := t.reach(client, name, below, append(slices.Clone(above), l.Name))
			if to == nil {
				return nil
			}
			c := t.appCall(h, n, sc, client, to)
			replace(n, made, sc, c)
			out.Calls = append(out.Calls, c)
		}
		for i, sc := range step.Calls {
			made[sc.Name] = out.Calls[i]
		}
		n.Steps = append(n.Steps, out)
	}
	if !agreed {
		t.fail(t.decl.Pos, "route %q goes on to %s after %s, which calls others: the path ends at the first app with calls", t.decl.Pattern, rest[0], l.Name)
		return nil
	}
	return n
}

// behindProxy is the callee that a path means: the next layer, or the one after
// it where that is a forward proxy that a client goes through.
func (t *tree) behindProxy(l *Layer, rest []string) string {
	if len(rest) > 1 {
		for _, c := range l.App.Clients {
			if c.Via == rest[0] && slices.Contains(c.To, rest[1]) {
				return rest[1]
			}
		}
	}
	return rest[0]
}

// reach is the node that a client calls to get to a callee: the callee itself,
// or a forward proxy in front of it, which a secured call only passes through.
func (t *tree) reach(client *Part, name string, below, above []string) *chain.Node {
	if client == nil || client.Via == "" {
		return t.shared(name, below, above)
	}
	if l := t.layer(name); l == nil || !secured(t.at(l)) {
		return t.shared(client.Via, append([]string{name}, below...), above)
	}
	t.used[client.Via] = true
	return t.shared(name, below, above)
}

// secured reports whether callers of a layer use TLS.
func secured(h here) bool { return h.facts().value("endpoint", "scheme").text() == "https" }

// calls are the app's steps: the route's, else its own; nil if it has none.
func (t *tree) calls(l *Layer) []CallStep {
	if steps, ok := t.decl.Calls[l.Name]; ok {
		return steps
	}
	return l.App.Calls
}

// client is the client that reaches a callee, nil if none does, and the callee:
// a step may also be called by a client that has exactly one.
func (t *tree) client(l *Layer, name string) (*Part, string) {
	var named, first *Part
	for _, c := range l.App.Clients {
		switch {
		case c.Name == name:
			named = c
			if len(c.To) > 0 && !slices.Contains(c.To, name) {
				continue
			}
		case !slices.Contains(c.To, name):
			continue
		}
		if first == nil {
			first = c
			continue
		}
		t.notChecked(l.Name, l.Name+".app.clients", fmt.Sprintf("%s is called by %s or by %s: %s is looked at, since no step of calls names one", name, first.Name, c.Name, first.Name))
	}
	if first != nil {
		return first, name
	}
	if named != nil && len(named.To) == 1 && t.layer(name) == nil {
		return named, named.To[0]
	}
	return named, name
}

// appNode is the app itself: its server, its own time, its deadline.
func (t *tree) appNode(h here) *chain.Node {
	l, app := h.layer, h.app()
	n := t.node(h)
	n.Role, n.Cancel = l.Type.Role, l.Type.Cancel
	if app.value("relay").yes() {
		n.Role = chain.RolePassing
	}
	n.Work = t.work(app.child("work"), l.Name)
	n.Work.ColdStart = t.measured(app.child("coldStart").value("init"), l.Name)
	t.deadline(n, app.child("deadline"))
	t.errors(n, app.child("errors"))
	if l.App.Server == nil {
		t.notChecked(l.Name, l.Name+".app.server", "server of "+l.Name+" not declared")
		return n
	}
	over := t.overridden(h, l.App.Server, func(a *App) *Part { return a.Server })
	server := t.settle(h.partOf(t, l.App.Server, over, "app", "server", l.App.Server.Type.Key), "", t.location(), h.over != nil)
	n.Product = server.product()
	if server.typ.Cancel != "" {
		n.Cancel = server.typ.Cancel
	}
	n.Unbounded = slices.Clone(server.typ.Phases)
	t.serve(n, server)
	coldOutside(n)
	n.Settings = append(n.Settings, server.native("server")...)
	t.remarks(server)
	t.implicit(server)
	t.announces(h, n, server)
	return n
}

// coldOutside is the part of a cold start that the platform gives outside of the
// layer's own limits; one that passes it is lost, and begun anew within the request.
func coldOutside(n *chain.Node) {
	most, ok := n.ServeLimit(chain.InitCap)
	cold := &n.Work.ColdStart
	switch {
	case !ok || !cold.Declared():
	case cold.D <= most.Bound:
		n.Work.Before, *cold = *cold, chain.Value{}
	default:
		n.Work.Before = chain.Value{D: most.Bound, Origin: cold.Origin}
		n.Work.Before.Origin.Note = chain.Format(most.Bound) + " of " + most.Origin.Name + " are lost, and it is begun anew"
	}
}

func (t *tree) deadline(n *chain.Node, b layered) {
	n.Deadline = chain.Deadline{
		Total: t.duration(b.value("total"), n.Layer), PerCall: t.duration(b.value("perCall"), n.Layer), Reserve: t.duration(b.value("reserve"), n.Layer),
		Enforced: b.value("enforced").yes(), Header: b.value("header").text(), From: b.value("from").text(),
	}
	if v := b.value("from"); v != nil {
		n.Deadline.FromAt = t.own(v, n.Layer)
	}
}

// errors are the statuses of the app's own error handling.
func (t *tree) errors(n *chain.Node, b layered) {
	if v := b.value("timeout"); t.given(v, n.Layer) {
		for _, c := range timeouts {
			n.Answers = append(n.Answers, chain.Answer{Cond: c, Status: v.number()})
		}
	}
	if v := b.value("unavailable"); t.given(v, n.Layer) {
		for _, c := range append(slices.Clone(failures), "503") {
			n.Answers = append(n.Answers, chain.Answer{Cond: c, Status: v.number()})
		}
	}
}

// appCall is one call of an app by one of its clients.
func (t *tree) appCall(h here, n *chain.Node, sc StepCall, client *Part, to *chain.Node) *chain.Call {
	l := h.layer
	c := &chain.Call{To: to, Fallback: sc.Fallback, Detached: sc.Background, Method: sc.Method, Pos: sc.Pos, Setting: settingPath(sc.Path)}
	c.Times, c.AtOnce, c.Requests = rounds(sc)
	if client == nil {
		return t.undeclared(c, l)
	}
	c.Client = client.Name
	c.ClientAt = chain.Origin{Layer: l.Name, Setting: settingPath([]string{l.Name, "app", "clients", client.Name}), Pos: client.Pos}
	if sc.Path == nil {
		c.Pos, c.Setting = client.Pos, c.ClientAt.Setting
	}
	over := t.overridden(h, client, func(a *App) *Part { return named(a.Clients, client.Name) })
	p := h.partOf(t, client, over, "app", "clients", client.Name, client.Type.Key)
	p.http2 = t.speaksHTTP2(to.Layer)
	e := t.settle(p, to.Layer, t.location(), h.over != nil)
	c.Product = e.product()
	if client.Via != to.Layer { // else the proxy itself is called
		c.Via = client.Via
	}
	c.Layers = t.wraps(h, e, client.Wrap, "app", "clients", client.Name)
	t.later(c, t.transport(c, e), behind(client, to))
	t.guard(c, h, client.Wrap, "app", "clients", client.Name)
	if c.Via != "" {
		t.notChecked(c.Via, "", onlyTunnels(c))
	}
	t.remarks(e)
	t.implicit(e)
	if c.Pool != nil {
		for _, other := range client.To {
			if other != to.Layer {
				c.Pool.Shared = append(c.Pool.Shared, other)
			}
		}
	}
	if block := "clients." + client.Name; !slices.ContainsFunc(n.Settings, func(s chain.Setting) bool {
		return s.Block == block || strings.HasPrefix(s.Block, block+".")
	}) {
		n.Settings = append(n.Settings, e.native(block)...)
		for i, w := range client.Wrap {
			p := h.partOf(t, w, nil, "app", "clients", client.Name, "wrap", indexed(i), w.Type.Key)
			n.Settings = append(n.Settings, t.settle(p, "", t.location(), h.over != nil).native(block+".wrap."+w.Type.Key)...)
		}
	}
	return c
}

// onlyTunnels is what is not checked of a forward proxy on the way to a callee.
func onlyTunnels(c *chain.Call) string {
	text := c.Via + " only tunnels: its own limits on a tunnel are not checked"
	if !c.KnowsTunnel() {
		text += fmt.Sprintf(", nor what happens when its answer to CONNECT does not come, as when %s does not answer it", c.To.Layer)
	}
	return text
}

// rounds are the calls of a step that come one after the other, how many each
// time, and all of them: times counts all.
func rounds(sc StepCall) (times, atOnce, all int) {
	if sc.AtOnce <= 1 {
		return sc.Times, 0, sc.Times
	}
	all = max(sc.Times, 1)
	if sc.Times == 0 {
		all = sc.AtOnce
	}
	atOnce = min(sc.AtOnce, all)
	return (all + atOnce - 1) / atOnce, atOnce, all
}

// behind is the layer that a client's connections are for: the callee, or the
// one behind the proxy that is called for it.
func behind(client *Part, to *chain.Node) string {
	if calls := to.Calls(); client.Via == to.Layer && len(calls) > 0 {
		return calls[0].To.Layer
	}
	return to.Layer
}

func named(parts []*Part, name string) *Part {
	for _, p := range parts {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// undeclared is a call of which the stack does not say how it is made.
func (t *tree) undeclared(c *chain.Call, l *Layer) *chain.Call {
	reason := "how " + l.Name + " calls " + c.To.Layer + " is not declared: no client has it"
	t.notChecked(l.Name, l.Name+".app.clients", reason)
	c.Product, c.Addresses, c.Layers = "a client", 1, []chain.ClientLayer{{}}
	for _, m := range []chain.Moment{chain.AtLease, chain.AtResolved, chain.AtConnect, chain.AtSecured, chain.AtRequestSent, chain.AtHeaderEnd, chain.AtBodyEnd} {
		c.Unbounded = append(c.Unbounded, chain.Unbounded{Phase: m, Reason: reason})
	}
	c.ClientAt = chain.Origin{Layer: l.Name, Setting: settingPath([]string{l.Name}), Pos: l.Pos}
	c.Pos, c.Setting = l.Pos, c.ClientAt.Setting
	return c
}
