package compile

import (
	"fmt"
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

// winning is a value that is in force, in words.
func winning(o chain.Origin) string {
	text := entrance(o) + " " + o.Text
	if o.Source == chain.Default {
		text += " by default"
	}
	return text
}

// eachWinner makes one notice of those that say of one value that it is beaten,
// by another one on each route.
func eachWinner(all []chain.Notice) []chain.Notice {
	var out []chain.Notice
	at := map[string]int{}
	several := map[string][]chain.Notice{}
	for _, n := range all {
		k := key([]string{n.Layer, n.Origin.Setting})
		if n.Kind != chain.NoticeShadowed || !strings.HasPrefix(n.Message, shadowed(n.Origin, n.Winner, "").Message) {
			out = append(out, n)
			continue
		}
		if len(several[k]) == 0 {
			at[k], out = len(out), append(out, n)
		}
		several[k] = append(several[k], n)
		if len(several[k]) > 1 {
			out[at[k]] = beaten(several[k])
		}
	}
	return out
}

// beaten is the notice of a value with all that beat it.
func beaten(by []chain.Notice) chain.Notice {
	n := by[0]
	n.Routes = nil
	var parts []string
	for i, x := range by {
		wins := ""
		if i == 0 {
			wins = "wins "
		}
		parts = append(parts, fmt.Sprintf("%s %son %s", winning(x.Winner), wins, fewRoutes(x.Routes)))
		n.Routes = append(n.Routes, x.Routes...)
	}
	n.Message = fmt.Sprintf("%s %s is never in force; %s", entrance(n.Origin), n.Origin.Text, strings.Join(parts, ", "))
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
