package mutation

import (
	"go/ast"
	"go/token"
	"strconv"
)

// walk goes through all of a node, an outer expression before its parts.
func (in *instrumenter) walk(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			around := in.results
			in.results = n.Type.Results
			in.walk(n.Body)
			in.results = around
			return false
		case *ast.IfStmt:
			in.walkAll(n.Init)
			in.condition(n.Cond, true, true)
			in.jumps(n.Body.List)
			in.walkAll(n.Body, n.Else)
			return false
		case *ast.ForStmt:
			in.walkAll(n.Init)
			if n.Cond != nil {
				in.condition(n.Cond, false, true) // true has no end
			}
			in.jumps(n.Body.List)
			in.walkAll(n.Post, n.Body)
			return false
		case *ast.RangeStmt:
			in.jumps(n.Body.List)
		case *ast.SwitchStmt:
			in.walkAll(n.Init, n.Tag)
			for _, c := range n.Body.List {
				in.clause(c.(*ast.CaseClause), n.Tag != nil)
			}
			return false
		case *ast.ReturnStmt:
			for i, x := range n.Results {
				if in.isTruth(i) {
					in.condition(x, true, true)
				} else {
					in.walk(x)
				}
			}
			return false
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				in.condition(n, true, true)
				return false
			}
		case *ast.BinaryExpr:
			return in.binary(n)
		case *ast.CallExpr:
			in.best(n)
		case *ast.KeyValueExpr:
			in.check(n)
		case *ast.IndexExpr:
			in.walk(n.X)
			return false // a place that is not there tests nothing
		case *ast.SliceExpr:
			in.walk(n.X)
			return false
		case *ast.DeclStmt:
			return n.Decl.(*ast.GenDecl).Tok == token.VAR
		}
		return true
	})
}

// walkAll walks the nodes that are there.
func (in *instrumenter) walkAll(ns ...ast.Node) {
	for _, n := range ns {
		switch x := n.(type) {
		case nil:
			continue
		case ast.Stmt:
			in.walk(x)
		case ast.Expr:
			in.walk(x)
		}
	}
}

func (in *instrumenter) clause(c *ast.CaseClause, tagged bool) {
	for _, x := range c.List {
		if id, ok := x.(*ast.Ident); ok && id.Name == "nil" {
			continue
		}
		if tagged {
			in.wrap(x, "mutantCase("+in.mutant(x, "no case")+", ", ")")
		} else {
			in.condition(x, true, true)
		}
	}
	for _, s := range c.Body {
		in.walk(s)
	}
}

// isTruth reports whether a result of the function around is a bool.
func (in *instrumenter) isTruth(i int) bool {
	if in.results == nil {
		return false
	}
	for _, f := range in.results.List {
		n := max(len(f.Names), 1)
		if i < n {
			id, ok := f.Type.(*ast.Ident)
			return ok && id.Name == "bool"
		}
		i -= n
	}
	return false
}

// jumps lets the end of a block go on. One that is all of the block is the
// condition before the block, taken as false.
func (in *instrumenter) jumps(body []ast.Stmt) {
	if len(body) < 2 {
		return
	}
	last := body[len(body)-1]
	switch s := last.(type) {
	case *ast.ReturnStmt:
	case *ast.BranchStmt:
		if s.Tok == token.FALLTHROUGH {
			return
		}
	default:
		return
	}
	in.wrap(last, "if !mutantIs("+in.mutant(last, "go on")+") { ", " }")
}

// binary takes an expression with two sides apart; it reports whether its sides
// are still to be walked.
func (in *instrumenter) binary(n *ast.BinaryExpr) bool {
	switch n.Op {
	case token.LAND, token.LOR, token.EQL, token.NEQ, token.LSS, token.GTR, token.LEQ, token.GEQ:
		in.condition(n, true, true)
		return false
	case token.ADD, token.SUB, token.MUL, token.QUO:
		in.number(n, n.X, n.Y, true, true)
		in.number(n, n.Y, n.X, true, n.Op != token.QUO || in.source(n.Y) != "1")
	}
	return true
}

// number lets a literal number of an expression be one more or one less.
func (in *instrumenter) number(of *ast.BinaryExpr, x, beside ast.Expr, more, less bool) {
	lit, ok := x.(*ast.BasicLit)
	if !ok || lit.Kind != token.INT {
		return
	}
	text := in.source(of)
	from, to := in.file.Offset(x.Pos())-in.file.Offset(of.Pos()), in.file.Offset(x.End())-in.file.Offset(of.Pos())
	id := func(on bool, by int) string {
		if !on {
			return "-1"
		}
		n, _ := strconv.Atoi(lit.Value)
		return in.mutant(of, text[:from]+strconv.Itoa(n+by)+text[to:])
	}
	in.wrap(x, "mutantNumber("+id(more, 1)+", "+id(less, -1)+", ", ", "+in.source(beside)+")")
}

// best lets a minimum or maximum forget each of its values.
func (in *instrumenter) best(n *ast.CallExpr) {
	f, ok := n.Fun.(*ast.Ident)
	if !ok || f.Name != "min" && f.Name != "max" {
		return
	}
	first := in.next
	for i := range n.Args {
		is := f.Name + "("
		for j, other := range n.Args {
			if j != i {
				is += in.source(other) + ", "
			}
		}
		in.mutant(n, is[:len(is)-len(", ")]+")")
	}
	in.replace(f.Pos(), len(f.Name), map[string]string{"min": "mutantMin", "max": "mutantMax"}[f.Name])
	in.replace(n.Lparen+1, 0, strconv.Itoa(first)+", ")
}

// check lets a rule find nothing.
func (in *instrumenter) check(n *ast.KeyValueExpr) {
	if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Check" {
		if _, empty := n.Value.(*ast.FuncLit); !empty {
			in.wrap(n.Value, "mutantNothing("+in.mutant(n.Value, "nothing")+", ", ")")
		}
	}
}
