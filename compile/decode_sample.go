package compile

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// anyDuration is a duration in a form that every notation can be asked to say.
func anyDuration(text string) (time.Duration, bool) {
	d, err := fixedNotation.Parse(text)
	return d, err == nil
}

// sample is a value that a field takes, as one would write it.
func (f *Field) sample(text string) string {
	if f.Notation != nil && f.Notation.Bare != "" && !f.takes("string") {
		if _, err := f.Notation.Parse(text); err == nil {
			return text // a number that was quoted
		}
	}
	if d, ok := anyDuration(text); ok && f.Notation != nil {
		if s, err := f.Notation.Format(d); err == nil {
			if slices.Contains(f.Kinds, "string") && len(f.Notation.Units) > 0 {
				return strconv.Quote(s)
			}
			return s
		}
	}
	if f.Notation != nil {
		return f.Notation.Example
	}
	return ""
}

// wanted is what the field takes, in words.
func (f *Field) wanted() string {
	if f.Enum != nil {
		return list(quoted(f.Enum), "or")
	}
	if f.Notation != nil {
		out := fmt.Sprintf("%s, as %s", f.Notation.Name, f.Notation.Example)
		if f.takes("bool") {
			out += ", or a bool"
		}
		if f.takes("null") {
			out += ", or null"
		}
		return out
	}
	words := map[string]string{"int": "a whole number", "number": "a number", "string": "a string", "bool": "true or false", "list": "a list", "struct": "a struct", "null": "null"}
	var out []string
	for _, k := range f.Kinds {
		if k == "int" && f.takes("number") {
			continue
		}
		out = append(out, words[k])
	}
	return list(out, "or")
}
