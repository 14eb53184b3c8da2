package format

import (
	"fmt"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
)

// fix prints one way to clear a finding; what comes after the first is another way.
func (t *textFormat) fix(i int, fix check.Fix, file string) {
	word := "fix: "
	if i > 0 {
		word = " or: "
	}
	text := placed(fix, file, t.opt.path)
	if fix.After != "" {
		text += "    " + fix.After
	}
	t.line("   " + t.paint.paint(green, word) + clean(text))
}

// placed is what a fix changes with the lines that it changes, unless a rule
// names the place itself.
func placed(fix check.Fix, file string, path func(string) string) string {
	if strings.HasPrefix(fix.Message, "line ") {
		return fix.Message
	}
	return strings.TrimSpace(editPlaces(fix.Edits, file, path) + " " + fix.Message)
}

// FixText is one way to clear a finding that stands in file, in one line: where,
// what, and what then holds.
func FixText(fix check.Fix, file string) string {
	text := placed(fix, file, func(name string) string { return name })
	if fix.After != "" {
		text += ", " + fix.After
	}
	return text
}

// fixMessage is what a fix changes and what then holds, for programs.
func fixMessage(fix check.Fix) string {
	if fix.After == "" {
		return fix.Message
	}
	return fix.Message + ", " + fix.After
}

// editPlaces names the lines that a fix changes, those of another file by name.
func editPlaces(edits []chain.Edit, file string, path func(string) string) string {
	var lines, out []string
	for _, e := range edits {
		if e.Range.Line == 0 {
			continue
		}
		if e.Range.File != file {
			out = append(out, fmt.Sprintf("%s:%d", path(e.Range.File), e.Range.Line))
		} else if l := fmt.Sprint(e.Range.Line); !slices.Contains(lines, l) {
			lines = append(lines, l)
		}
	}
	switch len(lines) {
	case 0:
	case 1:
		out = append([]string{"line " + lines[0]}, out...)
	default:
		out = append([]string{"lines " + strings.Join(lines, ", ")}, out...)
	}
	return strings.Join(slices.Compact(out), ", ")
}
