package compile

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue"

	"tchain.dev/tchain/chain"
)

// A decoder walks one stack's value against the catalogue. It collects one
// error a mistake and goes on, so that one run shows all of them.
type decoder struct {
	src *source
	cat *catalogue
	set map[string]string
	// rules are the ids of all rules; nil takes any.
	rules []string

	out  *Decoded
	lost bool // the layers cannot be read, so that no name of one can be judged
	errs []Error
	bad  map[string]bool // paths that an error was reported for
	fill []filling       // blocks whose remaining constraints only CUE can check

	placed map[chain.Range]bool // the suppressions that stand on something
}

// decode checks a stack block by block and returns it as data. With errors the
// result holds what could be read.
//
// CUE's own errors in the user's files are the reader's to report: a value that
// is an error already is passed over in silence.
func decode(src *source, cat *catalogue) (*Decoded, []Error) {
	d := newDecoder(src, cat)
	d.stack(src.value)
	d.strays()
	return d.out, d.errors()
}

func newDecoder(src *source, cat *catalogue) *decoder {
	d := &decoder{src: src, cat: cat, out: &Decoded{cat: cat}, bad: map[string]bool{}, placed: map[chain.Range]bool{}}
	if src.r != nil {
		d.set, d.rules = src.r.opt.Set, src.r.opt.Rules
	}
	return d
}

// errors are all mistakes, those that only CUE can see too, in order.
func (d *decoder) errors() []Error {
	for _, f := range d.fill {
		d.unify(f)
	}
	slices.SortStableFunc(d.errs, func(a, b Error) int {
		return cmp.Or(strings.Compare(a.Range.File, b.Range.File), cmp.Compare(a.Range.Line, b.Range.Line),
			cmp.Compare(a.Range.Column, b.Range.Column), strings.Compare(a.Message, b.Message))
	})
	return slices.Compact(d.errs)
}

// A member is one regular field of a user's struct.
type member struct {
	name string
	v    cue.Value
	path []string
}

// members are the regular fields of a struct in the order of the file; hidden
// fields and definitions are the user's own business. ok is false if v is no struct.
func members(v cue.Value, path []string) (out []member, ok bool) {
	it, err := v.Fields()
	if err != nil {
		return nil, false
	}
	for it.Next() {
		name := it.Selector().Unquoted()
		out = append(out, member{name, it.Value(), below(path, name)})
	}
	return out, true
}

func names(fields []member) []string {
	out := make([]string, len(fields))
	for i, m := range fields {
		out[i] = m.name
	}
	return out
}

func below(path []string, names ...string) []string {
	return append(path[:len(path):len(path)], names...)
}

// broken reports whether a value is an error that the reader has reported.
func broken(v cue.Value) bool { return v.IncompleteKind() == cue.BottomKind && v.Err() != nil }

var topLevel = []string{"tchain", "name", "asOf", "layers", "routes", "path", "types", "policy"}

func (d *decoder) stack(v cue.Value) {
	fields, ok := members(v, nil)
	if !ok {
		if !broken(v) {
			d.failAt(d.src.at(), "a stack is a struct with tchain, name, layers and routes")
		}
		return
	}
	by := map[string]member{}
	misspelt := map[string]bool{}
	for _, m := range fields {
		if !slices.Contains(topLevel, m.name) {
			d.failLabel(m.path, "unknown field %q in the stack; %s", m.name, meant(m.name, topLevel, 0))
			misspelt[Closest(m.name, topLevel)] = true
			continue
		}
		by[m.name] = m
	}
	for _, name := range []string{"tchain", "name", "layers", "routes"} {
		if _, ok := by[name]; !ok && !misspelt[name] {
			d.failAt(d.top(), "stack has no %s; %s", name, cmp.Or(d.src.aside(name), missing[name]))
		}
	}
	if m, ok := by["tchain"]; ok {
		d.out.Pos = d.posOf(m.path)
		d.version(m)
	}
	if d.out.Name = d.str(by["name"]); d.out.Name == "" && !d.bad[key([]string{"name"})] && by["name"].name != "" {
		d.failValue(by["name"].path, `name is empty; write name: "…"`)
	}
	d.out.AsOf = d.month(by["asOf"])
	if m, ok := by["types"]; ok {
		d.ownTypes(m)
	}
	if m, ok := by["layers"]; ok {
		d.layers(m)
	} else {
		d.lost = true
	}
	if m, ok := by["path"]; ok {
		d.out.DefaultPath, _ = d.spine(m.v, m.path)
	}
	if m, ok := by["routes"]; ok {
		d.routes(m)
	}
	if m, ok := by["policy"]; ok {
		d.policy(m)
	}
	d.checkSpines()
}

var missing = map[string]string{
	"tchain": `write tchain: "v1"`,
	"name":   `write name: "…"`,
	"layers": "write layers: with one key for each layer",
	"routes": `write routes: with one key for each request pattern, as "GET /v1/pay"`,
}

// top is where a message about the whole stack points.
func (d *decoder) top() chain.Range {
	for _, name := range topLevel {
		if r := d.src.label(name); r.Line > 0 {
			return r
		}
	}
	return d.src.at()
}

func (d *decoder) version(m member) {
	if broken(m.v) {
		return
	}
	if s, err := m.v.String(); err != nil || s != "v1" {
		d.failValue(m.path, `tchain is %s; this is for stacks of "v1"`, shownValue(m.v))
	}
}

// str is a plain string beside the settings.
func (d *decoder) str(m member) string {
	if m.name == "" || broken(m.v) {
		return ""
	}
	v := concrete(m.v)
	s, err := v.String()
	switch {
	case v.Kind() == cue.BottomKind:
		d.failValue(m.path, "%s has no value; %s", m.name, noValue(d.src.attrs(m.path...), "write one"))
	case err != nil:
		d.failValue(m.path, "%s takes a string, not %s", m.name, shownValue(m.v))
	}
	return s
}

func (d *decoder) month(m member) string {
	s := d.str(m)
	if s != "" && !isDate(s, "2006-01") {
		d.failValue(m.path, `asOf is %s; it is a month, as "2026-11"`, strconv.Quote(s))
	}
	return s
}

// concrete is the value with its default taken.
func concrete(v cue.Value) cue.Value {
	if v.Kind() == cue.BottomKind {
		if def, ok := v.Default(); ok {
			return def
		}
	}
	return v
}

func (d *decoder) failAt(r chain.Range, format string, args ...any) {
	d.errs = append(d.errs, Error{r, fmt.Sprintf(format, args...)})
}

// failLabel reports a mistake in a name.
func (d *decoder) failLabel(path []string, format string, args ...any) {
	d.bad[key(path)] = true
	d.failAt(d.labelOf(path), format, args...)
}

// failValue reports a mistake in a value.
func (d *decoder) failValue(path []string, format string, args ...any) {
	d.bad[key(path)] = true
	at := d.posOf(path)
	if r := d.src.shared(path...); d.ownFile(r.File) && d.src.literalFor(path) {
		at = r
	}
	d.failAt(at, format, args...)
}

// posOf is where the value of a path is used first, or the nearest thing
// around it that has a place.
func (d *decoder) posOf(path []string) chain.Range {
	for n := len(path); n > 0; n-- {
		if r := d.src.at(path[:n]...); r.Line > 0 {
			return r
		}
	}
	return d.src.at()
}

func (d *decoder) labelOf(path []string) chain.Range {
	if r := d.src.label(path...); r.Line > 0 {
		return r
	}
	return d.posOf(path)
}
