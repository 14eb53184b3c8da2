package chain

import (
	"slices"
	"time"
)

// A Role says what a layer does with what it gets back.
type Role string

// The roles. A passing layer forwards bytes as they come; a buffering layer
// answers once, after its work.
const (
	RoleCaller    Role = "caller"    // the outermost: a person's browser or program
	RolePassing   Role = "passing"   // a proxy, a balancer, an app with relay: true
	RoleBuffering Role = "buffering" // an app
	RoleUnknown   Role = "unknown"   // passes on and promises nothing
	RoleLeaf      Role = "leaf"      // external: only what it declares is known
)

// Cancel says what a layer does with its own call when its caller leaves.
type Cancel string

// What can happen to the inner work. CancelUnknown is treated as ignored.
const (
	CancelUnknown    Cancel = ""
	CancelPropagates Cancel = "propagates"
	CancelIgnored    Cancel = "ignored"
	CancelOnWrite    Cancel = "on-write"
)

// A Node is one layer as one route meets it.
type Node struct {
	Layer     string // the team's name for it: "proxy"
	Type      string // the key of its type
	Product   string // for people: "nginx 1.28.0"
	Owner     string
	Role      Role
	Cancel    Cancel
	Instances Size // not declared: one is counted, and said
	ScaleMax  int
	Serve     []Limit // timers of its answering side
	// Concurrency is how many requests it works on at once; 0 with a declared origin is no bound.
	Concurrency Size
	// TurnsAway says that one more than Concurrency is refused at once and does not wait.
	TurnsAway bool
	// PerConnection says that Concurrency counts connections, in use or not.
	PerConnection bool
	// PingStrikes is how many pings in a row that come too soon it lets pass; not
	// declared is not known.
	PingStrikes Size
	// Refuses is the setting by which it works on no request at all; the zero Origin is none.
	Refuses Origin
	// WholeAnswer is the setting with which it keeps its own answer until that is whole: it
	// can flush no part of it, and not have its connection upgraded. The zero Origin is none.
	WholeAnswer Origin
	Steps       []Step // its calls: one step after the other, those of a step at once
	Answers     []Answer
	Work        Work
	Deadline    Deadline
	ErrorRoom   Value // beats the policy's where declared
	Stop        Stop
	Checks      []HealthCheck // by the platform that it runs on
	Announces   Value         // the idle time that it tells its callers, Never if it tells none; not declared if unknown
	Settings    []Setting
	Pos         Range
	// NotChecked are phases that this product cannot bound, by kind.
	Unbounded []Unbounded
}

// An Answer is the status that a layer writes itself when a call failed in one way.
type Answer struct {
	Cond   Cond
	Status int // 0: it closes the connection
}

// Holds is how many calls of one step, c, a request has open at once while the callee is
// silent: 0 of one that is not made, since one before it to the same layer ended the request.
func (n *Node) Holds(c *Call) int {
	for _, s := range n.Steps {
		if slices.Contains(s.Calls, c) {
			break
		}
		for _, x := range s.Calls {
			if x.To.Layer == c.To.Layer && !x.Fallback && !x.Detached && x.Instead == nil && !n.replaces(x) {
				return 0
			}
		}
	}
	return max(c.AtOnce, 1)
}

// replaces reports whether a later call is made instead of one.
func (n *Node) replaces(x *Call) bool {
	return slices.ContainsFunc(n.Calls(), func(c *Call) bool { return c.Instead == x })
}

// Unbounded is a phase that no setting of a product ends.
type Unbounded struct {
	Phase  Moment // the moment that may never come
	Reason string // "" is that no setting of the product bounds the phase
	// Undocumented is that of a hosted product nobody outside knows whether something does.
	Undocumented bool
}

// A Setting is one resolved setting in native form, for emitters and reports.
type Setting struct {
	Block  string // the block that it belongs to: "server", "upstream"
	Value  string // in the product's own syntax
	Origin Origin
}

// Calls are the calls of all steps in order.
func (n *Node) Calls() []*Call {
	var out []*Call
	for _, s := range n.Steps {
		out = append(out, s.Calls...)
	}
	return out
}

// ServeLimit is the answering side's limit of a kind; the smallest if there are several.
func (n *Node) ServeLimit(k Kind) (Limit, bool) { return smallest(n.Serve, k) }

// A Step is calls that run at the same time.
type Step struct{ Calls []*Call }

// Work is a layer's own time, without its calls. Not declared counts as nothing.
// ColdStart is what the first answer of a new instance takes besides; Before is
// the part of it that a platform gives outside of the layer's own limits.
type Work struct{ Avg, P99, Max, ColdStart, Before Value }

// Tail is the longest that a layer says it takes for one answer in the ordinary
// run of things, a cold start included; not declared if it says nothing.
func (w Work) Tail() Value {
	tail := w.P99
	if w.Max.Declared() {
		tail = w.Max
	}
	for _, cold := range []Value{w.ColdStart, w.Before} {
		switch {
		case !cold.Declared():
		case !tail.Declared():
			tail = cold
		default:
			tail.D = Add(tail.D, cold.D)
		}
	}
	return tail
}

// Promise is the limit that a person wrote for the layer's own work, where
// nothing is declared of that: it may take all of it. ok is false if there is none.
func (n *Node) Promise() (l Limit, ok bool) {
	if n.Role != RoleBuffering || n.Work.Tail().Declared() {
		return l, false
	}
	for _, x := range n.Serve {
		if (x.Kind == HandlerDeadline || x.Kind == WorkerKill) && x.Origin.Said() && x.Bound != Never && x.Ends() && (!ok || x.Bound < l.Bound) {
			l, ok = x, true
		}
	}
	return l, ok
}

// tail is how long a slow answer of the layer takes; ok is false if nothing is
// said of that.
func (n *Node) tail() (d time.Duration, ok bool) {
	if t := n.Work.Tail(); t.Declared() {
		return t.D, true
	}
	l, ok := n.Promise()
	return l.Bound, ok
}
