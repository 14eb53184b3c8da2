package check

import (
	"fmt"
	"math"
	"strings"

	"tchain.dev/tchain/chain"
)

var sharedPools = &Rule{
	ID:       "shared-pool",
	Title:    "one silent callee takes the connections of the others",
	Why:      "Several callees share one pool. When one of them goes silent, each request to it keeps a connection for the whole read limit, and soon it has all of them: the calls to healthy callees wait for a connection and fail as well. A bound for each callee below the total, or a client for each, keeps the others alive.",
	Severity: Error,
	Since:    "0.1.0",
	Check:    checkSharedPool,
}

func checkSharedPool(p *Pass) {
	for _, s := range p.pools() {
		if len(s.pool.Shared) == 0 || s.pool.Total.N == 0 {
			continue
		}
		for _, u := range s.uses {
			if u.hop.call != nil {
				s.check(p, u)
			}
		}
	}
}

// check judges one callee's silence.
func (s *sharedPool) check(p *Pass, u *poolUse) {
	pool := u.hop.call.Pool
	total, each := pool.Total.N, pool.PerHost.N
	bounded := each > 0 && each < total
	var names []string
	rest, unsaid := 0, u.tps == 0
	for _, x := range s.uses {
		if x != u {
			names = append(names, x.callee)
			rest += max(x.well.Need(), 1)
			unsaid = unsaid || x.open
		}
	}
	takes := total
	if u.silentTPS > 0 && !u.open {
		takes = min(u.silent.Need(), total)
	}
	if bounded {
		takes = min(takes, each)
	}
	fits := rest <= total-takes
	if fits && bounded {
		return
	}
	o := pool.Total.Origin
	f := Finding{
		Routes: routeNames(s.uses...), Layer: u.hop.from.Layer, Setting: o.Setting, Owner: u.hop.from.Owner,
		Severity: soften(Error, o), Pos: o.Pos, Label: fmt.Sprintf("%d for all", total) + known(o),
		Trace: u.hop.trace(func(t chain.Trace) bool { return t.Fault.Kind == chain.Silent && t.Fault.Call == u.hop.call }),
	}
	n, said := instances(u.hop.from)
	others, verb := strings.Join(names, " and "), func(one, many string) string {
		if len(names) == 1 {
			return one
		}
		return many
	}
	all := fmt.Sprintf("%d of %s", takes, plural(total, "connection"))
	switch {
	case total == 1:
		all = "the only connection"
	case takes == total:
		all = fmt.Sprintf("all %d connections", total)
	}
	switch {
	case fits:
		whole := fmt.Sprintf("all %d connections", total)
		f.Severity = Info
		f.Message = fmt.Sprintf("%s can take %s of %s when it goes silent: no setting keeps any for %s, only the rate of %s, at which it takes %d", u.callee, whole, u.hop.from.Layer, others, perSecond(u.silentTPS), takes)
	case u.tps == 0:
		f.Severity = min(f.Severity, Warning)
		f.Message = fmt.Sprintf("%s can take %s of %s when it goes silent, and then %s %s none in time; how soon is not known without tps", u.callee, all, u.hop.from.Layer, others, verb("gets", "get"))
	default:
		after := chain.Exhaust(max(total-rest, 0), u.silentTPS, n)
		needed, soon := "the one", chain.Shown(roundUp(after))+" later"
		if roundUp(after) == 0 {
			soon = "at once"
		}
		if rest > 1 && rest < math.MaxInt {
			needed = fmt.Sprintf("one of the %d", rest)
		}
		f.Message = fmt.Sprintf("%s takes %s of %s when it goes silent: %s %s %s to wait for %s that %s",
			u.callee, all, u.hop.from.Layer, soon, others, verb("has", "have"), needed, verb("it needs", "they need"))
		if bounded || unsaid || !said {
			f.Severity = min(f.Severity, Warning)
		}
		if !said {
			f.Message += "; instances is not declared, 1 is counted"
		}
	}
	if pool.PerHost.Declared() && pool.PerHost.Origin.Pos != o.Pos {
		f.Related = append(f.Related, Related{Pos: pool.PerHost.Origin.Pos, Message: u.callee + "'s own bound" + known(pool.PerHost.Origin)})
	}
	if !fits {
		f.Fixes = s.fixes(pool, takes, rest)
	}
	p.Report(f)
}

// fixes bound the callee so that the others keep what they need: below the
// total as it is, or with a total that has the same for each.
func (s *sharedPool) fixes(pool *chain.Pool, takes, rest int) []Fix {
	var out []Fix
	add := func(each, total int) {
		var fs []Fix
		for _, x := range []struct {
			size chain.Size
			n    int
		}{{pool.PerHost, each}, {pool.Total, total}} {
			if x.n == x.size.N {
				continue
			}
			fix, ok := setNumber(x.size.Origin, x.n)
			if !ok {
				return
			}
			fs = append(fs, fix)
		}
		if len(fs) > 0 {
			fix := both(fs...)
			fix.After = fmt.Sprintf("then %d are left for the others", total-each)
			if total-each == 1 {
				fix.After = "then 1 is left for the others"
			}
			out = append(out, fix)
		}
	}
	if each := pool.Total.N - rest; each > 0 {
		add(each, pool.Total.N)
	}
	add(takes, takes*len(s.uses))
	return out
}
