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

func (b simBack) gone() bool                   { return b.a.over }
func (b simBack) header(status int, by *Node)  { b.a.takeHeader(status, by) }
func (b simBack) end(_ int, _ *Node, cut bool) { b.a.w.soon(func() { b.a.takeEnd(cut) }) }

func (b simBack) flow() {
	if !b.a.over {
		b.a.flow()
	}
}

func (b simBack) closed(cond Cond, by *Node) {
	b.a.w.soon(func() {
		if !b.a.over {
			b.a.w.note(EvFailed, b.a.n, 0)
			b.a.finish(simResult{failed: true, cond: cond, sent: true, by: by})
		}
	})
}

// A simVisit is one request at one layer.
type simVisit struct {
	w        *simWorld
	n        *Node
	conn     simConn
	depth    int
	arrived  time.Duration
	timers   []*simEvent
	calls    []*simCall // those that its leaving would end
	open     int        // calls of the step that have not ended
	wrote    bool       // a header went out
	status   int
	by       *Node
	late     bool // nothing more can be written
	ended    bool
	unheard  bool
	failedAt time.Duration // of the first call that failed
}

// arrive is a request that reaches a layer.
func (w *simWorld) arrive(n *Node, conn simConn, depth int) *simVisit {
	v := &simVisit{w: w, n: n, conn: conn, depth: depth, arrived: w.now}
	for i := range n.Serve {
		l := &n.Serve[i]
		rank := i - 100*depth
		switch l.Kind {
		case HandlerDeadline:
			v.timers = append(v.timers, w.in(l.Bound, classServe, rank, func() { v.handlerDeadline(l) }))
		case WorkerKill:
			v.timers = append(v.timers, w.in(l.Bound, classServe, rank+20, v.killed))
		case WriteTotal:
			v.timers = append(v.timers, w.in(l.Bound, classServe, rank+40, v.writeTotal))
		}
	}
	v.step(0)
	return v
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
func (v *simVisit) killed() {
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
		k = EvUndelivered
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

// step starts the calls of a step, or answers after the last one.
func (v *simVisit) step(i int) {
	if i == len(v.n.Steps) {
		v.answer(200, v.n)
		return
	}
	v.open = 1 // this loop itself
	for _, c := range v.n.Steps[i].Calls {
		if !c.Detached {
			v.open++
		}
		v.call(i, c, max(c.Times, 1))
		if !c.Detached && v.passing() {
			return
		}
	}
	v.callEnded(i)
}

func (v *simVisit) passing() bool { return v.n.Role == RolePassing || v.n.Role == RoleUnknown }

func (v *simVisit) callEnded(i int) {
	if v.open--; v.open == 0 && !v.ended {
		v.step(i + 1)
	}
}

// call starts one call, to be made a number of times.
func (v *simVisit) call(i int, c *Call, times int) {
	k := &simCall{w: v.w, n: v.n, c: c, arrived: v.arrived, depth: v.depth}
	if !c.Detached {
		v.calls = append(v.calls, k)
	}
	k.done = func(res simResult) {
		if v.passing() && !c.Detached {
			v.passed(res)
			return
		}
		bad := res.failed || res.status == 0 || res.status >= 500 || res.cut
		if !bad && times > 1 {
			v.call(i, c, times-1)
			return
		}
		if c.Detached {
			return
		}
		if bad && !c.Fallback && v.open < 0 && v.failedAt == v.w.now {
			v.w.raced = true
		}
		if v.ended {
			return
		}
		if bad && !c.Fallback {
			v.failed(res)
			return
		}
		v.callEnded(i)
	}
	if v.passing() && !c.Detached && !c.HoldsBack {
		k.onHeader = func(status int, by *Node) {
			if !v.ended {
				v.passes(status)
				v.head(status, by)
			}
		}
		k.onByte = func() {
			if v.wrote && !v.ended && !v.conn.gone() {
				v.conn.flow()
			}
		}
	}
	k.start()
}

// passes notes an error that is passed on.
func (v *simVisit) passes(status int) {
	if status == 0 || status >= 400 {
		v.tell(EvPasses, status)
	}
}

// passed is the end of a passing layer's call.
func (v *simVisit) passed(res simResult) {
	if v.ended {
		return
	}
	if held := !v.wrote && res.header && (res.failed || res.status < 400); held {
		if v.passes(res.status); !v.head(res.status, res.wrote) {
			return
		}
	}
	switch {
	case v.wrote && res.failed:
		v.tell(EvCuts, res.status)
	case v.wrote:
	case res.failed:
		v.own(res)
		return
	default:
		v.passes(res.status)
		v.answer(res.status, res.by)
		return
	}
	v.finish()
	if !v.conn.gone() {
		v.conn.end(v.status, v.by, res.failed || res.cut)
	}
}

// failed is an app whose call failed: it answers at once, or out of its reserve.
func (v *simVisit) failed(res simResult) {
	if v.open < 0 {
		return
	}
	v.open, v.failedAt = -1<<20, v.w.now
	if !res.failed && res.cut {
		res.cond = CondCut
	} else if !res.failed {
		res.cond = Cond(strconv.Itoa(res.status))
	}
	if !res.spent || v.n.Deadline.Reserve.D == 0 {
		v.own(res)
		return
	}
	v.w.in(v.n.Deadline.Reserve.D, classStep, 0, func() {
		if !v.ended {
			v.own(res)
		}
	})
}

// own is what a layer says itself after a failure.
func (v *simVisit) own(res simResult) {
	status := 0
	if res.limit != nil {
		switch res.limit.Fires {
		case FiresClose, FiresKill:
			v.close()
			return
		}
		status, _ = strconv.Atoi(string(res.limit.Fires))
	}
	for _, a := range v.n.Answers {
		if status == 0 && a.Cond == res.cond {
			status = a.Status
		}
	}
	v.tell(EvAnswers, status)
	v.answer(status, v.n)
}
