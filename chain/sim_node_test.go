package chain

import (
	"fmt"
	"time"

	"pgregory.net/rapid"
)

// route is a random route: a chain of layers, or a tree where apps have steps.
func (m *maker) route() *Route {
	m.nodes, m.rich = 1+m.upTo(4), m.chance(40)
	if m.chance(50) { // a tree
		m.nodes, m.leaves = 6, 35
	}
	r := &Route{Name: "random", Method: pick(m, "GET", "POST", "")}
	if m.chance(25) {
		r.Upload = &Upload{Bytes: int64(1 + m.upTo(800)), BytesPerSecond: 1000}
	}
	if m.chance(15) {
		r.Response.Mode = WebSocket
	}
	r.Root = m.node(24, true)
	HandOn(r)
	return r
}

func (m *maker) node(budget int, root bool) *Node {
	m.n++
	m.nodes--
	n := &Node{Layer: fmt.Sprintf("n%d", m.n), Role: pick(m, RolePassing, RoleBuffering, RolePassing, RoleBuffering, RoleUnknown),
		Cancel: pick(m, CancelPropagates, CancelPropagates, CancelIgnored, CancelUnknown, CancelOnWrite)}
	if root && m.chance(70) {
		n.Role = RoleCaller
	}
	n.Work = Work{P99: m.value("p99", 40), Max: m.value("max", 20), ColdStart: m.value("cold", 10), Before: m.value("before", 10)}
	if n.Role != RoleCaller {
		n.Serve = m.serve()
	}
	for _, c := range allConds {
		if m.chance(30) {
			n.Answers = append(n.Answers, Answer{c, pick(m, 500, 502, 503, 504, 0)})
		}
	}
	if n.Role == RoleBuffering && m.chance(40) || m.chance(5) {
		n.Deadline = Deadline{Total: m.value("total", 70), PerCall: m.value("perCall", 50), Enforced: m.chance(70)}
		if m.chance(50) {
			n.Deadline.Reserve = Value{D: m.duration() / 8, Origin: m.origin("reserve")}
		}
		n.Deadline.Header, n.Deadline.From = pick(m, "", "X-Left"), pick(m, "", "X-Left")
	}
	if !root && (m.nodes <= 0 || m.chance(m.leaves)) {
		n.Role = RoleLeaf
		return n
	}
	m.steps(n, budget)
	return n
}

// steps gives a node its calls: a passing layer and a caller make one.
func (m *maker) steps(n *Node, budget int) {
	if n.Role != RoleBuffering {
		c := m.call(n.Role, budget)
		calls := []*Call{c}
		if n.Role != RoleCaller && m.nodes > 0 && m.chance(10) {
			mirror := m.call(n.Role, 1)
			mirror.Detached = true
			calls = []*Call{mirror, c}
		}
		n.Steps = []Step{{Calls: calls}}
		return
	}
	for range 1 + pick(m, 0, 0, 1, 2) {
		var step Step
		earlier := n.Calls()
		for range 1 + pick(m, 0, 1) {
			c := m.call(n.Role, budget)
			c.Detached = m.chance(15)
			if len(earlier) > 0 && !c.Detached && m.chance(35) {
				m.instead(c, rapid.SampledFrom(earlier).Draw(m.t, "instead"))
			}
			step.Calls = append(step.Calls, c)
			if m.nodes < -3 {
				break
			}
		}
		n.Steps = append(n.Steps, step)
		if m.nodes < -3 {
			break
		}
	}
}

// instead makes a call stand in for an earlier one.
func (m *maker) instead(c, earlier *Call) {
	if earlier.Detached {
		return
	}
	c.Instead = earlier
	if on := m.some(40, allConds); len(on) > 0 && m.chance(50) {
		c.InsteadOn = on
	}
}

// serve are limits of the answering side, in any order.
func (m *maker) serve() (out []Limit) {
	fires := map[Kind][]Fires{HandlerDeadline: {"503", "500", FiresError}, WorkerKill: {FiresKill, "500"}, WriteTotal: {FiresClose}}
	kinds := rapid.Permutation([]Kind{HandlerDeadline, WorkerKill, WriteTotal, RequestBodyRead}).Draw(m.t, "kinds")
	for _, k := range kinds {
		if !m.chance(25) {
			continue
		}
		l := limit(k, m.bound(), FiresClose)
		if f := fires[k]; f != nil {
			l.Fires = pick(m, f...)
		}
		if k == RequestBodyRead {
			l.Reset = pick(m, ResetRead, ResetNone)
		} else if m.chance(40) {
			l.Start = AtSecured
		}
		l.Origin = m.origin(string(k))
		out = append(out, l)
	}
	return out
}

func randomRoute(t *rapid.T, simple bool) *Route {
	m := &maker{t: t, simple: simple}
	return m.route()
}

// describe is a route for a failing test, every value in it.
func describe(r *Route) string {
	out := "method " + r.Method + " upload " + Format(r.Upload.Takes()) + " response " + string(r.Response.Mode) + "\n"
	for _, n := range r.Nodes() {
		out += fmt.Sprintf("%s %s cancel=%q answers=%v\n", n.Layer, n.Role, n.Cancel, n.Answers)
		for _, l := range n.Serve {
			out += fmt.Sprintf("  serve %s %s→ %s %s\n", l.Kind, l.Start, Format(l.Bound), l.Fires)
		}
		if d := n.Deadline; d.Total.Declared() || d.PerCall.Declared() {
			out += fmt.Sprintf("  deadline total=%v perCall=%v reserve=%v enforced=%v header=%q from=%q\n", d.Total.D, d.PerCall.D, d.Reserve.D, d.Enforced, d.Header, d.From)
		}
		for i, s := range n.Steps {
			for _, c := range s.Calls {
				out += describeCall(i, c)
			}
		}
	}
	return out
}

func describeCall(step int, c *Call) string {
	out := fmt.Sprintf("  step %d → %s times=%d fallback=%v detached=%v method=%q tls=%v addresses=%d oneByOne=%v resend=%v holdsBack=%v collects=%v\n",
		step, c.To.Layer, c.Times, c.Fallback, c.Detached, c.Method, c.TLS, c.Addresses, c.OneByOne, c.Resend != nil, c.HoldsBack, c.Collects)
	if c.Instead != nil {
		out += fmt.Sprintf("    instead of %s on %v\n", c.Instead.To.Layer, c.InsteadOn)
	}
	for _, layer := range c.Layers {
		out += "    layer\n"
		for _, l := range layer.Limits {
			out += fmt.Sprintf("      %s %s %s→%s per=%q reset=%q fires=%s kernel=%v\n", l.Kind, Format(l.Bound), l.Start, l.End, l.Per, l.Reset, l.Fires, l.Kernel)
		}
		if r := layer.Retry; r != nil {
			out += fmt.Sprintf("      retry %d cap=%v on=%v methods=%v any=%v at-once=%v interval=%v×%d max=%v window=%v(%v) reads=%v asks-first=%v\n", r.Attempts.N, r.CapAddresses, r.On, r.OnMethods, r.AnyMethod, r.AtOnce,
				r.Interval.D, r.Multiplier, r.MaxInterval, time.Duration(r.Window.D), r.Window.Declared(), r.ReadsBody, r.AsksFirst)
		}
	}
	return out
}
