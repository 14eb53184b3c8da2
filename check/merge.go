package check

import (
	"fmt"
	"slices"
	"time"

	"tchain.dev/tchain/chain"
)

// An Amount is the time in a message that differs between routes of one cause. The zero
// value is of a message that has none.
type Amount struct {
	D   time.Duration
	Of  string // what it is of, before a time: "api's own error comes at"
	Low bool   // the smaller, the worse
}

// worse reports whether an amount is to be told before another one of the same cause.
func (a Amount) worse(b Amount) bool {
	if a.Low {
		return a.D < b.D
	}
	return a.D > b.D
}

// An Aside is what a message adds that is so on some of the routes only. The zero value
// is none.
type Aside struct {
	Of   string // before the time: "api works on for"
	D    time.Duration
	Then string // behind it
}

// A cause is what findings have in common that one thing is to blame for.
type cause struct {
	rule, layer, callee, setting, of string
	pos                              chain.Range
}

func causeOf(f Finding) cause {
	return cause{f.Rule, f.Layer, f.Callee, f.Setting, f.Case, f.Pos}
}

// merged are findings with one for all routes on which the same is said. Where an amount
// alone differs the worst speaks, and says so of the others. What weighs differently on
// two routes is two: a person who has a 502 on the one has a repeat that hides it on the
// other. On one route the worst is told.
func merged(all []Finding) []Finding {
	type spot struct {
		cause cause
		route string
	}
	worst := map[spot]Severity{}
	for _, f := range all {
		for _, r := range f.Routes {
			k := spot{causeOf(f), r}
			worst[k] = max(worst[k], f.Severity)
		}
	}
	type said struct {
		cause    cause
		severity Severity
		like     string
	}
	at := map[said]int{}
	var alike [][]Finding
	for _, f := range all {
		if len(f.Routes) > 0 && !slices.ContainsFunc(f.Routes, func(r string) bool { return worst[spot{causeOf(f), r}] == f.Severity }) {
			continue
		}
		k := said{causeOf(f), f.Severity, f.like}
		i, ok := at[k]
		if !ok {
			i = len(alike)
			at[k], alike = i, append(alike, nil)
		}
		alike[i] = append(alike[i], f)
	}
	var out []Finding
	for _, fs := range alike {
		out = append(out, joined(fs))
	}
	return out
}

// joined is the worst of findings that differ in their routes, amounts and asides, for
// all their routes, its own first.
func joined(fs []Finding) Finding {
	out := fs[0]
	for _, f := range fs[1:] {
		if f.Amount.worse(out.Amount) {
			out = f
		}
	}
	of := map[string]Amount{} // by route, the worst
	var routes []string
	for _, f := range append([]Finding{out}, fs...) {
		for _, r := range f.Routes {
			if a, ok := of[r]; !ok {
				of[r], routes = f.Amount, append(routes, r)
			} else if f.Amount.worse(a) {
				of[r] = f.Amount
			}
		}
	}
	same := 0
	var others []time.Duration
	for _, r := range routes {
		if a := of[r]; a.D != out.Amount.D {
			others = append(others, a.D)
		} else if !slices.Contains(out.Routes, r) {
			same++
		}
	}
	out.Message += asides(fs, len(routes))
	if out.namesRoute && same > 0 {
		out.Message += "; the same on " + plural(same, "other route")
	}
	if len(others) > 0 {
		out.Message += fmt.Sprintf("; on %s %s %s", plural(len(others), "other route"), out.Amount.Of, spanText(slices.Min(others), slices.Max(others)))
	}
	out.Routes = routes
	return out
}

// asides are those of some findings on a number of routes, each with where it is so.
func asides(fs []Finding, routes int) (text string) {
	type aside struct{ of, then string }
	var order []aside
	on, times := map[aside][]string{}, map[aside][]time.Duration{}
	for _, f := range fs {
		if f.Aside == (Aside{}) {
			continue
		}
		k := aside{f.Aside.Of, f.Aside.Then}
		if on[k] == nil {
			order = append(order, k)
		}
		times[k] = append(times[k], f.Aside.D)
		for _, r := range f.Routes {
			if !slices.Contains(on[k], r) {
				on[k] = append(on[k], r)
			}
		}
	}
	for _, k := range order {
		text += "; "
		switch n := len(on[k]); {
		case n == routes:
		case n == 1:
			text += "on " + on[k][0] + " "
		default:
			text += fmt.Sprintf("on %d of %d routes ", n, routes)
		}
		text += k.of + " "
		most := slices.Max(times[k])
		if slices.Min(times[k]) != most {
			text += "up to "
		}
		text += chain.Shown(most) + k.then
	}
	return text
}

// spanText is "41s", or "31s to 48s".
func spanText(least, most time.Duration) string {
	from, to := chain.Shown(least), chain.Shown(most)
	if from == to {
		return from
	}
	return from + " to " + to
}
