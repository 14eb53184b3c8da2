package chain

import (
	"cmp"
	"slices"
	"time"
)

// Faults are the faults that can happen on a route, from the outermost call
// inward, each call's in the order of FaultKinds.
func Faults(r *Route) []Fault {
	var out []Fault
	for _, n := range r.Nodes() {
		for _, c := range n.Calls() {
			for _, k := range FaultKinds {
				if possible(k, c) {
					out = append(out, Fault{Kind: k, Call: c, From: n})
				}
			}
		}
	}
	return out
}

func possible(k FaultKind, c *Call) bool {
	switch k {
	case Saturated:
		return c.Pool != nil && c.Pool.InForce().N > 0
	case TunnelStall:
		return c.Via != "" && c.KnowsTunnel()
	case DeadAddress:
		return c.DialsNext()
	case TLSStall:
		return c.TLS
	case IdleRace:
		return len(c.Idle) > 0
	case Slow:
		_, said := c.To.tail()
		return said
	}
	return true
}

// Play says what happens on a route under one fault: one fold from the faulted
// call outward. Times are counted from the outermost caller's call.
func Play(r *Route, f Fault) Trace {
	p := &player{log: make([]told, 0, 16), visits: make([]visit, 0, 8)}
	return p.play(r, f)
}

// PlayAll is Play under every fault of a route, in the order of Faults.
func PlayAll(r *Route) []Trace {
	faults := Faults(r)
	out, p := make([]Trace, len(faults)), &player{}
	for i, f := range faults {
		out[i] = p.play(r, f)
	}
	return out
}

// play may follow another one: what that gathered is in no trace.
func (p *player) play(r *Route, f Fault) Trace {
	*p = player{route: r, fault: f, in: nobody, log: p.log[:0], visits: p.visits[:0], tells: p.tells}
	if p.tells == 0 {
		p.tells = mostPlayed
	}
	trace := Trace{Fault: f}
	if r.Root.Role == RoleCaller {
		trace.Outcome = p.serveCaller(r.Root)
	} else {
		reply, _ := p.serve(r.Root, 0, 0, false)
		trace.Outcome = outcomeOf(reply, r.Root)
	}
	if trace.Outcome.Unless = p.unless; (p.unless != "" || p.untold) && trace.Outcome.At == Never {
		trace.Outcome.Error = NotKnown
	}
	trace.Events = p.flat()
	return trace
}

// A PlayKey is all of a route that its plays depend on: routes with the same one
// play every fault alike.
type PlayKey struct {
	root                   *Node
	method                 string
	upload                 *Upload
	upgrades               bool // a WebSocket
	declared, repeatsAreOK bool // of Route.Idempotent
}

// PlayKey is the route's own.
func (r *Route) PlayKey() PlayKey {
	k := PlayKey{root: r.Root, method: r.Method, upload: r.Upload, upgrades: r.Response.Mode == WebSocket, declared: r.Idempotent != nil}
	k.repeatsAreOK = k.declared && *r.Idempotent
	return k
}

// Exhaust is how long a pool of n connections lasts when its callee goes
// silent: each request that comes in takes one and gives none back. tps is in
// requests per 1000 s of all instances; Never if nothing comes in.
func Exhaust(n int, tps int64, instances int) time.Duration {
	if tps <= 0 {
		return Never
	}
	return mulDiv(int64(n)*int64(max(instances, 1)), int64(1000*time.Second), tps)
}

type player struct {
	route  *Route
	fault  Fault
	tells  int  // attempts that are played one by one; 0 is mostPlayed
	played int  // attempts of transports so far
	stale  bool // the reused connection of an idle race was used up
	dead   bool // the dead one of several addresses was dialled, by who dials one an attempt
	log    []told
	visits []visit
	in     int // the visit whose layer acts now
	budget budget
	unless string // the first timer that may have ended something, and whose value is not known
	untold bool   // a phase did not end of which the vendor does not say whether anything ends it
}

// A budget is a deadline on its way in a header, as the time at which it ends.
type budget struct {
	header string
	ends   time.Duration
}

// A told event knows its visit. One that is late comes after its caller has
// left; at equal times it is told last.
type told struct {
	Event
	visit int
	late  bool
}

