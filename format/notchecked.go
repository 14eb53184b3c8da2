package format

import (
	"fmt"
	"strings"

	"tchain.dev/tchain/chain"
)

// An unchecked is one fact that could not be known, with its stack.
type unchecked struct {
	stack string
	chain.NotChecked
}

// notChecked is all that was not checked in a stack, its own list first, then
// the routes' in order.
func notChecked(s *chain.Stack) []unchecked {
	if s == nil {
		return nil
	}
	var out []unchecked
	for _, n := range s.NotChecked {
		out = append(out, unchecked{s.Name, n})
	}
	for _, r := range s.Routes {
		for _, n := range r.NotChecked {
			if n.Route == "" {
				n.Route = r.Name
			}
			out = append(out, unchecked{s.Name, n})
		}
	}
	return out
}

// fewUnchecked is how many lines say what was not checked, unless all are asked for.
const fewUnchecked = 5

// A gaps collects what was not checked over a run, each cause once.
type gaps struct {
	order []gapKey
	where map[gapKey]*gapCount
}

type gapKey struct{ subject, reason string }

type gapCount struct {
	routes, stacks map[string]bool
}

func (g *gaps) add(list []unchecked) {
	if g.where == nil {
		g.where = map[gapKey]*gapCount{}
	}
	for _, n := range list {
		key := gapKey{subject(n.NotChecked), n.Reason}
		c := g.where[key]
		if c == nil {
			c = &gapCount{map[string]bool{}, map[string]bool{}}
			g.where[key] = c
			g.order = append(g.order, key)
		}
		c.stacks[n.stack] = true
		if n.Route != "" {
			c.routes[n.stack+" "+n.Route] = true
		}
	}
}

// subject is the layer or setting that is not checked; a setting path begins
// with its layer and says both.
func subject(n chain.NotChecked) string {
	switch {
	case n.Setting == "":
		return n.Layer
	case n.Layer == "" || strings.HasPrefix(n.Setting, n.Layer+"."):
		return n.Setting
	}
	return n.Layer + " " + n.Setting
}

// lines are the section's lines, without its heading.
func (g *gaps) lines(all bool) []string {
	var out []string
	for i, key := range g.order {
		if rest := len(g.order) - i; i == fewUnchecked && rest > 1 && !all {
			return append(out, fmt.Sprintf("and %d more (--not-checked)", rest))
		}
		line := key.reason
		if key.subject != "" {
			line = key.subject + ": " + key.reason
		}
		c := g.where[key]
		switch {
		case len(c.stacks) > 1:
			line += fmt.Sprintf("  (%d stacks)", len(c.stacks))
		case len(c.routes) > 1:
			line += fmt.Sprintf("  (%d routes)", len(c.routes))
		}
		out = append(out, line)
	}
	return out
}
