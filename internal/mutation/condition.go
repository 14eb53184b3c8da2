package mutation

import (
	"go/ast"
	"go/token"
)

// condition breaks an expression of truth: into true, into false where that is
// asked for, and each of its parts.
func (in *instrumenter) condition(e ast.Expr, toTrue, toFalse bool) {
	switch x := e.(type) {
	case *ast.ParenExpr:
		in.condition(x.X, toTrue, toFalse)
		return
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			in.condition(x.X, toFalse, toTrue)
			return
		}
	case *ast.BinaryExpr:
		switch x.Op {
		case token.LAND:
			in.force(e, false, toFalse)
			in.condition(x.X, true, false)
			in.condition(x.Y, true, false)
			return
		case token.LOR:
			in.force(e, toTrue, false)
			in.condition(x.X, false, true)
			in.condition(x.Y, false, true)
			return
		}
	case *ast.Ident:
		if x.Name == "true" || x.Name == "false" {
			return
		}
	}
	in.force(e, toTrue, toFalse)
	if x, ok := e.(*ast.BinaryExpr); ok {
		in.comparison(x)
		in.walk(x.X)
		in.walk(x.Y)
		return
	}
	in.walk(e)
}

func (in *instrumenter) force(e ast.Expr, toTrue, toFalse bool) {
	if toTrue {
		in.wrap(e, "(mutantIs("+in.mutant(e, "true")+") || ", ")")
	}
	if toFalse {
		in.wrap(e, "(!mutantIs("+in.mutant(e, "false")+") && ", ")")
	}
}

var orders = map[token.Token]struct {
	shifted string
	hook    string
	up      bool // the limit as a number: one more is not what the shift is
}{
	token.LSS: {"<=", "mutantLess", false},
	token.GTR: {">=", "mutantMore", true},
	token.LEQ: {"<", "mutantLessEqual", true},
	token.GEQ: {">", "mutantMoreEqual", false},
}

// comparison takes in the limit of a comparison or leaves it out, and moves a
// number that is the limit to the other side.
func (in *instrumenter) comparison(x *ast.BinaryExpr) {
	o, ok := orders[x.Op]
	if !ok {
		return
	}
	is := in.source(x.X) + " " + o.shifted + " " + in.source(x.Y)
	in.wrap(x, o.hook+"("+in.mutant(x, is)+", ", ")")
	in.replace(x.OpPos, len(x.Op.String()), ",")
	if n := in.source(x.Y); n != "0" || isLen(x.X) {
		in.number(x, x.Y, x.X, o.up, !o.up)
	}
}

func isLen(x ast.Expr) bool {
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return false
	}
	f, ok := call.Fun.(*ast.Ident)
	return ok && f.Name == "len"
}
