package chain

import (
	"slices"
	"time"
)

// hasBody is when the present visit's layer n can have sent the whole body on a
// connection that takes it from a time on: the person has it at the speed declared, a
// layer that sends it on once it has come.
func (p *player) hasBody(n *Node, from time.Duration) time.Duration {
	return max(Add(from, p.route.uploads(n)), p.body())
}

// body is when the present visit has the whole body of its request.
func (p *player) body() time.Duration {
	if p.in == nobody {
		return 0
	}
	return p.visits[p.in].body
}

// counts is from when on a limit of a call of n that began at start counts.
func (p *player) counts(n *Node, l *Limit, start time.Duration) time.Duration {
	if !l.Complete {
		return start
	}
	return p.hasBody(n, start)
}

// upload plays an attempt from the header of its request on, whose body is there later.
// A callee that sends it on works meanwhile, and it can have enough of it, or answer,
// while the body is still on its way: nothing more of that is sent then.
func (a *attempting) upload(there time.Duration) result {
	a.flows = true
	to, mark := a.c.To, len(a.p.log)
	early := to.sendsOn() && !a.unanswered()
	l, fires := a.overUpload(there, early)
	var r Reply
	switch {
	case early:
		r, a.visit = a.p.serve(to, a.at[AtSecured], there, a.here(Slow))
		if l != nil && fires < r.begins() {
			a.p.endVisit(a.visit, mark, fires)
			break
		}
		l, fires = nil, min(there, r.begins())
	case l == nil:
		fires = there
	}
	if res, ended := a.limited(AtRequestSent, fires); ended {
		return res
	}
	a.at[AtRequestSent] = fires
	if l != nil {
		return a.response(a.p.failure(to, result{limit: l}, fires))
	}
	if fires == there {
		a.p.log = slices.Insert(a.p.log, mark, told{Event: Event{At: there, Kind: EvSent, Node: a.n, Peer: to}, visit: a.p.in})
	}
	if a.visit == nobody {
		r = a.reply()
	}
	return a.response(r)
}

// unanswered reports whether the callee is what goes wrong, and keeps no promise.
func (a *attempting) unanswered() bool {
	return a.p.fault.Call == a.c && a.p.fault.Kind.unanswering()
}

// overUpload is the callee's own limit that is over before the whole body is there; of
// one that works meanwhile, those of its work are a part of that.
func (a *attempting) overUpload(there time.Duration, works bool) (limit *Limit, at time.Duration) {
	at = there
	if a.unanswered() {
		return nil, at
	}
	for i := range a.c.To.Serve {
		if l := &a.c.To.Serve[i]; l.EndsUpload() && !(works && l.Kind != RequestBodyRead) && Add(a.at[AtSecured], l.Bound) < at {
			limit, at = l, Add(a.at[AtSecured], l.Bound)
		}
	}
	return limit, at
}

// endVisit stops a visit and what it does for its caller, which is told of that by
// something else.
func (p *player) endVisit(v, from int, at time.Duration) {
	caller := p.in
	p.in = v
	p.stop(v, from, at, true)
	p.in, p.visits[v].ended = caller, at
}

// begins is when a caller has the first of a reply, or the end of the connection.
func (r Reply) begins() time.Duration {
	if r.Cond != "" {
		return r.End
	}
	return r.First
}
