package chain

import (
	"strconv"
	"time"
)

// serve plays a node from the time at which a request is there with its body, of
// which the header came at begun. A slow one takes all that it says it may, and
// makes no calls. It returns the visit too.
func (p *player) serve(n *Node, begun, at time.Duration, slow bool) (Reply, int) {
	from, caller, came := len(p.log), p.in, p.budget
	sent := visit{node: n, begun: at, body: at, deadline: p.shorten(n, begun)}
	if begun < at && n.sendsOn() {
		sent.begun = begun
	}
	v := p.enter(sent)
	var r Reply
	if slow {
		takes, _ := n.tail()
		r = instant(Add(at, takes), p.route.success(n), n)
		p.tell(Event{At: r.End, Kind: EvAnswers, Node: n, Status: r.Status})
	} else {
		r = p.steps(n, begun, sent.begun)
	}
	if slow { // what the platform does before is none of the layer's time
		begun, at = Add(begun, n.Work.Before.D), Add(at, n.Work.Before.D)
	}
	r = p.answeringLimits(n, begun, at, from, r)
	p.visits[v].ended, p.in, p.budget = r.End, caller, came
	return r, v
}

// steps plays the calls of a node, one step after the other, for a request that
// arrived at begun.
func (p *player) steps(n *Node, begun, at time.Duration) Reply {
	now, before := at, []lost(nil)
	for _, step := range n.Steps {
		end, bad, failed := now, false, result{}
		for _, c := range step.Calls {
			if !c.due(before) {
				continue
			}
			if c.Detached {
				p.detached(n, c, now, begun)
				continue
			}
			if c.Instead != nil {
				p.tell(Event{At: now, Kind: EvInstead, Node: n, Peer: c.To})
			}
			res := p.repeatedCall(n, c, now, begun)
			if n.Role == RolePassing || n.Role == RoleUnknown {
				return p.pass(n, c, res)
			}
			taken := res.bad() && n.taken(c, res)
			if taken {
				before = append(before, lost{c, res})
			}
			if res.bad() && !c.Fallback && !taken {
				if !bad || res.endsAt() < failed.endsAt() {
					bad, failed = true, res
				}
			} else if e := res.endsAt(); e > end {
				end = e
			}
		}
		if bad {
			return p.ownError(n, failed)
		}
		now = end
		if now == Never {
			return never(n)
		}
	}
	return instant(now, p.route.success(n), n)
}

// detached plays a call that its caller does not wait for.
func (p *player) detached(n *Node, c *Call, now, arrived time.Duration) {
	from, caller := len(p.log), p.in
	p.enter(visit{node: n, begun: now, body: p.body(), detached: true, deadline: p.deadline(n)})
	p.repeatedCall(n, c, now, arrived)
	for i := range p.log[from:] {
		p.log[from+i].late = true
	}
	p.in = caller
}

func (p *player) repeatedCall(n *Node, c *Call, now, arrived time.Duration) result {
	if cond, ok := n.Presumed(c, p.fault.Call); ok {
		p.tell(Event{At: now, Kind: EvFailed, Node: n, Peer: c.To, Cond: cond})
		return result{reply: never(c.To), failed: true, at: now, cond: cond, by: c.To}
	}
	res := p.call(n, c, now, arrived)
	for i := 1; i < c.Times && !res.bad() && res.endsAt() != Never; i++ {
		res = p.call(n, c, res.endsAt(), arrived)
	}
	return res
}

// pass is the reply of a passing layer: bytes go on as they come, a failure
// before the header becomes its own answer, one after it cuts the response. Nothing
// holds back what comes on an upgraded connection.
func (p *player) pass(n *Node, c *Call, res result) Reply {
	holds := c.HoldsBack && !upgraded(res.reply.Status)
	if !res.failed {
		r := res.reply
		if holds && r.Header != Never && r.End != Never {
			r.Header = r.End
		}
		if r.First != Never {
			r.First = r.Header
		}
		if r.Header == Never && r.Cond == "" || holds && r.End == Never {
			r.First, r.Header, r.Gap, r.End, r.Status = Never, Never, Never, Never, 0
		}
		if r.Header != Never && (r.Status >= 400 || r.Status == 0) {
			p.tell(Event{At: r.Header, Kind: EvPasses, Node: n, Peer: r.By, Status: r.Status, Cond: r.Cond})
		}
		return r
	}
	if res.cond == CondCut && res.reply.Status != 0 {
		r := res.reply
		if holds {
			r.Header = res.at
		}
		r.End, r.Cut, r.First = res.at, true, r.Header
		p.tell(Event{At: res.at, Kind: EvCuts, Node: n, Status: r.Status, Limit: res.limit})
		return r
	}
	return p.failure(n, res, res.at)
}

