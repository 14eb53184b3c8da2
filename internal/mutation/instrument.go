package mutation

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// Instrument is a source file in which each condition can be broken, the name
// of its package, and what can be broken, numbered from first.
//
// A condition is broken into the least that a test can tell from it: each part
// of an && is taken as true, each part of an || as false, the whole as the other;
// a comparison with an order takes in its limit, or leaves it out. A swap of &&
// and ||, or of == and !=, differs from the source wherever one of these does.
// Besides, numbers beside an operator are one more and one less, minimum and
// maximum forget a value, a case forgets a value, and an early return, break or
// continue at the end of a block goes on.
func Instrument(name string, src []byte, first int) (text []byte, pkg string, mutants []Mutant, err error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, "", nil, err
	}
	in := &instrumenter{name: name, src: src, file: fset.File(f.Pos()), next: first}
	for _, d := range f.Decls {
		in.fn, in.results = "", nil
		switch d := d.(type) {
		case *ast.FuncDecl:
			in.fn, in.results = funcName(d), d.Type.Results
			in.walk(d.Body)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.VAR {
					in.fn = v.Names[0].Name
					in.walk(v)
				}
			}
		}
	}
	return in.text(), f.Name.Name, in.mutants, nil
}

func funcName(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	return t.(*ast.Ident).Name + "." + d.Name.Name
}

type instrumenter struct {
	name    string
	src     []byte
	file    *token.File
	next    int
	mutants []Mutant
	fn      string
	results *ast.FieldList // of the function around
	edits   []edit
}

// An edit replaces some source by a text. Of several at one place those that
// close come first, and among them the inner one.
type edit struct {
	at, cut int
	text    string
	order   int
}

func (in *instrumenter) text() []byte {
	slices.SortStableFunc(in.edits, func(a, b edit) int { return cmp.Or(a.at-b.at, a.order-b.order) })
	var out []byte
	at := 0
	for _, e := range in.edits {
		out = append(append(out, in.src[at:e.at]...), e.text...)
		at = e.at + e.cut
	}
	return append(out, in.src[at:]...)
}

// wrap puts a node between two texts, inside of all that it was put in before.
func (in *instrumenter) wrap(n ast.Node, before, after string) {
	i := len(in.edits)
	in.edits = append(in.edits,
		edit{in.file.Offset(n.Pos()), 0, before, i},
		edit{in.file.Offset(n.End()), 0, after, -i - 1})
}

func (in *instrumenter) replace(at token.Pos, cut int, text string) {
	in.edits = append(in.edits, edit{in.file.Offset(at), cut, text, len(in.edits)})
}

func (in *instrumenter) source(n ast.Node) string {
	return string(in.src[in.file.Offset(n.Pos()):in.file.Offset(n.End())])
}

// mutant enters a mutant and gives its number as text.
func (in *instrumenter) mutant(n ast.Node, is string) string {
	id := in.next
	in.next++
	in.mutants = append(in.mutants, Mutant{id, in.name, in.file.Line(n.Pos()), in.fn, short(in.source(n)), short(is)})
	return strconv.Itoa(id)
}

// short is a source text on one line.
func short(s string) string {
	const most = 70
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}
