package compile

import (
	"slices"
	"strings"
)

// A home is where a setting of some name stands in a type.
type home struct {
	field *Field
	words []string // the blocks on the way, keys as "<peer>"
}

// write is the home as one would type it: "nginx: server: proxy_read_timeout".
func (h home) write(typ *Type) string {
	return strings.Join(append(append([]string{typ.Key}, h.words...), h.field.Name), ": ")
}

// homes are all places of a type that take a name, by name or by alias.
func homes(typ *Type, match func(*Field) bool) []home {
	var out []home
	var visit func(*Field, []string)
	visit = func(f *Field, words []string) {
		for _, c := range f.Fields {
			if match(c) {
				out = append(out, home{c, words})
			}
			visit(c, below(words, c.Name))
		}
		if f.Elem != nil {
			visit(f.Elem, below(words, "<"+keyWord(f)+">"))
		}
	}
	visit(typ.Root, nil)
	return preferred(out)
}

func keyWord(f *Field) string {
	switch f.Keyed {
	case "peer":
		return "peer"
	case "route":
		return "path"
	}
	return "name"
}

// preferred keeps one home of each setting: of a chain of blocks that inherit,
// the last that is not keyed, as `server` of http, server, location.
func preferred(all []home) []home {
	var out []home
	for _, h := range all {
		i := slices.IndexFunc(out, func(o home) bool { return o.field.ID == h.field.ID })
		switch {
		case i < 0:
			out = append(out, h)
		case !strings.Contains(strings.Join(h.words, " "), "<"):
			out[i] = h
		}
	}
	return out
}

// unknown reports a name that a block does not take, with what was meant.
func (d *decoder) unknown(w *walk, f *Field, m member) {
	if d.otherDialect(w, f, m) || d.otherBlock(w, f, m) {
		return
	}
	where := w.typ.Key
	if block := f.words(w.typ.Root); block != "" {
		where += " " + block
	}
	kind := "setting"
	if w.typ.Category == "facts" {
		kind, where = "field", w.place(m.path)
	}
	var known []string
	for _, c := range f.Fields {
		if c.Fixed == "" {
			known = append(known, c.Name)
		}
	}
	if answer := undescribed[w.typ.Resolver]; answer != nil && answer(m.name) != "" {
		d.failLabel(m.path, "%s: %s", m.name, answer(m.name))
		return
	}
	if best := Closest(m.name, known); best != "" {
		d.failLabel(m.path, "unknown %s %q in %s; did you mean %s?", kind, m.name, where, best)
		return
	}
	if h, ok := near(w.typ, m.name); ok {
		d.failLabel(m.path, "unknown %s %q in %s; did you mean %s?", kind, m.name, where, h.write(w.typ))
		return
	}
	d.failLabel(m.path, "unknown %s %q in %s; %s", kind, m.name, where, choices(w.typ, known))
}

// place is what a fact stands on.
func (w *walk) place(path []string) string {
	if n := len(path) - 2; n >= 2 {
		return path[n]
	}
	return strings.TrimSpace(w.typ.Key + " " + w.layer)
}

func choices(typ *Type, known []string) string {
	if len(known) > 0 && len(known) <= 8 {
		return "it takes " + list(known, "and")
	}
	return "see tchain settings " + typ.Key
}

// otherDialect answers a name that another tool has for a setting, if it can be with one
// of the block that the name stands in.
func (d *decoder) otherDialect(w *walk, f *Field, m member) bool {
	h := homes(w.typ, func(c *Field) bool { return slices.Contains(c.Aliases, m.name) })
	if len(h) == 0 {
		return false
	}
	meant := h[max(0, slices.IndexFunc(h, func(o home) bool { return slices.Contains(f.Fields, o.field) }))]
	write := meant.field.Name
	if len(meant.words) > 0 {
		write = meant.write(w.typ)
	}
	d.failLabel(m.path, "%s has no setting %q; write %s", w.typ.Key, m.name, write)
	return true
}

// otherBlock answers a name that stands in another block of the type.
func (d *decoder) otherBlock(w *walk, f *Field, m member) bool {
	h := homes(w.typ, func(c *Field) bool { return c.Name == m.name && c.Fixed == "" })
	if len(h) == 0 {
		return false
	}
	var blocks, forms []string
	for _, x := range h {
		block := w.typ.Key
		if len(x.words) > 0 {
			block = x.words[0]
			for _, word := range x.words[1:] {
				if !strings.HasPrefix(word, "<") {
					block += "." + word
				}
			}
		}
		blocks = append(blocks, block)
		forms = append(forms, x.write(w.typ))
	}
	switch {
	case len(h) == 1 && f == w.typ.Root:
		d.failLabel(m.path, "%s stands in %s; write %s", m.name, blocks[0], forms[0])
	case len(h) == 1:
		d.failLabel(m.path, "%s stands in %s, not in %s; write %s", m.name, blocks[0], f.words(w.typ.Root), forms[0])
	default:
		for i := range blocks {
			blocks[i] = "in " + blocks[i]
		}
		d.failLabel(m.path, "%s exists %s; write %s", m.name, list(blocks, "and"), list(forms, "or"))
	}
	return true
}

// near is the setting anywhere in a type that a typo most likely meant.
func near(typ *Type, name string) (home, bool) {
	all := homes(typ, func(c *Field) bool { return c.Fixed == "" })
	var names []string
	for _, h := range all {
		names = append(names, h.field.Name)
	}
	best := Closest(name, names)
	i := slices.Index(names, best)
	if best == "" {
		return home{}, false
	}
	return all[i], true
}

// words are the blocks that the fields of a struct stand in, without keys.
func (f *Field) words(root *Field) string {
	switch {
	case f == root:
		return ""
	case f.Name == "":
		return f.Block
	}
	return strings.TrimSpace(f.Block + " " + f.Name)
}
