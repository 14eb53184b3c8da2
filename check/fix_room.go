package check

import (
	"fmt"
	"time"

	"tchain.dev/tchain/chain"
)

// roomFixes are the ways to make room under an outer limit: raise it, raise it
// and what is further out, or lower the largest part of the inner worst case.
func (p *Pass) roomFixes(h hop, outer chain.Limit, worst chain.Sum, room time.Duration) []Fix {
	if p.memo.trial {
		return nil
	}
	var out []Fix
	if fs := p.raise(h, outer, p.over(h.to, outer.Origin, worst.Total)); fs != nil {
		fix := both(fs...)
		fix.After = p.slackText(h, outer, worst.Total, fs)
		out = append(out, fix)
	}
	over := worst.Total + room - outer.Bound
	for _, t := range largestFirst(worst.Terms) {
		lower, ok := lowered(worst, t, over)
		if !ok || p.tooLow(h.route, t.Origin, lower) {
			continue
		}
		if f, ok := set(t.Origin, lower); ok {
			out = append(out, f)
			break
		}
	}
	return out
}

// lowered is the largest value of a term's setting that takes more than over off
// the sum, in which the setting may stand several times.
func lowered(worst chain.Sum, t chain.Term, over time.Duration) (time.Duration, bool) {
	times := 0
	for _, x := range worst.Terms {
		if x.Origin.Setting == t.Origin.Setting {
			times += max(x.N, 1)
		}
	}
	share := over / time.Duration(max(times, 1))
	if t.N > 1 || t.D <= share {
		return 0, false
	}
	return below(t.Origin, t.D-share), true
}

// tooLow reports whether a limit of that value would end a callee's answer that is
// as it should be, or that callee's own error.
func (p *Pass) tooLow(r *chain.Route, o chain.Origin, to time.Duration) bool {
	for _, h := range p.hops(r) {
		for _, l := range h.call.Limits() {
			if l.Origin.Setting != o.Setting || l.Origin.ID != o.ID || !l.Covers(chain.AtFirstByte) || !l.Ends() {
				continue
			}
			if tail := h.to.Work.Tail(); tail.Declared() && tail.D >= to {
				return true
			}
			if h.to.Role != chain.RoleLeaf {
				undo := setBound(r, l, to)
				late := h.worst(l).Total
				undo()
				if late != chain.Never && chain.Add(late, p.room(h.to, to)) >= to {
					return true
				}
			}
		}
	}
	return false
}

// over is the smallest value that leaves a layer's worst case its room, which
// itself depends on the outer limit.
func (p *Pass) over(inner *chain.Node, o chain.Origin, worst time.Duration) time.Duration {
	return above(o, worst+p.room(inner, worst+worst/10))
}

// raise raises an outer limit and, where that makes it necessary, the limits
// that watch it further out; nil where one of them cannot be raised.
func (p *Pass) raise(h hop, l chain.Limit, to time.Duration) []Fix {
	fix, ok := set(l.Origin, to)
	if !ok {
		return nil
	}
	fixes := []Fix{fix}
	undo := setBound(h.route, l, to)
	defer undo()
	if h.outer == nil {
		return fixes
	}
	out := p.outward(h)
	watch, ok := out.watching()
	if !ok {
		return fixes
	}
	worst := out.worst(watch).Total
	room := p.room(h.from, watch.Bound)
	if chain.Add(worst, room) < watch.Bound {
		return fixes
	}
	if worst == chain.Never {
		return nil
	}
	further := p.raise(out, watch, p.over(h.from, watch.Origin, worst))
	if further == nil {
		return nil
	}
	return append(fixes, further...)
}

// outward is the hop that reaches this hop's caller.
func (p *Pass) outward(h hop) hop {
	for _, x := range p.hops(h.route) {
		if x.call == h.outer {
			return x
		}
	}
	return hop{}
}

// slackText says what room a raised limit then has on both sides.
func (p *Pass) slackText(h hop, l chain.Limit, inner time.Duration, fs []Fix) string {
	to := p.over(h.to, l.Origin, inner)
	text := fmt.Sprintf("then %s over %s's error", chain.Shown(to-inner), h.to.Layer)
	if len(fs) > 1 || h.outer == nil {
		return text
	}
	undo := setBound(h.route, l, to)
	defer undo()
	out := p.outward(h)
	if watch, ok := out.watching(); ok {
		if slack := watch.Bound - out.worst(watch).Total; slack > 0 {
			text += fmt.Sprintf(", %s under %s", chain.Shown(slack), out.from.Layer)
		}
	}
	return text
}

func largestFirst(ts []chain.Term) []chain.Term {
	out := append([]chain.Term(nil), ts...)
	for i := range out {
		for j := i + 1; j < len(out); j++ {
			if out[j].D > out[i].D {
				out[i], out[j] = out[j], out[i]
			}
		}
	}
	return out
}
