package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"tchain.dev/tchain/chain"
)

// apply makes edits of one file, which do not overlap.
func apply(text []byte, edits []chain.Edit) ([]byte, error) {
	type span struct {
		from, to int
		text     string
	}
	var spans []span
	for _, e := range edits {
		from, ok := offset(text, e.Range.Line, e.Range.Column)
		to, ok2 := offset(text, e.Range.EndLine, e.Range.EndColumn)
		if !ok || !ok2 || to < from {
			return nil, fmt.Errorf("the edit at %d:%d is not in the text", e.Range.Line, e.Range.Column)
		}
		spans = append(spans, span{from, to, e.NewText})
	}
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	var out bytes.Buffer
	at := 0
	for _, s := range spans {
		if s.from < at {
			return nil, fmt.Errorf("two edits overlap")
		}
		out.Write(text[at:s.from])
		out.WriteString(s.text)
		at = s.to
	}
	out.Write(text[at:])
	return out.Bytes(), nil
}

// offset is where a line and column in runes, from 1, stand in the text.
func offset(text []byte, line, column int) (int, bool) {
	if line < 1 || column < 1 {
		return 0, false
	}
	at := 0
	for ; line > 1; line-- {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			return 0, false
		}
		at += i + 1
	}
	for ; column > 1; column-- {
		if at == len(text) || text[at] == '\n' {
			return 0, false
		}
		_, n := utf8.DecodeRune(text[at:])
		at += n
	}
	return at, true
}
