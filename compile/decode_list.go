package compile

import "slices"

// listBlock takes a list of blocks, in which each element has one key. They are
// kept as a block keyed by the index.
func (d *decoder) listBlock(w *walk, f *Field, m member) *Block {
	b := &Block{Field: f, Path: m.path, Pos: d.labelOf(m.path)}
	d.suppressions(d.attrsOf(m.path), m.path)
	all, ok := elements(m.v, m.path)
	if !ok && !broken(m.v) {
		d.failValue(m.path, "%s is %s; it is a list: %s: [{…}]", m.name, shownValue(m.v), m.name)
	}
	for _, e := range all {
		fields, ok := members(e.v, e.path)
		if ok && len(fields) == 0 {
			d.failValue(e.path, "%s has an empty element; each has one key: %s", m.name, list(f.Elem.names(), "or"))
		}
		if len(fields) > 1 {
			d.failLabel(fields[1].path, "one element of %s has %s and %s; write each as an element of its own", m.name, fields[0].name, fields[1].name)
		}
		inner := d.block(w, f.Elem, e.v, e.path)
		inner.Key = e.name
		b.Blocks = append(b.Blocks, inner)
	}
	return b
}

// names are the names of the struct's fields.
func (f *Field) names() []string {
	out := make([]string, len(f.Fields))
	for i, c := range f.Fields {
		out[i] = c.Name
	}
	return out
}

// An element is one struct of a list of blocks.
type element struct {
	block    layered
	settings []*setting
}

// find is a setting of the element by its name: "retryWhen.filter".
func (x element) find(name string) *setting {
	i := slices.IndexFunc(x.settings, func(s *setting) bool { return s.name == name })
	if i < 0 {
		return nil
	}
	return x.settings[i]
}

// listed are the elements of a list of blocks at the top of the type, in the
// order in which they are written. A list of the route's replaces the other one.
func (e *effective) listed(name string) []element {
	f := e.typ.Root.child(name)
	for _, b := range e.blocks {
		one := layered{b}
		if len(one.child(name)) == 0 {
			continue
		}
		var out []element
		for _, el := range one.elements(f) {
			fr := frame{field: f.Elem, blocks: layered{el}, path: below(e.path, name, el.Key), block: name}
			out = append(out, element{fr.blocks, e.resolveAll(fr)})
		}
		return out
	}
	return nil
}
