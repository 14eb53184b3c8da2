package compile

import (
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue"

	"tchain.dev/tchain/chain"
)

func (r *typeReader) retry(f *Field, a cue.Attribute) {
	if f.Retry == nil {
		f.Retry = &RetrySpec{}
	}
	for i := range a.NumArgs() {
		switch key, text := argOf(a, i); key {
		case "methods":
			f.Retry.Methods = strings.Fields(text)
		case "all":
			f.Retry.All = text
		case "off":
			f.Retry.Off = text
		case "on":
			f.Retry.On = r.conds(a, text)
		case "names":
			f.Retry.Names = true
		case "always":
			f.Retry.Always = true
		case "":
		default:
			r.fail(a, "%q is not known here", key)
		}
	}
}

// backoff reads how the wait between attempts grows.
func (r *typeReader) backoff(f *Field, a cue.Attribute) {
	f.Backoff = &BackoffSpec{}
	for i := range a.NumArgs() {
		var err error
		switch key, text := argOf(a, i); key {
		case "is":
			f.Backoff.Is = text
			r.oneOf(a, text, "multiplier", "max")
		case "multiplier":
			f.Backoff.Multiplier, err = thousandths(text)
		case "max":
			f.Backoff.Max, err = fixedNotation.Parse(text)
		case "jitter":
			f.Backoff.Jitter = true
		case "first":
			f.Backoff.First = true
			r.oneOf(a, text, "none")
		case "on":
			f.Backoff.On = r.conds(a, text)
		default:
			r.fail(a, "%q is not known here", key)
		}
		if err != nil {
			r.fail(a, "%v", err)
		}
	}
}

// thousandths is a factor as "1.6".
func thousandths(text string) (int, error) {
	x, err := strconv.ParseFloat(text, 64)
	return int(x*1000 + 0.5), err
}

func (r *typeReader) tokens(f *Field, a cue.Attribute) {
	if f.Retry == nil {
		f.Retry = &RetrySpec{}
	}
	for i := range a.NumArgs() {
		word, conds := argOf(a, i)
		f.Retry.Tokens = append(f.Retry.Tokens, Token{Word: word, Conds: r.conds(a, conds)})
	}
}

// time reads how durations are written.
func (r *typeReader) time(a cue.Attribute) *chain.Notation {
	n := &chain.Notation{}
	n.Name, _ = argOf(a, 0)
	for i := 1; i < a.NumArgs(); i++ {
		switch key, text := argOf(a, i); key {
		case "units":
			n.Units = strings.Fields(text)
		case "bare":
			n.Bare = text
		case "number":
			n.Number = true
		case "decimals":
			n.Decimals = true
		case "anyorder":
			n.Combine, n.AnyOrder = true, true
		case "combine":
			n.Combine = true
		case "spaces":
			n.Spaces = true
		case "iso":
			n.ISO = true
		case "barezero":
			n.BareZero = true
		case "anycase":
			n.AnyCase = true
		case "plus":
			n.Plus = true
		case "replaced":
			n.Replaced = true
		case "signed":
			n.Signed = true
		case "example":
			n.Example = text
		default:
			r.fail(a, "%q is not known here", key)
		}
	}
	if n.Name == "" || n.Example == "" || len(n.Units) == 0 && n.Bare == "" {
		r.fail(a, "needs a name, units or a bare unit, and an example")
	}
	return n
}

// settle checks what can only be judged once all attributes of a field are
// known.
func (r *typeReader) settle(f *Field) {
	bad := func(what, value string, err error) {
		if err != nil {
			r.errs = append(r.errs, &catalogueError{f.ID, what, value, err})
		}
	}
	if r.typ.Own && len(f.Limits) > 0 && f.Notation == nil && f.takes("string") {
		f.Notation = &fixedNotation // a team need not say what everyone takes it for
	}
	for _, d := range f.Defaults {
		if d.Value != "" && d.Value != neverText {
			bad("default", d.Value, f.takesText(d.Value))
		}
	}
	if f.Notation != nil {
		for what, text := range map[string]string{"fixed": f.Fixed, "cap": f.Cap, "overflow": f.Overflow.Above, "overflow's value": f.Overflow.As, "range": f.Min, "range's end": f.Max} {
			if text != "" {
				bad(what, text, f.takesText(text))
			}
		}
	}
	if f.Min != "" && f.Max != "" && f.above(f.Min, f.Max) {
		bad("range", f.Min, plainError("is above its end "+strconv.Quote(f.Max)))
	}
	if r.typ.Own && len(f.Kinds) == 0 && f.Fixed == "" {
		bad("constraint", "", errNoValue)
		f.Kinds, f.check = kindsOf(cue.TopKind), nil // so that nothing else is said of its values
	}
	if len(f.Limits) > 0 && f.Notation == nil && f.Fixed == "" && len(f.Kinds) > 0 {
		bad("limit", "", errNoUnit)
	}
	if f.Fixed != "" && f.Fixed != neverText && len(f.Limits) > 0 {
		if _, err := fixedNotation.Parse(f.Fixed); err != nil {
			bad("fixed", f.Fixed, err)
		}
	}
}

// fixedNotation is how the catalogue writes what the platform has set.
var fixedNotation = chain.Notation{Name: "a duration", Units: []string{"h", "m", "s", "ms", "us", "ns"}, Decimals: true, Combine: true, Example: `"90s"`}

const errNoUnit = plainError("has a limit but nothing says its unit: refer to a duration of the schema or add @time")

const errNoValue = plainError("takes no value at all: its constraint contradicts itself, or refers to what is not there")

// above reports whether one value of the field is larger than another one.
func (f *Field) above(a, b string) bool {
	x, dx := parseDefault(f, a)
	y, dy := parseDefault(f, b)
	if f.Notation != nil {
		return dx > dy
	}
	n, ok := x.(int64)
	m, okToo := y.(int64)
	return ok && okToo && n > m
}

type plainError string

func (e plainError) Error() string { return string(e) }

// A catalogueError is a fact of the catalogue that its own field does not take.
type catalogueError struct {
	id, what, value string
	err             error
}

func (e *catalogueError) Error() string {
	if e.value == "" {
		return e.id + " " + e.err.Error()
	}
	return e.id + ": " + e.what + " " + strconv.Quote(e.value) + ": " + e.err.Error()
}

// takesText reports why a text in the product's own syntax is no value of the field.
func (f *Field) takesText(text string) error {
	switch {
	case f.Notation != nil:
		_, err := f.Notation.Parse(text)
		return err
	case f.Enum != nil:
		if !slices.Contains(f.Enum, text) {
			return plainError("is none of " + strings.Join(f.Enum, ", "))
		}
	case f.takes("string"), f.takes("list"):
	case f.takes("bool"):
		_, err := strconv.ParseBool(text)
		return err
	case f.takes("number"):
		_, err := strconv.ParseFloat(text, 64)
		return err
	case f.takes("int"):
		_, err := strconv.ParseInt(text, 10, 64)
		return err
	}
	return nil
}

// enum is the strings of a disjunction of strings only, or of one string.
func (e expr) enum() []string {
	if e.op == cue.NoOp {
		if s, err := e.v.String(); err == nil {
			return []string{s}
		}
	}
	if e.op != cue.OrOp {
		return nil
	}
	var out []string
	for _, p := range e.parts {
		if inner := exprOf(p).enum(); inner != nil {
			out = append(out, inner...)
			continue
		}
		s, err := p.String()
		if err != nil {
			return nil
		}
		out = append(out, s)
	}
	return out
}
