package check

import (
	"fmt"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
)

var retryAmplification = &Rule{
	ID:        "retry-amplification",
	Title:     "retries of several layers multiply the calls at the innermost one",
	Why:       "Each layer that repeats does so for every attempt of the layer outside of it, so the attempts multiply: three by three by three is 27 calls for one request, and they come exactly when the callee is already failing. Two policies of one client multiply as well where each repeats another failure: a callee that flaps shows both. Repeat in one layer only, best in the one nearest to the fault.",
	Severity:  Warning,
	Since:     "0.1.0",
	NoOutcome: "it is the callee that has the load",
	Check:     checkRetryAmplification,
}

func checkRetryAmplification(p *Pass) {
	p.eachRoute(func(r *chain.Route) {
		outside := map[*chain.Node]amplified{} // on the way to a layer
		for _, h := range p.hops(r) {
			a := outside[h.from].by(h)
			outside[h.call.To] = a
			if len(a.policies) > 1 && len(a.policies) > len(outside[h.from].policies) && !furtherIn(h) {
				reportAmplification(p, h, a)
			}
		}
	})
}

// An amplified layer gets more than one call for a request.
type amplified struct {
	policies []repeater
	asked    []hop // calls that are made several times, whatever comes of them
}

// by is what the callee of a hop gets, where its caller is amplified so.
func (a amplified) by(h hop) amplified {
	a.policies = append(slices.Clip(a.policies), multipliers(h)...)
	if h.call.Times > 1 {
		a.asked = append(slices.Clip(a.asked), h)
	}
	return a
}

// multipliers are the policies of a call with which its callee gets more than one
// request: one that repeats only what never came to the callee, a refused connection
// or the next address of a dead one, is none of them.
func multipliers(h hop) []repeater {
	return slices.DeleteFunc(repeaters(h), func(r repeater) bool { return len(repeated(h, r.retry, reached)) == 0 })
}

// reached reports whether the callee had the request when it failed so.
func reached(c chain.Cond) bool { return written(c) && c != chain.CondStale }

// times is what the calls come to that are made several times.
func (a amplified) times() int {
	n := 1
	for _, h := range a.asked {
		n = chain.Product(n, h.call.Times)
	}
	return n
}

// furtherIn reports whether a layer behind the hop repeats as well: the product
// is then told there.
func furtherIn(h hop) bool {
	for _, x := range hops(&chain.Route{Method: h.route.Method, Root: h.call.To}) {
		if len(multipliers(x)) > 0 {
			return true
		}
	}
	return false
}

func reportAmplification(p *Pass, h hop, a amplified) {
	all := a.policies
	factors := make([]string, 0, len(all)+len(a.asked))
	for _, r := range all {
		factors = append(factors, chain.CountText(r.attempts)+" by "+who(r))
	}
	for _, x := range a.asked {
		factors = append(factors, fmt.Sprintf("%d times that %s asks %s", x.call.Times, x.from.Layer, x.call.To.Layer))
	}
	inner := all[len(all)-1].retry.Attempts.Origin
	f := h.found(Finding{
		Setting:  inner.Setting,
		Severity: Warning, Pos: inner.Pos, Label: fmt.Sprintf("%s, the innermost", plural(all[len(all)-1].attempts, "attempt")) + known(inner),
		Message: fmt.Sprintf("%s gets up to %s for one request: %s", h.call.To.Layer, plural(chain.Product(callsOf(all), a.times()), "call"), strings.Join(factors, " × ")),
		Trace:   h.trace(func(t chain.Trace) bool { return multiplied(t, all) }),
	})
	if fails, n := flapping(all); f.Trace == nil && n > 1 {
		f.Message += fmt.Sprintf("; it is enough that %s fails in turn by %s", h.call.To.Layer, strings.Join(fails, " and by "))
	} else if f.Trace == nil { // it takes failures of several callees
		f.Severity = Info
	}
	for _, r := range all[:len(all)-1] {
		if o := r.retry.Attempts.Origin; o.Pos != inner.Pos {
			f.Related = append(f.Related, Related{Pos: o.Pos, Message: fmt.Sprintf("%s by %s", plural(r.attempts, "attempt"), who(r)) + known(o)})
		}
		for _, fix := range onceOnly(r.retry) {
			others := slices.DeleteFunc(slices.Clone(all), func(x repeater) bool { return x.retry.Attempts.Origin.Pos == r.retry.Attempts.Origin.Pos })
			fix.After = fmt.Sprintf("then %s at most", chain.CountText(chain.Product(callsOf(others), a.times())))
			f.Fixes = append(f.Fixes, fix)
		}
	}
	p.Report(f)
}

// callsOf is what the attempts come to: each policy repeats all of those inside.
func callsOf(all []repeater) int {
	calls := 1
	for _, r := range all {
		calls = chain.Product(calls, r.attempts)
	}
	return calls
}

// who is a repeater's layer, with the part of it where that is not its transport.
func who(r repeater) string {
	if r.name == "" {
		return r.hop.from.Layer
	}
	return r.hop.from.Layer + "'s " + r.name
}

// flapping are the failures of one callee after which policies of the same call
// repeat, and how many policies: a callee that flaps shows them all in one request.
func flapping(all []repeater) (fails []string, policies int) {
	for _, r := range all {
		conds := repeated(r.hop, r.retry, ofCallee)
		if r.hop.call != all[len(all)-1].hop.call || len(conds) == 0 {
			continue
		}
		policies++
		if words := chain.CondText(conds); !slices.Contains(fails, words) {
			fails = append(fails, words)
		}
	}
	return fails, policies
}

// ofCallee reports whether a failure is the callee's, after it had the request.
func ofCallee(c chain.Cond) bool {
	return c == chain.CondTimeout || c == chain.CondReset || c == chain.CondKilled || c[0] == '5'
}

// multiplied reports whether a trace shows two of the policies repeating what their
// callee had: in different layers, or more often in one than either does alone.
func multiplied(t chain.Trace, all []repeater) bool {
	most, layers := map[*chain.Call]int{}, 0
	for _, r := range all {
		most[r.hop.call] = max(most[r.hop.call], r.attempts)
	}
	for i, r := range all {
		if i > 0 && all[i-1].hop.call == r.hop.call {
			continue
		}
		n := repeatedBy(t, r.hop, reached)
		if n >= most[r.hop.call] {
			return true
		}
		if n > 0 {
			layers++
		}
	}
	return layers > 1
}
