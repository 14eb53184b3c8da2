package check

import (
	"fmt"
	"slices"

	"tchain.dev/tchain/chain"
)

// NotChecked are the phases that the worst cases of a stack leave out, because
// nothing bounds them or a value is not known, each once for a route and layer.
func NotChecked(s *chain.Stack) []chain.NotChecked {
	var out []chain.NotChecked
	known := asked{}
	for _, r := range s.Routes {
		seen := map[string]bool{}
		listed := func(layer, reason string) bool {
			return slices.ContainsFunc(r.NotChecked, func(n chain.NotChecked) bool { return n.Layer == layer && n.Reason == reason })
		}
		out = append(out, untold(r)...)
		for _, n := range r.Nodes() {
			out = append(out, unansweredChecks(known, s, r, n)...)
			for _, c := range n.Calls() {
				if c.Pool != nil && c.Pool.InForce().N > 0 && !r.Loaded() && !c.Detached {
					out = append(out, chain.NotChecked{Route: r.Name, Layer: n.Layer, Reason: "the pool of " + n.Layer + " to " + c.To.Layer + " is not checked: " + unrated(s, r, n, c) + " has no tps"})
				}
				if why := unknownRace(c); why != "" {
					out = append(out, chain.NotChecked{Route: r.Name, Layer: n.Layer, Reason: "whether " + n.Layer + " reuses a connection that " + c.Answering().Layer + " has just closed is not checked: " + why})
				}
				for _, reason := range chain.WorstCall(r, n, c, 0).NotChecked {
					if key := n.Layer + "\x00" + reason; !seen[key] && !listed(n.Layer, reason) { // it is said where it stands
						seen[key] = true
						out = append(out, chain.NotChecked{Route: r.Name, Layer: n.Layer, Reason: reason})
					}
				}
			}
		}
	}
	return out
}

// unrated names a route that does not say how much comes in, beside another one of the
// same call that does.
func unrated(s *chain.Stack, r *chain.Route, n *chain.Node, c *chain.Call) string {
	for _, other := range s.Routes {
		if other == r || !other.Loaded() {
			continue
		}
		for _, h := range hops(other) {
			if h.from.Layer == n.Layer && h.call.To.Layer == c.To.Layer {
				return r.Name
			}
		}
	}
	return "the route"
}

// untold are limits of the whole on the way of a flow of which nobody says how long
// it lasts.
func untold(r *chain.Route) []chain.NotChecked {
	var out []chain.NotChecked
	if !r.Response.Endless() {
		return nil
	}
	add := func(n *chain.Node, l chain.Limit) {
		if l.Whole() && l.Bound != chain.Never && l.Ends() {
			out = append(out, chain.NotChecked{Route: r.Name, Layer: n.Layer, Setting: l.Origin.Setting, Reason: fmt.Sprintf(
				"whether %s ends the %s of %s while all is well is not known: how long that lasts is not declared", setting(l.Origin, chain.Shown(l.Bound)), r.Response.Mode.Text(), r.Name)})
		}
	}
	for _, h := range hops(r) {
		if !r.Carries(h.call) {
			continue
		}
		for _, l := range h.call.Limits() {
			add(h.from, l)
		}
		for _, l := range h.call.To.Serve {
			if l.Kind == chain.WriteTotal || l.Kind == chain.WorkerKill || l.Kind == chain.LifetimeGrace {
				add(h.call.To, l)
			}
		}
	}
	return out
}

// unansweredChecks are health checks that ask for what no route describes.
func unansweredChecks(known asked, s *chain.Stack, r *chain.Route, n *chain.Node) []chain.NotChecked {
	var out []chain.NotChecked
	ask := func(layer string, c chain.HealthCheck) {
		if c.Path == "" {
			return
		}
		if _, found := known.to(s, layer, c.Path); found == nil {
			out = append(out, chain.NotChecked{Route: r.Name, Layer: layer, Setting: c.Every.Origin.Setting,
				Reason: c.Name + " asks for " + c.Path + ", which is no route over " + layer + ": what it waits for is not checked"})
		}
	}
	for _, c := range n.Checks {
		ask(n.Layer, c)
	}
	for _, c := range n.Calls() {
		if c.Check != nil {
			ask(c.To.Layer, *c.Check)
		}
	}
	return out
}
