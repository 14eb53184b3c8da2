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
	share   *simEvent
	dead    bool // nobody answers at the address that is dialled
	visit   *simVisit
	head    time.Duration // when the request's header was there
	header  bool
	status  int
	by      *Node
	done    func(simResult)
	over    bool
}

func (a *simAttempt) start() {
	a.timers = make([]*simEvent, len(a.limits))
	a.address = 1
	a.armShare()
	a.reached(AtCall)
}

// faulted reports whether the fault is here.
func (a *simAttempt) faulted(k FaultKind) bool { return a.w.fault.Call == a.c && a.w.fault.Kind == k }

// reached cancels the timers that end at m, arms those that start there, and
// looks at what comes next.
func (a *simAttempt) reached(m Moment) {
	a.moment = m
	if m >= AtConnect {
		a.share.cancel()
	}
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
	if cond := a.breaks(a.next()); cond != "" {
		if cond != CondRefused {
			a.w.note(EvSent, a.n, 0)
		}
		a.w.note(EvFailed, a.n, 0)
		a.finish(simResult{failed: true, cond: cond, sent: a.next() == AtRequestSent, by: a.c.To})
		return
	}
	next := a.next()
	if next == AtConnect {
		a.meetsDead()
	}
	if a.sticks(next) {
		return
	}
	address := a.address
	later := a.w.soon
	if m+1 == AtRequestSent {
		a.head = a.w.now
	}
	if left := a.k.bodyLeft(); next == AtRequestSent && left > 0 {
		later = func(f func()) { a.w.in(left, classStep, 0, f) }
		a.receiving()
		if simStreams(a.c.To) && !a.promisesNothing() {
			a.w.soon(func() {
				if !a.over && a.moment < AtRequestSent {
					a.visit = a.w.arrive(a.c.To, simBack{a}, a.k.depth+1, a.k.budget, a.faulted(Slow), a.head, a.head+left)
				}
			})
		}
	}
	later(func() {
		if a.over || a.address != address || a.moment > m {
			return
		}
		a.reached(next)
		if next == AtRequestSent {
			a.request()
		}
	})
}

// next is the moment that the attempt is on its way to: only a tunnel is asked for.
func (a *simAttempt) next() Moment {
	if a.moment+1 == AtTunnelled && a.c.Via == "" {
		return AtSecured
	}
	return a.moment + 1
}

// armShare starts the timer of a policy that gives connecting a share of what is left.
func (a *simAttempt) armShare() {
	for _, l := range a.c.Layers {
		ends := a.k.ends(len(a.c.Layers) - 1)
		if l.Retry == nil || l.Retry.ConnectShare.N == 0 || ends == Never {
			continue
		}
		own := &Limit{Kind: ConnectShare, Fires: FiresError}
		a.share = a.w.in((ends-a.w.now)*time.Duration(l.Retry.ConnectShare.N)/100, classTimer, 900, func() { a.finish(a.stop(own)) })
		return
	}
}

func (a *simAttempt) arm(i int) {
	l := &a.limits[i]
	if l.Reset == ResetWrite && a.k.bodyLeft() > 0 {
		return // its body flows all the time
	}
	class := classTimer
	if l.Bound == 0 && (l.Kind == PoolWait || l.Kind == WriteGap) && !a.sticks(a.next()) {
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
	return next == AtLease && a.faulted(Saturated) || next == AtConnect && (a.faulted(Blackhole) || a.dead) || next == AtTunnelled && a.faulted(TunnelStall) || next == AtSecured && a.faulted(TLSStall)
}

// fires is one timer of the attempt: the next address, or the end.
func (a *simAttempt) fires(i int) {
	l := &a.limits[i]
	dialling := a.next() >= AtConnect && a.next() <= AtSecured
	if l.Per == PerAddress && !a.c.OneByOne && dialling && a.address < a.c.Addresses {
		a.dialNext()
		return
	}
	a.finish(a.stop(l))
}

func (a *simAttempt) dialNext() {
	if a.dead {
		a.w.note(EvRedials, a.n, 0)
	}
	a.address++
	a.stuck, a.since = a.moment, a.w.now
	for j := range a.limits {
		if a.limits[j].Per == PerAddress && a.limits[j].Start >= AtResolved {
			a.timers[j].cancel()
			a.timers[j] = nil
		}
	}
	a.reached(AtResolved)
}

// meetsDead has the first address dead, of which a caller with one address an attempt
// knows once.
func (a *simAttempt) meetsDead() {
	switch {
	case !a.faulted(DeadAddress):
	case !a.c.Next.Declared():
		a.dead = !a.w.dead
		a.w.dead = true
	default:
		if a.dead = a.address == 1; a.dead && a.c.Next.D != Never {
			a.w.in(a.c.Next.D, classStep, 0, func() {
				if !a.over && a.address == 1 && a.moment < AtConnect {
					a.dialNext()
				}
			})
		}
	}
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
	if a.address > 1 && a.since == a.w.now && a.moment < AtSecured && !a.faulted(DeadAddress) {
		a.moment = a.stuck
	}
	res := simResult{failed: true, limit: limit, sent: a.next() >= AtRequestSent, by: a.n, header: a.header, status: a.status, wrote: a.by}
	switch {
	case a.header:
		res.cond = CondCut
	case a.next() == AtLease:
		res.cond = CondPoolTimeout
	case a.next() == AtResolved:
		res.cond = CondDNSTimeout
	case a.next() == AtConnect || a.next() == AtTunnelled:
		res.cond = CondConnectTimeout
	case a.next() == AtSecured:
		res.cond = CondTLSTimeout
	case a.next() == AtRequestSent:
		res.cond = CondWriteTimeout
	default:
		res.cond = CondTimeout
	}
	return res
}

func (a *simAttempt) quit() {
	a.over = true
	a.share.cancel()
	for _, t := range a.timers {
		t.cancel()
	}
}

func (a *simAttempt) finish(res simResult) {
	a.quit()
	a.done(res)
}
