package alb

import (
	"fmt"
	"strings"

	"tchain.dev/tchain/emit"
)

// terraform is an override file: Terraform lays its arguments over the resources
// of the same names that stand in the team's own files.
func (l *layer) terraform() emit.File {
	name := l.file + "_override.tf"
	var b strings.Builder
	l.header(&b, name)
	fmt.Fprintf(&b, "# Terraform lays this over the resources of the same names in the files beside it;\n# what is not here stays as it is there.\n#\n")
	l.about(&b)
	fmt.Fprintf(&b, "resource \"aws_lb\" %q {\n", label(l.name))
	arguments(&b, "  ", l.own)
	b.WriteString("}\n")
	for _, g := range l.groups {
		fmt.Fprintf(&b, "\nresource \"aws_lb_target_group\" %q {\n", label(g.peer))
		arguments(&b, "  ", g.attrs)
		if g.written {
			b.WriteString("\n  # Terraform takes this block instead of your own, with its matcher, port and protocol.\n  health_check {\n")
			arguments(&b, "    ", g.check)
			b.WriteString("  }\n")
		} else {
			b.WriteString("\n  # The stack writes no health_check: your own block holds, whatever it says.\n")
		}
		b.WriteString("}\n")
	}
	return emit.File{Name: name, Content: []byte(b.String())}
}

// label is a layer's name as Terraform takes one: no dots, and no digit first.
func label(name string) string {
	name = strings.ReplaceAll(name, ".", "_")
	if name[0] >= '0' && name[0] <= '9' {
		return "_" + name
	}
	return name
}

// arguments are lines of one block, aligned as terraform fmt does.
func arguments(b *strings.Builder, indent string, vs []value) {
	names, texts := 0, 0
	for _, v := range vs {
		names, texts = max(names, len(v.name)), max(texts, len(v.hcl()))
	}
	for _, v := range vs {
		fmt.Fprintf(b, "%s%-*s = %-*s # %s\n", indent, names, v.name, texts, v.hcl(), v.comment)
	}
}

func (v value) hcl() string {
	if v.number() {
		return v.text
	}
	return `"` + v.text + `"`
}
