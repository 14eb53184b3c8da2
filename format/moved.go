package format

import (
	"fmt"
	"strconv"
	"strings"

	"tchain.dev/tchain/diff"
	"tchain.dev/tchain/emit/report"
)

// movedLines say per route what moved. Routes that moved in the same way are told
// once. sources says where the values are from.
func movedLines(routes []diff.Route, sources bool) []string {
	type group struct {
		names []string
		body  []string
	}
	var groups []group
	at := map[string]int{}
	for i := range routes {
		body := routeLines(&routes[i], sources)
		key := strings.Join(body, "\n")
		g, ok := at[key]
		if !ok {
			g = len(groups)
			at[key] = g
			groups = append(groups, group{body: body})
		}
		groups[g].names = append(groups[g].names, routeName(&routes[i]))
	}
	var out []string
	for _, g := range groups {
		out = append(out, "   "+someNames(g.names))
		out = append(out, g.body...)
	}
	return out
}

func routeName(r *diff.Route) string {
	name := r.Route
	if r.Entrance != "" {
		name += " from " + r.Entrance
	}
	if r.Change != diff.Changed {
		name += ": " + string(r.Change) + " route"
	}
	return name
}

func routeLines(r *diff.Route, sources bool) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, "      "+fmt.Sprintf(format, args...)) }
	if r.Path != nil && r.Change == diff.Changed {
		add("way: %s", r.Path.Old)
		add("  → %s", r.Path.New)
	}
	if r.Worst != nil {
		add("%s waits %s", r.Outermost, waitText(r.Worst))
	}
	if r.Change != diff.Changed {
		return out
	}
	for _, f := range r.Facts {
		add("%s", factText(&f, sources))
	}
	for i := range r.Hops {
		add("%s", hopText(&r.Hops[i]))
		out = append(out, limitLines(r.Hops[i].Limits, sources)...)
		if p := r.Hops[i].Pool; p != nil {
			add("  %s", poolText(p))
		}
	}
	return append(out, faultLines(r)...)
}

// span is "128s → 93s", or one word where a side has none.
func span(s *diff.Span) string {
	switch {
	case s.Old == nil:
		return s.New.String()
	case s.New == nil:
		return s.Old.String()
	case *s.Old == *s.New:
		return s.New.String()
	}
	return s.Old.String() + " → " + s.New.String()
}

// waitText is "160s at most → for ever".
func waitText(s *diff.Span) string {
	text := func(d *report.Duration) string {
		switch {
		case d == nil:
			return ""
		case *d == diff.Never:
			return "for ever"
		}
		return d.String() + " at most"
	}
	switch {
	case s.Old == nil:
		return text(s.New)
	case s.New == nil || *s.Old != diff.Never && *s.New != diff.Never:
		return span(s) + " at most"
	}
	return change(text(s.Old), text(s.New), "")
}

func change(o, n, none string) string {
	if o == "" {
		o = none
	}
	if n == "" {
		n = none
	}
	if o == n {
		return n
	}
	return o + " → " + n
}

func factText(f *diff.Fact, withSource bool) string {
	text := f.Name + " " + change(f.Old, f.New, "none")
	if f.Layer != "" {
		text = f.Layer + ": " + text
	}
	if s := sources(f.Source.Old, f.Source.New); withSource && s != "" {
		text += "  " + s
	}
	return text
}

// sources says where a value was from and is from. A default that another version
// brings is told as that.
func sources(o, n string) string {
	const by = "default of "
	ow, od := strings.CutPrefix(o, by)
	nw, nd := strings.CutPrefix(n, by)
	switch {
	case o == n || o == "":
		return n
	case n == "":
		return "was " + o
	case od && nd:
		name, before, _ := strings.Cut(ow, " ")
		if other, after, ok := strings.Cut(nw, " "); ok && other == name && before != "" {
			return "default, changed by " + name + " " + before + " → " + after
		}
		return by + ow + " → " + nw
	case fileOf(o) != "" && fileOf(o) == fileOf(n):
		return n
	}
	return o + " → " + n
}

// fileOf is the file of a source that is a place, "" of any other.
func fileOf(source string) string {
	i := strings.LastIndexByte(source, ':')
	if i < 0 {
		return ""
	}
	return source[:i]
}

func hopText(h *diff.Hop) string {
	text := h.From + " → " + h.To
	if h.Change != diff.Changed {
		text += " (" + string(h.Change) + ")"
	}
	if h.Worst == nil {
		return text
	}
	if s := h.Worst.New; s != nil && *s == diff.Never && (h.Worst.Old == nil || *h.Worst.Old == *s) {
		return text + ": " + h.To + " never ends by itself"
	}
	text += ": " + h.To + " ends by " + span(h.Worst)
	if h.Sum.New != "" && h.Change != diff.Gone {
		text += " = " + h.Sum.New
	}
	return text
}

func poolText(p *diff.Pool) string {
	switch {
	case p.Old == nil:
		return "no pool → " + p.New.Text()
	case p.New == nil:
		return p.Old.Text() + " → no pool"
	}
	size, need := strconv.Itoa(p.New.Size), ""
	if p.Old.Size != p.New.Size {
		size = strconv.Itoa(p.Old.Size) + " → " + size
	}
	if name := p.New.Name(); name != "" {
		size += " (" + name + ")"
	}
	number := func(n *int) string {
		if n == nil {
			return ""
		}
		return strconv.Itoa(*n)
	}
	if p.Old.Need != nil || p.New.Need != nil {
		need = ", needs " + change(number(p.Old.Need), number(p.New.Need), "not known")
	}
	return "pool of " + size + need
}

// faultLines say what the outermost layer sees now, faults of one place that
// changed alike together.
func faultLines(r *diff.Route) []string {
	type key struct{ from, to, old, new string }
	var order []key
	kinds := map[key][]string{}
	for _, f := range r.Faults {
		k := key{f.From, f.To, f.Sees.Old, f.Sees.New}
		if kinds[k] == nil {
			order = append(order, k)
		}
		kinds[k] = append(kinds[k], f.Fault)
	}
	if len(order) == 0 {
		return nil
	}
	out := []string{"      what " + r.Outermost + " sees if"}
	for _, k := range order {
		out = append(out, fmt.Sprintf("        %s %s: %s", k.to, strings.Join(distinct(kinds[k]), ", "), change(k.old, k.new, "cannot happen")))
	}
	return out
}
