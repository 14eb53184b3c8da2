package compile

import (
	"cmp"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/token"
)

// plain turns CUE's errors into the user's: grouped by path, of each group the
// one that says most, at a position in a file of the user's.
func (s *source) plain(err error) []Error {
	if err == nil {
		return nil
	}
	type group struct {
		first errors.Error
		rest  []errors.Error
	}
	var order []string
	groups := map[string]*group{}
	imports := false
	for _, e := range errors.Errors(err) {
		f, _ := e.Msg()
		imports = imports || strings.HasPrefix(f, "import failed") || strings.Contains(f, "imported but not defined") || strings.HasPrefix(f, "builtin package")
		if imports && strings.HasPrefix(f, "import %q not found") {
			continue // said where it is imported
		}
		k := strings.Join(e.Path(), "\x00")
		if k == "" {
			k = fmt.Sprint("\x00", e.Position(), e.Error())
		}
		if g := groups[k]; g != nil {
			g.rest = append(g.rest, e)
			continue
		}
		groups[k] = &group{first: e}
		order = append(order, k)
	}
	var out []Error
	for _, k := range order {
		g := groups[k]
		out = append(out, s.plainOne(g.first, g.rest))
	}
	return sortErrors(out)
}

func sortErrors(errs []Error) []Error {
	sort.SliceStable(errs, func(i, j int) bool {
		if errs[i].Range != errs[j].Range {
			return less(errs[i].Range, errs[j].Range)
		}
		return errs[i].Message < errs[j].Message
	})
	out := errs[:0]
	for i, e := range errs {
		if i == 0 || e != errs[i-1] {
			out = append(out, e)
		}
	}
	return out
}

// plainOne is one mistake: the first error of a path, with what else CUE said of it.
func (s *source) plainOne(e errors.Error, rest []errors.Error) Error {
	path := userPath(e.Path())
	poss := s.userPositions(e)
	for _, r := range rest {
		if len(poss) == 0 {
			poss = s.userPositions(r)
		}
	}
	format, args := e.Msg()
	msg := ""
	switch {
	case strings.HasPrefix(format, "conflicting values %s and %s") && len(args) >= 2:
		poss, msg = s.conflict(poss, args)
	case strings.Contains(format, "errors in empty disjunction"):
		poss, msg = s.noneOf(poss, rest)
	case strings.HasPrefix(format, "reference %q not found") && len(args) == 1:
		name := fmt.Sprint(args[0])
		msg = fmt.Sprintf("%s is not defined; %s", name, cmp.Or(s.aside(name), "a text needs quotes: "+strconv.Quote(name)))
	case strings.HasPrefix(format, "undefined field: %s") && len(args) == 1:
		msg = fmt.Sprintf("there is no field %v to refer to", args[0])
	case format == "field not allowed":
		msg = "this field is not allowed here, because a definition of the stack closes the struct"
	case strings.HasPrefix(format, "invalid value %v (out of bound %s)") && len(args) == 2:
		msg = fmt.Sprintf("%s is out of bounds: %s", s.short(args[0]), s.short(args[1]))
	case strings.HasPrefix(format, "invalid operands %s and %s to '%s'") && len(args) >= 5:
		msg = fmt.Sprintf("%s and %s cannot be combined by %v: their types are %v and %v", s.short(args[0]), s.short(args[1]), args[2], args[3], args[4])
	case (strings.Contains(format, "imported but not defined") || strings.HasPrefix(format, "builtin package %q")) && len(args) > 0:
		msg = fmt.Sprintf("import %q is not a package of CUE", args[0])
	case strings.HasPrefix(format, "import failed"):
		return s.importFailed(e, poss)
	default:
		msg = plainText(e)
	}
	if len(path) > 0 {
		msg = pathText(path) + ": " + msg
	}
	return Error{s.errorRange(poss, path), msg}
}

// conflict names both values, and the place of the one that is not shown.
func (s *source) conflict(poss []token.Pos, args []any) ([]token.Pos, string) {
	a, b := s.short(args[0]), s.short(args[1])
	if len(poss) == 2 && !s.literalAt(poss[0]) && s.literalAt(poss[1]) {
		a, b, poss = b, a, []token.Pos{poss[1], poss[0]} // the value rather than the type
	}
	msg := a + " conflicts with " + b
	if len(args) == 4 {
		msg = fmt.Sprintf("%s and %s are of different types", a, b)
	}
	if len(poss) >= 2 {
		if r, ok := s.posRange(poss[1]); ok {
			msg += fmt.Sprintf(", written in %s:%d:%d", r.File, r.Line, r.Column)
		}
	}
	return poss, msg
}

// literalAt reports whether a text, a number or a bool is written at a position.
func (s *source) literalAt(p token.Pos) bool {
	t, err := s.text(p.Filename())
	if err != nil || s.offset(t, p) >= len(t.data) {
		return false
	}
	rest := string(t.data[s.offset(t, p):])
	return strings.IndexByte(`"'-0123456789`, rest[0]) >= 0 || strings.HasPrefix(rest, "true") || strings.HasPrefix(rest, "false")
}

// noneOf is the message for a value that is none of a list.
func (s *source) noneOf(poss []token.Pos, rest []errors.Error) ([]token.Pos, string) {
	var got string
	var want []string
	for _, e := range rest {
		f, args := e.Msg()
		if !strings.HasPrefix(f, "conflicting values") || len(args) < 2 {
			continue
		}
		a, b := s.short(args[0]), s.short(args[1])
		if ps := s.userPositions(e); len(ps) == 2 {
			poss = []token.Pos{ps[1], ps[0]}
		}
		if got == "" {
			got = b
		}
		if got == a {
			a, b = b, a
		}
		want = append(want, a)
	}
	if got == "" {
		return poss, "no alternative fits"
	}
	return poss, got + " is none of " + strings.Join(want, ", ")
}

// importFailed says which import cannot be had, at the import, or what is wrong
// in the imported package, there.
func (s *source) importFailed(e errors.Error, poss []token.Pos) Error {
	text := firstLine(e.Error())
	if i := strings.LastIndex(text, "cannot find package"); i >= 0 {
		text, _, _ = strings.Cut(text[i:], ": ")
		return Error{s.errorRange([]token.Pos{e.Position()}, nil), "import failed: " + text}
	}
	if strings.Contains(text, "no cue.mod/module.cue") {
		return Error{s.errorRange([]token.Pos{e.Position()}, nil), "import failed: the directory is in no CUE module; run cue mod init at its root"}
	}
	for _, p := range e.InputPositions() {
		if p.IsValid() && p != e.Position() {
			if t, err := s.text(p.Filename()); err == nil && !fromSchema(p.Filename()) {
				return s.syntaxAt(t, s.offset(t, p), strings.TrimPrefix(text, "import failed: "))
			}
		}
	}
	return Error{s.errorRange(poss, nil), lowerFirst(strings.TrimSpace(text))}
}

// short is a value as CUE prints it, on one line of a bearable length.
func (s *source) short(v any) string {
	text := strings.Join(strings.Fields(fmt.Sprint(v)), " ")
	if utf8.RuneCountInString(text) > 60 {
		text = string([]rune(text)[:57]) + "..."
	}
	return text
}
