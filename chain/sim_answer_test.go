package chain

import "strconv"

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
	default:
		a.visit = w.arrive(to, simBack{a}, a.k.depth+1, a.k.budget, a.faulted(Slow), a.head)
	}
}

// receiving is a callee that has the header and waits for the body: its limits run.
func (a *simAttempt) receiving() {
	for _, k := range []FaultKind{Silent, HeaderDrip, Stall, Trickle, Unavailable} {
		if a.faulted(k) {
			return // it keeps no promise
		}
	}
	for i := range a.c.To.Serve {
		l := &a.c.To.Serve[i]
		if early := l.Kind == RequestBodyRead && l.Reset == ResetNone || (l.Kind == HandlerDeadline || l.Kind == WorkerKill) && l.Start < AtRequestSent; !early {
			continue
		}
		a.w.in(l.Bound, classServe, i, func() {
			if !a.over && a.moment < AtRequestSent {
				a.refused(l)
			}
		})
	}
}

// refused is a callee that has had enough of reading.
func (a *simAttempt) refused(l *Limit) {
	a.reached(AtRequestSent)
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
