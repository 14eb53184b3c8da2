package prometheus

import (
	"fmt"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// timeouts are the rules for layers whose callee has to answer before they give up:
// where one does all the same, the callee hangs, or is not set up as the stack says.
func (w *writer) timeouts(calls []call) {
	byPair := map[string][]call{}
	var pairs []string
	for _, x := range calls {
		if x.Outer.Role == chain.RoleCaller || x.Node.Role == chain.RoleLeaf || x.Node.Role == chain.RoleUnknown {
			continue // a person's program has no metrics; of a leaf nobody knows when it answers
		}
		pair := x.Outer.Layer + " " + x.Node.Layer
		if byPair[pair] == nil {
			pairs = append(pairs, pair)
		}
		byPair[pair] = append(byPair[pair], x)
	}
	for _, pair := range pairs {
		w.pair(byPair[pair])
	}
}

// pair are the calls of one layer to another, on all routes: metrics of timeouts do
// not tell routes apart, so that one which may time out leaves no rule for the others.
func (w *writer) pair(calls []call) {
	for _, x := range calls {
		if why := w.mayTimeOut(x); why != "" {
			w.Warn(x.limit.Origin.Setting, "no alert tells when "+x.Outer.Layer+" gives up on "+x.Node.Layer+": "+why)
			return
		}
	}
	for _, x := range calls {
		known, _ := x.of()
		m := known.timeouts
		chosen := x.selector(m, "", m.counts...)
		expr := fmt.Sprintf("sum(increase(%s[10m])) > 0\nor count((%[1]s > 0) unless (%[1]s offset 10m)) > 0", chosen)
		if m.gauge {
			expr = "sum(" + chosen + ") > 0"
		}
		inner := chain.WorstAnswer(x.Route, x.Outer, x.Call, x.limit).Total
		w.rules.add(alert{
			name: "TchainTimedOut", expr: expr, severity: "critical", layer: x.Outer.Layer, doc: m.doc,
			comments: []string{fmt.Sprintf("%s: %s answers at %s at worst, %s gives up at %s (%s)", x.Label(), x.Node.Layer, chain.Format(inner), x.Outer.Layer, chain.Format(x.limit.Bound), emit.From(x.limit.Origin))},
			summary:  fmt.Sprintf("%s gave up on %s, whose own limits end every answer before: %[2]s hangs, or one of them is not set up as the stack says", x.Outer.Layer, x.Node.Layer),
		})
		w.watch(x.selector(m, ""), x.Outer.Layer, m)
	}
}

// mayTimeOut is why no rule can hold for a call; "" if one can.
func (w *writer) mayTimeOut(x call) string {
	known, key := x.of()
	m := known.timeouts
	inner := chain.WorstAnswer(x.Route, x.Outer, x.Call, x.limit)
	status := string(x.limit.Fires)
	switch {
	case x.limit.Origin.Source == "":
		return "nothing ends the wait on " + x.Label()
	case chain.Add(inner.Total, w.policy.Room(x.Node, x.limit.Bound)) >= x.limit.Bound:
		if inner.Total == chain.Never {
			return fmt.Sprintf("on %s it may, since nothing ends the work of %s", x.Label(), x.Node.Layer)
		}
		return fmt.Sprintf("on %s it may, since %s answers at %s at worst", x.Label(), x.Node.Layer, chain.Format(inner.Total))
	case m == nil:
		return "no metric of " + key + " is known for that"
	case m.limits != nil && !slices.Contains(m.limits, x.limit.Origin.Name):
		return "no metric of " + key + " is known that counts " + x.limit.Origin.Name
	case slices.ContainsFunc(m.counts, func(l label) bool { return strings.Contains(l.value, "{status}") }) && !isStatus(status):
		return x.limit.Origin.Name + " answers no status"
	case !m.own:
		if by := x.writes(status); by != "" {
			return m.name + " counts the " + status + " of " + by + " as well"
		}
	}
	return ""
}

func isStatus(s string) bool { return len(s) == 3 && s[0] >= '1' && s[0] <= '9' }

// writes is who else within the callee writes a status under some fault; "" if nobody.
func (x call) writes(status string) string {
	for _, t := range chain.PlayAll(x.Route) {
		for _, e := range t.Events {
			if e.Kind == chain.EvPasses && e.Node == x.Outer && fmt.Sprint(e.Status) == status && e.Peer != nil {
				return e.Peer.Layer
			}
		}
	}
	return ""
}
