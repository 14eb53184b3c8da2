package compile

import (
	"cmp"
	"slices"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"

	"tchain.dev/tchain/chain"
)

// A spot is where a field stands in its type.
type spot struct {
	name  string
	id    string // of the field
	below string // what the ids of its own fields begin with
	block string // the outermost struct that it is in
	scope string // of the struct that it is in, which holds for its fields
	depth int
}

// deepest is more than any type nests; beyond it a definition refers to itself.
const deepest = 16

// field reads one field with all below it. The constraint v carries the
// attributes of the field, attrs.
func (r *typeReader) field(at spot, v cue.Value, attrs []cue.Attribute) *Field {
	f := &Field{Name: at.name, ID: at.id, Block: at.block, Doc: docText(v), Scope: at.scope}
	if at.depth > deepest {
		return f
	}
	r.ids = append(r.ids, at.id)
	defer func() { r.ids = r.ids[:len(r.ids)-1] }()
	if r.from != nil {
		r.from[at.id] = v
	}
	v = r.meant(v)
	if f.Doc == "" {
		f.Means = docText(referenced(v))
	}
	f.Kinds = kindsOf(v.IncompleteKind())
	for _, a := range attrs {
		if at.depth > 0 || f.leafAttribute(a) {
			r.fieldAttribute(f, a)
		}
	}
	if f.Keyed == "list" {
		elem := v.LookupPath(cue.MakePath(cue.AnyIndex))
		f.Elem = r.field(spot{id: at.id, below: at.below, block: cmp.Or(at.block, at.name), scope: f.Scope, depth: at.depth + 1}, elem, elem.Attributes(cue.FieldAttr))
		return f
	}
	if f.onlyStruct() {
		r.fields(f, at, v)
		if f.Elem == nil && !r.typ.Own && v.Allows(cue.AnyString) {
			f.check = &constraint{full: true}
		}
		return f
	}
	form := r.formOf(v)
	f.Enum, f.Notation, f.check = form.enum, form.notation, form.check
	for _, a := range attrs {
		if a.Name() == "time" {
			f.Notation = r.time(a)
		}
	}
	r.settle(f)
	return f
}

// meant is the constraint with a stand-in of the schema replaced by the real
// definition.
func (r *typeReader) meant(v cue.Value) cue.Value {
	if r.real == nil {
		return v
	}
	root, path := v.ReferencePath()
	if sel := path.Selectors(); len(sel) == 1 && fromSchema(root.LookupPath(path).Pos().Filename()) {
		if def := r.real(path.String()); def.Exists() {
			return def
		}
	}
	return v
}

// A valueForm is what a constraint demands of a single value.
type valueForm struct {
	enum     []string
	notation *chain.Notation
	check    *constraint
}

func (r *typeReader) formOf(v cue.Value) valueForm {
	_, path := v.ReferencePath()
	name := path.String()
	if f, ok := r.forms[name]; ok && name != "" {
		return f
	}
	e := exprOf(v)
	f := valueForm{e.enum(), r.notation(v, e), constraintOf(e)}
	if name != "" {
		if r.forms == nil {
			r.forms = map[string]valueForm{}
		}
		r.forms[name] = f
	}
	return f
}

// leafAttribute reports whether an attribute of a whole type is one of a field,
// because the type is itself a single value.
func (f *Field) leafAttribute(a cue.Attribute) bool {
	return !f.onlyStruct() && slices.Contains(fieldAttributes, a.Name())
}

// fields reads the fields and the pattern of a struct.
func (r *typeReader) fields(f *Field, at spot, v cue.Value) {
	it, err := v.Fields(cue.Optional(true), cue.Patterns(true))
	if err != nil {
		r.errs = append(r.errs, err)
		return
	}
	inner := spot{block: at.block, scope: f.Scope, depth: at.depth + 1}
	if inner.block == "" && at.depth > 0 {
		inner.block = at.name
	}
	for it.Next() {
		in, sel, attrs := inner, it.Selector(), it.Value().Attributes(cue.FieldAttr)
		if sel.ConstraintType() == cue.PatternConstraint {
			in.id, in.below = at.id, at.below
			f.Elem = r.field(in, it.Value(), attrs)
			if f.Elem.leaf() { // what is said of the map is said of each of its values
				f.Elem.Doc, f.Elem.DocURL, f.Elem.Proof = f.Doc, f.DocURL, f.Proof
			}
			continue
		}
		in.name = sel.Unquoted()
		in.id = at.below + "." + in.name
		in.below = in.id
		if inherits(attrs) {
			in.below = at.below
		}
		child := r.field(in, it.Value(), attrs)
		child.Required = sel.ConstraintType() == cue.RequiredConstraint
		f.Fields = append(f.Fields, child)
	}
}

// inherits reports whether a block's name is left out of the ids below it.
func inherits(attrs []cue.Attribute) bool {
	for _, a := range attrs {
		if a.Name() == "block" {
			if how, _ := argOf(a, 0); how == "inherit" {
				return true
			}
		}
	}
	return false
}

// child is a field of the struct by name.
func (f *Field) child(name string) *Field {
	for _, c := range f.Fields {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// takes reports whether the field takes values of a CUE kind.
func (f *Field) takes(kind string) bool { return slices.Contains(f.Kinds, kind) }

// leaf reports whether the field is a single value, not a struct of settings.
func (f *Field) leaf() bool { return len(f.Fields) == 0 && f.Elem == nil && !f.onlyStruct() }

func (f *Field) onlyStruct() bool { return len(f.Kinds) == 1 && f.Kinds[0] == "struct" }

var kindWords = []struct {
	kind cue.Kind
	word string
}{
	{cue.BoolKind, "bool"}, {cue.IntKind, "int"}, {cue.FloatKind, "number"}, {cue.StringKind, "string"},
	{cue.ListKind, "list"}, {cue.StructKind, "struct"}, {cue.NullKind, "null"},
}

func kindsOf(k cue.Kind) []string {
	var out []string
	for _, w := range kindWords {
		if k&w.kind != 0 {
			out = append(out, w.word)
		}
	}
	return out
}

// docText is a field's comment as one paragraph.
func docText(v cue.Value) string {
	var out []string
	for _, g := range v.Doc() {
		if text := docOf(g); text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return strings.Join(out, " ")
}

func docOf(g *ast.CommentGroup) string { return strings.Join(strings.Fields(g.Text()), " ") }

// An expr is a constraint taken apart, which CUE takes long for.
type expr struct {
	v     cue.Value // with references followed
	op    cue.Op
	parts []cue.Value
}

func exprOf(v cue.Value) expr {
	for {
		def := referenced(v)
		if !def.Exists() {
			op, parts := v.Expr()
			return expr{v, op, parts}
		}
		v = def
	}
}

// referenced is the definition that a constraint refers to, if it is one reference.
func referenced(v cue.Value) cue.Value {
	root, path := v.ReferencePath()
	if len(path.Selectors()) == 0 || !root.Exists() {
		return cue.Value{}
	}
	return root.LookupPath(path)
}

// notation is how durations of the field are written, from the @time of the
// definition that it refers to or of the field itself; e is v taken apart.
func (r *typeReader) notation(v cue.Value, e expr) *chain.Notation {
	for _, a := range v.Attributes(cue.FieldAttr) {
		if a.Name() == "time" {
			return r.time(a)
		}
	}
	if def := referenced(v); def.Exists() {
		return r.notation(def, e)
	}
	if e.op == cue.OrOp || e.op == cue.AndOp {
		for _, p := range e.parts {
			if n := r.notation(p, exprOf(p)); n != nil {
				return n
			}
		}
	}
	return nil
}
