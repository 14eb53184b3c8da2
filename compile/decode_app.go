package compile

import (
	"slices"
	"strings"
)

// app reads the block of an app: its server, its clients, its calls, and the
// rest by the table.
func (d *decoder) app(w *walk, m member) *App {
	a := &App{}
	d.suppressions(d.attrsOf(m.path), m.path)
	fields, ok := members(m.v, m.path)
	if !ok && !broken(m.v) {
		d.failValue(m.path, "app is %s; it takes a block: app: {…}", shownValue(m.v))
	}
	var plain []member
	base := d.overridden(w)
	for _, f := range fields {
		switch f.name {
		case "server":
			if base != nil && base.Server == nil {
				d.failLabel(f.path, "%s has no server that could differ on one route; add it to the layer", w.layer)
				continue
			}
			a.Server = d.part(w, f, "server")
		case "clients":
			a.Clients = d.clients(w, f)
		case "calls":
			if w.route {
				d.failLabel(f.path, "the calls of one route stand in the route; write calls: %s: […]", w.layer)
				continue
			}
			a.Calls = d.calls(f)
		default:
			plain = append(plain, f)
		}
	}
	a.Block = d.fields(w, w.typ.Root, plain, m.path)
	for _, f := range plain {
		d.laterField(w, f)
	}
	return a
}

// overridden is the app that a route's block lies over; nil outside of a route,
// and where the app could not be read.
func (d *decoder) overridden(w *walk) *App {
	if l := d.layerNamed(w.layer); w.route && l != nil {
		return l.App
	}
	return nil
}

// laterField is later for one field of a type whose other fields are read
// elsewhere.
func (d *decoder) laterField(w *walk, f member) {
	if !w.full {
		return
	}
	def := d.cat.definition(contextOf(f.v), w.typ.Category, w.typ.Key)
	if field := optional(def, f.name); field.Exists() {
		d.fill = append(d.fill, filling{field, w.gifted(f.v, f.path), f.path})
	}
}

func (d *decoder) clients(w *walk, m member) []*Part {
	fields, ok := members(m.v, m.path)
	if !ok && !broken(m.v) {
		d.failValue(m.path, "clients is %s; write one key for each layer that is called: clients: auth: {…}", shownValue(m.v))
	}
	var out []*Part
	for _, f := range fields {
		if strings.Contains(f.name, "://") {
			d.failLabel(f.path, "clients are keyed by the layer that they call, not by its address; write the layer's name for %q", f.name)
			continue
		}
		if base := d.overridden(w); base != nil && named(base.Clients, f.name) == nil && !d.anyBad([]string{"layers", w.layer}) {
			d.unknownClient(w.layer, base, f)
			continue
		}
		if p := d.part(w, f, "client"); p != nil {
			out = append(out, p)
		}
	}
	return out
}

// unknownClient answers a route that speaks of a client that the app does not have.
func (d *decoder) unknownClient(layer string, base *App, m member) {
	var known []string
	for _, c := range base.Clients {
		known = append(known, c.Name)
	}
	if len(known) == 0 {
		d.failLabel(m.path, "%s has no client %s; it has none", layer, m.name)
		return
	}
	d.failLabel(m.path, "%s has no client %s; %s", layer, m.name, strings.Replace(meant(m.name, known, 8), "it takes", "it has", 1))
}

// partFields are what stands beside the type of a client.
var partFields = []string{"to", "via", "wrap"}

