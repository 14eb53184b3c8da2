package diff

import (
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit/report"
)

// routes compares the routes of a stack; the reports are in the order of the routes.
func routes(olds, news []*chain.Route, before, after []report.Route, named [2]func(string) string) []Route {
	var out []Route
	for _, p := range paired(before, after, func(r *report.Route) string { return r.Route + "\x00" + r.Entrance }) {
		var o, n *chain.Route
		if p[0] >= 0 {
			o = olds[p[0]]
		}
		if p[1] >= 0 {
			n = news[p[1]]
		}
		r := route(at(before, p[0]), at(after, p[1]))
		if o != nil && n != nil {
			r.Facts = append(r.Facts, facts(factsOf(o, named[0]), factsOf(n, named[1]), shown(r.Hops))...)
		}
		if r.differs() {
			out = append(out, r)
		}
	}
	return out
}

func (r *Route) differs() bool {
	return r.Change != Changed || r.Path != nil || r.Worst != nil || len(r.Facts)+len(r.Hops)+len(r.Faults) > 0
}

func route(o, n *report.Route) Route {
	some := n
	if n == nil {
		some = o
	}
	r := Route{Route: some.Route, Entrance: some.Entrance, Change: kind(o, n), Facts: []Fact{}, Hops: []Hop{}, Faults: []Fault{}}
	if len(some.Path) > 0 {
		r.Outermost = some.Path[0]
	}
	var path Text
	var worst Span
	var oh, nh []report.Hop
	var of, nf []report.Fault
	if o != nil {
		path.Old, worst.Old = strings.Join(o.Path, " → "), &o.Worst
		oh, of = o.Hops, o.Faults
	}
	if n != nil {
		path.New, worst.New = strings.Join(n.Path, " → "), &n.Worst
		nh, nf = n.Hops, n.Faults
	}
	if path.Old != path.New {
		r.Path = &path
	}
	if o == nil || n == nil || o.Worst != n.Worst {
		r.Worst = &worst
	}
	r.Hops = append(r.Hops, hops(oh, nh)...)
	if r.Change == Changed {
		r.Faults = append(r.Faults, faults(of, nf)...)
	}
	return r
}

// shown are the settings that the limits of hops already tell of.
func shown(hops []Hop) map[string]bool {
	out := map[string]bool{}
	for _, h := range hops {
		for _, l := range h.Limits {
			for _, x := range []*report.Limit{l.Old, l.New} {
				if x != nil {
					out[x.Setting] = true
				}
			}
		}
		if h.Pool == nil {
			continue
		}
		for _, x := range []*report.Pool{h.Pool.Old, h.Pool.New} {
			if x != nil {
				out[x.Setting] = true
			}
		}
	}
	return out
}

func hops(olds, news []report.Hop) []Hop {
	var out []Hop
	for _, p := range paired(olds, news, func(h *report.Hop) string { return h.From + "\x00" + h.To }) {
		if h, differs := hop(at(olds, p[0]), at(news, p[1])); differs {
			out = append(out, h)
		}
	}
	return out
}

func hop(o, n *report.Hop) (h Hop, differs bool) {
	some := n
	if n == nil {
		some = o
	}
	h = Hop{From: some.From, To: some.To, Change: kind(o, n), Limits: []Limit{}}
	var worst Span
	var pool Pool
	var ol, nl []report.Limit
	if o != nil {
		worst.Old, pool.Old, ol, h.Sum.Old = &o.Worst, o.Pool, o.Limits, o.SumText()
	}
	if n != nil {
		worst.New, pool.New, nl, h.Sum.New = &n.Worst, n.Pool, n.Limits, n.SumText()
	}
	if o == nil || n == nil || o.Worst != n.Worst || h.Sum.Old != h.Sum.New {
		h.Worst = &worst
	}
	if !samePool(pool.Old, pool.New) {
		h.Pool = &pool
	}
	h.Limits = append(h.Limits, limits(ol, nl)...)
	return h, h.Change != Changed || h.Worst != nil || h.Pool != nil || len(h.Limits) > 0
}

func samePool(a, b *report.Pool) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Size == b.Size && (a.Need == nil) == (b.Need == nil) && (a.Need == nil || *a.Need == *b.Need)
}

// limits compares the timers of a call: those of one setting, then those of one
// kind, where another setting now decides.
func limits(olds, news []report.Limit) []Limit {
	var out []Limit
	var gone, come []report.Limit
	add := func(o, n *report.Limit) {
		if o != nil && n != nil && sameLimit(o, n) {
			return
		}
		some := n
		if n == nil {
			some = o
		}
		out = append(out, Limit{some.Kind, some.Side, kind(o, n), o, n})
	}
	for _, p := range paired(olds, news, func(l *report.Limit) string { return l.Side + "\x00" + l.Kind + "\x00" + l.Setting + "\x00" + l.When }) {
		o, n := at(olds, p[0]), at(news, p[1])
		switch {
		case o == nil:
			come = append(come, *n)
		case n == nil:
			gone = append(gone, *o)
		default:
			add(o, n)
		}
	}
	for _, p := range paired(gone, come, func(l *report.Limit) string { return l.Side + "\x00" + l.Kind + "\x00" + l.When }) {
		add(at(gone, p[0]), at(come, p[1]))
	}
	return out
}

// sameLimit compares what is in force, not where it is written.
func sameLimit(a, b *report.Limit) bool {
	if a.Value != b.Value || a.ValueText() != b.ValueText() || (a.Slack == nil) != (b.Slack == nil) {
		return false
	}
	return a.Slack == nil || *a.Slack == *b.Slack
}

func faults(olds, news []report.Fault) []Fault {
	var out []Fault
	key := func(f *report.Fault) string { return f.Fault + "\x00" + f.From + "\x00" + f.To }
	for _, p := range paired(olds, news, key) {
		o, n := at(olds, p[0]), at(news, p[1])
		some := n
		if n == nil {
			some = o
		}
		f := Fault{Fault: some.Fault, From: some.From, To: some.To, Text: some.Text}
		if o != nil {
			f.Old, f.Sees.Old = &o.Outcome, o.Sees()
		}
		if n != nil {
			f.New, f.Sees.New = &n.Outcome, n.Sees()
		}
		if f.Sees.Old != f.Sees.New {
			out = append(out, f)
		}
	}
	return slices.Clip(out)
}
