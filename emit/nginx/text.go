package nginx

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A page is a file in the making. Names are aligned in each block, comments in
// the whole file.
type page struct{ lines []line }

type line struct {
	raw         string // a whole line, where name is ""
	indent      int
	name, value string
	comment     string
	nameCol     int
}

// shortValue is the width up to which a value takes part in the alignment.
const shortValue = 8

func (p *page) raw(format string, args ...any) {
	p.lines = append(p.lines, line{raw: fmt.Sprintf(format, args...)})
}

func (p *page) set(indent int, name, value, comment string) {
	p.lines = append(p.lines, line{indent: indent, name: name, value: value + ";", comment: comment})
}

func (p *page) bytes() []byte {
	p.alignNames()
	comments := 0
	for _, l := range p.lines {
		if l.name != "" && l.comment != "" && len(l.value) <= shortValue {
			comments = max(comments, l.nameCol+len(l.value)+2)
		}
	}
	var b strings.Builder
	for _, l := range p.lines {
		if l.name == "" {
			b.WriteString(l.raw + "\n")
			continue
		}
		text := strings.Repeat(" ", l.indent) + l.name
		text += strings.Repeat(" ", l.nameCol-len(text)) + l.value
		if l.comment != "" {
			gap := max(2, comments-utf8.RuneCountInString(text))
			text += strings.Repeat(" ", gap) + "# " + l.comment
		}
		b.WriteString(text + "\n")
	}
	return []byte(b.String())
}

// alignNames gives each run of directives the column of its longest name.
func (p *page) alignNames() {
	for i := 0; i < len(p.lines); {
		j, col := i, 0
		for ; j < len(p.lines) && p.lines[j].name != ""; j++ {
			col = max(col, p.lines[j].indent+len(p.lines[j].name)+2)
		}
		for ; i < j; i++ {
			p.lines[i].nameCol = col
		}
		i = max(j, i+1)
	}
}
