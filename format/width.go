package format

import (
	"strings"
	"unicode"

	"tchain.dev/tchain/internal/safetext"
)

// tabWidth is what a tab counts for when a line has to be cut. Carets do not
// depend on it: a tab stays a tab above and below.
const tabWidth = 8

// wide are the ranges whose characters take two columns on a terminal.
var wide = [][2]rune{
	{0x1100, 0x115f}, {0x2e80, 0x303e}, {0x3041, 0xa4cf}, {0xac00, 0xd7a3}, {0xf900, 0xfaff},
	{0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
}

// runeWidth is the number of columns that a terminal gives to a character.
func runeWidth(r rune) int {
	switch {
	case r == '\t':
		return tabWidth
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	for _, w := range wide {
		if w[0] <= r && r <= w[1] {
			return 2
		}
	}
	return 1
}

func width(rs []rune) int {
	n := 0
	for _, r := range rs {
		n += runeWidth(r)
	}
	return n
}

// Clean is text from outside as a terminal may have it.
func Clean(s string) string { return clean(s) }

// clean is text without control characters.
func clean(s string) string { return safetext.Clean(s) }

// blank is text that takes as many columns as rs.
func blank(rs []rune) string {
	var b strings.Builder
	for _, r := range rs {
		if r == '\t' {
			b.WriteByte('\t')
			continue
		}
		b.WriteString(strings.Repeat(" ", runeWidth(r)))
	}
	return b.String()
}
