package main

import (
	"testing"

	"tchain.dev/tchain/chain"
)

func edit(line, col, endLine, endCol int, text string) chain.Edit {
	return chain.Edit{Range: chain.Range{Line: line, Column: col, EndLine: endLine, EndColumn: endCol}, NewText: text}
}

func TestApply(t *testing.T) {
	const text = "a: \"90s\" // é 日\nb: 1\n"
	for _, tc := range []struct {
		name  string
		edits []chain.Edit
		want  string
	}{
		{"a replacement", []chain.Edit{edit(1, 4, 1, 9, `"96s"`)}, "a: \"96s\" // é 日\nb: 1\n"},
		{"columns are runes", []chain.Edit{edit(1, 15, 1, 16, "x")}, "a: \"90s\" // é x\nb: 1\n"},
		{"an insertion", []chain.Edit{edit(2, 1, 2, 1, "c: 2\n")}, "a: \"90s\" // é 日\nc: 2\nb: 1\n"},
		{"at the end", []chain.Edit{edit(3, 1, 3, 1, "c: 2\n")}, text + "c: 2\n"},
		{"several in any order", []chain.Edit{edit(2, 4, 2, 5, "22"), edit(1, 1, 1, 2, "aa")}, "aa: \"90s\" // é 日\nb: 22\n"},
		{"over lines", []chain.Edit{edit(1, 4, 2, 4, "")}, "a: 1\n"},
	} {
		if got, err := apply([]byte(text), tc.edits); err != nil || string(got) != tc.want {
			t.Errorf("%s: %q, %v", tc.name, got, err)
		}
	}
	for name, bad := range map[string][]chain.Edit{
		"no place":        {edit(0, 0, 0, 0, "x")},
		"behind the text": {edit(9, 1, 9, 1, "x")},
		"behind the line": {edit(2, 9, 2, 9, "x")},
		"backwards":       {edit(2, 3, 2, 1, "x")},
		"overlapping":     {edit(1, 1, 1, 3, "x"), edit(1, 2, 1, 4, "y")},
	} {
		if _, err := apply([]byte(text), bad); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