// A visit is one request at one layer, or a call that its layer does not wait for.
type visit struct {
	node         *Node
	by           int // the visit that sent it
	begun, ended time.Duration
	body         time.Duration // when the whole request is there
	detached     bool
	deadline     *Deadline // with what its caller gave it
}

// nobody is the visit of who has no caller.
const nobody = -1

func (p *player) tell(e Event) { p.log = append(p.log, told{Event: e, visit: p.in}) }

// enter begins a visit that is sent by the present one.
func (p *player) enter(v visit) int {
	v.by, v.ended = p.in, Never
	p.visits = append(p.visits, v)
	p.in = len(p.visits) - 1
	return p.in
}

// deadline is what the present visit of a node has left to work with.
func (p *player) deadline(n *Node) *Deadline {
	if p.in == nobody {
		return &n.Deadline
	}
	return p.visits[p.in].deadline
}

// shorten is a node's deadline when a request arrives: its caller may have sent
// one that ends earlier. An app sends on only what it says that it does.
func (p *player) shorten(n *Node, at time.Duration) *Deadline {
	d := &n.Deadline
	if d.Takes(p.budget.header) && p.budget.ends != Never {
		shorter := *d
		shorter.Given = d.given(max(p.budget.ends-at, 0))
		d = &shorter
	}
	if n.Role == RoleBuffering {
		p.budget = budget{}
	}
	return d
}

// flat are all events in time; events at the same time stay in the order of cause.
func (p *player) flat() []Event {
	var few [32]int
	order := few[:0]
	for i := range p.log {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &p.log[i], &p.log[j]
		switch {
		case a.At != b.At:
			return cmp.Compare(a.At, b.At)
		case a.late == b.late:
			return 0
		case a.late:
			return 1
		}
		return -1
	})
	out := make([]Event, len(order))
	for i, at := range order {
		out[i] = p.log[at].Event
	}
	return out
}

// serveCaller plays the outermost caller: a person's browser or program.
func (p *player) serveCaller(n *Node) Outcome {
	at, out := time.Duration(0), outcomeOf(instant(0, p.route.success(n), n), n)
	for _, step := range n.Steps {
		for _, c := range step.Calls {
			res := p.call(n, c, at, 0)
			out = callerOutcome(res, n)
			p.tell(p.seen(n, res, out))
			if res.failed || res.reply.End == Never {
				return out
			}
			at = res.reply.End
		}
	}
	return out
}

func (p *player) seen(n *Node, res result, o Outcome) Event {
	return Event{At: o.At, Kind: EvSees, Node: n, Peer: o.From, Status: o.Status, Cond: res.cond, Limit: res.limit, Unknown: o.At == Never && (p.unless != "" || p.untold)}
}

func callerOutcome(res result, n *Node) Outcome {
	switch {
	case res.failed && res.limit != nil && res.cond == CondCut:
		return Outcome{Status: res.reply.Status, Error: "gives up", From: n, At: res.at, Cut: true}
	case res.failed && res.limit != nil:
		return Outcome{Error: "gives up", From: n, At: res.at}
	case res.failed:
		return Outcome{Error: errorText(res.cond), From: res.by, At: res.at}
	}
	return outcomeOf(res.reply, n)
}

// outcomeOf is what a caller without limits of its own has in the end.
func outcomeOf(r Reply, n *Node) Outcome {
	o := Outcome{Status: r.Status, From: r.By, At: r.End, Cut: r.Cut}
	switch {
	case r.Header == Never && r.Cond == "" || r.End == Never:
		o.Error, o.At, o.From = "never ends", Never, nil
		if r.Header == Never {
			o.Status = 0
		}
	case r.Cond != "":
		o.Error, o.Status = errorText(r.Cond), 0
	case r.Cut:
		o.Error = "cut short"
	case r.Status == 0:
		o.Error = "its own error"
	}
	return o
}

func errorText(c Cond) string {
	switch c {
	case CondRefused:
		return "connection refused"
	case CondReset, CondStale:
		return "connection reset"
	case CondKilled:
		return "connection closed"
	case CondCut:
		return "cut short"
	}
	return string(c)
}

func instant(at time.Duration, status int, by *Node) Reply {
	return Reply{First: at, Header: at, End: at, Status: status, By: by}
}

func never(by *Node) Reply { return Reply{First: Never, Header: Never, Gap: Never, End: Never, By: by} }
