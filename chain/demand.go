package chain

import (
	"slices"
	"time"
)

// A Demand is what all routes together ask of the connections of one client to one
// callee. The zero value asks for nothing.
type Demand struct {
	// Route, Node and Call are those that hold a connection for longest, for Held, the
	// time that Limit sets; Held is Never where nothing ends the read.
	Route *Route
	Node  *Node
	Call  *Call
	Held  time.Duration
	Limit Limit
	// TPS are the calls of all routes per 1000 s that hold a connection: of those that one
	// request makes in a row the first, while the callee is silent.
	TPS    int64
	Routes []string // by name, each once, in the order in which they came
	// Well says that a route holds more while the callee is well, on average.
	Well bool
	// Open says that nothing ends the read on some route: no pool is enough.
	Open bool

	busy    Busy
	counted map[string]*Route // by name, the entrance that counts
}

// PoolKey tells the connections of n's call to its callee from all others of a stack.
func PoolKey(n *Node, c *Call) string { return n.Layer + "\x00" + c.Client + "\x00" + c.To.Layer }

// Add counts a call of a route, unless another entrance of the route was counted,
// which has the same requests. It reports whether this call holds for longest.
func (d *Demand) Add(p Policy, r *Route, n *Node, c *Call) (longest bool) {
	if first := d.counted[r.Name]; first != nil && first != r {
		return false
	}
	if d.counted == nil {
		d.counted = map[string]*Route{}
	}
	d.counted[r.Name] = r
	held, limit := p.Held(n, c)
	d.busy.Instances = n.Instances.N
	if p.wellHeld(c).Declared() {
		d.TPS += r.Rate(c)
		d.busy.AddLoad(r, c, held)
	} else {
		tps, well := d.busy.AddSilent(r, n, c, held)
		d.TPS, d.Well = d.TPS+tps, d.Well || well
	}
	if !slices.Contains(d.Routes, r.Name) {
		d.Routes = append(d.Routes, r.Name)
	}
	d.Open = d.Open || held == Never && r.Concurrent.N == 0
	if longest = d.Call == nil || held > d.Held; longest {
		d.Route, d.Node, d.Call, d.Held, d.Limit = r, n, c, held, limit
	}
	return longest
}

// Need is how many connections of each instance the demand keeps busy, as Busy.Need.
func (d *Demand) Need() int { return d.busy.Need() }

// Loads are the terms of Need, as Busy.Loads.
func (d *Demand) Loads() []Load { return d.busy.Loads() }

// Held is how long a call of n holds its connection, by the policy: until the limit
// that ends the read first, or what the callee declares to take. It is Never, and of
// no limit, where nothing ends the read.
func (p Policy) Held(n *Node, c *Call) (time.Duration, Limit) {
	if v := p.wellHeld(c); v.Declared() {
		return v.D, Limit{Bound: v.D, Origin: v.Origin}
	}
	l, ok := n.Watching(c)
	if !ok {
		return Never, Limit{}
	}
	return l.Bound, l
}

// wellHeld is what the callee declares to take, where the policy counts that; else it
// is not declared.
func (p Policy) wellHeld(c *Call) Value {
	switch p.PoolAgainst {
	case "p99":
		return c.Answering().Work.P99
	case "avg":
		return c.Answering().Work.Avg
	}
	return Value{}
}
