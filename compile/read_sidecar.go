package compile

import (
	"bytes"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/token"
)

// spoken are the files that say something: not the ones that only tie what
// others declare to the schema, for cue vet and editors. Here the schema is open
// and its demands are checked block by block, so that they would only take time,
// a quarter of that of reading a stack.
func (s *source) spoken() []*ast.File {
	var out, ties []*ast.File
	for _, f := range s.files {
		if s.tiesOnly(f) {
			ties = append(ties, f)
		} else {
			out = append(out, f)
		}
	}
	declared := map[string]bool{}
	for _, f := range out {
		for _, d := range f.Decls {
			if x, ok := d.(*ast.Field); ok && x.Constraint == token.ILLEGAL {
				name, _, _ := ast.LabelName(x.Label)
				declared[name] = true
			}
		}
	}
	for _, f := range ties {
		for _, d := range f.Decls {
			x, ok := d.(*ast.Field)
			if !ok || x.Constraint == token.OPTION {
				continue
			}
			if name, _, _ := ast.LabelName(x.Label); !declared[name] {
				return s.files // a struct that is there only by the tie
			}
		}
	}
	return out
}

// tiesOnly reports whether a file holds nothing but `name: [string]: schema.#Def`
// and `name?: schema.#Def`.
func (s *source) tiesOnly(f *ast.File) bool {
	alias, ties := "", 0
	for _, d := range f.Decls {
		switch x := d.(type) {
		case *ast.Package, *ast.CommentGroup:
		case *ast.ImportDecl:
			if len(x.Specs) != 1 || x.Specs[0].Name != nil || alias != "" || importPath(x.Specs[0]) != schemaPath || !s.isSchema(schemaPath) {
				return false
			}
			alias = "schema"
		case *ast.Field:
			value := x.Value
			if x.Constraint != token.OPTION {
				value = anyString(value)
			}
			if x.Constraint == token.NOT || len(x.Attrs) > 0 || !s.isDefinition(value, alias) {
				return false
			}
			ties++
		default:
			return false
		}
	}
	return ties > 0
}

// anyString is the value of the one field of `{[string]: value}`; nil of any
// other expression.
func anyString(e ast.Expr) ast.Expr {
	x, ok := e.(*ast.StructLit)
	if !ok || len(x.Elts) != 1 {
		return nil
	}
	f, ok := x.Elts[0].(*ast.Field)
	if !ok || len(f.Attrs) > 0 {
		return nil
	}
	label, ok := f.Label.(*ast.ListLit)
	if !ok || len(label.Elts) != 1 {
		return nil
	}
	if key, ok := label.Elts[0].(*ast.Ident); !ok || key.Name != "string" {
		return nil
	}
	return f.Value
}

// isDefinition reports whether an expression is a definition of the schema that
// stands for any value.
func (s *source) isDefinition(e ast.Expr, alias string) bool {
	x, ok := e.(*ast.SelectorExpr)
	if !ok || alias == "" {
		return false
	}
	from, ok := x.X.(*ast.Ident)
	name, isIdent := x.Sel.(*ast.Ident)
	return ok && isIdent && from.Name == alias && bytes.Contains(s.r.openSchema(), []byte("\n"+name.Name+": _\n"))
}
