package report

import (
	"strings"
	"unicode/utf8"
)

// A table is rows of cells that are printed in columns.
type table struct {
	rows  [][]string
	right map[int]bool // columns whose cells stand at the right
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// widths are the columns' widths; a column in which nothing stands has none.
func (t *table) widths() []int {
	var out []int
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(out) {
				out = append(out, 0)
			}
			out[i] = max(out[i], utf8.RuneCountInString(cell))
		}
	}
	return out
}

// width is the length of the longest line, without an indent.
func (t *table) width() int {
	n := -len(columnGap)
	for _, w := range t.widths() {
		if w > 0 {
			n += w + len(columnGap)
		}
	}
	return n
}

const columnGap = "  "

// lines are the rows with their cells aligned and nothing behind the last one.
func (t *table) lines(indent string) []string {
	widths := t.widths()
	var out []string
	for _, row := range t.rows {
		var cells []string
		for i, cell := range row {
			if widths[i] == 0 {
				continue
			}
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if t.right[i] {
				cells = append(cells, pad+cell)
			} else {
				cells = append(cells, cell+pad)
			}
		}
		out = append(out, strings.TrimRight(indent+strings.Join(cells, columnGap), " "))
	}
	return out
}
