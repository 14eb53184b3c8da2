package chain

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
		a.takeHeader(200, to)
	case a.faulted(Trickle):
		a.takeHeader(200, to)
		a.drip()
	case a.faulted(Unavailable):
		a.takeHeader(503, to)
		w.soon(func() { a.takeEnd(false) })
	default:
		a.visit = w.arrive(to, simBack{a}, a.k.depth+1, a.k.budget, a.faulted(Slow))
	}
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
