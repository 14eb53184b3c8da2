package compile

import (
	"slices"

	"cuelang.org/go/cue/ast"

	"tchain.dev/tchain/chain"
)

// A standing is where one value is written and what is said of it there.
type standing struct {
	// pos is where the value is written, if a person would edit it there, else where it
	// is used; used and shared are the other place, as in Origin.
	pos, used, shared chain.Range
	attrs             []attr
	literal           chain.Range // what an edit may replace; the zero Range where there is no literal
	quote             string      // what the literal stands in: `"`, or nothing
}

// standing finds where a value is written. Most values are one literal, whose
// place the index knows without looking at the value again.
func (d *decoder) standing(path []string) standing {
	var s standing
	var decl *decl
	all := d.src.index.decls[key(path)]
	if len(all) == 1 && plainDecl(all[0]) {
		decl = all[0]
		s.pos = d.src.declRange(decl)
		s.attrs = d.read(decl.attrs)
	} else {
		s.pos = d.posOf(path)
		decl = d.src.decl(path)
		s.shared = d.src.shared(path...)
		s.attrs = d.src.attrs(path...)
	}
	if s.literal = s.pos; !d.literalDecl(decl) {
		// A fix changes what was written elsewhere only in the stack's own files.
		s.literal = chain.Range{}
		if d.ownFile(s.shared.File) && d.src.literalFor(path) {
			s.literal = s.shared
			s.pos, s.used, s.shared = s.shared, s.pos, chain.Range{}
		}
	}
	s.quote = d.quoteAt(s.literal)
	return s
}

// literalDecl reports whether a declaration is one literal.
func (d *decoder) literalDecl(decl *decl) bool {
	if decl == nil || decl.expr == nil {
		return decl != nil
	}
	_, ok := narrow(decl.expr).(*ast.BasicLit)
	return ok
}

func (d *decoder) ownFile(name string) bool {
	return slices.ContainsFunc(d.src.target.files, func(path string) bool { return shown(path) == name })
}

// plainDecl reports whether nothing but the declaration makes the value.
func plainDecl(d *decl) bool {
	if d.maybe {
		return false
	}
	switch d.expr.(type) {
	case nil, *ast.BasicLit, *ast.ListLit:
		return true
	}
	return false
}

// attrsOf are the attributes of a struct.
func (d *decoder) attrsOf(path []string) []attr {
	all := d.src.index.decls[key(path)]
	var out []attr
	for _, decl := range all {
		if _, ok := decl.expr.(*ast.StructLit); !ok && decl.expr != nil || decl.maybe {
			return d.src.attrs(path...)
		}
		out = append(out, d.read(decl.attrs)...)
	}
	if len(all) == 0 || len(d.src.index.loose) > 0 {
		return d.src.attrs(path...)
	}
	return out
}

func (d *decoder) read(as []*ast.Attribute) []attr {
	var out []attr
	for _, a := range as {
		out = append(out, d.src.readAttr(a))
	}
	return out
}

// attributes takes what the user's own attributes say of a value.
func (d *decoder) attributes(v *Value, attrs []attr) {
	for _, a := range attrs {
		arg, _ := a.arg("")
		switch a.Name {
		case "env", "from":
			if v.Inject = arg; arg == "" {
				d.failValue(v.Path, "@%s of %s has no name", a.Name, v.Origin.Name)
			}
		case "estimate":
			if v.Origin.Estimate = arg; arg == "" {
				d.failValue(v.Path, `@estimate of %s has no reason; write @estimate("…")`, v.Origin.Name)
			}
		}
	}
}

// placeOf is how a written value can be changed. A bare number that is changed
// into a text with a unit needs quotes.
func (d *decoder) placeOf(v *Value, at standing) *chain.Place {
	if at.literal == (chain.Range{}) {
		return nil
	}
	p := &chain.Place{Range: at.literal, Before: at.quote, After: at.quote}
	if n := v.Field.Notation; n != nil {
		p.Notation = *n
		if _, text := v.Raw.(string); !text && len(n.Units) > 0 && d.src.target.form != formYAML {
			p.Before, p.After = `"`, `"`
		}
	}
	return p
}

// quoteAt is the quote that a value begins with; one with # before it becomes a
// plain one when it is edited.
func (d *decoder) quoteAt(r chain.Range) string {
	for _, t := range d.src.texts {
		if t.name != r.File {
			continue
		}
		at := t.offset(r.Line, r.Column)
		for at < len(t.data) && t.data[at] == '#' {
			at++
		}
		if at < len(t.data) && (t.data[at] == '"' || t.data[at] == '\'') {
			return string(t.data[at])
		}
	}
	return ""
}
