package compile

import (
	"errors"
	"regexp/syntax"
	"slices"
	"strings"

	"cuelang.org/go/cue"
)

// A walk is one descent into a type: what it belongs to and what it gathers.
type walk struct {
	typ   *Type
	layer string
	route bool // it is under `at`: only what may differ on a route is taken
	wrap  []*Part
	full  bool // something below can be checked by CUE only
	gifts []gift
}

// block walks a struct of the user's against a struct of the catalogue.
func (d *decoder) block(w *walk, f *Field, v cue.Value, path []string) *Block {
	fields, ok := members(v, path)
	if ok {
		d.src.listed[key(path)] = names(fields)
	} else if !broken(v) {
		d.failValue(path, "%s is %s; it takes a block: %s: {…}", lastName(path), shownValue(v), lastName(path))
	}
	d.suppressions(d.attrsOf(path), path)
	b := d.fields(w, f, fields, path)
	if ok {
		d.required(f, b, fields)
	}
	return b
}

// fields walks the fields of a struct of the user's.
func (d *decoder) fields(w *walk, f *Field, fields []member, path []string) *Block {
	b := &Block{Field: f, Path: path, Pos: d.labelOf(path)}
	for _, m := range fields {
		child := f.child(m.name)
		switch {
		case child == nil && f.Elem != nil && !f.calledOtherwise(m.name):
			d.element(w, b, m)
		case child == nil && f.open():
			w.full = true
		case child == nil:
			d.unknown(w, f, m)
		case child.Fixed != "":
			d.failLabel(m.path, "%s is fixed by the platform at %s and cannot be set", m.name, child.Fixed)
		case child.Name == "wrap" && child.takes("list"):
			w.wrap = append(w.wrap, d.wraps(m)...)
		case child.leaf():
			d.leaf(w, b, child, m)
		case child.Keyed == "list":
			b.Blocks = append(b.Blocks, d.listBlock(w, child, m))
		default:
			b.Blocks = append(b.Blocks, d.block(w, child, m.v, m.path))
		}
	}
	return b
}

// element takes one key of a keyed block.
func (d *decoder) element(w *walk, b *Block, m member) {
	switch b.Field.Keyed {
	case "peer":
		d.peer(w, b.Field, m)
	case "route":
		if why := wrongExpression(m.name); why != "" {
			d.failLabel(m.path, "%s %q is no regular expression: %s", lastName(b.Path), m.name, why)
		}
	}
	if b.Field.Elem.leaf() {
		d.leaf(w, b, b.Field.Elem, m)
		return
	}
	inner := d.block(w, b.Field.Elem, m.v, m.path)
	inner.Key = m.name
	b.Blocks = append(b.Blocks, inner)
}

// peer demands that a block is keyed by a layer of the stack.
func (d *decoder) peer(w *walk, f *Field, m member) {
	if !d.isLayer(m.name) {
		d.failLabel(m.path, "unknown layer %q in %s %s; %s", m.name, w.typ.Key, f.Name, meant(m.name, d.layerNames(), 8))
	}
}

// wrongExpression says what is wrong with a key that is a regular expression;
// "" if nothing is. Products know more of them than Go: only what is wrong
// everywhere counts.
func wrongExpression(key string) string {
	sign, text, _ := strings.Cut(key, " ")
	if sign != "~" && sign != "~*" {
		return ""
	}
	var err *syntax.Error
	if _, e := syntax.Parse(strings.TrimSpace(text), syntax.Perl); !errors.As(e, &err) {
		return ""
	}
	switch err.Code {
	case syntax.ErrMissingBracket, syntax.ErrMissingParen, syntax.ErrUnexpectedParen, syntax.ErrTrailingBackslash,
		syntax.ErrMissingRepeatArgument, syntax.ErrInvalidCharRange:
		return err.Code.String()
	}
	return ""
}

func (d *decoder) required(f *Field, b *Block, have []member) {
	for _, c := range f.Fields {
		if c.Required && !slices.ContainsFunc(have, func(m member) bool { return m.name == c.Name }) {
			d.failLabel(b.Path, "%s has no %s%s", entryName(b.Path), c.Name, c.inBrackets())
		}
	}
}

// inBrackets is the first sentence of what the field's doc says, " (attempts, the first
// included)"; "" without one.
func (f *Field) inBrackets() string {
	text, _, _ := strings.Cut(strings.Join(strings.Fields(f.Doc), " "), ". ")
	text = strings.TrimSuffix(text, ".")
	if text == "" {
		return ""
	}
	return " (" + strings.ToLower(text[:1]) + text[1:] + ")"
}

// calledOtherwise reports whether a name is another one of a field of the struct, so that
// it is no key of the pattern beside it.
func (f *Field) calledOtherwise(name string) bool {
	return slices.ContainsFunc(f.Fields, func(c *Field) bool { return slices.Contains(c.Aliases, name) })
}

// open reports whether the struct takes anything: a plain `{...}`.
func (f *Field) open() bool { return f.check.needsCUE() && f.onlyStruct() }

func lastName(path []string) string {
	if len(path) == 0 {
		return "the stack"
	}
	return path[len(path)-1]
}

// entryName is lastName that calls an entry of a list by the list: ignore[0].
func entryName(path []string) string {
	last := lastName(path)
	if isIndexed(last) && len(path) > 1 {
		return path[len(path)-2] + last
	}
	return last
}

// A filling is a block with the constraint that it is unified with.
type filling struct {
	def, v cue.Value
	path   []string
}
