package check

import (
	"fmt"
	"slices"
	"time"

	"tchain.dev/tchain/chain"
)

var poolSize = &Rule{
	ID:       "pool-size",
	Title:    "the pool is smaller than requests per second × read limit",
	Why:      "While the callee is silent, every request holds a connection for the whole read limit. If fewer connections fit in the pool than requests come in during that time, the pool is empty before the first one gives up, and from then on every request waits for a connection and fails, also those that would have been answered.",
	Severity: Error,
	Since:    "0.1.0",
	Options:  []Option{{"poolAgainst", "limit", "what a connection is held for: the read limit, or the callee's declared p99 or avg"}},
	Check:    checkPoolSize,
}

// A demand is what all routes together ask of one pool.
type demand struct {
	hop    hop // the route that asks for the most
	held   time.Duration
	limit  chain.Limit
	tps    int64
	routes []string
	open   bool // nothing ends the read on some route
	busy   chain.Busy
	seen   map[string]*chain.Route // by name, the entrance that counts
}

func checkPoolSize(p *Pass) {
	var pools []*demand
	byKey := map[string]*demand{}
	p.eachHop(func(h hop) {
		if h.call.Pool == nil || h.call.Pool.InForce().N == 0 || !h.route.Loaded() {
			return
		}
		key := h.from.Layer + "\x00" + h.call.Client + "\x00" + h.call.To.Layer
		d := byKey[key]
		if d == nil {
			n, _ := instances(h.from)
			d = &demand{busy: chain.Busy{Instances: n}, seen: map[string]*chain.Route{}}
			byKey[key], pools = d, append(pools, d)
		}
		d.add(p, h)
	})
	for _, d := range pools {
		d.check(p)
	}
}

func (d *demand) add(p *Pass, h hop) {
	if first := d.seen[h.route.Name]; first != nil && first != h.route {
		return // another entrance of a route that was counted
	}
	d.seen[h.route.Name] = h.route
	held, limit := heldAgainst(p, h)
	d.tps += h.route.Rate(h.call)
	d.busy.AddLoad(h.route, h.call, held)
	if !slices.Contains(d.routes, h.route.Name) {
		d.routes = append(d.routes, h.route.Name)
	}
	if held == chain.Never && h.route.Concurrent.N == 0 {
		d.open = true
	}
	if d.hop.call == nil || held > d.held {
		d.hop, d.held, d.limit = h, held, limit
	}
}

// heldAgainst is how long a connection is held, by the policy.
func heldAgainst(p *Pass, h hop) (time.Duration, chain.Limit) {
	work := h.call.To.Work
	switch {
	case p.Stack.Policy.PoolAgainst == "p99" && work.P99.Declared():
		return work.P99.D, chain.Limit{Bound: work.P99.D, Origin: work.P99.Origin}
	case p.Stack.Policy.PoolAgainst == "avg" && work.Avg.Declared():
		return work.Avg.D, chain.Limit{Bound: work.Avg.D, Origin: work.Avg.Origin}
	}
	l, ok := h.watching()
	if !ok {
		return chain.Never, chain.Limit{}
	}
	return l.Bound, l
}

func (d *demand) check(p *Pass) {
	h, pool := d.hop, d.hop.call.Pool.InForce()
	n, said := instances(h.from)
	need := d.busy.Need()
	if need <= pool.N {
		return
	}
	sev := soften(Error, pool.Origin, d.limit.Origin)
	if !said {
		sev = Warning
	}
	empty := chain.Exhaust(pool.N, d.tps, n)
	f := Finding{
		Routes: d.routes, Layer: h.from.Layer, Setting: pool.Origin.Setting, Owner: h.from.Owner,
		Severity: sev, Pos: pool.Origin.Pos, Label: fmt.Sprintf("%s in each instance", plural(pool.N, "connection")) + known(pool.Origin),
		Trace: h.shown(func(t chain.Trace) bool { return t.Fault.Kind == chain.Saturated && t.Fault.Call == h.call }),
	}
	who := fmt.Sprintf("%s's pool of %d to %s", h.from.Layer, pool.N, h.call.To.Layer)
	if d.open {
		f.Message = fmt.Sprintf("%s is empty %s %s goes silent, and no size would do: nothing ends the read", who, soonAfter(empty), h.call.To.Layer)
		p.Report(f)
		return
	}
	sum := d.sum(need, n)
	if f.Message = fmt.Sprintf("%s is smaller than the %s that a silent %s holds", who, sum, h.call.To.Layer); d.tps > 0 {
		if fits := fitting(empty); fits > 0 {
			f.Message += fmt.Sprintf("; a read limit of %s would fit, and it is empty after %s", chain.Format(fits), chain.Format(roundUp(empty)))
		} else {
			f.Message += "; it is empty at once"
		}
	}
	if !said {
		f.Message += "; instances is not declared, 1 is counted"
	}
	if d.held != chain.Never && d.limit.Origin.Pos != pool.Origin.Pos {
		f.Related = append(f.Related, Related{d.limit.Origin.Pos, "holds a connection for up to " + chain.Format(d.held) + known(d.limit.Origin)})
	}
	f.offer(poolFix(h.call.Pool, need)).After = "then " + sum + " fit"
	p.Report(f)
}

// sum is how the need comes about.
func (d *demand) sum(need, instances int) string {
	one, call := d.hop.route.Concurrent.N, d.hop.call
	switch {
	case len(d.routes) > 1:
		return fmt.Sprintf("%d over %d routes", need, len(d.routes))
	case one > 0 && call.AtOnce > 1:
		return fmt.Sprintf("%d = %d open at once × %d calls ÷ %s", need, one, call.AtOnce, plural(instances, "instance"))
	case one > 0:
		return fmt.Sprintf("%d = %d open at once ÷ %s", need, one, plural(instances, "instance"))
	}
	return fmt.Sprintf("%d = %s ÷ %s × %s", need, perSecond(d.tps), plural(instances, "instance"), chain.Format(d.held))
}

// poolFix raises what decides, and the other bound where it would then decide.
func poolFix(pool *chain.Pool, need int) (Fix, bool) {
	var fs []Fix
	for _, s := range []chain.Size{pool.PerHost, pool.Total} {
		if !s.Declared() || s.N == 0 || s.N >= need {
			continue
		}
		fix, ok := setNumber(s.Origin, s.For(need))
		if !ok {
			return Fix{}, false
		}
		fs = append(fs, fix)
	}
	return both(fs...), len(fs) > 0
}

// soonAfter is "3.3s after" or, where it is no time that counts, "as soon as".
func soonAfter(d time.Duration) string {
	if d = roundUp(d); d == 0 {
		return "as soon as"
	}
	return chain.Format(d) + " after"
}

// roundUp and fitting give a time of some seconds in tenths: a pool is not
// empty to the nanosecond, and a limit must not be rounded past what fits.
func roundUp(d time.Duration) time.Duration {
	if d < time.Second || d == chain.Never {
		return d.Round(time.Millisecond)
	}
	return d.Round(100 * time.Millisecond)
}

func fitting(d time.Duration) time.Duration {
	if d < time.Second {
		return d.Truncate(time.Millisecond)
	}
	return d.Truncate(100 * time.Millisecond)
}
