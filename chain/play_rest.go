package chain

import "time"

// mostPlayed is how many attempts one play tells. Retries in several layers
// multiply; beyond it the attempts that are left are counted and not told.
const mostPlayed = 1000

// rest adds up the attempts that are left: each is like the last one, later. Only
// the next one and the last one are told, and more of them take no longer to add.
func (p *player) rest(n *Node, c *Call, retry *Retry, around []armed, res result, try int, at, start time.Duration) result {
	end := result{reply: never(c.To), at: Never, by: c.To}
	if res.endsAt() == Never {
		return end
	}
	tell := func(at time.Duration, count int) {
		p.tell(Event{At: at, Kind: EvRetries, Node: n, Peer: c.To, Count: count, Cond: res.why(), Retry: retry})
	}
	left := remaining{retry: retry, outer: earliest(around), took: res.endsAt() - at, start: start}
	most, tried, stop := MaxAttempts(retry, c), try, stopNot
	for _, w := range retry.waitsFrom(res.why(), try+1, most) {
		var k int
		if k, stop = left.fit(w, res.endsAt()); k > 0 {
			if tried == try {
				tell(Add(res.endsAt(), w.d), try+1)
			}
			res, tried = res.later(Times(k, Add(w.d, left.took))), tried+k
		}
		if stop != stopNot || res.endsAt() == Never {
			break
		}
	}
	switch {
	case tried == Endless && left.outer != nil && left.outer.fires != Never && stop == stopNot:
		return p.outOfTime(n, c, res, left.outer) // attempts that take no time go on until then
	case res.endsAt() == Never || tried == Endless:
		return end
	}
	if tried > try+1 {
		tell(res.endsAt()-left.took, tried)
	}
	switch stop {
	case stopWindow, stopLeast:
		limit := retry.windowLimit()
		if stop == stopLeast {
			limit = retry.leastLimit()
		}
		p.tell(Event{At: res.endsAt(), Kind: EvNotStarted, Node: n, Peer: c.To, Limit: limit})
	case stopOuter:
		return p.outOfTime(n, c, res, left.outer)
	case stopNot:
		p.exhausted(n, c, retry, tried, res.endsAt(), res.why())
	}
	return res
}

// A stop is what ends the attempts before their number does.
type stop int

const (
	stopNot    stop = iota
	stopWindow      // the policy's budget is over before one
	stopLeast       // too little is left for one
	stopOuter       // a limit around them fires in one
)

// remaining are attempts of which each takes as long as the others.
type remaining struct {
	retry       *Retry
	outer       *armed // nil if nothing is around them
	took, start time.Duration
}

// fit is how many attempts with the same wait before them are made from a time on,
// and what stops the next one where that is not all of them.
func (r remaining) fit(w wait, from time.Duration) (int, stop) {
	period, k, why := Add(w.d, r.took), w.n, stopNot
	// within keeps those that end at most so long after the first one would.
	within := func(end, first time.Duration, s stop) {
		n := 0
		switch {
		case first > end:
		case period == 0:
			n = Endless
		default:
			n = int((end-first)/period) + 1
		}
		if n < k {
			k, why = n, s
		}
	}
	if win := r.retry.Window; win.Declared() && win.D != Never {
		by := from
		if r.retry.WindowWaits {
			by = Add(from, w.d)
		}
		within(win.D-1, by-r.start, stopWindow)
	}
	if r.outer != nil && r.outer.fires != Never {
		if least := r.retry.Least; least.Declared() {
			within(r.outer.fires, Add(Add(from, w.d), least.D), stopLeast)
		}
		within(r.outer.fires-1, Add(from, period), stopOuter)
	}
	return k, why
}

// later is the same result some time later.
func (r result) later(by time.Duration) result {
	r.at = Add(r.at, by)
	r.reply.First, r.reply.Header, r.reply.End = Add(r.reply.First, by), Add(r.reply.Header, by), Add(r.reply.End, by)
	return r
}
