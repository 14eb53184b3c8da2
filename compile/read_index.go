package compile

import (
	"strconv"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/token"
)

// A decl is one place where a path is written. CUE allows several for one path:
// `a: b: 1` and `a: c: 2` both declare a.
type decl struct {
	path  []string
	file  string // absolute
	label span   // of a list element, the element itself
	value span
	attrs []*ast.Attribute

	expr   ast.Expr // what is written; nil in YAML
	maybe  bool     // under a condition
	holder *ast.StructLit
	top    *ast.Field // the outermost field of a chain `a: b: c: 1` that the declaration is in
	base   []string   // the path of what holds top
}

// An index knows where every path of the user's own files is written, and by
// which attributes. Paths that come from references, imports, patterns and `for`
// are not in it.
type index struct {
	decls map[string][]*decl
	order []*decl // as written, file by file
	loose []*looseAttr
	spans map[string]map[int]span // YAML: of the value that begins at an offset, by file
}

// A looseAttr is an attribute on something that has no single path: a pattern,
// a comprehension, a struct as a whole.
type looseAttr struct {
	path []string // of what it stands in
	own  bool     // it is said of that struct itself
	attr *ast.Attribute
}

func key(path []string) string { return strings.Join(path, "\x00") }

// indexed is a part of a list in a path, as CUE writes it behind the list: "[0]".
func indexed(i int) string { return "[" + strconv.Itoa(i) + "]" }

// isIndexed reports whether a part of a path is of a list. No key of a stack can
// look like it: they are paths, patterns and names.
func isIndexed(name string) bool {
	n, open := strings.CutPrefix(name, "[")
	n, closed := strings.CutSuffix(n, "]")
	return open && closed && n != "" && strings.Trim(n, "0123456789") == ""
}

// selector is a part of a path as CUE takes it.
func selector(name string) cue.Selector {
	if isIndexed(name) {
		if i, err := strconv.Atoi(name[1 : len(name)-1]); err == nil {
			return cue.Index(i)
		}
	}
	return cue.Str(name)
}

func newIndex(s *source) *index {
	ix := &index{decls: map[string][]*decl{}, spans: map[string]map[int]span{}}
	if s.yaml != nil {
		ix.yaml(s)
		return ix
	}
	b := &indexer{index: ix}
	for _, f := range s.files {
		b.file = f.Filename
		if s.target.form == formJSON {
			b.json, _ = s.text(f.Filename)
		}
		b.elts(f.Decls, scope{})
	}
	return ix
}

func (ix *index) add(d *decl) {
	k := key(d.path)
	ix.decls[k] = append(ix.decls[k], d)
	ix.order = append(ix.order, d)
}

type indexer struct {
	*index
	file string
	json *text // the text of a JSON file; nil in CUE
}

// A scope is where declarations stand.
type scope struct {
	path   []string
	holder *ast.StructLit // nil at the top of a file
	maybe  bool
	top    *ast.Field // not nil inside of a chain
	base   []string
}

func (b *indexer) elts(decls []ast.Decl, in scope) {
	for _, d := range decls {
		switch x := d.(type) {
		case *ast.Field:
			b.field(x, in)
		case *ast.EmbedDecl:
			b.value(x.Expr, in)
		case *ast.Comprehension:
			b.comprehension(x, in)
		case *ast.Attribute:
			b.loose = append(b.loose, &looseAttr{in.path, true, x})
		}
	}
}

func (b *indexer) field(x *ast.Field, in scope) {
	name, _, err := ast.LabelName(x.Label)
	if err != nil || x.Constraint == token.OPTION {
		b.attributes(x, in.path)
		return
	}
	d := &decl{
		path:   append(in.path[:len(in.path):len(in.path)], name),
		file:   b.file,
		label:  b.spanOf(x.Label),
		value:  b.spanOf(x.Value),
		attrs:  x.Attrs,
		expr:   x.Value,
		maybe:  in.maybe,
		holder: in.holder,
		top:    in.top,
		base:   in.base,
	}
	if d.top == nil {
		d.top, d.base = x, in.path
	}
	b.add(d)
	sub := scope{path: d.path, holder: in.holder, maybe: in.maybe, top: d.top, base: d.base}
	b.value(x.Value, sub)
}

// value goes into what is written for a path.
func (b *indexer) value(e ast.Expr, in scope) {
	switch x := e.(type) {
	case *ast.ParenExpr:
		b.value(x.X, in)
	case *ast.Alias:
		b.value(x.Expr, in)
	case *ast.BinaryExpr:
		if x.Op == token.AND {
			b.value(x.X, in)
			b.value(x.Y, in)
		}
	case *ast.StructLit:
		if x.Lbrace.IsValid() {
			in.holder, in.top, in.base = x, nil, nil
		}
		b.elts(x.Elts, in)
	case *ast.ListLit:
		b.list(x, in)
	}
}

func (b *indexer) list(x *ast.ListLit, in scope) {
	for i, e := range x.Elts {
		switch e.(type) {
		case *ast.Ellipsis, *ast.Comprehension:
			b.attributes(e, in.path)
			return // what follows has no fixed index
		}
		d := &decl{
			path:  append(in.path[:len(in.path):len(in.path)], indexed(i)),
			file:  b.file,
			label: b.spanOf(e),
			value: b.spanOf(e),
			expr:  e,
			maybe: in.maybe,
		}
		b.add(d)
		b.value(e, scope{path: d.path, maybe: in.maybe})
	}
}

// comprehension goes into `if`, whose fields are there or not; what `for` makes
// is written once and used many times.
func (b *indexer) comprehension(x *ast.Comprehension, in scope) {
	for _, c := range x.Clauses {
		if _, ok := c.(*ast.ForClause); ok {
			b.attributes(x, in.path)
			return
		}
	}
	in.maybe = true
	b.value(x.Value, in)
	if x.Fallback != nil {
		b.value(x.Fallback.Body, in)
	}
}

// attributes notes those below a node that has no path.
func (b *indexer) attributes(n ast.Node, path []string) {
	ast.Walk(n, func(n ast.Node) bool {
		if a, ok := n.(*ast.Attribute); ok {
			b.loose = append(b.loose, &looseAttr{path, false, a})
		}
		return true
	}, nil)
}

// spanOf is the span of a node. CUE rewrites JSON strings when it reads them, so
// that their end has to be looked for.
func (b *indexer) spanOf(n ast.Node) span {
	s := nodeSpan(n)
	if b.json == nil || s.from >= len(b.json.data) {
		return s
	}
	if data := b.json.data; data[s.from] == '"' {
		s.to = b.json.quotedEnd(s.from)
	} else if s.from > 0 && data[s.from-1] == '"' { // a label that lost its quotes
		s.from--
		s.to = b.json.quotedEnd(s.from)
	}
	return s
}

func nodeSpan(n ast.Node) span {
	s := span{n.Pos().Offset(), n.Pos().Offset()}
	if end := n.End(); end.IsValid() && end.Offset() > s.from {
		s.to = end.Offset()
	}
	return s
}
