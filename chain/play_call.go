package chain

import (
	"strconv"
	"time"
)

// A result is what one call came to, in absolute times. A failed call has the
// time and the way it failed; reply then holds what had come of a response.
type result struct {
	reply    Reply
	failed   bool
	terminal bool // ended by a limit around the attempt, so that nothing is repeated
	at       time.Duration
	cond     Cond
	limit    *Limit
	sent     bool
	by       *Node // who broke the connection
	fails    int   // attempts that count towards an ejection
	spent    bool  // the app's deadline has nothing left but its reserve
	whole    bool  // ended by a layer's limit on all that is inside of it
}

// repeatedBy reports whether a policy of n repeats after the result.
func (r result) repeatedBy(retry *Retry, n *Node, method string) bool {
	cond := r.why()
	switch {
	case cond == CondCut && r.whole:
		return retry.AllowsCut(n, method, CondDeadline)
	case cond == CondCut && r.limit != nil && !retry.CutApart:
		return retry.AllowsCut(n, method, CondCut, CondTimeout)
	case cond == CondCut:
		return retry.AllowsCut(n, method, CondCut)
	case retry.Allows(cond, method, r.sent):
		return true
	}
	return r.limit != nil && r.limit.Kernel && retry.Allows(CondUnanswered, method, r.sent)
}

// bad reports whether an app has to treat the result as a failure.
func (r result) bad() bool {
	return r.failed || r.reply.Cond != "" || r.reply.Status >= 500 || r.reply.Status == 0 || r.reply.Cut || r.reply.End == Never
}

// why is the condition by which retry policies know the result: how it failed,
// or the status; a good one is not enough where the answer was cut.
func (r result) why() Cond {
	switch {
	case r.failed:
		return r.cond
	case r.reply.Cut && r.reply.Status < 400:
		return CondCut
	}
	return answered(r.reply.Status)
}

// answered is the condition of an answer that came whole: its status.
func answered(status int) Cond {
	if status == 0 {
		return condOwnError
	}
	return Cond(strconv.Itoa(status))
}

// condOwnError is an error of the callee's own, whose status nobody declares.
const condOwnError Cond = "the callee's own error"

func (r result) endsAt() time.Duration {
	if r.failed {
		return r.at
	}
	return r.reply.End
}

// An armed limit is one that was started outside of the attempt, at a fixed time.
type armed struct {
	limit *Limit
	fires time.Duration
}

// call plays one call of n, with the app's deadline around it.
func (p *player) call(n *Node, c *Call, at, arrived time.Duration) result {
	var outer []armed
	d := p.deadline(n)
	if d.Left(at-arrived) == 0 {
		l := &Limit{Kind: TotalDeadline, Bound: d.InForce().D, Fires: FiresError, Origin: d.InForce().Origin}
		res := result{failed: true, terminal: true, at: at, cond: CondDeadline, limit: l, spent: true, reply: never(c.To)}
		p.tell(Event{At: at, Kind: EvNotStarted, Node: n, Peer: c.To, Limit: l, Cond: CondDeadline})
		return res
	}
	if d.Enforced { // else a limit is made for nothing
		if l, ok := d.Limit(at - arrived); ok {
			kept := l // only what is in force goes to the heap
			outer = append(outer, armed{limit: &kept, fires: Add(at, l.Bound)})
		}
	}
	came := p.budget
	if d.Header != "" {
		p.budget = budget{d.Header, Never}
		if share := d.sent(c, at-arrived); share.Declared() {
			p.budget.ends = Add(at, share.D)
		}
	}
	res := p.layer(n, c, 0, at, outer)
	p.budget = came
	if len(outer) > 0 && res.endsAt() >= outer[0].fires {
		res.spent = true
	}
	return res
}

// layer plays one layer of a client with its attempts.
func (p *player) layer(n *Node, c *Call, i int, start time.Duration, outer []armed) result {
	if len(c.Layers) == 0 {
		return p.attempt(n, c, start, nil, outer)
	}
	layer, around := &c.Layers[i], outer
	for j := range layer.Limits {
		l := &layer.Limits[j]
		if l.aroundAll() && l.Ends() {
			around = append(around[:len(around):len(around)], armed{limit: l, fires: Add(p.counts(n, l, start), l.Bound)})
		}
	}
	fails := 0
	for try, at := 1, start; ; try++ {
		res := p.try(n, c, i, at, around)
		if res.failed && countsForEjection(c, res.cond) {
			fails++
		}
		res.fails = fails
		next, again := p.again(n, c, layer.Retry, around, &res, try, start)
		if !again {
			if i == len(c.Layers)-1 {
				p.eject(n, c, &res)
			}
			return res
		}
		if p.played > p.tells && res.cond != CondStale { // that happens once
			return p.rest(n, c, layer.Retry, around, res, try, at, start)
		}
		if l := earliest(around); l != nil && l.fires <= next {
			return p.outOfTime(n, c, res, l)
		}
		p.tell(Event{At: next, Kind: EvRetries, Node: n, Peer: c.To, Count: try + 1, Cond: res.why(), Retry: p.repeater(c, layer.Retry, res.why())})
		at = next
	}
}

