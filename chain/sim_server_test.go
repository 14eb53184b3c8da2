package chain

import (
	"strconv"
	"time"
)

// A simConn is the way back to whoever called.
type simConn interface {
	gone() bool
	header(status int, by *Node)
	flow()
	end(status int, by *Node, cut bool)
	closed(cond Cond, by *Node)
}

// A simBack is the way back to an attempt.
type simBack struct{ a *simAttempt }

func (b simBack) gone() bool { return b.a.over }

func (b simBack) header(status int, by *Node) {
	b.a.answered(func() { b.a.takeHeader(status, by) })
}

func (b simBack) end(_ int, _ *Node, cut bool) {
	b.a.answered(func() { b.a.w.soon(func() { b.a.takeEnd(cut) }) })
}

func (b simBack) flow() {
	if !b.a.over {
		b.a.flow()
	}
}

func (b simBack) closed(cond Cond, by *Node) {
	b.a.answered(func() {
		b.a.w.soon(func() {
			if !b.a.over {
				b.a.w.note(EvFailed, b.a.n, 0)
				b.a.finish(simResult{failed: true, cond: cond, sent: true, by: by})
			}
		})
	})
}

// A simVisit is one request at one layer.
type simVisit struct {
	w        *simWorld
	n        *Node
	conn     simConn
	depth    int
	arrived  time.Duration
	body     time.Duration // when the whole request is there
	d        Deadline
	short    bool // its caller gave it less than it allows itself
	budget   simBudget
	timers   []*simEvent
	calls    []*simCall // those that its leaving would end
	replaced map[*Call]bool
	open     int  // calls of the step that have not ended
	wrote    bool // a header went out
	status   int
	by       *Node
	late     bool // nothing more can be written
	ended    bool
	unheard  bool
	lost     time.Duration // when it last said something that nobody heard
	failedAt time.Duration // of the first call that failed
}

// arrive is a request that reaches a layer, of which the header came at head and the
// body is there at body: now, or later at one that sends it on.
func (w *simWorld) arrive(n *Node, conn simConn, depth int, budget simBudget, slow bool, head, body time.Duration) *simVisit {
	v := &simVisit{w: w, n: n, conn: conn, depth: depth, arrived: head, body: body, d: n.Deadline, budget: budget, replaced: map[*Call]bool{}, lost: -1}
	if budget.header != "" && budget.header == n.Deadline.From {
		if left := budget.until - head; !v.d.Total.Declared() || left < v.d.Total.D {
			v.d.Total, v.short = Value{D: left, Origin: Origin{Source: Derived}}, true
		}
	}
	if n.Role == RoleBuffering {
		v.budget = simBudget{}
	}
	before := time.Duration(0) // the platform's own time, which no limit of the layer counts
	if slow {
		before = n.Work.Before.D
	}
	for i := range n.Serve {
		l := &n.Serve[i]
		if l.Bound == Never {
			continue
		}
		rank := i - 100*depth
		bound := before + l.Bound
		if l.Start < AtRequestSent {
			bound -= w.now - head
		} else {
			bound += body - w.now
		}
		if bound < 0 && l.Kind == WriteTotal {
			v.late = true
			continue
		}
		switch l.Kind {
		case HandlerDeadline:
			v.timers = append(v.timers, w.in(bound, classServe, rank, func() { v.handlerDeadline(l) }))
		case WorkerKill:
			v.timers = append(v.timers, w.in(bound, classServe, rank+20, func() { v.killed(l) }))
		case WriteTotal:
			v.timers = append(v.timers, w.in(bound, classServe, rank+40, v.writeTotal))
		}
	}
	if slow {
		work := n.Work.P99.D
		if n.Work.Max.Declared() {
			work = n.Work.Max.D
		}
		work += n.Work.ColdStart.D + n.Work.Before.D
		if !n.Work.Max.Declared() && !n.Work.P99.Declared() && !n.Work.ColdStart.Declared() && !n.Work.Before.Declared() {
			work = simPromised(n)
		}
		w.in(body-w.now+work, classStep, 0, func() {
			if !v.ended {
				v.tell(EvAnswers, w.well(v.n))
				v.answer(w.well(v.n), v.n)
			}
		})
		return v
	}
	v.step(0)
	return v
}

// simPromised is the smallest limit that was written for the work of an app.
func simPromised(n *Node) time.Duration {
	least := Never
	for _, l := range n.Serve {
		if l.Kind == HandlerDeadline || l.Kind == WorkerKill {
			least = min(least, l.Bound)
		}
	}
	return least
}

// handlerDeadline answers in place of the handler, which is told to stop.
func (v *simVisit) handlerDeadline(l *Limit) {
	if v.ended || v.wrote {
		return
	}
	v.stopCalls()
	status, err := strconv.Atoi(string(l.Fires))
	if err != nil {
		status = 0
	}
	v.tell(EvAnswers, status)
	v.answer(status, v.n)
}

// killed is the end of the worker, and of what it had begun to say.
func (v *simVisit) killed(l *Limit) {
	if !v.ended || v.late && v.wrote {
		v.stopCalls()
	}
	if v.ended {
		return
	}
	if v.wrote {
		v.tell(EvCuts, v.status)
		v.finish()
		v.conn.end(v.status, v.by, true)
		return
	}
	if status, err := strconv.Atoi(string(l.Fires)); err == nil {
		v.tell(EvAnswers, status)
		v.answer(status, v.n)
		return
	}
	v.close()
}

// writeTotal loses what is written from now on.
func (v *simVisit) writeTotal() {
	v.late = true
	if v.wrote && !v.ended {
		v.tell(EvCuts, v.status)
		v.ended = true // and the worker works on
		v.conn.end(v.status, v.by, true)
	}
}

// tell notes what the layer says, if anybody hears it.
func (v *simVisit) tell(k EventKind, status int) {
	if v.unheard {
		if k = EvUndelivered; v.lost == v.w.now {
			return
		}
		v.lost = v.w.now
	}
	v.w.note(k, v.n, status)
}

func (v *simVisit) finish() {
	v.ended = true
	for _, t := range v.timers {
		t.cancel()
	}
}

func (v *simVisit) stopCalls() {
	for _, k := range v.calls {
		k.abort()
	}
}

// callerLeft stops the work if this layer hears of it.
func (v *simVisit) callerLeft() {
	if v.ended {
		return
	}
	if v.n.Cancel != CancelPropagates {
		v.unheard = true
		return
	}
	v.w.note(EvLeaves, v.n, 0)
	v.finish()
	v.stopCalls()
}

// close ends the connection without an answer.
func (v *simVisit) close() {
	v.tell(EvCloses, 0)
	v.finish()
	if !v.conn.gone() {
		v.conn.closed(CondKilled, v.n)
	}
}

// head writes the header of an answer; false if it is lost.
func (v *simVisit) head(status int, by *Node) bool {
	if v.late {
		v.close()
		return false
	}
	v.wrote, v.status, v.by = true, status, by
	if !v.conn.gone() {
		v.conn.header(status, by)
	}
	return true
}

func (v *simVisit) answer(status int, by *Node) {
	if !v.head(status, by) {
		return
	}
	v.finish()
	if !v.conn.gone() {
		v.conn.end(status, by, false)
	}
}
