package compile

import (
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue"

	"tchain.dev/tchain/chain"
)

// leaf takes one setting as the user wrote it.
func (d *decoder) leaf(w *walk, b *Block, f *Field, m member) {
	if broken(m.v) {
		d.bad[key(m.path)] = true
		return
	}
	v := &Value{Field: f, Path: m.path, Origin: chain.Origin{
		Source: chain.Written, Layer: w.layer, Setting: settingPath(m.path), ID: f.ID, Name: f.said(m.name),
		Proved: f.Proof != "", Doc: f.DocURL,
	}}
	at := d.standing(m.path)
	v.Origin.Pos, v.Origin.Used, v.Origin.Shared = at.pos, at.used, at.shared
	d.suppressions(at.attrs, m.path)
	if w.route && f.Scope != "route" && f.Scope != "location" {
		d.failLabel(m.path, "%s %s holds for the whole %s and cannot differ on one route", w.typ.Key, m.name, w.whole(f))
		return
	}
	d.attributes(v, at.attrs)
	if v.Inject != "" {
		d.src.env = append(d.src.env, v.Inject)
	}
	if f.check.needsCUE() {
		w.full = true
	}
	known := concrete(m.v)
	given, injected := d.set[v.Inject]
	switch {
	case v.Inject != "" && injected:
		v.Origin.Source = chain.Injected
		var ok bool
		if known, ok = d.inject(w, v, m.v, given); !ok {
			return
		}
	case known.Kind() != cue.BottomKind:
		if !d.take(v, known) {
			return
		}
	case v.Inject != "":
		v.Origin.Source = chain.Injected
	default:
		d.failValue(m.path, "%s has no value; %s", m.name, noValue(at.attrs, "write one or mark it @env(NAME)"))
		return
	}
	if v.Raw != nil && slices.Contains(f.Flags, "addresses") && !d.addresses(b.Field, v, known) {
		return
	}
	v.Origin.Text = v.Text
	if v.Origin.Source == chain.Written {
		v.Origin.Place = d.placeOf(v, at)
	}
	b.Values = append(b.Values, v)
}

// noValue is what to do about a value that is not there, by the attributes that
// a person expected it from.
func noValue(attrs []attr, write string) string {
	for _, a := range attrs {
		switch arg, _ := a.arg(""); a.Name {
		case "tag":
			return "@tag is not set by a check; " + write
		case "env", "from":
			return "@" + a.Name + "(" + arg + ") fills in settings and facts only; " + write
		}
	}
	return write
}

// whole is what a setting without a scope of its own on a route holds for.
func (w *walk) whole(f *Field) string {
	switch {
	case w.typ.Whole != "":
		return w.typ.Whole
	case f.Scope != "":
		return f.Scope
	}
	return "layer"
}

// settingPath is a path as Origin.Setting says it.
func settingPath(path []string) string {
	if len(path) > 1 && path[0] == "layers" {
		path = path[1:]
	}
	return pathText(path)
}

// pathText is a path as CUE writes it: list[0].name."a key".
func pathText(path []string) string {
	var b strings.Builder
	n := 0
	for _, name := range path {
		n += len(".") + len(name)
	}
	b.Grow(n)
	for i, name := range path {
		indexed := isIndexed(name)
		if i > 0 && !indexed {
			b.WriteByte('.')
		}
		if indexed || plainName(name) {
			b.WriteString(name)
		} else {
			b.WriteString(strconv.Quote(name))
		}
	}
	return b.String()
}

func plainName(s string) bool {
	for i, r := range s {
		if r != '_' && !('a' <= r && r <= 'z') && !('A' <= r && r <= 'Z') && !('0' <= r && r <= '9' && i > 0) {
			return false
		}
	}
	return s != ""
}
