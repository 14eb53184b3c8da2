package check

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

var poolTotal = &Rule{
	ID:        "pool-total",
	Title:     "the pools of single callees do not fit the total, or idle connections churn",
	Why:       "A client has two bounds, one for each callee and one for all together, and the smaller one decides. Where several callees share a total that is less than what each may have, the size that somebody wrote for one of them is not there when it is needed. And where fewer idle connections are kept than are in use on average, each quiet moment closes some and the next request opens them again, with a handshake.",
	Severity:  Warning,
	Since:     "0.1.0",
	NoOutcome: "connections that are closed and opened again cost time, and where nothing ends the wait for one it is pool-wait that says so",
	Check:     checkPoolTotal,
}

func checkPoolTotal(p *Pass) {
	shared := p.found(sharedPools)
	for _, s := range p.pools() {
		for _, u := range s.uses {
			idleChurn(p, u)
		}
		u := s.uses[0]
		total, each := u.hop.call.Pool.Total, u.hop.call.Pool.PerHost
		switch {
		case total.N == 0 || each.N == 0:
		case len(s.uses) == 1 && each.N > total.N && !u.open && u.silent.Need() <= total.N:
			p.Report(Finding{
				Routes: routeNames(u), Layer: u.hop.from.Layer, Setting: each.Origin.Setting, Owner: u.hop.from.Owner,
				Severity: Info, Pos: each.Origin.Pos, Label: "never reached" + known(each.Origin),
				Message: fmt.Sprintf("%s never has %s connections to %s: %s is the total", u.hop.from.Layer, setting(each.Origin, fmt.Sprint(each.N)), u.callee, setting(total.Origin, fmt.Sprint(total.N))),
				Related: []Related{{Pos: total.Origin.Pos, Message: "the total" + known(total.Origin)}},
			})
		case len(s.uses) > 1 && !slices.ContainsFunc(shared, func(f Finding) bool {
			return f.Layer == u.hop.from.Layer && f.Setting == total.Origin.Setting && f.Severity > Info
		}):
			tooSmall(p, s)
		}
	}
}

// tooSmall: what each callee may have does not fit the total.
func tooSmall(p *Pass, s *sharedPool) {
	u, sum := s.uses[0], 0
	var parts []string
	for _, x := range s.uses {
		n := u.hop.call.Pool.PerHost.N
		if x.hop.call != nil {
			n = x.hop.call.Pool.PerHost.N
		}
		sum += n
		parts = append(parts, fmt.Sprintf("%d to %s", n, x.callee))
	}
	total := u.hop.call.Pool.Total
	if total.N >= sum {
		return
	}
	each := u.hop.call.Pool.PerHost.Origin
	end := p.comesTo(u.hop, chain.Saturated)
	f := Finding{
		Outcome: end,
		Routes:  routeNames(s.uses...), Layer: u.hop.from.Layer, Setting: total.Origin.Setting, Owner: u.hop.from.Owner,
		Severity: soften(Warning, total.Origin), Pos: total.Origin.Pos, Label: fmt.Sprintf("%d for all", total.N) + known(total.Origin),
		Message: fmt.Sprintf("%s may open %s, but has %s for all: the last to ask waits although its own bound is not reached", u.hop.from.Layer, strings.Join(parts, " and "), setting(total.Origin, fmt.Sprint(total.N))) + inWords(", and one that waits for too long ends so:", end),
	}
	if each.Pos != total.Origin.Pos {
		f.Related = append(f.Related, Related{Pos: each.Pos, Message: "for each" + known(each)})
	}
	f.offer(setNumber(total.Origin, total.For(sum))).After = "then each has its own"
	p.Report(f)
}

// idleChurn: fewer idle connections are kept than are in use on average.
func idleChurn(p *Pass, u *poolUse) {
	if u.hop.call == nil || u.avg.Need() == 0 {
		return
	}
	idle, avg, n := u.hop.call.Pool.Idle, u.hop.to.Work.Avg, u.avg.Instances
	inUse, most := u.avg.Need(), u.hop.call.Pool.InForce().N
	full := most > 0 && inUse > most
	if full { // more than the pool has cannot be in use
		inUse = most
	}
	if idle.N <= 0 || !idle.Declared() || inUse <= idle.N {
		return
	}
	f := Finding{
		Routes: routeNames(u), Layer: u.hop.from.Layer, Callee: u.callee, Setting: idle.Origin.Setting, Owner: u.hop.from.Owner,
		Severity: soften(Warning, idle.Origin, avg.Origin), Pos: idle.Origin.Pos, Label: fmt.Sprintf("%d kept", idle.N) + known(idle.Origin),
		Message: fmt.Sprintf("%s keeps %s idle connections to %s, fewer than the %d in use on average", u.hop.from.Layer, setting(idle.Origin, fmt.Sprint(idle.N)), u.callee, inUse),
	}
	if avg.Declared() {
		f.Related = append(f.Related, Related{Pos: avg.Origin.Pos, Message: u.hop.to.Layer + " takes " + chain.Shown(avg.D) + " on average"})
	}
	switch {
	case full:
		f.Message += ", all that it may have: the rest is closed when it is given back and opened again"
	case u.tps > 0 && avg.D > 0:
		f.Message += fmt.Sprintf(" (%s ÷ %s × %s): up to %s are closed and opened again in each instance", perSecond(u.tps), plural(n, "instance"), chain.Shown(avg.D), perSecond(churn(u.tps, n, idle.N, avg.D)))
	default:
		f.Message += ": the rest is closed when it is given back and opened again"
	}
	if u.hop.from.Role == chain.RolePassing { // it keeps them in each worker, and how many there are is not said
		f.Severity = Info
	}
	f.offer(setNumber(idle.Origin, idle.For(inUse))).After = "then those in use on average are kept"
	p.Report(f)
}

// churn is how many connections of an instance a callee can cost per 1000 s: of
// those that come back, the share that finds the idle ones complete. It is
// tps ÷ n − idle ÷ avg.
func churn(tps int64, n, idle int, avg time.Duration) int64 {
	each := new(big.Rat).SetFrac64(tps, int64(n))
	kept := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(int64(idle)), big.NewInt(int64(1000*time.Second))), big.NewInt(int64(avg)))
	out := each.Sub(each, kept)
	return new(big.Int).Quo(out.Num(), out.Denom()).Int64()
}
