package compile

import (
	"bytes"
	"strconv"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/literal"
	"cuelang.org/go/cue/token"

	"tchain.dev/tchain/chain"
)

// place is where the value of a path that is not written yet can be inserted so
// that the result is CUE that people would write: before + value + after
// replaces rng, which is empty. ok is false where nothing can be inserted: in
// YAML and JSON, in a list, where the path has a value from elsewhere, and where
// what encloses it is written elsewhere.
func (s *source) place(path []string) (before, after string, rng chain.Range, ok bool) {
	if s.target.form != formCUE || len(path) == 0 || s.decl(path) != nil {
		return
	}
	o := s.openingAt(path[:len(path)-1])
	if !o.ok {
		return
	}
	if o.there {
		if v, found := s.lookup(path); found && v.IsConcrete() {
			return
		}
	}
	return o.before + labels(path[o.from:]), o.after, o.rng, true
}

// An opening is where fields below a path can be inserted: before, their labels from
// the part of the path number from on, their value, and after.
type opening struct {
	before, after string
	rng           chain.Range
	from          int
	ok            bool
	there         bool // the path has a value
}

// openingAt is the opening of a path, found once for all that is not written there.
func (s *source) openingAt(path []string) *opening {
	k := key(path)
	o := s.openings[k]
	if o == nil {
		o = s.opening(path)
		s.openings[k] = o
	}
	return o
}

func (s *source) opening(path []string) *opening {
	o := &opening{}
	if len(path) == 0 {
		o.there = true
		o.before, o.after, o.rng, o.ok = s.append()
		return o
	}
	d := s.writable(path)
	if d == nil {
		if len(s.index.decls[key(path)]) > 0 {
			_, o.there = s.lookup(path)
			return o // written, but not as a struct
		}
		*o = *s.openingAt(path[:len(path)-1])
		if o.there {
			_, o.there = s.lookup(path)
		}
		return o
	}
	v, found := s.lookup(path)
	if o.there = found; found && v.IncompleteKind() == cue.ListKind {
		return o
	}
	t, err := s.text(d.file)
	if err != nil {
		return o
	}
	if b := braced(d.expr); b != nil {
		o.before, o.after, o.rng, o.ok = insert(t, b)
		o.from = len(path)
		return o
	}
	o.before, o.after, o.rng, o.ok = extend(t, d)
	o.from = len(d.base)
	return o
}

// writable is the declaration of a path that can take another field: its own
// directory's before one that other directories share, with braces before a
// chain; nil if there is none.
func (s *source) writable(path []string) *decl {
	var best *decl
	score := 0
	for _, d := range s.index.decls[key(path)] {
		if d.maybe {
			continue
		}
		n := 0
		if b := braced(d.expr); b != nil {
			n = 2
		} else if x, ok := d.expr.(*ast.StructLit); ok && !x.Lbrace.IsValid() && d.top != nil {
			n = 1
		}
		if n == 0 {
			continue
		}
		for _, own := range s.target.own {
			if own == d.file {
				n += 2
			}
		}
		if n > score {
			best, score = d, n
		}
	}
	return best
}

// braced is the struct with braces that an expression is or has as a part, nil
// if there is none.
func braced(e ast.Expr) *ast.StructLit {
	switch x := e.(type) {
	case *ast.StructLit:
		if x.Lbrace.IsValid() && x.Rbrace.IsValid() {
			return x
		}
	case *ast.ParenExpr:
		return braced(x.X)
	case *ast.Alias:
		return braced(x.Expr)
	case *ast.BinaryExpr:
		if x.Op == token.AND {
			if b := braced(x.Y); b != nil {
				return b
			}
			return braced(x.X)
		}
	}
	return nil
}

// insert is for a field at the end of a struct with braces.
func insert(t *text, b *ast.StructLit) (before, after string, rng chain.Range, ok bool) {
	from, to := b.Lbrace.Offset()+1, b.Rbrace.Offset()
	if from > to || to > len(t.data) {
		return
	}
	if n := len(b.Elts); n > 0 {
		if e, ok := b.Elts[n-1].(*ast.Ellipsis); ok { // which has to stay last
			at := e.Pos().Offset()
			line := t.lineAt(at)
			if own := strings.TrimSpace(string(t.data[line.from:at])) == ""; own {
				return t.indent(at), t.newline(), t.rng(span{line.from, line.from}), true
			}
			return "", ", ", t.rng(span{at, at}), true
		}
	}
	line := t.lineAt(to)
	inner := t.data[from:to]
	if bytes.IndexByte(inner, '\n') >= 0 && len(bytes.TrimSpace(t.data[line.from:to])) == 0 {
		indent := t.indent(to) + "\t"
		for i := len(b.Elts) - 1; i >= 0; i-- {
			if at := b.Elts[i].Pos().Offset(); len(bytes.TrimSpace(t.data[t.lineAt(at).from:at])) == 0 {
				indent = t.indent(at)
				break
			}
		}
		return indent, t.newline(), t.rng(span{line.from, line.from}), true
	}
	used := bytes.TrimRight(inner, " \t\r\n")
	at := from + len(used)
	switch {
	case len(used) == 0:
	case used[len(used)-1] == ',':
		before = " "
	default:
		before = ", "
	}
	return before, "", t.rng(span{at, at}), true
}

// extend is for a field after the chain `a: b: c: 1` that d is a part of, whose
// labels begin at what holds the chain.
func extend(t *text, d *decl) (before, after string, rng chain.Range, ok bool) {
	end := d.top.End()
	if !end.IsValid() || end.Offset() > len(t.data) {
		return
	}
	at := end.Offset()
	line := t.lineAt(at)
	rest := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(string(t.data[at:line.to])), ","))
	start := d.top.Pos().Offset()
	alone := len(bytes.TrimSpace(t.data[t.lineAt(start).from:start])) == 0
	if !alone || rest != "" && !strings.HasPrefix(rest, "//") {
		return ", ", "", t.rng(span{at, at}), true
	}
	indent, nl := t.indent(start), t.newline()
	if l, _ := t.place(at); l < len(t.lines) {
		next := t.lines[l]
		return indent, nl, t.rng(span{next, next}), true
	}
	return nl + indent, "", t.rng(span{len(t.data), len(t.data)}), true
}

// append is for a field at the end of the stack's last own file.
func (s *source) append() (before, after string, rng chain.Range, ok bool) {
	t, err := s.text(s.target.own[len(s.target.own)-1])
	if err != nil {
		return
	}
	end := len(t.data)
	if end > 0 && t.data[end-1] != '\n' {
		before = t.newline()
	}
	return before, t.newline(), t.rng(span{end, end}), true
}

// labels is `a: "b-c": ` for a path.
func labels(path []string) string {
	var b strings.Builder
	for _, name := range path {
		b.WriteString(quoteLabel(name))
		b.WriteString(": ")
	}
	return b.String()
}

// quoteLabel writes a label as CUE needs it: quoted unless it is an identifier
// that CUE does not read as something else.
func quoteLabel(name string) string {
	switch name {
	case "if", "for", "in", "let", "true", "false", "null", "import", "package":
		return strconv.Quote(name)
	}
	if ast.IsValidIdent(name) && !strings.HasPrefix(name, "_") && !strings.HasPrefix(name, "#") {
		return name
	}
	return literal.String.Quote(name)
}
