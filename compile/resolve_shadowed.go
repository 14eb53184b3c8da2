package compile

import (
	"fmt"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
)

// shadowed is the notice of a written value that another one beats.
func shadowed(loser, winner chain.Origin, why string) chain.Notice {
	if why != "" {
		why = ": " + why
	}
	return chain.Notice{
		Kind: chain.NoticeShadowed, Origin: loser, Winner: winner,
		Message: fmt.Sprintf("%s %s is never in force; %s wins%s", entrance(loser), loser.Text, winning(winner), why),
	}
}

// noticeBeaten is of a written value that one of the same time beats, or one whose
// time is not known. It is nothing by itself; where the value is shadowed on another
// route, it names the routes that would be missing. It never leaves this package.
const noticeBeaten chain.NoticeKind = "beaten"

// beatenBy is the notice of a value that another one beats.
func (v *hc5Value) beatenBy(winner *hc5Value, why string) chain.Notice {
	n := shadowed(v.origin, winner.origin, why)
	if v.d == winner.d || winner.unknown {
		n.Kind = noticeBeaten
	}
	return n
}

// losing reports whether the notice is of a value that another one beats.
func losing(n chain.Notice) bool { return n.Kind == chain.NoticeShadowed || n.Kind == noticeBeaten }

// winning is a value that is in force, in words; one that is injected has none.
func winning(o chain.Origin) string {
	text := strings.TrimSuffix(entrance(o)+" "+o.Text, " ")
	if o.Source == chain.Default {
		text += " by default"
	}
	return text
}

// eachWinner makes one notice of those that say of one value that it is beaten,
// by another one on each route, and drops those of values that no other time beats.
func eachWinner(all []chain.Notice) []chain.Notice {
	about := func(n chain.Notice) string { return key([]string{n.Layer, n.Origin.Setting}) }
	by := map[string][]chain.Notice{}
	shadowedAt := map[string]bool{}
	for _, n := range all {
		if _, plain := why(n); plain {
			by[about(n)] = append(by[about(n)], n)
			shadowedAt[about(n)] = shadowedAt[about(n)] || n.Kind == chain.NoticeShadowed
		}
	}
	var out []chain.Notice
	for _, n := range all {
		if _, plain := why(n); !plain {
			out = append(out, n)
		} else if k := about(n); shadowedAt[k] {
			out, shadowedAt[k] = append(out, beaten(by[k])), false
		}
	}
	return out
}

// why is the reason that a notice of shadowed gives, and whether it is one.
func why(n chain.Notice) (reason string, plain bool) {
	if !losing(n) {
		return "", false
	}
	return strings.CutPrefix(n.Message, shadowed(n.Origin, n.Winner, "").Message)
}

// beaten is the notice of a value with all that beat it, the first of another time first.
func beaten(by []chain.Notice) chain.Notice {
	n := by[slices.IndexFunc(by, func(n chain.Notice) bool { return n.Kind == chain.NoticeShadowed })]
	if len(by) == 1 {
		return n
	}
	reason, _ := why(n)
	n.Routes = nil
	var parts []string
	for i, x := range by {
		wins := ""
		if i == 0 {
			wins = "wins "
		}
		parts = append(parts, fmt.Sprintf("%s %son %s", winning(x.Winner), wins, fewRoutes(x.Routes)))
		n.Routes = append(n.Routes, x.Routes...)
		if other, _ := why(x); other != reason {
			reason = ""
		}
	}
	n.Message = fmt.Sprintf("%s %s is never in force; %s%s", entrance(n.Origin), n.Origin.Text, strings.Join(parts, ", "), reason)
	return n
}

// fewRoutes names routes, and no more than three of them.
func fewRoutes(routes []string) string {
	if n := len(routes); n > 3 {
		return fmt.Sprintf("%s, %s and %d more routes", routes[0], routes[1], n-2)
	}
	last := len(routes) - 1
	if last == 0 {
		return routes[0]
	}
	return strings.Join(routes[:last], ", ") + " and " + routes[last]
}
