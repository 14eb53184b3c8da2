package compile

import "cuelang.org/go/cue"

// optional is a field of a definition, whatever its mark.
func optional(def cue.Value, name string) cue.Value {
	it, err := def.Fields(cue.Optional(true))
	if err != nil {
		return cue.Value{}
	}
	for it.Next() {
		if it.Selector().Unquoted() == name {
			return it.Value()
		}
	}
	return cue.Value{}
}

// elements are the members of a list, named by their index.
func elements(v cue.Value, path []string) (out []member, ok bool) {
	it, err := concrete(v).List()
	if err != nil {
		return nil, false
	}
	for i := 0; it.Next(); i++ {
		out = append(out, member{indexed(i), it.Value(), below(path, indexed(i))})
	}
	return out, true
}

// names is a name or a list of names.
func (d *decoder) names(m member) []string {
	if broken(m.v) {
		return nil
	}
	if s, err := concrete(m.v).String(); err == nil {
		return []string{s}
	}
	list, ok := elements(m.v, m.path)
	if !ok {
		d.failValue(m.path, "%s takes a name or a list of names, not %s", m.name, shownValue(m.v))
	}
	var out []string
	for _, e := range list {
		s, err := concrete(e.v).String()
		if err != nil {
			if !broken(e.v) {
				d.failValue(e.path, "%s takes names, not %s", m.name, shownValue(e.v))
			}
			continue
		}
		out = append(out, s)
	}
	return out
}

// wraps reads what is wrapped around a client: a list, outer first, of structs
// with the type as their key.
func (d *decoder) wraps(m member) []*Part {
	all, ok := elements(m.v, m.path)
	if !ok {
		if !broken(m.v) {
			d.failValue(m.path, "wrap is %s; it is a list, outer first: wrap: [{loop: {…}}]", shownValue(m.v))
		}
		return nil
	}
	layer := ""
	if len(m.path) > 1 && m.path[0] == "layers" {
		layer = m.path[1]
	}
	var out []*Part
	for _, e := range all {
		fields, ok := members(e.v, e.path)
		if ok && len(fields) == 0 {
			d.failValue(e.path, "wrap has an empty element; each is one type: %s", list(d.cat.keys("wrap"), "or"))
			continue
		}
		if !ok {
			if !broken(e.v) {
				d.failValue(e.path, "wrap has %s in its list; each element is a type: {loop: {…}}", shownValue(e.v))
			}
			continue
		}
		if len(fields) > 1 {
			d.failLabel(fields[1].path, "one element of wrap has %s and %s; write each as an element of its own, outer first", fields[0].name, fields[1].name)
			continue
		}
		f := fields[0]
		if !d.cat.has("wrap", f.name) {
			d.failLabel(f.path, "unknown wrap type %q; %s", f.name, meant(f.name, d.cat.keys("wrap"), 0))
			continue
		}
		p := &Part{Name: f.name, Pos: d.labelOf(f.path)}
		d.typedPart(&walk{layer: layer}, p, f, "wrap")
		out = append(out, p)
	}
	return out
}
