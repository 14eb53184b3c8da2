package compile

import (
	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/token"

	"tchain.dev/tchain/chain"
)

// maxSteps is how many values are looked at on the way to the origin of one.
const maxSteps = 100

// shared is where the value of a path was really written if that is elsewhere
// than where it is used: an imported package, a definition, a hidden field. The
// zero Range if it is not.
func (s *source) shared(path ...string) chain.Range {
	if d := s.index.decls[key(path)]; len(d) == 1 && d[0].expr != nil && isLiteral(d[0].expr) {
		return chain.Range{}
	}
	v, ok := s.lookup(path)
	if !ok {
		return chain.Range{}
	}
	used := s.at(path...)
	steps := maxSteps
	r := s.nodeRange(origin(v, &steps))
	if r == (chain.Range{}) || within(r, used) {
		return chain.Range{}
	}
	return r
}

// literalFor reports whether the place of shared is one literal.
func (s *source) literalFor(path []string) bool {
	v, ok := s.lookup(path)
	if !ok {
		return false
	}
	steps := maxSteps
	switch x := origin(v, &steps).(type) {
	case *ast.Field:
		_, ok = narrow(x.Value).(*ast.BasicLit)
	case *ast.BasicLit:
	default:
		ok = false
	}
	return ok
}

// use is the reference in the value of path[:n] that brings the rest of a path;
// the zero Range if there is none.
func (s *source) use(path []string, n int) chain.Range {
	v, ok := s.lookup(path[:n])
	if !ok || s.target.form != formCUE {
		return chain.Range{}
	}
	var rest []cue.Selector
	for _, name := range path[n:] {
		rest = append(rest, cue.Str(name))
	}
	p, steps := cue.MakePath(rest...), maxSteps
	for _, d := range s.index.decls[key(path[:n])] {
		if d.expr != nil && isReference(d.expr) && brings(v, p) {
			return s.declRange(d)
		}
	}
	return s.nodeRange(reference(v, p, &steps))
}

// brings reports whether a value is a reference to something that has a path.
func brings(v cue.Value, p cue.Path) bool {
	next, ok := follow(v)
	return ok && next.LookupPath(p).Exists()
}

// reference is the reference among the parts of a value that has a path, of
// several the one whose value is complete; nil if there is none.
func reference(v cue.Value, p cue.Path, steps *int) (found ast.Node) {
	op, parts := v.Expr()
	if op != cue.AndOp {
		return nil
	}
	for _, part := range parts {
		if *steps--; *steps <= 0 {
			break
		}
		x := part.LookupPath(p)
		if !x.Exists() {
			continue
		}
		n := reference(part, p, steps)
		if _, ok := follow(part); ok {
			n = part.Source()
		}
		if n != nil && (found == nil || x.IsConcrete()) {
			found = n
			if x.IsConcrete() {
				return n
			}
		}
	}
	return found
}

// origin is the syntax that a value was written by, found behind references.
func origin(v cue.Value, steps *int) ast.Node {
	if *steps--; *steps > 0 {
		if def, ok := v.Default(); ok {
			v = def
		}
		if next, ok := follow(v); ok {
			return origin(next, steps)
		}
	}
	src := v.Source()
	if src != nil && literalNode(src) {
		return src
	}
	if op, parts := v.Expr(); op == cue.AndOp {
		for _, p := range parts {
			if *steps <= 0 {
				break
			}
			if n := origin(p, steps); n != nil && literalNode(n) {
				return n
			}
		}
	}
	return src
}

func literalNode(n ast.Node) bool {
	if f, ok := n.(*ast.Field); ok {
		return isLiteral(narrow(f.Value))
	}
	e, ok := n.(ast.Expr)
	return ok && isLiteral(e)
}

// follow is the value that a reference names; ok is false if v is none.
func follow(v cue.Value) (cue.Value, bool) {
	root, p := v.ReferencePath()
	if !root.Exists() || len(p.Selectors()) == 0 {
		return v, false
	}
	next := root.LookupPath(p)
	return next, next.Exists() && next.Source() != v.Source()
}

// nodeRange is the range of a node's literal, the zero Range if it is not in a
// file of a user's.
func (s *source) nodeRange(n ast.Node) chain.Range {
	if n == nil {
		return chain.Range{}
	}
	if f, ok := n.(*ast.Field); ok {
		n = narrow(f.Value)
	}
	if _, ok := n.(*ast.File); ok || !n.Pos().IsValid() {
		return chain.Range{}
	}
	file := n.Pos().Filename()
	if fromSchema(file) {
		return chain.Range{}
	}
	t, err := s.text(file)
	if err != nil {
		return chain.Range{}
	}
	if y, ok := s.index.spanAt(file, s.offset(t, n.Pos())); ok {
		return t.rng(y)
	}
	b := indexer{}
	if s.target.form == formJSON {
		b.json = t
	}
	return t.rng(b.spanOf(n))
}

// posRange is the empty range of a position; ok is false if it is in no file of a user's.
func (s *source) posRange(p token.Pos) (r chain.Range, ok bool) {
	if !p.IsValid() || p.Filename() == "" || fromSchema(p.Filename()) {
		return r, false
	}
	t, err := s.text(p.Filename())
	if err != nil {
		return r, false
	}
	off := s.offset(t, p)
	if y, ok := s.index.spanAt(p.Filename(), off); ok {
		return t.rng(y), true
	}
	return t.rng(span{off, off}), true
}

func (ix *index) spanAt(file string, off int) (span, bool) {
	if ix == nil {
		return span{}, false
	}
	sp, ok := ix.spans[file][off]
	return sp, ok
}

// within reports whether a lies inside of b.
func within(a, b chain.Range) bool {
	return a.File == b.File &&
		(a.Line > b.Line || a.Line == b.Line && a.Column >= b.Column) &&
		(a.EndLine < b.EndLine || a.EndLine == b.EndLine && a.EndColumn <= b.EndColumn)
}

func less(a, b chain.Range) bool {
	if a.File != b.File {
		return a.File < b.File
	}
	if a.Line != b.Line {
		return a.Line < b.Line
	}
	return a.Column < b.Column
}
