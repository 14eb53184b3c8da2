package chain

import (
	"strconv"
	"time"
)

// request is the request on its way: to a healthy callee, or into the fault.
func (a *simAttempt) request() {
	a.w.note(EvSent, a.n, 0)
	to := a.c.To
	w := a.w
	switch {
	case a.faulted(Silent):
	case a.faulted(HeaderDrip):
		w.soon(a.first)
		a.drip()
	case a.faulted(Stall):
		a.takeHeader(w.well(to), to)
	case a.faulted(Trickle):
		a.takeHeader(w.well(to), to)
		a.drip()
	case a.faulted(Unavailable):
		a.takeHeader(503, to)
		w.soon(func() { a.takeEnd(false) })
	case a.visit != nil: // it has begun with the header
	default:
		a.visit = w.arrive(to, simBack{a}, a.k.depth+1, a.k.budget, a.faulted(Slow), a.head, w.now)
	}
}

// receiving is a callee that has the header and waits for the body: its limits run.
func (a *simAttempt) receiving() {
	if a.promisesNothing() {
		return
	}
	for i := range a.c.To.Serve {
		l := &a.c.To.Serve[i]
		// A layer that sends the body on has begun its work, which the other two end.
		if early := l.Kind == RequestBodyRead && l.Reset == ResetNone || (l.Kind == HandlerDeadline || l.Kind == WorkerKill) && l.Start < AtRequestSent && !simStreams(a.c.To); !early {
			continue
		}
		a.w.in(l.Bound, classServe, i-100*(a.k.depth+1), func() {
			if !a.over && a.moment < AtRequestSent {
				a.refused(l)
			}
		})
	}
}

// promisesNothing reports whether the callee is at fault in what it does with a request.
func (a *simAttempt) promisesNothing() bool {
	for _, k := range []FaultKind{Silent, HeaderDrip, Stall, Trickle, Unavailable} {
		if a.faulted(k) {
			return true
		}
	}
	return false
}

// bodyLeft is how long the body is still on its way, to who can send it from now on.
func (k *simCall) bodyLeft() time.Duration {
	if up := k.w.route.Upload; k.n == k.w.route.Root && up != nil {
		return time.Duration(up.Bytes) * time.Second / time.Duration(up.BytesPerSecond)
	}
	return max(k.body-k.w.now, 0)
}

// simStreams reports whether a layer passes on what it has of a body.
func simStreams(n *Node) bool {
	for _, c := range n.Calls() {
		if c.Collects {
			return false
		}
	}
	return n.Role == RolePassing || n.Role == RoleUnknown
}

// refused is a callee that has had enough of reading.
func (a *simAttempt) refused(l *Limit) {
	a.reached(AtRequestSent)
	if a.visit != nil {
		a.visit.stopCalls()
		a.visit.finish()
	}
	to := a.c.To
	status, err := strconv.Atoi(string(l.Fires))
	if err != nil && (l.Fires == FiresClose || l.Fires == FiresKill) {
		a.w.note(EvCloses, to, 0)
		simBack{a}.closed(CondKilled, to)
		return
	}
	a.w.note(EvAnswers, to, status)
	a.takeHeader(status, to)
	a.w.soon(func() { a.takeEnd(false) })
}

// drip is one byte after the other, forever.
func (a *simAttempt) drip() {
	e := a.w.in(a.w.interval, classStep, 0, func() {
		if !a.over {
			a.flow()
			a.drip()
		}
	})
	e.byteFlow = true
}

// restart is a byte that was read: it restarts every gap. flow says that it is
// one of an endless answer.
func (a *simAttempt) restart(flow bool) {
	for i := range a.limits {
		if t := a.timers[i]; t != nil && !t.dead && a.limits[i].Reset == ResetRead {
			a.arm(i)
			if a.timers[i] != nil {
				a.timers[i].gap = flow
			}
		}
	}
}

func (a *simAttempt) first() {
	if !a.over && a.moment < AtFirstByte {
		a.restart(false)
		a.reached(AtFirstByte)
	}
}

// answered runs what is done with a piece of an answer: one that is there before the
// whole request first ends the sending of that.
func (a *simAttempt) answered(run func()) {
	if a.moment >= AtRequestSent {
		run()
		return
	}
	a.w.soon(func() {
		if !a.over && a.moment < AtRequestSent {
			a.reached(AtRequestSent)
		}
		run()
	})
}

// takeHeader takes the first byte and then the end of the header.
func (a *simAttempt) takeHeader(status int, by *Node) {
	a.w.soon(a.first)
	a.w.soon(func() {
		if a.over {
			return
		}
		a.restart(false)
		a.header, a.status, a.by = true, status, by
		a.reached(AtHeaderEnd)
		if status < 400 && a.k.onHeader != nil {
			a.k.onHeader(status, by)
		}
	})
}

func (a *simAttempt) takeEnd(cut bool) {
	if a.over {
		return
	}
	a.finish(simResult{sent: true, header: true, status: a.status, by: a.by, wrote: a.by, cut: cut})
}

// flow is a byte after the first one.
func (a *simAttempt) flow() {
	a.restart(true)
	if a.header && a.k.onByte != nil {
		a.k.onByte()
	}
}
