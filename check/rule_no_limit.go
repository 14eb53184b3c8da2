package check

import (
	"fmt"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

var noLimit = &Rule{
	ID:       "no-limit",
	Title:    "a fault never ends for the outermost caller, and a setting exists that would end it",
	Why:      "A person looks at a spinner until they close the page; a program keeps a thread or a connection until it is restarted. Every wait needs one limit that ends it, and the product has a setting for it that is off.",
	Severity: Error,
	Since:    "0.1.0",
	Check:    checkNoLimit,
}

// dripping faults make progress for ever: only a total ends them, which is
// what gap-only is about.
func dripping(k chain.FaultKind) bool { return k == chain.Trickle || k == chain.HeaderDrip }

func checkNoLimit(p *Pass) {
	for _, r := range p.Stack.Routes {
		type cause struct {
			limit  chain.Limit
			node   *chain.Node
			traces []chain.Trace
		}
		var causes []*cause
		for _, t := range p.traces(r) {
			f := t.Fault
			if t.Outcome.At != chain.Never || dripping(f.Kind) || t.Outcome.Error == chain.NotKnown {
				continue
			}
			l, n, ok := ending(r, f)
			if !ok || l.Zero {
				continue
			}
			found := false
			for _, c := range causes {
				if c.limit.Origin.Setting == l.Origin.Setting {
					c.traces, found = append(c.traces, t), true
				}
			}
			if !found {
				causes = append(causes, &cause{l, n, []chain.Trace{t}})
			}
		}
		for _, c := range causes {
			t := c.traces[0]
			for _, x := range c.traces {
				if better(x.Fault.Kind, t.Fault.Kind) {
					t = x
				}
			}
			f := Finding{
				Routes: []string{r.Name}, Layer: c.node.Layer, Setting: c.limit.Origin.Setting, Owner: c.node.Owner,
				Severity: soften(Error, c.limit.Origin), Pos: c.limit.Origin.Pos, Label: c.limit.Origin.Name + " is " + c.limit.Why + known(c.limit.Origin),
				Message: fmt.Sprintf("%s waits for ever when %s %s%s: %s is %s", r.Root.Layer, t.Fault.Call.To.Layer, t.Fault.Kind.Does(), others(len(c.traces)-1), dotted(c.limit.Origin), c.limit.Why),
				Trace:   &t,
			}
			f.offer(p.endingFix(r, c.node, c.limit))
			p.Report(f)
		}
	}
}

func others(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return " and under 1 other fault"
	}
	return fmt.Sprintf(" and under %d other faults", n)
}

// dotted is the setting's path behind the layer and its type: "fetch.signal.timeout".
func dotted(o chain.Origin) string {
	parts := strings.Split(o.Setting, ".")
	if len(parts) > 2 {
		return strings.Join(parts[2:], ".")
	}
	return o.Name
}

// ending is a limit that is off and would end the fault if it were on: the
// outermost caller's own, else the one nearest to the fault.
func ending(r *chain.Route, f chain.Fault) (chain.Limit, *chain.Node, bool) {
	var hs []hop
	for _, h := range hops(r) {
		hs = append([]hop{h}, hs...)
	}
	if r.Root.Role == chain.RoleCaller && len(hs) > 0 {
		hs = append([]hop{hs[len(hs)-1]}, hs[:len(hs)-1]...)
	}
	for _, h := range hs {
		for _, l := range openLimits(h.call) {
			undo := setBound(r, l, time.Second)
			ends := chain.Play(r, f).Outcome.At != chain.Never
			undo()
			if ends {
				return l, h.from, true
			}
		}
	}
	return chain.Limit{}, nil, false
}

// endingFix sets the limit above what the layer inside can take at worst.
func (p *Pass) endingFix(r *chain.Route, n *chain.Node, l chain.Limit) (Fix, bool) {
	for _, h := range p.hops(r) {
		if h.from != n || h.call.To.Role == chain.RoleLeaf {
			continue
		}
		worst := chain.Worst(r, h.call.To).Total
		if worst == chain.Never {
			continue
		}
		fix, ok := set(l.Origin, p.over(h.call.To, l.Origin, worst))
		fix.After = fmt.Sprintf("over %s's worst case of %s", h.call.To.Layer, chain.Format(worst))
		return fix, ok
	}
	return Fix{}, false
}
