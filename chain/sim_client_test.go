package chain

import (
	"strconv"
	"time"
)

// A simResult is how an attempt, a client layer or a call ended, now.
type simResult struct {
	failed bool
	limit  *Limit
	cond   Cond
	sent   bool
	header bool // the header had been seen
	status int
	by     *Node // who broke the connection
	wrote  *Node // whose header it was
	cut    bool
	spent  bool
	whole  bool // ended by a limit on all of an inner layer
}

// A simCall is one call with the app's deadline around it.
type simCall struct {
	w        *simWorld
	n        *Node
	c        *Call
	arrived  time.Duration
	body     time.Duration // when its layer has the whole body
	depth    int
	onHeader func(status int, by *Node)
	onByte   func()
	done     func(simResult)
	inner    simStopper
	deadline *simEvent
	layers   []*simLayer // under way, outer first
	d        Deadline
	budget   simBudget
	over     bool
}

// A simBudget is what a request says in a header about its time.
type simBudget struct {
	header string
	until  time.Duration
}

// A simStopper can be stopped by a timer around it; it tells what it was doing.
// limit is nil if its caller left, which nobody is told.
type simStopper interface{ stop(limit *Limit) simResult }

func (k *simCall) start() {
	d := k.d
	bound, own := Never, &Limit{Kind: TotalDeadline, Fires: FiresError}
	if d.Total.Declared() {
		bound = d.Total.D - d.Reserve.D - (k.w.now - k.arrived)
		if bound <= 0 {
			k.w.note(EvNotStarted, k.n, 0)
			k.over = true
			k.done(simResult{failed: true, limit: own, cond: CondDeadline, spent: true})
			return
		}
	}
	if d.PerCall.Declared() && d.PerCall.D < bound {
		bound = d.PerCall.D
	}
	if d.Header != "" {
		k.budget = simBudget{}
		gives := bound
		for _, l := range k.c.Limits() {
			if l.Kind == TotalDeadline && l.Fires != FiresEvent {
				gives = min(gives, l.Bound)
			}
		}
		if gives != Never {
			k.budget = simBudget{d.Header, k.w.now + gives}
		}
	}
	if d.Enforced {
		k.deadline = k.w.in(bound, classTimer, 1000, func() {
			k.finish(k.inner.stop(own))
		})
	}
	k.inner = k.layer(0, k.finish)
}

func (k *simCall) finish(res simResult) {
	if !k.over {
		k.over = true
		k.deadline.cancel()
		res.spent = k.deadline != nil && k.deadline.at <= k.w.now
		k.done(res)
	}
}

// abort ends the call without telling anybody.
func (k *simCall) abort() {
	if !k.over {
		k.over = true
		k.deadline.cancel()
		k.inner.stop(nil)
	}
}

// layer starts client layer i.
func (k *simCall) layer(i int, done func(simResult)) simStopper {
	if len(k.c.Layers) == 0 {
		a := &simAttempt{w: k.w, k: k, n: k.n, c: k.c, done: done}
		a.start()
		return a
	}
	l := &simLayer{w: k.w, k: k, i: i, layer: k.c.Layers[i], begun: k.w.now, done: done}
	k.layers = append(k.layers[:i:i], l)
	l.begin()
	return l
}

// ends is when the first of the timers around the attempts of layer i fires.
func (k *simCall) ends(i int) time.Duration {
	at := Never
	around := []*simEvent{k.deadline}
	for _, l := range k.layers[:min(i+1, len(k.layers))] {
		around = append(around, l.totals...)
		if l.i < i {
			around = append(around, l.attempts...)
		}
	}
	for _, e := range around {
		if e != nil && e.at < at {
			at = e.at
		}
	}
	return at
}

// A simLayer is one layer of a client, with its attempts.
type simLayer struct {
	w                *simWorld
	k                *simCall
	i                int
	layer            ClientLayer
	begun            time.Duration
	try              int
	inner            simStopper
	totals, attempts []*simEvent
	backoff          *simEvent
	last             simResult
	done             func(simResult)
	over             bool
}

func simTotal(l Limit) bool { return l.Kind == TotalDeadline || l.Per == PerRequest }

func (l *simLayer) begin() {
	for j := range l.layer.Limits {
		if lim := &l.layer.Limits[j]; simTotal(*lim) && lim.Fires != FiresEvent && lim.Bound != Never {
			waits := time.Duration(0) // for the whole request
			if lim.Complete {
				waits = l.k.bodyLeft()
			}
			l.totals = append(l.totals, l.w.in(Add(waits, lim.Bound), classTimer, 1001+100*l.i+j, func() { l.finish(l.expired(lim)) }))
		}
	}
	l.next()
}

