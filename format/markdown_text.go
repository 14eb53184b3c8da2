package format

import (
	"strings"
	"unicode/utf8"

	"tchain.dev/tchain/internal/safetext"
)

// fold is text that a reader opens. The blank lines end the HTML block and so
// make Markdown of what is between.
func fold(title, text string) string {
	text = clip(strings.TrimRight(text, "\n"), markdownFold)
	fence := strings.Repeat("`", max(safetext.LongestTicks(text)+1, 3))
	return "\n<details><summary>" + safetext.HTML(title) + "</summary>\n\n" + fence + "text\n" + text + "\n" + fence + "\n\n</details>\n"
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