// try is one attempt of a layer: the next layer, or the transport's own.
func (p *player) try(n *Node, c *Call, i int, at time.Duration, around []armed) result {
	layer := &c.Layers[i]
	if i == len(c.Layers)-1 {
		return p.attempt(n, c, at, layer.Limits, around)
	}
	inner := around
	for j := range layer.Limits {
		l := &layer.Limits[j]
		if l.Kind == AttemptDeadline && l.Per != PerRequest && l.Ends() {
			inner = append(inner[:len(inner):len(inner)], armed{limit: l, fires: Add(at, l.Bound)})
		}
	}
	res := p.layer(n, c, i+1, at, inner)
	if res.terminal && earliestIs(around, res.limit) {
		return res
	}
	if transport := len(c.Layers) - 1; res.terminal && i+1 < transport && res.limit.aroundAll() {
		// The layer fails in a way of its own, whatever the transport was waiting for.
		res.whole = true
		if res.cond != CondCut {
			res.cond = CondDeadline
		}
	}
	res.terminal = false
	return res
}

func earliest(around []armed) *armed {
	var out *armed
	for i := range around {
		if out == nil || around[i].fires < out.fires {
			out = &around[i]
		}
	}
	return out
}

func earliestIs(around []armed, l *Limit) bool {
	for i := range around {
		if l != nil && around[i].limit.Origin == l.Origin && around[i].limit.Kind == l.Kind {
			return true
		}
	}
	return false
}

// again says whether and when a failed attempt is repeated.
func (p *player) again(n *Node, c *Call, retry *Retry, around []armed, res *result, try int, start time.Duration) (next time.Duration, again bool) {
	cond, at := res.why(), res.at
	if !res.failed {
		switch {
		case cond == CondCut:
			at = res.reply.End
		case res.reply.Header == Never || res.reply.Status < 400:
			return 0, false
		default:
			at = res.reply.Header
		}
		res.sent = true
	}
	method := methodOf(p.route, c)
	if res.cond == CondStale && c.Resend != nil && c.Resend.Allows(cond, method, true) {
		return at, true
	}
	if res.terminal || retry == nil || !res.repeatedBy(retry, n, method) {
		return 0, false
	}
	if try >= MaxAttempts(retry, c) {
		p.exhausted(n, c, retry, try, at, cond)
		return 0, false
	}
	next = Add(at, retry.after(cond, try+1))
	by := at
	if retry.WindowWaits {
		by = next
	}
	if w := retry.Window; w.Declared() && w.D != Never && by-start >= w.D {
		p.tell(Event{At: at, Kind: EvNotStarted, Node: n, Peer: c.To, Limit: retry.windowLimit()})
		return 0, false
	}
	if l := earliest(around); retry.Least.Declared() && l != nil && l.fires != Never && l.fires-next < retry.Least.D {
		p.tell(Event{At: at, Kind: EvNotStarted, Node: n, Peer: c.To, Limit: retry.leastLimit()})
		return 0, false
	}
	return next, true
}

// exhausted tells that the last of several attempts failed in a way that would be repeated.
func (p *player) exhausted(n *Node, c *Call, retry *Retry, tried int, at time.Duration, cond Cond) {
	if tried > 1 {
		p.tell(Event{At: at, Kind: EvExhausted, Node: n, Peer: c.To, Count: tried, Cond: cond, Retry: retry})
	}
}

// repeater is the policy that repeats after cond: what the product does by itself
// with a connection that was closed, or the layer's own.
func (p *player) repeater(c *Call, own *Retry, cond Cond) *Retry {
	if cond == CondStale && c.Resend != nil && c.Resend.Allows(cond, methodOf(p.route, c), true) {
		return c.Resend
	}
	return own
}

func countsForEjection(c *Call, cond Cond) bool {
	if c.Eject == nil || c.Eject.Fails == 0 {
		return false
	}
	for _, on := range c.Eject.On {
		if on == cond {
			return true
		}
	}
	return false
}

// eject tells that enough attempts failed for every address to be left out.
func (p *player) eject(n *Node, c *Call, res *result) {
	if c.Eject != nil && c.Eject.Fails > 0 && c.Addresses > 1 && res.fails >= c.Addresses*c.Eject.Fails && res.failed {
		e := Event{At: res.at, Kind: EvEjects, Node: n, Peer: c.To, Count: c.Addresses, For: c.Eject.For, Status: c.Eject.Answer}
		p.log = append(p.log, told{Event: e, visit: p.in, late: true})
	}
}

// outOfTime is a result after which another attempt would begin when a limit
// around them has fired, or be ended by it.
func (p *player) outOfTime(n *Node, c *Call, res result, l *armed) result {
	res.failed, res.terminal, res.at, res.limit, res.cond = true, true, l.fires, l.limit, CondDeadline
	p.tell(Event{At: l.fires, Kind: EvTimeout, Node: n, Peer: c.To, Limit: l.limit, Cond: CondDeadline})
	return res
}
