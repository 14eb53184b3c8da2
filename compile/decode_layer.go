package compile

import (
	"slices"
	"strings"

	"cuelang.org/go/cue"
)

func (d *decoder) ownTypes(m member) {
	if broken(m.v) {
		return
	}
	view, errs := d.cat.add(m.v)
	d.cat = view
	for _, e := range errs {
		if at, ok := e.in(d.src); ok {
			d.bad[key(e.path)] = true
			d.failAt(at, "%s", e.err)
			continue
		}
		d.failLabel(e.path, "%s", e.err)
	}
}

func (d *decoder) layers(m member) {
	fields, ok := members(m.v, m.path)
	if !ok {
		d.lost = true
		if !broken(m.v) {
			d.failValue(m.path, "layers is %s; write one key for each layer: layers: proxy: nginx: {…}", shownValue(m.v))
		}
		return
	}
	if len(fields) == 0 {
		d.failValue(m.path, "layers is empty; write one key for each layer: layers: proxy: nginx: {…}")
	}
	d.out.Layers = make([]*Layer, len(fields))
	for i, f := range fields {
		d.out.Layers[i] = &Layer{Name: f.name}
	}
	for i, f := range fields {
		d.layer(d.out.Layers[i], f, false)
	}
}

func (d *decoder) layerNames() []string {
	out := make([]string, len(d.out.Layers))
	for i, l := range d.out.Layers {
		out[i] = l.Name
	}
	return out
}

// layerNamed is a declared layer; nil if there is none.
func (d *decoder) layerNamed(name string) *Layer {
	if i := slices.IndexFunc(d.out.Layers, func(l *Layer) bool { return l.Name == name }); i >= 0 {
		return d.out.Layers[i]
	}
	return nil
}

// isLayer reports whether a name is one of a layer, or may be.
func (d *decoder) isLayer(name string) bool { return d.lost || d.layerNamed(name) != nil }

// layer reads one layer, or under `at` what differs of it on a route.
func (d *decoder) layer(l *Layer, m member, route bool) {
	l.Pos = d.labelOf(m.path)
	d.suppressions(d.attrsOf(m.path), m.path)
	fields, ok := members(m.v, m.path)
	if !ok {
		if !broken(m.v) {
			d.failValue(m.path, "%s is %s; the type of a layer is its key: write %s: %s: {…}", m.name, shownValue(m.v), m.name, d.typeWord(m.v))
		}
		return
	}
	facts, err := d.cat.typ("facts", "layer")
	if err != nil {
		d.failLabel(m.path, "%v", err)
		return
	}
	var types, beside []member
	unknown := false
	if i := typeField(fields); i >= 0 && !d.cat.has("layer", "type") {
		d.unknownInLayer(m.name, fields[i], facts)
		return // the settings beside it are no types
	}
	for _, f := range fields {
		switch {
		case facts.Root.child(f.name) != nil:
			beside = append(beside, f)
		case d.cat.has("layer", f.name):
			types = append(types, f)
		default:
			unknown = true
			d.unknownInLayer(m.name, f, facts)
		}
	}
	switch {
	case len(types) > 1:
		names := make([]string, len(types))
		for i, t := range types {
			names[i] = t.name
		}
		d.failLabel(types[1].path, "%s has two types, %s; a layer is exactly one", m.name, list(names, "and"))
		return
	case len(types) == 0 && !unknown && !route:
		d.failLabel(m.path, "%s has no type; write it as a key: %s: nginx: {…}", m.name, m.name)
		return
	}
	if len(types) == 1 {
		d.typed(l, types[0], route)
	}
	d.facts(l, facts, m, beside, route)
	if base := d.layerNamed(l.Name); base != l {
		d.budgets(l, base)
	} else {
		d.budgets(l, nil)
	}
}

// typeField is the index of a field that says the type in words; -1 if there is none.
func typeField(fields []member) int {
	return slices.IndexFunc(fields, func(f member) bool { return f.name == "type" })
}

// facts reads what stands beside the type.
func (d *decoder) facts(l *Layer, facts *Type, m member, beside []member, route bool) {
	if len(beside) == 0 {
		return
	}
	w := &walk{typ: facts, layer: l.Name, route: route}
	l.Facts = d.fields(w, facts.Root, beside, m.path)
	for _, f := range beside {
		d.laterField(w, f)
	}
}

// typed reads the layer's one type.
func (d *decoder) typed(l *Layer, m member, route bool) {
	typ, err := d.cat.typ("layer", m.name)
	if err != nil {
		d.failLabel(m.path, "%v", err)
		return
	}
	l.Type = typ
	w := &walk{typ: typ, layer: l.Name, route: route}
	switch {
	case typ.Key == "app":
		l.App = d.app(w, m)
		l.Block = l.App.Block
	case typ.Root.leaf():
		holder := &Block{Field: typ.Root, Path: m.path}
		d.leaf(&walk{typ: typ, layer: l.Name}, holder, typ.Root, m)
		if len(holder.Values) == 1 {
			l.Text = holder.Values[0].Text
		}
	default:
		l.Block = d.block(w, typ.Root, m.v, m.path)
		d.later(w, m.v, m.path)
	}
	l.Wrap = w.wrap
}

func (d *decoder) unknownInLayer(layer string, m member, facts *Type) {
	if m.name == "type" {
		word := d.typeWord(m.v)
		d.failLabel(m.path, "a layer's type is its key; write %s: %s: {…}", layer, word)
		return
	}
	for _, platform := range d.cat.keys("platform") {
		typ, err := d.cat.typ("platform", platform)
		if err != nil {
			d.failLabel(m.path, "%v", err)
			return
		}
		if h := homes(typ, func(f *Field) bool { return f.Name == m.name }); len(h) > 0 {
			d.failLabel(m.path, "%s stands in %s; write %s: %s", m.name, platform, layer, h[0].write(typ))
			return
		}
	}
	known := d.cat.keys("layer")
	if best := Closest(m.name, known); best != "" {
		d.failLabel(m.path, "unknown type %q in layer %s; did you mean %s?", m.name, layer, best)
		return
	}
	var beside []string
	for _, f := range facts.Root.Fields {
		beside = append(beside, f.Name)
	}
	if best := Closest(m.name, beside); best != "" {
		d.failLabel(m.path, "unknown field %q in layer %s; did you mean %s?", m.name, layer, best)
		return
	}
	for _, category := range []string{"client", "server"} {
		if d.cat.has(category, m.name) {
			field := category + "s"
			if category == "server" { // it has one
				field = category
			}
			d.failLabel(m.path, "%s is a %s of an app; write %s: app: %s: …", m.name, category, layer, field)
			return
		}
	}
	d.failLabel(m.path, "unknown type %q in layer %s; see tchain settings, or write custom", m.name, layer)
}

// typeWord is the type that a person named in a value, for a message that
// shows where it belongs.
func (d *decoder) typeWord(v cue.Value) string {
	s, err := concrete(v).String()
	if err == nil {
		if best := likely(strings.ToLower(s), d.cat.keys("layer")); best != "" {
			return best
		}
	}
	return "nginx"
}