func (l *simLayer) next() {
	l.try++
	l.backoff, l.attempts = nil, nil
	if l.i == len(l.k.c.Layers)-1 {
		a := &simAttempt{w: l.w, k: l.k, n: l.k.n, c: l.k.c, limits: l.layer.Limits, done: l.ended}
		l.inner = a
		a.start()
		return
	}
	for j := range l.layer.Limits {
		lim := &l.layer.Limits[j]
		if lim.Kind == AttemptDeadline && !simTotal(*lim) && lim.Fires != FiresEvent && lim.Bound != Never {
			l.attempts = append(l.attempts, l.w.in(lim.Bound, classTimer, 1051+100*l.i+j, func() { l.ended(l.inner.stop(lim)) }))
		}
	}
	l.inner = l.k.layer(l.i+1, l.ended)
}

// ended decides whether an attempt that has ended is made again.
func (l *simLayer) ended(res simResult) {
	if l.over {
		return
	}
	for _, t := range l.attempts {
		t.cancel()
	}
	l.last = res
	cond, sent := res.cond, res.sent
	// Who reads the body repeats after a failure in it, unless it has passed it on.
	reads := l.layer.Retry != nil && l.layer.Retry.ReadsBody && (l.k.n.Role == RoleBuffering || l.k.n.Role == RoleCaller)
	broken := !res.failed && res.cut && res.status < 400
	if broken {
		cond, sent = CondCut, true
	} else if !res.failed {
		if res.status < 400 {
			l.finish(res)
			return
		}
		cond, sent = Cond(strconv.Itoa(res.status)), true
		l.last.sent = true
	}
	method := l.k.c.Method
	if method == "" {
		method = l.w.route.Method
	}
	if res.cond == CondStale && simAllows(l.k.c.Resend, cond, method, true) {
		l.again(0)
		return
	}
	may := simAllows(l.layer.Retry, cond, method, sent)
	if res.failed && res.limit != nil && res.limit.Kernel {
		may = may || simAllows(l.layer.Retry, CondUnanswered, method, sent)
	}
	if res.whole && res.header {
		may = simAllows(l.layer.Retry, CondDeadline, method, sent)
	} else if res.failed && res.header && res.limit != nil && !l.layer.Retry.apart() {
		may = may || simAllows(l.layer.Retry, CondTimeout, method, sent)
	}
	if (broken || res.failed && res.header) && !reads || !may {
		l.finish(res)
		return
	}
	if l.try >= simMost(l.layer.Retry, l.k.c) {
		if l.try > 1 {
			l.w.note(EvExhausted, l.k.n, 0)
		}
		l.finish(res)
		return
	}
	wait := simBackoff(l.layer.Retry, l.try, cond)
	for _, c := range l.layer.Retry.AtOnce {
		if c == cond {
			wait = 0
		}
	}
	spent := l.w.now - l.begun
	if l.layer.Retry.WindowWaits {
		spent += wait
	}
	if w := l.layer.Retry.Window; w.Declared() && w.D != Never && spent >= w.D {
		l.w.note(EvNotStarted, l.k.n, 0)
		l.finish(res)
		return
	}
	if least := l.layer.Retry.Least; least.Declared() && l.k.ends(l.i) != Never && l.k.ends(l.i)-l.w.now-wait < least.D {
		l.w.note(EvNotStarted, l.k.n, 0)
		l.finish(res)
		return
	}
	l.again(wait)
}

func (l *simLayer) again(wait time.Duration) {
	l.inner = nil
	l.backoff = l.w.in(wait, classStep, 0, func() {
		l.w.note(EvRetries, l.k.n, 0)
		l.next()
	})
}

// expired is what the layer comes to by a limit on all of it: to one around it a
// failure of its own, unless it is the transport.
func (l *simLayer) expired(limit *Limit) simResult {
	res := l.stop(limit)
	if l.i > 0 && l.i < len(l.k.c.Layers)-1 {
		res.whole = true
		if !res.header {
			res.cond = CondDeadline
		}
	}
	return res
}

// stop ends what the layer is doing.
func (l *simLayer) stop(limit *Limit) simResult {
	l.quit()
	for _, t := range l.attempts {
		t.cancel()
	}
	if l.inner != nil {
		return l.inner.stop(limit)
	}
	if limit != nil {
		l.w.note(EvTimeout, l.k.n, 0)
	}
	return simResult{failed: true, limit: limit, cond: CondDeadline, sent: l.last.sent}
}

func (l *simLayer) quit() {
	l.over = true
	l.backoff.cancel()
	for _, t := range l.totals {
		t.cancel()
	}
}

func (l *simLayer) finish(res simResult) {
	l.quit()
	l.done(res)
}
