package draft

import (
	"slices"
	"strconv"
	"strings"
)

// A field is one line of a stack, or a struct of them.
type field struct {
	name  string // as written, in quotes where it needs them
	value string // "" is a struct
	why   string // the comment behind the value
	times int    // how often the value was written
	below []*field
}

func (f *field) find(name string) *field {
	if i := slices.IndexFunc(f.below, func(b *field) bool { return b.name == name }); i >= 0 {
		return f.below[i]
	}
	return nil
}

// at is the field at a path below, which is made where there is none.
func (f *field) at(path ...string) *field {
	for _, name := range path {
		b := f.find(name)
		if b == nil {
			b = &field{name: name}
			f.below = append(f.below, b)
		}
		f = b
	}
	return f
}

// write is the field as CUE: a chain where a struct has one field, braces where
// it has several.
func (f *field) write(b *strings.Builder, indent string) {
	b.WriteString(indent)
	for ; len(f.below) == 1; f = f.below[0] {
		b.WriteString(f.shown() + ": ")
	}
	b.WriteString(f.shown() + ": ")
	switch {
	case f.value != "":
		b.WriteString(f.value)
	case len(f.below) == 0:
		b.WriteString("{}")
	default:
		b.WriteString("{\n")
		for _, c := range f.below {
			c.write(b, indent+"\t")
		}
		b.WriteString(indent + "}")
	}
	if f.why != "" && len(f.below) == 0 {
		b.WriteString(" // " + f.why)
	}
	b.WriteByte('\n')
}

// shown is the name, in quotes too where CUE would read it as something else.
func (f *field) shown() string {
	switch f.name {
	case "if", "for", "in", "let", "true", "false", "null", "import", "package":
		return strconv.Quote(f.name)
	}
	return f.name
}

// label is a name as the path of a setting has it.
func label(name string) string {
	for i, r := range name {
		if r != '_' && !('a' <= r && r <= 'z') && !('A' <= r && r <= 'Z') && !('0' <= r && r <= '9' && i > 0) {
			return strconv.Quote(name)
		}
	}
	return name
}

// labels are the names of a setting's path, with the quotes that they have in it.
func labels(setting string) []string {
	var out []string
	for setting != "" {
		name, err := strconv.QuotedPrefix(setting)
		if err != nil {
			name, _, _ = strings.Cut(setting, ".")
		}
		out, setting = append(out, name), strings.TrimPrefix(setting[len(name):], ".")
	}
	return out
}
