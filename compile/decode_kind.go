package compile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue"
)

// take reads a concrete value: its raw form, its text, and the duration where
// it is one. It reports what the field does not take.
func (d *decoder) take(v *Value, from cue.Value) bool {
	f, fail := v.Field, d.failure(v)
	switch from.Kind() {
	case cue.StringKind:
		s, _ := from.String()
		v.Raw, v.Text = s, s
		return d.readText(v, s, func(format string, args ...any) bool {
			if shown, write, ok := f.sum(from); ok {
				return fail("is %s, which CUE joins to %q; write %s", shown, s, write)
			}
			return fail(format, args...)
		})
	case cue.IntKind:
		return d.readInt(v, from, fail)
	case cue.FloatKind, cue.NumberKind:
		return d.readFloat(v, from, fail)
	case cue.BoolKind:
		b, _ := from.Bool()
		v.Raw, v.Text = b, strconv.FormatBool(b)
		if !f.takes("bool") {
			return fail("takes %s, not %s", f.wanted(), v.Text)
		}
		return true
	case cue.ListKind:
		return d.readList(v, from, fail)
	case cue.NullKind:
		if v.Text = "null"; !f.takes("null") {
			return fail("takes %s, not null", f.wanted())
		}
		return true
	case cue.StructKind:
		return d.readStruct(v, from, fail)
	case cue.BytesKind:
		return fail("takes %s, not bytes; a text stands in double quotes", f.wanted())
	}
	return fail("takes %s, not %s", f.wanted(), shownValue(from))
}

func (d *decoder) readText(v *Value, s string, fail failure) bool {
	f := v.Field
	switch {
	case !f.takes("string") && f.Notation != nil:
		return fail("is %s; write %s", f.Notation.Name, f.sample(s))
	case !f.takes("string"):
		return fail("takes %s, not %q", f.wanted(), s)
	case f.Notation != nil:
		dur, err := f.Notation.Parse(s)
		if err != nil && !f.Notation.Replaced {
			return fail("%s", err)
		}
		v.D = dur
	case f.Enum != nil && !slices.Contains(f.Enum, s):
		return fail("takes %s, not %q%s", f.wanted(), s, did(Closest(s, f.Enum)))
	case f.Enum == nil && !f.check.matches(s):
		return fail("%q has not the form %s", s, f.check.pattern)
	}
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' }) {
		if why := f.unknownWord(word); why != "" {
			return fail("%s", why)
		}
	}
	return true
}

// unknownWord says why a word of a list is not taken; "" if it is, or if the
// words are not known one by one.
func (f *Field) unknownWord(word string) string {
	if f.Retry == nil || f.Retry.Tokens == nil {
		return ""
	}
	var known []string
	for _, t := range f.Retry.Tokens {
		known = append(known, t.Word)
	}
	if slices.Contains(known, word) {
		return ""
	}
	return fmt.Sprintf("does not know %q; %s", word, meant(word, known, 12))
}

func did(best string) string {
	if best == "" {
		return ""
	}
	return "; did you mean " + strconv.Quote(best) + "?"
}

func (d *decoder) readInt(v *Value, from cue.Value, fail failure) bool {
	f := v.Field
	text := shownValue(from)
	n, err := from.Int64()
	switch {
	case f.Notation != nil && f.Notation.BareZero && text == "0":
		v.D = 0
	case f.Notation != nil && f.takes("int") && f.Notation.Bare != "":
		if strings.HasPrefix(text, "-") && !f.Notation.Signed {
			return fail("is %s; it cannot be negative", text)
		}
		dur, parseErr := f.Notation.Parse(text)
		if parseErr != nil || err != nil {
			return fail("%s is longer than any timer", text)
		}
		v.D = dur
	case f.Notation != nil && (!f.takes("int") || f.Notation.BareZero):
		return fail("%s has no unit; %s looks like %s", text, f.Notation.Name, f.Notation.Example)
	case !f.takes("int") && !f.takes("number"):
		return fail("takes %s, not %s", f.wanted(), text)
	case err != nil:
		return fail("%s is too large", text)
	default:
		if why := f.check.number(float64(n)); why != "" {
			return fail("is %s; it %s", text, why)
		}
	}
	v.Raw, v.Text = n, text
	return true
}

