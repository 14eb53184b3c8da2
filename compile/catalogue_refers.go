package compile

import (
	"slices"
	"strings"
)

// refers checks what fields of a type say of each other: the settings that a limit
// holds with, and those that a default falls back to.
func (r *typeReader) refers() {
	var names []string
	var each func(f *Field, under string, do func(f, in *Field, name string))
	each = func(f *Field, under string, do func(f, in *Field, name string)) {
		for _, c := range f.Fields {
			do(c, f, under+c.Name)
			each(c, under+c.Name+".", do)
		}
		if f.Elem != nil {
			each(f.Elem, under, do)
		}
	}
	each(r.typ.Root, "", func(_, _ *Field, name string) { names = append(names, name) })
	known := func(name string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return n == name || strings.HasSuffix(n, "."+name) })
	}
	each(r.typ.Root, "", func(f, in *Field, _ string) {
		for _, l := range f.Limits {
			for _, cond := range l.If {
				name, _, _ := strings.Cut(cond, "=")
				if name = strings.TrimSuffix(name, "!"); !known(name) {
					r.errs = append(r.errs, &catalogueError{f.ID, "limit", cond, plainError("there is no setting " + name)})
				}
			}
		}
		if from := f.circle(in); from != "" {
			r.errs = append(r.errs, &catalogueError{f.ID, "default", "from=" + from, plainError("comes back to itself")})
		}
	})
}

// circle is the setting that a default falls back to, where that falls back to the
// field again; "" if it does not.
func (f *Field) circle(in *Field) string {
	for _, d := range f.Defaults {
		at, seen := d.From, []string{f.Name}
		for at != "" && !slices.Contains(seen, at) {
			seen = append(seen, at)
			next := in.child(at)
			at = ""
			if next != nil {
				for _, d := range next.Defaults {
					at = d.From
				}
			}
		}
		if at != "" {
			return d.From
		}
	}
	return ""
}
