package format

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// apart is a space of no width. After @ or # it keeps the name of a layer from
// calling a person or linking to an issue; an escape does not.
const apart = "&#8203;"

// markdownText is text as it is, within a line or a cell of a table.
func markdownText(s string) string {
	return escaped(s, func(r rune) bool { return strings.ContainsRune("\\`*_[]~|$", r) })
}

// htmlText is text as it is in an HTML block, where Markdown is not read.
func htmlText(s string) string { return escaped(s, func(rune) bool { return false }) }

func escaped(s string, mark func(rune) bool) string {
	var b strings.Builder
	rs := []rune(clean(s))
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

// markdownCode is text as code, within a cell of a table.
func markdownCode(s string) string {
	s = strings.ReplaceAll(clean(s), "|", "\\|")
	ticks := strings.Repeat("`", longestTicks(s)+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || s == "" {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

// fold is text that a reader opens. The blank lines end the HTML block and so
// make Markdown of what is between.
func fold(title, text string) string {
	text = clip(strings.TrimRight(text, "\n"), markdownFold)
	fence := strings.Repeat("`", max(longestTicks(text)+1, 3))
	return "\n<details><summary>" + htmlText(title) + "</summary>\n\n" + fence + "text\n" + text + "\n" + fence + "\n\n</details>\n"
}

func longestTicks(s string) int {
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

// clip cuts text to a number of bytes, between characters.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}