func (d *decoder) readFloat(v *Value, from cue.Value, fail failure) bool {
	f := v.Field
	x, err := from.Float64()
	text := shownValue(from)
	switch {
	case f.Notation != nil && f.takes("number") && f.Notation.Bare != "" && f.Notation.Decimals:
		dur, parseErr := f.Notation.Parse(text)
		if parseErr != nil {
			return fail("%s", parseErr)
		}
		v.D = dur
	case f.Notation != nil && (!f.takes("int") || f.Notation.BareZero):
		return fail("%s has no unit; %s looks like %s", text, f.Notation.Name, f.Notation.Example)
	case f.Notation != nil && !f.takes("string"):
		return fail("is %s; %s is not whole", f.Notation.Name, text)
	case !f.takes("number"):
		return fail("takes %s, not %s", f.wanted(), text)
	case err != nil:
		return fail("%s is too large", text)
	}
	if why := f.check.number(x); why != "" {
		return fail("is %s; it %s", text, why)
	}
	v.Raw, v.Text = x, text
	return true
}

func (d *decoder) readList(v *Value, from cue.Value, fail failure) bool {
	if !v.Field.takes("list") {
		return fail("takes %s, not a list", v.Field.wanted())
	}
	it, err := from.List()
	if err != nil {
		return false
	}
	words := []string{}
	for i := 0; it.Next(); i++ {
		word, ok := elementText(it.Value())
		if v.Field.Null != "" && concrete(it.Value()).Kind() == cue.NullKind { // none in a list of limits
			word, ok = "null", true
		}
		if !ok {
			return fail("has %s in its list", shownValue(it.Value()))
		}
		if why := v.Field.check.element(it.Value()); why != "" {
			return fail("has %s in its list; it takes %s", shownValue(it.Value()), why)
		}
		if why := v.Field.unknownWord(word); why != "" {
			d.failValue(below(v.Path, indexed(i)), "%s %s", v.Origin.Name, why)
			return false
		}
		words = append(words, word)
	}
	v.Raw, v.Text = words, strings.Join(words, " ")
	return true
}

// elementText is an element of a list as the product would read it: a struct is
// its values, the address first, then the parameters as name=value.
func elementText(v cue.Value) (string, bool) {
	v = concrete(v)
	switch v.Kind() {
	case cue.StringKind:
		s, err := v.String()
		return s, err == nil
	case cue.IntKind, cue.FloatKind, cue.NumberKind, cue.BoolKind:
		return shownValue(v), true
	}
	fields, ok := members(v, nil)
	if !ok || v.Kind() != cue.StructKind {
		return "", false
	}
	var first, rest []string
	for _, m := range fields {
		text, ok := elementText(m.v)
		switch {
		case !ok:
			return "", false
		case concrete(m.v).Kind() == cue.BoolKind: // "down" is there or not
			if text == "true" {
				rest = append(rest, m.name)
			}
		case m.name == "address" || m.name == "server":
			first = append(first, text)
		default:
			rest = append(rest, m.name+"="+text)
		}
	}
	return strings.Join(append(first, rest...), " "), true
}

// readStruct answers a struct where a single value is set. It is often a name
// of another dialect, as `idle_timeout: timeout_seconds: 60`.
func (d *decoder) readStruct(v *Value, from cue.Value, fail failure) bool {
	f := v.Field
	fields, _ := members(from, v.Path)
	for _, m := range fields {
		if alias := v.Origin.Name + "." + m.name; slices.Contains(f.Aliases, alias) {
			typ, _, _ := strings.Cut(f.ID, ".")
			d.failLabel(m.path, "%s has no setting %q; write %s", typ, alias, f.Name)
			return false
		}
	}
	if f.ID == "unknown" {
		return fail("says what is known of the layer, as \"vendor CDN\", or \"\": it has no settings, and its limits are not checked")
	}
	return fail("takes %s, not a struct", f.wanted())
}
