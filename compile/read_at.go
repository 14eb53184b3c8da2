package compile

import (
	"slices"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/token"

	"tchain.dev/tchain/chain"
)

// at is where the value of a path is written: the literal itself, with columns
// in runes from 1. A path that is not written as such has the range of the
// reference or import that brings it, else, as where a comprehension makes it, of
// the nearest enclosing path that is written: the place where it is used. The
// zero Range means that there is not even that.
func (s *source) at(path ...string) chain.Range {
	var nearest *decl
	for n := len(path); n > 0; n-- {
		d := s.decl(path[:n])
		if d == nil {
			continue
		}
		if n == len(path) {
			return s.declRange(d)
		}
		if r := s.use(path, n); r != (chain.Range{}) {
			return r
		}
		if nearest == nil {
			nearest = d
		}
	}
	if nearest != nil {
		return s.declRange(nearest)
	}
	// Made at the top of the file by a comprehension, or embedded there.
	if v, ok := s.lookup(path); ok {
		if r := s.nodeRange(v.Source()); r != (chain.Range{}) {
			return r
		}
		if r, ok := s.posRange(v.Pos()); ok {
			return r
		}
	}
	if len(s.target.own) > 0 {
		if t, err := s.text(s.target.own[0]); err == nil {
			return t.rng(span{})
		}
	}
	return chain.Range{}
}

// label is where the name of a path is written, by the same rule as at.
func (s *source) label(path ...string) chain.Range {
	for n := len(path); n > 0; n-- {
		if d := s.decl(path[:n]); d != nil {
			if t, err := s.text(d.file); err == nil {
				return t.rng(d.label)
			}
		}
	}
	return s.at(path...)
}

func (s *source) declRange(d *decl) chain.Range {
	t, err := s.text(d.file)
	if err != nil {
		return chain.Range{}
	}
	if d.expr == nil || s.target.form != formCUE {
		return t.rng(d.value)
	}
	return t.rng(nodeSpan(narrow(d.expr)))
}

// narrow is the literal that a person would change in an expression: the 2s of
// `*"2s" | string` and of `string & "2s"`; else the whole expression.
func narrow(e ast.Expr) ast.Expr {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return narrow(x.X)
	case *ast.Alias:
		return narrow(x.Expr)
	case *ast.BinaryExpr:
		var found ast.Expr
		n := 0
		for _, side := range []ast.Expr{x.X, x.Y} {
			in := narrow(side)
			if u, ok := in.(*ast.UnaryExpr); ok && u.Op == token.MUL && x.Op == token.OR {
				in = narrow(u.X)
			} else if x.Op == token.OR && in == side {
				continue // a disjunct that is not the default
			}
			if isLiteral(in) {
				found, n = in, n+1
			}
		}
		if n == 1 && (x.Op == token.AND || x.Op == token.OR) {
			return found
		}
		if ref := referenceIn(x); n == 0 && ref != nil {
			return ref
		}
	}
	return e
}

// referenceIn is the reference that gives an expression its value: the _t of
// `*_t | string` and of `string & _t`; nil if there is no such one.
func referenceIn(x *ast.BinaryExpr) ast.Expr {
	for _, sides := range [2][2]ast.Expr{{x.X, x.Y}, {x.Y, x.X}} {
		one, other := sides[0], sides[1]
		u, marked := one.(*ast.UnaryExpr)
		switch {
		case x.Op == token.OR && marked && u.Op == token.MUL && isReference(u.X):
			return u.X
		case x.Op == token.AND && isReference(one) && isBasicType(other):
			return one
		}
	}
	return nil
}

func isReference(e ast.Expr) bool {
	switch e.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr:
		return !isBasicType(e)
	}
	return false
}

func isBasicType(e ast.Expr) bool {
	x, ok := e.(*ast.Ident)
	return ok && slices.Contains([]string{"_", "string", "int", "number", "float", "bool", "bytes", "uint"}, x.Name)
}

func isLiteral(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.UnaryExpr:
		_, ok := x.X.(*ast.BasicLit)
		return ok && (x.Op == token.SUB || x.Op == token.ADD)
	}
	return false
}

// decl is the declaration that decides a path, of several the one whose literal
// is in force; nil if the path is not written.
func (s *source) decl(path []string) *decl {
	all := s.index.decls[key(path)]
	if len(all) == 1 && !all[0].maybe {
		return all[0]
	}
	if len(all) == 0 {
		return nil
	}
	v, ok := s.lookup(path)
	if !ok && all[0].maybe {
		return nil
	}
	if src := v.Source(); ok && src != nil {
		for _, d := range all {
			if d.holds(src) {
				return d
			}
		}
	}
	var best *decl
	for _, d := range all {
		if d.maybe && !s.inForce(d, v) {
			continue
		}
		if best == nil || d.rank() > best.rank() {
			best = d
		}
	}
	return best
}

// holds reports whether a node of the syntax is the declaration or a part of it.
func (d *decl) holds(n ast.Node) bool {
	p := n.Pos()
	return p.Filename() == d.file && d.label.from <= p.Offset() && p.Offset() < max(d.value.to, d.label.from+1)
}

// rank orders the declarations of one path: a literal says more than a default,
// a default more than a type.
func (d *decl) rank() int {
	if d.expr == nil {
		return 0
	}
	e := narrow(d.expr)
	switch {
	case isLiteral(d.expr):
		return 3
	case isLiteral(e):
		return 2
	}
	if _, ok := e.(*ast.Ident); ok {
		return 0
	}
	return 1
}

// inForce reports whether a declaration under a condition took part in a value.
func (s *source) inForce(d *decl, v cue.Value) bool {
	for _, n := range conjuncts(v) {
		if d.holds(n) {
			return true
		}
	}
	return false
}

// conjuncts are the nodes that a value is made of.
func conjuncts(v cue.Value) []ast.Node {
	var out []ast.Node
	if src := v.Source(); src != nil {
		out = append(out, src)
	}
	if op, parts := v.Expr(); op == cue.AndOp {
		for _, p := range parts {
			if src := p.Source(); src != nil {
				out = append(out, src)
			}
		}
	}
	return out
}

// lookup is the value of a path. Parts of a list are named by their index.
func (s *source) lookup(path []string) (cue.Value, bool) {
	if len(path) == 0 {
		return s.value, true
	}
	k := key(path)
	if v, ok := s.known[k]; ok {
		return v, true
	}
	v, ok := s.lookup(path[:len(path)-1])
	name := path[len(path)-1]
	if !ok || s.lacks(path[:len(path)-1], name) {
		return cue.Value{}, false
	}
	next := v.LookupPath(cue.MakePath(selector(name)))
	if !next.Exists() && len(name) > 0 && (name[0] == '#' || name[0] == '_') {
		if p := cue.ParsePath(name); p.Err() == nil {
			next = v.LookupPath(p)
		}
	}
	// A field that is an error is there, though it does not exist for CUE.
	if next.Source() == nil && !next.Exists() {
		return next, false
	}
	s.known[k] = next
	return next, true
}

// lacks reports whether a struct is known to have no field of a name. CUE takes
// long to say so, and most settings are not written.
func (s *source) lacks(path []string, name string) bool {
	list, ok := s.listed[key(path)]
	return ok && name != "" && name[0] != '#' && name[0] != '_' &&
		!slices.Contains(list, name)
}