// part reads a server or a client: exactly one type, and beside it the words
// that a client takes.
func (d *decoder) part(w *walk, m member, category string) *Part {
	p := &Part{Name: m.name, Pos: d.labelOf(m.path)}
	d.suppressions(d.attrsOf(m.path), m.path)
	fields, ok := members(m.v, m.path)
	if !ok {
		if !broken(m.v) {
			d.failValue(m.path, "%s is %s; its type is a key: write %s: {…}", m.name, shownValue(m.v), keysExample(d.cat, category))
		}
		return nil
	}
	var types []member
	unknown := false
	if i := typeField(fields); i >= 0 && !d.cat.has(category, "type") {
		d.unknownInPart(m, fields[i], category)
		return nil // the settings beside it are no types
	}
	for _, f := range fields {
		switch {
		case category == "client" && slices.Contains(partFields, f.name):
		case d.cat.has(category, f.name):
			types = append(types, f)
		default:
			unknown = true
			d.unknownInPart(m, f, category)
		}
	}
	switch {
	case len(types) > 1:
		d.failLabel(types[1].path, "%s has two types, %s and %s; a %s is exactly one", m.name, types[0].name, types[1].name, category)
		return nil
	case len(types) == 0:
		if !unknown && !w.route {
			d.failLabel(m.path, "%s has no type; a %s's type is a key, as %s: {…}; there are %s", m.name, category, keysExample(d.cat, category), list(d.cat.keys(category), "and"))
		}
		if !w.route {
			return nil
		}
	default:
		d.typedPart(w, p, types[0], category)
	}
	if category == "client" {
		d.aroundClient(p, fields, w)
	}
	return p
}

func (d *decoder) typedPart(w *walk, p *Part, m member, category string) {
	typ, err := d.cat.typ(category, m.name)
	if err != nil {
		d.failLabel(m.path, "%v", err)
		return
	}
	p.Type = typ
	inner := &walk{typ: typ, layer: w.layer, route: w.route}
	p.Block = d.block(inner, typ.Root, m.v, m.path)
	p.Wrap = inner.wrap
	d.later(inner, m.v, m.path)
}

func (d *decoder) unknownInPart(in, m member, category string) {
	known := d.cat.keys(category)
	if m.name == "type" {
		word := known[0]
		if s, err := concrete(m.v).String(); err == nil && likely(s, known) != "" {
			word = likely(s, known)
		}
		d.failLabel(m.path, "the type of a %s is its key; write %s: %s: {…}", category, in.name, word)
		return
	}
	choices := known
	if category == "client" {
		choices = append(slices.Clone(known), partFields...)
	}
	if best := Closest(m.name, choices); best != "" {
		d.failLabel(m.path, "unknown %s type %q in %s; did you mean %s?", category, m.name, in.name, best)
		return
	}
	d.failLabel(m.path, "unknown %s type %q in %s; see tchain settings", category, m.name, in.name)
}

// keysExample is a type to show the form with: one that does not change as the
// catalogue grows.
func keysExample(c *catalogue, category string) string {
	if keys := c.keys(category); len(keys) > 0 && !c.has(category, "custom") {
		return keys[0]
	}
	return "custom"
}

// aroundClient reads what is said of a client in this system.
func (d *decoder) aroundClient(p *Part, fields []member, w *walk) {
	named := false
	if !w.route {
		p.To = []string{p.Name}
	}
	for _, f := range fields {
		if w.route && slices.Contains(partFields, f.name) {
			d.failLabel(f.path, "%s holds for the whole client and cannot differ on one route", f.name)
			continue
		}
		switch f.name {
		case "to":
			p.To, named = d.names(f), true
			for i, to := range p.To {
				d.knownLayer(to, f, i, "client "+p.Name)
			}
		case "via":
			p.Via = d.str(f)
			if p.Via != "" {
				d.knownLayer(p.Via, f, -1, "client "+p.Name)
			}
		case "wrap":
			p.Wrap = append(p.Wrap, d.wraps(f)...)
		}
	}
	if !named && !w.route && !d.isLayer(p.Name) {
		best := Closest(p.Name, d.layerNames())
		if best != "" {
			d.failLabel(fields[0].path[:len(fields[0].path)-1], "client %s calls no layer of its name; did you mean %s?", p.Name, best)
		} else {
			d.failLabel(fields[0].path[:len(fields[0].path)-1], `client %s calls no layer of its name; add to: "…"`, p.Name)
		}
	}
}

// knownLayer demands that a name in a value is a layer of the stack.
func (d *decoder) knownLayer(name string, m member, i int, where string) bool {
	if d.isLayer(name) {
		return true
	}
	path := m.path
	if at := below(path, indexed(i)); i >= 0 && d.src.at(at...).Line > 0 {
		path = at
	}
	d.failValue(path, "unknown layer %q in %s; %s", name, where, meant(name, d.layerNames(), 8))
	return false
}
