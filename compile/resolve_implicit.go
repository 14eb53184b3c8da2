package compile

import (
	"fmt"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
)

// implicit notes defaults that differ between versions which the stack leaves
// open, where that changes what the part does.
func (t *tree) implicit(e *effective) {
	for _, n := range e.changesOf() {
		t.notice(n)
	}
}

// changesOf are notices, one for each open version at which what the part does
// changes, newest first.
func (e *effective) changesOf() []chain.Notice {
	if e.compared {
		return e.changes
	}
	e.compared = true
	newer, does := e, ""
	for _, boundary := range e.typ.Boundaries {
		if e.version != "" && !tooCoarse(e.version, boundary) || !newer.restsOn(boundary) {
			continue
		}
		p := *e.part
		p.before = boundary
		older := settle(&p, e.peer, e.location)
		if newer.keepsIdle() && !older.keepsIdle() {
			e.keptIf = fmt.Sprintf("its version is %s or later", boundary)
		}
		if does == "" {
			does = newer.outcome()
		}
		did := older.outcome()
		if does != did {
			e.changes = append(e.changes, changed(newer, older, boundary)...)
		}
		newer, does = older, did
	}
	return e.changes
}

// keepsIdle reports whether connections of a call are kept when idle.
func (e *effective) keepsIdle() bool {
	return slices.ContainsFunc(e.timers, func(l chain.Limit) bool { return l.Kind == chain.IdleKeepalive && l.Side == chain.Calling })
}

// restsOn reports whether a default that changes at a version may be in force.
func (e *effective) restsOn(boundary string) bool {
	return adjusters[e.typ.Resolver] != nil || slices.ContainsFunc(e.settings, func(s *setting) bool {
		return !s.written() && slices.ContainsFunc(s.field.Defaults, func(d DefaultSpec) bool { return d.Since == boundary })
	})
}

// changed is the notice of what a version changes; none if only written
// settings differ.
func changed(newer, older *effective, boundary string) []chain.Notice {
	var now, then []string
	var which *setting
	for i, s := range newer.settings {
		o := older.settings[i]
		if s.written() || s.state == o.state && s.text == o.text || !newer.decides(s) {
			continue
		}
		if which == nil {
			which = s
		}
		one := s.origin.Name + " " + orNothing(s)
		if slices.Contains(now, one) { // a setting that has another one's value
			continue
		}
		now, then = append(now, one), append(then, orNothing(o))
	}
	if which == nil {
		return nil
	}
	n := chain.Notice{Kind: chain.NoticeImplicit, Layer: newer.layer, Origin: which.origin, Winner: which.origin}
	open := "version of " + newer.typ.Key + " is open"
	if newer.version != "" {
		n.Kind, open = chain.NoticeBoundary, newer.typ.Key+" "+newer.version+" is too coarse"
	}
	n.Message = fmt.Sprintf("%s: from %s on %s, before %s", open, boundary, strings.Join(now, " and "), strings.Join(then, " and "))
	return []chain.Notice{n}
}

func orNothing(s *setting) string {
	if s.state != known {
		return "not there"
	}
	return sayDefault(s.field, s.text)
}

// boundaries are the versions at which a default of the type changes, newest
// first; months of hosted products are none, since nobody chooses those.
func boundaries(f *Field) []string {
	var out []string
	var walk func(*Field)
	walk = func(f *Field) {
		if f == nil {
			return
		}
		for _, d := range f.Defaults {
			if d.Since != "" && !isMonth(d.Since) && !slices.Contains(out, d.Since) {
				out = append(out, d.Since)
			}
		}
		for _, sub := range f.Fields {
			walk(sub)
		}
		walk(f.Elem)
	}
	walk(f)
	slices.SortFunc(out, func(a, b string) int {
		switch {
		case a == b:
			return 0
		case atLeast(a, b):
			return -1
		}
		return 1
	})
	return out
}

// decides reports whether a setting bounds something, or another limit rests on it.
func (e *effective) decides(s *setting) bool {
	if s.field.Size != nil || s.field.Retry != nil || slices.ContainsFunc(s.field.Limits, func(l LimitSpec) bool { return l.Kind != chain.MaxLifetime }) {
		return true
	}
	for _, other := range e.settings {
		for _, l := range other.field.Limits {
			for _, c := range l.If {
				name, _, _ := strings.Cut(c, "=")
				if strings.TrimSuffix(name, "!") == s.field.Name && s.group == "" || c == s.field.Name && s.group == other.group {
					return true
				}
			}
		}
	}
	return false
}

// outcome is what the settings amount to, without their origins: two versions
// with the same outcome behave the same.
func (e *effective) outcome() string {
	var b strings.Builder
	for _, l := range e.timers {
		if l.Kind == chain.MaxLifetime {
			continue
		}
		fmt.Fprintf(&b, "%s %s %d %s;", l.Kind, l.Side, l.Bound, l.Fires)
	}
	if p := e.pool(); p != nil {
		fmt.Fprintf(&b, "pool %d %d %d;", p.PerHost.N, p.Total.N, p.Idle.N)
	}
	if r := e.retry(); r != nil {
		fmt.Fprintf(&b, "retry %d %v %v %t %d %d", r.Attempts.N, r.On, r.OnMethods, r.AsksFirst, r.Interval.D, r.Window.D)
	}
	return b.String()
}
