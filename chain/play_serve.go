package chain

import (
	"strconv"
	"time"
)

// serve plays a node from the arrival of a request at a given time.
func (p *player) serve(n *Node, at time.Duration) exchange {
	var x exchange
	if len(n.Steps) == 0 {
		x.reply = instant(at, 200, n)
		return p.answeringLimits(n, at, x)
	}
	now := at
	for _, step := range n.Steps {
		end, failed := now, (*result)(nil)
		for _, c := range step.Calls {
			res := p.repeatedCall(n, c, now, at)
			if c.Detached {
				x.late = append(x.late, append(res.events, res.late...)...)
				continue
			}
			x.take(res.exchange)
			if n.Role == RolePassing || n.Role == RoleUnknown {
				x.reply = p.pass(n, res, &x)
				return p.answeringLimits(n, at, x)
			}
			if res.bad() && !c.Fallback {
				if failed == nil || res.endsAt() < failed.endsAt() {
					failed = &res
				}
			} else if e := res.endsAt(); e > end {
				end = e
			}
		}
		if failed != nil {
			x.reply = p.ownError(n, *failed, &x)
			return p.answeringLimits(n, at, x)
		}
		now = end
		if now == Never {
			break
		}
	}
	if now == Never {
		x.reply = never(n)
	} else {
		x.reply = instant(now, 200, n)
	}
	return p.answeringLimits(n, at, x)
}

func (p *player) repeatedCall(n *Node, c *Call, now, arrived time.Duration) result {
	res := p.call(n, c, now, arrived)
	for i := 1; i < c.Times && !res.bad() && res.endsAt() != Never; i++ {
		next := p.call(n, c, res.endsAt(), arrived)
		next.events = append(res.events, next.events...)
		next.late = append(res.late, next.late...)
		res = next
	}
	return res
}

// pass is the reply of a passing layer: bytes go on as they come, a failure
// before the header becomes its own answer, one after it cuts the response.
func (p *player) pass(n *Node, res result, x *exchange) Reply {
	if !res.failed {
		r := res.reply
		if r.First != Never {
			r.First = r.Header
		}
		if r.Header == Never && r.Cond == "" {
			r.First, r.Gap, r.End = Never, Never, Never
		}
		if r.Header != Never && (r.Status >= 400 || r.Status == 0) {
			x.add(Event{At: r.Header, Kind: EvPasses, Node: n, Peer: r.By, Status: r.Status, Cond: r.Cond})
		}
		return r
	}
	if res.reply.Header <= res.at && res.reply.Status != 0 {
		r := res.reply
		r.End, r.Cut, r.First = res.at, true, r.Header
		x.add(Event{At: res.at, Kind: EvCuts, Node: n, Status: r.Status, Limit: res.limit})
		return r
	}
	return p.failure(n, res, res.at, x)
}

// ownError is the reply of an app whose call failed. Once its deadline is spent
// it may need its reserve for the answer; before that it answers at once.
func (p *player) ownError(n *Node, res result, x *exchange) Reply {
	at := res.endsAt()
	if at == Never {
		return never(n)
	}
	if res.spent {
		at = Add(at, n.Deadline.Reserve.D)
	}
	return p.failure(n, res, at, x)
}

// failure is what a node writes itself at a time, after a call that failed.
func (p *player) failure(n *Node, res result, at time.Duration, x *exchange) Reply {
	status := 0
	if res.limit != nil {
		if s, err := strconv.Atoi(string(res.limit.Fires)); err == nil {
			status = s
		} else if res.limit.Fires == FiresClose || res.limit.Fires == FiresKill {
			x.add(Event{At: at, Kind: EvCloses, Node: n, Limit: res.limit})
			return Reply{First: Never, Header: Never, End: at, Cond: CondKilled, By: n}
		}
	}
	if status == 0 {
		status = n.AnswerTo(res.cond)
	}
	x.add(Event{At: at, Kind: EvAnswers, Node: n, Status: status, Limit: res.limit, Cond: res.cond})
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

// answeringLimits applies the node's own answering side to its reply.
func (p *player) answeringLimits(n *Node, at time.Duration, x exchange) exchange {
	for i := range n.Serve {
		l := &n.Serve[i]
		if l.Bound == Never {
			continue
		}
		fires := Add(at, l.Bound)
		switch l.Kind {
		case HandlerDeadline:
			if x.reply.Header > fires {
				x = p.stopped(n, x, fires)
				status, _ := strconv.Atoi(string(l.Fires))
				x.reply = instant(fires, status, n)
				x.add(Event{At: fires, Kind: EvAnswers, Node: n, Limit: l, Status: status})
			}
		case WorkerKill:
			if x.reply.End > fires {
				x = p.stopped(n, x, fires)
				x.reply = Reply{First: Never, Header: Never, End: fires, Cond: CondKilled, By: n}
				x.add(Event{At: fires, Kind: EvCloses, Node: n, Limit: l})
			}
		case WriteTotal:
			x = lateWrite(n, l, fires, x)
		}
	}
	return x
}

// lateWrite: an answer that is written after the limit is lost, and the
// connection closed when the handler returns; one that has begun is cut.
func lateWrite(n *Node, l *Limit, fires time.Duration, x exchange) exchange {
	r := &x.reply
	switch {
	case r.Header != Never && r.Header > fires:
		x.add(Event{At: r.Header, Kind: EvCloses, Node: n, Limit: l})
		*r = Reply{First: Never, Header: Never, End: r.Header, Cond: CondKilled, By: n}
	case r.Header != Never && r.End > fires:
		x.add(Event{At: fires, Kind: EvCuts, Node: n, Limit: l, Status: r.Status})
		r.End, r.Cut = fires, true
	}
	return x
}
