package chain

import "time"

// attempt plays one attempt of the transport: each moment comes by itself or
// never, and the earliest limit over it ends the attempt.
func (p *player) attempt(n *Node, c *Call, start time.Duration, limits []Limit, around []armed) result {
	p.played++
	a := attempting{p: p, n: n, c: c, limits: limits, around: around, visit: nobody, from: len(p.log)}
	a.at[AtCall] = start
	a.share = connectShare(c, around, start)
	for m := AtLease; m <= AtRequestSent; m++ {
		if m == AtTunnelled && c.Via == "" {
			a.at[m] = a.at[m-1]
			continue
		}
		natural, cond := a.natural(m)
		if cond != "" {
			return a.broken(a.at[m-1], cond, m == AtRequestSent)
		}
		if m == AtRequestSent && natural > a.at[m-1] {
			return a.upload(natural)
		}
		if res, ended := a.limited(m, natural); ended {
			return res
		}
		if natural == Never {
			return result{reply: never(c.To), at: Never, by: c.To}
		}
		if m == AtConnect && natural > a.at[m-1] {
			p.tell(Event{At: natural, Kind: EvRedials, Node: n, Peer: c.To, Limit: &Limit{Kind: Connect, Bound: c.Next.D, Origin: c.Next.Origin}})
		}
		a.at[m] = natural
	}
	p.tell(Event{At: a.at[AtRequestSent], Kind: EvSent, Node: n, Peer: c.To})
	return a.response(a.reply())
}

type attempting struct {
	p      *player
	n      *Node
	c      *Call
	limits []Limit
	around []armed
	share  armed // the part of the time around it in which it must be connected
	at     [AtBodyEnd + 1]time.Duration
	visit  int  // the callee's
	flows  bool // the body is on its way after the header
	from   int  // where its events begin
}

// here reports whether the fault is at this call.
func (a *attempting) here(k FaultKind) bool { return a.p.fault.Call == a.c && a.p.fault.Kind == k }

// natural is when a moment comes if no limit ends the wait, or how it fails at once.
func (a *attempting) natural(m Moment) (time.Duration, Cond) {
	stuck := false
	switch m {
	case AtLease:
		stuck = a.here(Saturated)
	case AtConnect:
		if a.here(Refused) {
			return 0, CondRefused
		}
		if a.here(DeadAddress) {
			return a.pastDead(), ""
		}
		stuck = a.here(Blackhole)
	case AtTunnelled:
		stuck = a.here(TunnelStall)
	case AtSecured:
		stuck = a.here(TLSStall)
	case AtRequestSent:
		if a.here(ResetFault) {
			return 0, CondReset
		}
		if a.here(IdleRace) && !a.p.stale {
			a.p.stale = true
			return 0, CondStale
		}
	}
	switch {
	case stuck:
		return Never, ""
	case m == AtRequestSent:
		return a.p.hasBody(a.n, a.at[m-1]), ""
	}
	return a.at[m-1], ""
}

// pastDead is when an attempt is connected where the first address is dead: who dials
// one address an attempt has another one the next time.
func (a *attempting) pastDead() time.Duration {
	from := a.at[AtConnect-1]
	switch {
	case a.c.Next.Declared():
		return Add(from, a.c.Next.D)
	case a.p.dead:
		return from
	}
	a.p.dead = true
	return Never
}

// reply is what the callee answers, in absolute times.
func (a *attempting) reply() Reply {
	at, to := a.at[AtRequestSent], a.c.To
	switch {
	case a.here(Silent):
		return never(to)
	case a.here(HeaderDrip):
		return Reply{First: at, Header: Never, End: Never, By: to}
	case a.here(Stall):
		return Reply{First: at, Header: at, Gap: Never, End: Never, Status: a.p.route.success(to), By: to}
	case a.here(Trickle):
		return Reply{First: at, Header: at, End: Never, Status: a.p.route.success(to), By: to}
	case a.here(Unavailable):
		return instant(at, 503, to)
	}
	r, visit := a.p.serve(to, a.at[AtSecured], at, a.here(Slow))
	a.visit = visit
	return r
}

// response lets the limits run over a reply.
func (a *attempting) response(r Reply) result {
	if r.Cond != "" {
		if res, ended := a.limited(AtFirstByte, r.End); ended {
			return res
		}
		res := a.broken(r.End, r.Cond, true)
		res.by = r.By
		return res
	}
	for m, natural := range moments(r) {
		if res, ended := a.limitedReply(AtFirstByte+Moment(m), natural, r); ended {
			return res
		}
		a.at[AtFirstByte+Moment(m)] = natural
		if natural == Never {
			break
		}
	}
	return result{reply: r, at: r.End, sent: true, by: r.By}
}

func moments(r Reply) [3]time.Duration { return [3]time.Duration{r.First, r.Header, r.End} }

// limited ends the attempt if a limit fires before the moment comes.
func (a *attempting) limited(m Moment, natural time.Duration) (result, bool) {
	return a.limitedReply(m, natural, never(a.c.To))
}

func (a *attempting) limitedReply(m Moment, natural time.Duration, r Reply) (result, bool) {
	limit, fires, outer := a.earliest(m, natural, r)
	if limit == nil {
		return result{}, false
	}
	a.p.leave(a.visit, a.from, fires)
	cond := condOf(m)
	a.p.tell(Event{At: fires, Kind: EvTimeout, Node: a.n, Peer: a.c.To, Limit: limit, Cond: cond, Count: dialled(a.c, limit, m), Unknown: m > AtRequestSent && m <= AtHeaderEnd && a.changes()})
	return result{reply: r, failed: true, terminal: outer, at: fires, cond: cond, limit: limit, sent: m >= AtRequestSent, by: a.n}, true
}

