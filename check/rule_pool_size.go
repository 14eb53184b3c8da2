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
	chain.Demand
	hop      hop        // the route that asks for the most
	standsIn []standsIn // what comes only instead of other calls
}

// standsIn are the calls per 1000 s that are made where those of another layer fail.
type standsIn struct {
	of  string
	tps int64
}

// stand counts a call that is made instead of another one.
func (d *demand) stand(of string, tps int64) {
	i := slices.IndexFunc(d.standsIn, func(x standsIn) bool { return x.of == of })
	if i < 0 {
		i, d.standsIn = len(d.standsIn), append(d.standsIn, standsIn{of: of})
	}
	d.standsIn[i].tps += tps
}

func checkPoolSize(p *Pass) {
	var pools []*demand
	byKey := map[string]*demand{}
	p.eachHop(func(h hop) {
		if h.call.Pool == nil || h.call.Pool.InForce().N == 0 || !h.route.Loaded() {
			return
		}
		key := chain.PoolKey(h.from, h.call)
		d := byKey[key]
		if d == nil {
			d = &demand{}
			byKey[key], pools = d, append(pools, d)
		}
		was := d.TPS
		if d.Add(p.Stack.Policy, h.route, h.from, h.call) {
			d.hop = h
		}
		if x := h.call.Instead; x != nil && d.TPS > was {
			d.stand(x.To.Layer, d.TPS-was)
		}
	})
	most := map[string]*demand{} // by the setting, which may be the bound of several callees
	for _, d := range pools {
		key := d.hop.call.Pool.InForce().Origin.Setting
		if m := most[key]; !d.Open && (m == nil || d.Need() > m.Need()) {
			most[key] = d
		}
	}
	for _, d := range pools {
		d.check(p, most[d.hop.call.Pool.InForce().Origin.Setting])
	}
}

// check judges one pool; most is what asks for most of those that have its bound.
func (d *demand) check(p *Pass, most *demand) {
	h, pool := d.hop, d.hop.call.Pool.InForce()
	n, said := instances(h.from)
	need := d.Need()
	if need <= pool.N || d.Open && h.call.Undocumented(chain.AtFirstByte) {
		return
	}
	sev := soften(Error, pool.Origin, d.Limit.Origin)
	if !said {
		sev = Warning
	}
	empty := chain.Exhaust(max(pool.N-d.alwaysOpen(n), 0), d.TPS, n)
	f := Finding{
		Routes: d.Routes, Layer: h.from.Layer, Callee: h.call.To.Layer, Setting: pool.Origin.Setting, Owner: h.from.Owner,
		Severity: sev, Pos: pool.Origin.Pos, Label: fmt.Sprintf("%s in each instance", plural(pool.N, "connection")) + known(pool.Origin),
		Trace: h.shown(func(t chain.Trace) bool { return t.Fault.Kind == chain.Saturated && t.Fault.Call == h.call }),
	}
	who := fmt.Sprintf("%s's pool of %d to %s", h.from.Layer, pool.N, h.call.To.Layer)
	if d.Open {
		f.Message = fmt.Sprintf("%s is empty %s %s goes silent, and no size would do: nothing ends the read", who, soonAfter(empty), h.call.To.Layer)
		p.Report(f)
		return
	}
	sum := d.sum(need, n)
	holds := "a silent " + h.call.To.Layer + " holds"
	if d.Well {
		holds = h.call.To.Layer + " holds on average or when it is silent"
	}
	if f.Message = fmt.Sprintf("%s is smaller than the %s that %s", who, sum, holds); d.TPS > 0 && !d.Well {
		if fits := fitting(empty); fits > 0 {
			f.Message += fmt.Sprintf("; a read limit of %s would fit, and it is empty after %s", chain.Shown(fits), chain.Shown(roundUp(empty)))
		} else {
			f.Message += "; it is empty at once"
		}
	}
	for _, x := range d.standsIn {
		f.Message += fmt.Sprintf("; %s of that come only while %s fails at the same time", perSecond(x.tps), x.of)
	}
	if !said {
		f.Message += "; instances is not declared, 1 is counted"
	}
	if d.Held != chain.Never && d.Limit.Origin.Pos != pool.Origin.Pos {
		f.Related = append(f.Related, Related{Pos: d.Limit.Origin.Pos, Message: "holds a connection for up to " + chain.Shown(d.Held) + known(d.Limit.Origin)})
	}
	fix := f.offer(poolFix(h.call.Pool, most.Need()))
	if fix.After = fmt.Sprintf("then %s fit", most.sum(most.Need(), n)); most != d {
		fix.After += fmt.Sprintf(", those to %s, which has the same bound", most.hop.call.To.Layer)
	}
	p.Report(f)
}

// alwaysOpen is how many connections of an instance are taken at any rate, rounded up.
func (d *demand) alwaysOpen(instances int) (n int) {
	for _, l := range d.Loads() {
		n += int(l.Open)
	}
	return (n + instances - 1) / instances
}

// sum is how the need comes about.
func (d *demand) sum(need, instances int) string {
	among := " ÷ " + plural(instances, "instance")
	if one, call := d.hop.route.Concurrent.N, d.hop.call; len(d.Routes) == 1 && one > 0 && call.AtOnce > 1 {
		return fmt.Sprintf("%d = %d open at once × %d calls%s", need, one, call.AtOnce, among)
	}
	return fmt.Sprintf("%d = %s", need, loadsText(d.Loads(), len(d.Routes), among))
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
	return chain.Shown(d) + " after"
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
