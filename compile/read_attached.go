package compile

import (
	"sort"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
)

// attrs are the user's attributes on a path: where it is written, where its
// value was written if that is elsewhere, and on the struct itself. They come
// in that order, each once.
func (s *source) attrs(path ...string) []attr {
	c := attrs{s: s, seen: map[*ast.Attribute]bool{}, steps: maxSteps}
	v, ok := s.lookup(path)
	for _, d := range s.index.decls[key(path)] {
		if !d.maybe || ok && s.inForce(d, v) {
			c.add(d.attrs)
		}
	}
	if ok {
		c.value(v)
	}
	for _, l := range s.index.loose {
		if l.own && key(l.path) == key(path) {
			c.add([]*ast.Attribute{l.attr})
		}
	}
	return c.out
}

type attrs struct {
	s     *source
	seen  map[*ast.Attribute]bool
	out   []attr
	steps int
}

func (c *attrs) add(as []*ast.Attribute) {
	for _, a := range as {
		if !c.seen[a] && !fromSchema(a.Pos().Filename()) {
			c.seen[a] = true
			c.out = append(c.out, c.s.readAttr(a))
		}
	}
}

func (c *attrs) value(v cue.Value) {
	if f, ok := v.Source().(*ast.Field); ok {
		c.add(f.Attrs)
	}
	if c.steps--; c.steps <= 0 {
		return
	}
	if op, parts := v.Expr(); op == cue.AndOp {
		for _, p := range parts {
			c.value(p)
		}
	}
	if next, ok := follow(v); ok {
		c.value(next)
	}
}

// A placedAttr is an attribute with the path that it stands on; for one in a
// pattern or a comprehension the path of what that stands in.
type placedAttr struct {
	attr
	Path []string
}

// allAttrs are all attributes in the stack's own files, those of a name if that
// is not empty, in the order of files and lines.
func (s *source) allAttrs(name string) []placedAttr {
	var out []placedAttr
	add := func(path []string, a *ast.Attribute) {
		if name == "" || a.Name() == name {
			out = append(out, placedAttr{s.readAttr(a), path})
		}
	}
	for _, d := range s.index.order {
		for _, a := range d.attrs {
			add(d.path, a)
		}
	}
	for _, l := range s.index.loose {
		add(l.path, l.attr)
	}
	sort.SliceStable(out, func(i, j int) bool { return less(out[i].Range, out[j].Range) })
	return out
}