// earliest is the limit that fires first on the way to m, if one does before m comes.
func (a *attempting) earliest(m Moment, natural time.Duration, r Reply) (limit *Limit, at time.Duration, outer bool) {
	at = Never
	for i := range a.limits {
		l := &a.limits[i]
		if l.Bound == Never || !l.Covers(m) || l.aroundAll() || !l.Ends() && (l.Fires == FiresEvent || natural == Never) {
			continue
		}
		if fires := a.fires(l, m, natural, r); fires < at && !(natural <= fires && waits(l)) {
			limit, at = l, fires
		}
	}
	if m <= AtConnect && a.share.limit != nil && a.share.fires < at {
		limit, at = a.share.limit, a.share.fires
	}
	for i := range a.around {
		if l := a.around[i].limit; l.Complete && m > l.End {
			continue
		}
		if fires := a.around[i].fires; fires < at {
			limit, at, outer = a.around[i].limit, fires, true
		}
	}
	a.unsureOf(m, natural, at, r)
	if limit == nil || natural < at {
		return nil, 0, false
	}
	return limit, at, outer
}

// waits reports whether a limit of zero lets pass what needs no wait.
func waits(l *Limit) bool { return l.Kind == PoolWait || l.Kind == WriteGap }

// fires is when a limit fires on the way to m. A gap restarts at each byte: it
// fires only if the silence is longer.
func (a *attempting) fires(l *Limit, m Moment, natural time.Duration, r Reply) time.Duration {
	if l.Reset == ResetRead && m > AtFirstByte {
		if r.Gap < l.Bound || r.Gap == 0 && l.Bound > 0 {
			return Never
		}
		if natural != Never && r.Gap != Never {
			return Add(a.at[AtFirstByte], l.Bound)
		}
		return Add(a.at[m-1], l.Bound)
	}
	if l.Reset == ResetWrite && natural != Never && a.flows {
		return Never
	}
	bound := l.Bound
	if k := dialled(a.c, l, m); k > 1 {
		bound = Times(k, bound)
	}
	return Add(a.at[l.Start], bound)
}

// broken is an attempt that failed at once, without a limit.
func (a *attempting) broken(at time.Duration, cond Cond, sent bool) result {
	if cond == CondStale || cond == CondReset {
		a.p.tell(Event{At: at, Kind: EvSent, Node: a.n, Peer: a.c.To})
	}
	a.p.tell(Event{At: at, Kind: EvFailed, Node: a.n, Peer: a.c.To, Cond: cond, Unknown: (cond == CondReset || cond == CondKilled) && a.changes()})
	return result{reply: never(a.c.To), failed: true, at: at, cond: cond, sent: sent, by: a.c.To}
}

// changes reports whether the call is an app's, whose request may change something
// each time that it is made: only it decides what to do about an unknown outcome.
func (a *attempting) changes() bool {
	r, method := a.p.route, methodOf(a.p.route, a.c)
	if a.n.Role != RoleBuffering || method == "" {
		return false
	}
	own := Route{Method: method}
	if method == r.Method {
		own.Idempotent = r.Idempotent
	}
	return !own.IsIdempotent()
}

func condOf(m Moment) Cond {
	switch m {
	case AtLease:
		return CondPoolTimeout
	case AtResolved:
		return CondDNSTimeout
	case AtConnect, AtTunnelled:
		return CondConnectTimeout
	case AtSecured:
		return CondTLSTimeout
	case AtRequestSent:
		return CondWriteTimeout
	case AtBodyEnd:
		return CondCut
	}
	return CondTimeout
}

// connectShare is the part of the time that is left in which an attempt must be
// connected; the zero value if no policy has one or nothing bounds the time.
func connectShare(c *Call, around []armed, start time.Duration) armed {
	l := earliest(around)
	if l == nil || l.fires == Never {
		return armed{}
	}
	for i := range c.Layers {
		if r := c.Layers[i].Retry; r != nil && r.ConnectShare.N > 0 {
			bound := mulDiv(int64(max(l.fires-start, 0)), int64(r.ConnectShare.N), 100)
			limit := &Limit{Kind: ConnectShare, Side: Calling, Start: AtCall, End: AtConnect, Bound: bound, Fires: FiresError, Origin: r.ConnectShare.Origin}
			return armed{limit, Add(start, bound)}
		}
	}
	return armed{}
}

// FirstConnectShare is the limit in which the first attempt of a call that n makes at
// once must be connected, where a policy of the call shares out the time around it. ok is
// false if none does, or if nothing bounds that time.
func FirstConnectShare(n *Node, c *Call) (l Limit, ok bool) {
	var around []armed
	if l, ok := n.Deadline.Limit(0); ok {
		around = append(around, armed{&l, l.Bound})
	}
	for i, layer := range c.Layers {
		for j := range layer.Limits {
			l := &layer.Limits[j]
			if l.aroundAll() || l.Kind == AttemptDeadline && i < len(c.Layers)-1 {
				if l.Ends() {
					around = append(around, armed{l, l.Bound})
				}
			}
		}
	}
	share := connectShare(c, around, 0)
	if share.limit == nil {
		return Limit{}, false
	}
	return *share.limit, true
}
