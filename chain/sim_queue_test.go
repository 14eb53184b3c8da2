package chain

import (
	"container/heap"
	"time"
)

// The second opinion: an event simulation of one request, written without
// looking at how Play folds. Every layer is a small state machine; time passes
// only from one queued event to the next.

// Classes order what happens at one instant: timers beat answers, a wait that
// need not be waited for beats its timer, and answers beat the timers of the
// answering side.
const (
	classTimer = iota
	classStep
	classWait
	classServe
)

// A simEvent is one thing to happen at one time.
type simEvent struct {
	at               time.Duration
	class, rank, seq int
	run              func()
	dead             bool
	byteFlow         bool          // a byte of an endless answer
	gap              bool          // a timer that a byte of one has restarted
	armedAt          time.Duration // of a gap
}

// cancel takes the event out; a nil event was never armed.
func (e *simEvent) cancel() {
	if e != nil {
		e.dead = true
	}
}

type simHeap []*simEvent

func (h simHeap) Len() int      { return len(h) }
func (h simHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *simHeap) Push(x any)   { *h = append(*h, x.(*simEvent)) }

func (h simHeap) Less(i, j int) bool {
	a, b := h[i], h[j]
	switch {
	case a.at != b.at:
		return a.at < b.at
	case a.class != b.class:
		return a.class < b.class
	case a.rank != b.rank:
		return a.rank < b.rank
	}
	return a.seq < b.seq
}

func (h *simHeap) Pop() any {
	old := *h
	e := old[len(old)-1]
	*h = old[:len(old)-1]
	return e
}

// A simWorld is one run of one fault.
type simWorld struct {
	route    *Route
	fault    Fault
	now      time.Duration
	queue    simHeap
	seq      int
	dead     bool          // the dead address was dialled by who dials one an attempt
	used     bool          // the reused connection of an idle race was used up
	interval time.Duration // between two bytes of an endless answer
	outcome  *Outcome
	header   int // the status whose header the outermost layer has seen
	log      []simLine
	raced    bool // two calls of a step failed at one instant: either could be the one that counts
	tied     bool // two things that took time ended at one instant: their order is a matter of taste
}

// A simLine is one thing that one layer was seen to do.
type simLine struct {
	At     time.Duration
	Kind   EventKind
	Node   *Node
	Status int
}

func (w *simWorld) note(k EventKind, n *Node, status int) {
	w.log = append(w.log, simLine{w.now, k, n, status})
}

// in queues run; nothing is queued for a time that never comes.
func (w *simWorld) in(d time.Duration, class, rank int, run func()) *simEvent {
	at := Add(w.now, d)
	if at == Never {
		return nil
	}
	w.seq++
	e := &simEvent{at: at, class: class, rank: rank, seq: w.seq, run: run, armedAt: w.now}
	heap.Push(&w.queue, e)
	return e
}

func (w *simWorld) soon(run func()) { w.in(0, classStep, 0, run) }

// simulate runs the fault to the end, and not only to the outermost outcome,
// because work can go on unheard.
func simulate(r *Route, f Fault) *simWorld {
	w := &simWorld{route: r, fault: f, interval: flowInterval(r)}
	w.begin()
	last := time.Duration(-1)
	for len(w.queue) > 0 {
		e := heap.Pop(&w.queue).(*simEvent)
		if e.dead {
			continue
		}
		if e.at > e.armedAt && !e.byteFlow {
			w.tied = w.tied || e.at == last
			last = e.at
		}
		if e.byteFlow {
			if w.onlyFlow(e.at - w.interval) {
				break
			}
		}
		w.now = e.at
		e.run()
	}
	if w.outcome == nil {
		w.outcome = &Outcome{Error: "never ends", At: Never, Status: w.header}
	}
	return w
}

// onlyFlow reports that nothing is left but bytes and timers that a byte has
// restarted since a time, so that nothing will ever change.
func (w *simWorld) onlyFlow(since time.Duration) bool {
	for _, e := range w.queue {
		if !e.dead && !e.byteFlow && (!e.gap || e.armedAt < since) {
			return false
		}
	}
	return true
}

// flowInterval is just inside the smallest gap of the route.
func flowInterval(r *Route) time.Duration {
	least := 50 * time.Millisecond
	found := Never
	for _, n := range r.Nodes() {
		for _, c := range n.Calls() {
			for _, l := range c.Limits() {
				if l.Reset == ResetRead && l.Bound > 0 && l.Bound < found {
					found = l.Bound
				}
			}
		}
	}
	if found < least {
		return found - 1
	}
	return least
}

// begin starts the outermost layer.
func (w *simWorld) begin() {
	root := w.route.Root
	if root.Role != RoleCaller {
		w.arrive(root, &simRoot{w}, 1, simBudget{}, false, 0, 0)
		return
	}
	c := root.Steps[0].Calls[0]
	call := &simCall{w: w, n: root, c: c, depth: 1, d: root.Deadline}
	call.onHeader = func(status int, _ *Node) { w.header = status }
	call.onByte = func() {}
	call.done = func(res simResult) { w.seen(root, res) }
	call.start()
}

// seen is what the outermost caller makes of the end of its call.
func (w *simWorld) seen(root *Node, res simResult) {
	o := Outcome{At: w.now}
	switch {
	case res.failed && res.limit != nil && res.header:
		o.Status, o.Error, o.From, o.Cut = res.status, "gives up", root, true
	case res.failed && res.limit != nil:
		o.Error, o.From = "gives up", root
	case res.failed:
		o.Error, o.From = simErrors[res.cond], res.by
	default:
		o = simAnswered(w.now, res.status, res.by, res.cut)
	}
	w.outcome = &o
}

func simAnswered(at time.Duration, status int, by *Node, cut bool) Outcome {
	o := Outcome{At: at, Status: status, From: by, Cut: cut}
	if cut {
		o.Error = "cut short"
	} else if status == 0 {
		o.Error = "its own error"
	}
	return o
}

var simErrors = map[Cond]string{
	CondRefused: "connection refused", CondReset: "connection reset", CondStale: "connection reset",
	CondKilled: "connection closed",
}

// A simRoot takes the bytes of an outermost layer that has no caller.
type simRoot struct{ w *simWorld }

func (s *simRoot) gone() bool                 { return false }
func (s *simRoot) flow()                      {}
func (s *simRoot) header(status int, _ *Node) { s.w.header = status }

func (s *simRoot) end(status int, by *Node, cut bool) {
	o := simAnswered(s.w.now, status, by, cut)
	s.w.outcome = &o
}

func (s *simRoot) closed(cond Cond, by *Node) {
	s.w.outcome = &Outcome{At: s.w.now, Error: simErrors[cond], From: by}
}

// well is the status of a layer that answers as it should: 101 where a WebSocket goes
// on over it to the person, and from the app that has it.
func (w *simWorld) well(n *Node) int {
	var carries func(at *Node) bool
	carries = func(at *Node) bool {
		if at == n {
			return true
		}
		for _, c := range at.Calls() {
			if app := at.Role == RoleBuffering && at != w.route.Root; !app && !c.Detached && carries(c.To) {
				return true
			}
		}
		return false
	}
	if w.route.Response.Mode == WebSocket && carries(w.route.Root) {
		return 101
	}
	return 200
}
