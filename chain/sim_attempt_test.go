package chain

import "time"

// A simAttempt is one try to get one answer: it moves from moment to moment,
// and each limit is a timer that one moment arms and another one cancels.
type simAttempt struct {
	w       *simWorld
	k       *simCall
	n       *Node
	c       *Call
	limits  []Limit
	moment  Moment
	address int
	stuck   Moment        // how far the address before this one came
	since   time.Duration // when this one was dialled
	timers  []*simEvent
	visit   *simVisit
	header  bool
	status  int
	by      *Node
	done    func(simResult)
	over    bool
}

func (a *simAttempt) start() {
	a.timers = make([]*simEvent, len(a.limits))
	a.address = 1
	a.reached(AtCall)
}

// faulted reports whether the fault is here.
func (a *simAttempt) faulted(k FaultKind) bool { return a.w.fault.Call == a.c && a.w.fault.Kind == k }

// reached cancels the timers that end at m, arms those that start there, and
// looks at what comes next.
func (a *simAttempt) reached(m Moment) {
	a.moment = m
	for i := range a.limits {
		l := &a.limits[i]
		if l.End <= m {
			a.timers[i].cancel()
			continue
		}
		if l.Start == m && a.timers[i] == nil && l.Fires != FiresEvent && !simTotal(*l) {
			a.arm(i)
		}
	}
	if m >= AtRequestSent {
		return
	}
	if cond := a.breaks(m + 1); cond != "" {
		if cond != CondRefused {
			a.w.note(EvSent, a.n, 0)
		}
		a.w.note(EvFailed, a.n, 0)
		a.finish(simResult{failed: true, cond: cond, sent: m+1 == AtRequestSent, by: a.c.To})
		return
	}
	if a.sticks(m + 1) {
		return
	}
	address := a.address
	a.w.soon(func() {
		if a.over || a.address != address {
			return
		}
		if m+1 == AtRequestSent {
			a.reached(m + 1)
			a.request()
			return
		}
		a.reached(m + 1)
	})
}

func (a *simAttempt) arm(i int) {
	l := &a.limits[i]
	class := classTimer
	if l.Bound == 0 && (l.Kind == PoolWait || l.Kind == WriteGap) && !a.sticks(a.moment+1) {
		class = classWait
	}
	a.timers[i].cancel()
	a.timers[i] = a.w.in(l.Bound, class, i, func() { a.fires(i) })
}

func (a *simAttempt) breaks(next Moment) Cond {
	switch {
	case next == AtConnect && a.faulted(Refused):
		return CondRefused
	case next == AtRequestSent && a.faulted(ResetFault):
		return CondReset
	case next == AtRequestSent && a.faulted(IdleRace) && !a.w.used:
		a.w.used = true
		return CondStale
	}
	return ""
}

func (a *simAttempt) sticks(next Moment) bool {
	return next == AtLease && a.faulted(Saturated) || next == AtConnect && a.faulted(Blackhole) || next == AtSecured && a.faulted(TLSStall)
}

// fires is one timer of the attempt: the next address, or the end.
func (a *simAttempt) fires(i int) {
	l := &a.limits[i]
	dialling := a.moment+1 == AtConnect || a.moment+1 == AtSecured
	if l.Per == PerAddress && !a.c.OneByOne && dialling && a.address < a.c.Addresses {
		a.address++
		a.stuck, a.since = a.moment, a.w.now
		for j := range a.limits {
			if a.limits[j].Per == PerAddress && a.limits[j].Start >= AtResolved {
				a.timers[j].cancel()
				a.timers[j] = nil
			}
		}
		a.reached(AtResolved)
		return
	}
	a.finish(a.stop(l))
}

// stop says how a limit ends the attempt at what it is doing.
func (a *simAttempt) stop(limit *Limit) simResult {
	if limit != nil {
		a.w.note(EvTimeout, a.n, 0)
	}
	a.quit()
	if a.visit != nil {
		a.visit.callerLeft()
	}
	if a.address > 1 && a.since == a.w.now && a.moment < AtSecured {
		a.moment = a.stuck
	}
	res := simResult{failed: true, limit: limit, sent: a.moment >= AtRequestSent, by: a.n, header: a.header, status: a.status, wrote: a.by}
	switch {
	case a.header:
		res.cond = CondCut
	case a.moment+1 == AtLease:
		res.cond = CondPoolTimeout
	case a.moment+1 == AtResolved:
		res.cond = CondDNSTimeout
	case a.moment+1 == AtConnect:
		res.cond = CondConnectTimeout
	case a.moment+1 == AtSecured:
		res.cond = CondTLSTimeout
	case a.moment+1 == AtRequestSent:
		res.cond = CondWriteTimeout
	default:
		res.cond = CondTimeout
	}
	return res
}

func (a *simAttempt) quit() {
	a.over = true
	for _, t := range a.timers {
		t.cancel()
	}
}

func (a *simAttempt) finish(res simResult) {
	a.quit()
	a.done(res)
}

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
	case a.faulted(Slow):
		tail := to.Work.P99.D
		if to.Work.Max.Declared() {
			tail = to.Work.Max.D
		}
		w.in(tail, classStep, 0, func() {
			a.takeHeader(200, to)
			w.soon(func() { a.takeEnd(false) })
		})
	default:
		a.visit = w.arrive(to, simBack{a}, a.k.depth+1, a.k.budget)
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
