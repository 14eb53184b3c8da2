// Package safetext makes the words of a stack safe for where they are shown:
// names are whatever a team wrote, and say nothing to a terminal or to Markdown.
package safetext

import (
	"strings"
	"unicode"
)

// apart is a space of no width. After @ or # it keeps the name of a layer from
// calling a person or linking to an issue; an escape does not.
const apart = "&#8203;"

// Clean replaces control characters, with which a stack could write anything
// on the terminal of whoever checks it, and those that turn the direction of
// writing around, with which it could show other text than it holds. Tabs stay.
func Clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// Markdown is text as it is, within a line or a cell of a table.
func Markdown(s string) string {
	return escaped(s, func(r rune) bool { return strings.ContainsRune("\\`*_[]~|$", r) })
}

// HTML is text as it is in an HTML block, where Markdown is not read.
func HTML(s string) string { return escaped(s, func(rune) bool { return false }) }

func escaped(s string, mark func(rune) bool) string {
	var b strings.Builder
	rs := []rune(Clean(s))
	for i, r := range rs {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case (r == '@' || r == '#') && i+1 < len(rs) && (unicode.IsLetter(rs[i+1]) || unicode.IsDigit(rs[i+1])):
			b.WriteString(string(r) + apart)
		case mark(r):
			b.WriteString("\\" + string(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// MarkdownCode is text as code, within a cell of a table.
func MarkdownCode(s string) string {
	s = strings.ReplaceAll(Clean(s), "|", "\\|")
	ticks := strings.Repeat("`", LongestTicks(s)+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || s == "" {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

// LongestTicks is how many backticks stand in a row, which a fence has to beat.
func LongestTicks(s string) int {
	longest, n := 0, 0
	for _, r := range s {
		if r != '`' {
			n = 0
			continue
		}
		n++
		longest = max(longest, n)
	}
	return longest
}
