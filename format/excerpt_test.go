package format

import (
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

func TestCaretsStandUnderTheRange(t *testing.T) {
	for _, tc := range []struct {
		name, line string
		from, to   int // columns
		columns    int
		want       string
	}{
		{"tabs stay", "\ta:\t\"1s\"", 5, 9, 80, "\ta:\t\"1s\"\n\t  \t^^^^"},
		{"wide characters", `a: "日本" // x`, 4, 8, 80, "a: \"日本\" // x\n   ^^^^^^"},
		{"combining marks", "é\u0301: 1", 5, 6, 80, "é\u0301: 1\n   ^"},
		{"an empty range gets one caret", "abc", 2, 2, 80, "abc\n ^"},
		{"behind the end", "abc", 9, 12, 80, "abc\n   ^"},
		{"cut on both sides", strings.Repeat("a", 50) + "XYZ" + strings.Repeat("b", 50), 51, 54, 15, "…aaaaaXYZbbbbb…\n      ^^^"},
		{"cut at the end", "XYZ" + strings.Repeat("b", 50), 1, 4, 15, "XYZbbbbbbbbbb…\n^^^"},
		{"an indent goes before anything else", "\t\t\tlong: 1", 10, 11, 10, "long: 1\n      ^"},
		{"a range longer than the line", strings.Repeat("a", 50), 1, 51, 10, "aaaaaaaa…\n^^^^^^^^"},
	} {
		x := around(tc.line, chain.Range{Line: 1, Column: tc.from, EndLine: 1, EndColumn: tc.to}, tc.columns)
		if got := x.shown + "\n" + x.pad + x.carets; got != tc.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tc.name, got, tc.want)
		}
	}
}

func TestARangeOverLinesIsMarkedToTheEndOfTheFirst(t *testing.T) {
	x := around("a: {", chain.Range{Line: 1, Column: 4, EndLine: 3, EndColumn: 2}, 80)
	if x.carets != "^" {
		t.Errorf("carets %q", x.carets)
	}
}