// ownError is the reply of an app whose call failed. Once its deadline is spent
// it may need its reserve for the answer; before that it answers at once, and so
// it does where a caller's budget was the shorter one: what it keeps back of that
// is for the way to the caller.
func (p *player) ownError(n *Node, res result) Reply {
	at := res.endsAt()
	if at == Never {
		return never(n)
	}
	if d := p.deadline(n); res.spent && !givenFirst(d) {
		at = Add(at, d.Reserve.D)
	}
	switch {
	case res.failed:
	case res.reply.Cut:
		res.cond = CondCut
	default:
		res.cond = answered(res.reply.Status)
	}
	return p.failure(n, res, at)
}

// failure is what a node writes itself at a time, after a call that failed.
func (p *player) failure(n *Node, res result, at time.Duration) Reply {
	status := 0
	if res.limit != nil {
		if s, err := strconv.Atoi(string(res.limit.Fires)); err == nil {
			status = s
		} else if res.limit.Fires == FiresClose || res.limit.Fires == FiresKill {
			p.tell(Event{At: at, Kind: EvCloses, Node: n, Limit: res.limit})
			return Reply{First: Never, Header: Never, End: at, Cond: CondKilled, By: n}
		}
	}
	if status == 0 {
		status = n.AnswerTo(res.cond)
	}
	p.tell(Event{At: at, Kind: EvAnswers, Node: n, Status: status, Limit: res.limit, Cond: res.cond})
	return instant(at, status, n)
}

// AnswerTo is the status that a node writes after a call that failed in one
// way; 0 if that is not declared.
func (n *Node) AnswerTo(c Cond) int {
	for _, a := range n.Answers {
		if a.Cond == c {
			return a.Status
		}
	}
	return 0
}

// answeringLimits applies the node's own answering side to its reply. A write
// limit is applied last, because it also loses what the others write.
func (p *player) answeringLimits(n *Node, begun, at time.Duration, from int, r Reply) Reply {
	for _, kind := range [...]Kind{HandlerDeadline, WorkerKill, WriteTotal} {
		for i := range n.Serve {
			l, start := &n.Serve[i], at
			if l.Start < AtRequestSent {
				start = begun
			}
			if l.Kind == kind {
				p.unsure(l, start, r.End)
			}
			if l.Kind == kind && l.Bound != Never {
				r = p.answeringLimit(n, l, Add(start, l.Bound), from, r)
			}
		}
	}
	return r
}

func (p *player) answeringLimit(n *Node, l *Limit, fires time.Duration, from int, r Reply) Reply {
	switch {
	case l.Kind == WriteTotal:
		return p.lateWrite(n, l, fires, from, r)
	case r.End <= fires || l.Kind == HandlerDeadline && r.Header <= fires:
		return r
	}
	p.stop(p.in, from, fires, true)
	status, err := strconv.Atoi(string(l.Fires))
	switch {
	case l.Kind == HandlerDeadline || r.Header > fires && err == nil: // a worker may answer before it dies
		r = instant(fires, status, n)
		p.tell(Event{At: fires, Kind: EvAnswers, Node: n, Limit: l, Status: status})
	case r.Header <= fires:
		r.End, r.Cut = fires, true
		p.tell(Event{At: fires, Kind: EvCuts, Node: n, Limit: l, Status: r.Status})
	default:
		r = Reply{First: Never, Header: Never, End: fires, Cond: CondKilled, By: n}
		p.tell(Event{At: fires, Kind: EvCloses, Node: n, Limit: l})
	}
	return r
}

// lateWrite: an answer that is written after the limit is lost, and the
// connection closed when the handler returns; one that has begun is cut.
func (p *player) lateWrite(n *Node, l *Limit, fires time.Duration, from int, r Reply) Reply {
	switch {
	case r.Header != Never && r.Header > fires:
		p.unsay(from, r.Header, EvCuts)
		p.tell(Event{At: r.Header, Kind: EvCloses, Node: n, Limit: l})
		return Reply{First: Never, Header: Never, End: r.Header, Cond: CondKilled, By: n}
	case r.Header != Never && r.End > fires:
		p.unsay(from, fires, EvAnswers, EvPasses, EvCuts, EvCloses)
		p.tell(Event{At: fires, Kind: EvCuts, Node: n, Limit: l, Status: r.Status})
		r.End, r.Cut = fires, true
	}
	return r
}
