package compile

import (
	"math"
	"slices"

	"tchain.dev/tchain/chain"
)

// guard is what bulkheads and breakers around a client do to its calls. A
// bulkhead that lets fewer calls through than the client has connections is what
// a call waits for; a breaker fails calls after failures.
func (t *tree) guard(c *chain.Call, h here, wraps []*Part, path ...string) {
	for i, w := range wraps {
		p := h.partOf(t, w, nil, append(slices.Clone(path), "wrap", indexed(i), w.Type.Key)...)
		e := t.settle(p, "", t.location(), h.over != nil)
		e.bulkhead(c)
		if breaker := e.breaker(); breaker != nil && c.Eject == nil {
			c.Eject = breaker
		}
	}
}

// bulkhead puts a bound of calls at once in the place of the client's pool,
// where it is the tighter one: its wait then counts, and not the pool's.
func (e *effective) bulkhead(c *chain.Call) {
	size := e.sized(chain.PoolSizeTotal)
	if size == nil || size.state != known || size.number() <= 0 {
		if size != nil && size.state == known && size.meaning() == "at-once" {
			c.Refuses = size.origin
		}
		return
	}
	p := chain.Pool{PerHost: size.size()}
	if c.Pool != nil {
		if n := c.Pool.InForce().N; n > 0 && n <= size.number() {
			return
		}
		p.Idle, p.Shared = c.Pool.Idle, c.Pool.Shared
	}
	c.Pool = &p
	transport := &c.Layers[len(c.Layers)-1]
	transport.Limits = slices.DeleteFunc(transport.Limits, func(l chain.Limit) bool { return l.Kind == chain.PoolWait })
	wait := chain.Limit{Kind: chain.PoolWait, Side: chain.Calling, Start: chain.AtCall, End: chain.AtLease, Fires: chain.FiresError, Origin: size.origin}
	if queue := e.find("threadpool.maxQueueSize"); size.name == "threadpool.coreSize" && queue.state == known && queue.number() > 0 {
		wait.Bound, wait.Why, wait.Origin = chain.Never, notSet, queue.origin // the limit around it counts
	}
	for _, l := range e.timers {
		if l.Kind == chain.PoolWait {
			wait = l
		}
	}
	transport.Limits = slices.Insert(transport.Limits, 0, wait)
	c.Unbounded = slices.DeleteFunc(c.Unbounded, func(u chain.Unbounded) bool { return u.Phase == chain.AtLease })
}

// breaker is a circuit breaker as a policy that leaves the callee out; nil if
// the part is none. Counted are the fewest failures that open it.
func (e *effective) breaker() *chain.Ejection {
	window := e.ejectTime()
	if window == nil || window.state != known {
		return nil
	}
	out := &chain.Ejection{For: window.d, On: ownConds("Exception"), Origin: window.origin}
	if enabled := e.find("circuitBreaker.enabled"); enabled != nil && !enabled.on() {
		return nil
	}
	if s := e.sized(chain.Eject); s != nil && s.state == known {
		out.Fails, out.Origin = s.number(), s.origin
	}
	for _, pair := range [][2]string{{"failureRateThreshold", "minimumNumberOfCalls"}, {"circuitBreaker.errorThresholdPercentage", "circuitBreaker.requestVolumeThreshold"}} {
		rate, least := e.find(pair[0]), e.find(pair[1])
		if rate == nil || least == nil || rate.state != known || least.state != known {
			continue
		}
		calls := least.number()
		if size := e.find("slidingWindowSize"); size != nil && size.state == known && e.find("slidingWindowType").text != "TIME_BASED" {
			calls = min(calls, size.number())
		}
		out.Fails, out.Origin = max(1, int(math.Ceil(float64(calls)*rate.share()/100))), rate.origin
	}
	if out.Fails == 0 {
		return nil
	}
	return out
}

// adjustHystrix leaves one of the two bulkheads, and lets a call wait for a
// thread only where there is a queue.
func adjustHystrix(e *effective) {
	threads, permits := e.find("threadpool.coreSize"), e.find("execution.isolation.semaphore.maxConcurrentRequests")
	if s := e.find("execution.isolation.strategy"); s.text == "SEMAPHORE" {
		threads.mute()
	} else {
		permits.mute()
	}
}
