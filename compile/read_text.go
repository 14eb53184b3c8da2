package compile

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"tchain.dev/tchain/chain"
)

// A text is the content of one file with its line starts. CUE counts columns in
// bytes, people and editors count them in characters.
type text struct {
	name  string // as shown: relative to the working directory where it is below it
	data  []byte
	lines []int // offset of the first byte of each line
	crlf  bool  // it breaks lines as Windows does
}

// bom is what some editors put before the first character; it has no column.
var bom = []byte("\uFEFF")

const inUTF16 = "the file is UTF-16; a stack is UTF-8"

func utf16(data []byte) bool {
	return bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff"))
}

func newText(name string, data []byte) *text {
	t := &text{name: name, data: data, lines: []int{0}, crlf: bytes.Contains(data, []byte("\r\n"))}
	for i := 0; i < len(data); {
		n := bytes.IndexByte(data[i:], '\n')
		if n < 0 {
			break
		}
		i += n + 1
		t.lines = append(t.lines, i)
	}
	return t
}

// place is the line and the column in runes, both from 1, of a byte offset.
// An offset outside the file is moved to its nearest end.
func (t *text) place(off int) (line, col int) {
	off = max(0, min(off, len(t.data)))
	i := sort.SearchInts(t.lines, off+1) - 1
	head := t.data[t.lines[i]:off]
	if i == 0 {
		head = bytes.TrimPrefix(head, bom)
	}
	return i + 1, utf8.RuneCount(head) + 1
}

// span is a part of a file in byte offsets; to is exclusive. The zero span of
// an existing file is its first position.
type span struct{ from, to int }

// rng is the range of a span.
func (t *text) rng(s span) chain.Range {
	r := chain.Range{File: t.name}
	r.Line, r.Column = t.place(s.from)
	r.EndLine, r.EndColumn = t.place(max(s.from, s.to))
	return r
}

// offset is the byte offset of a line and a column in runes, both from 1.
func (t *text) offset(line, col int) int {
	if line < 1 {
		return 0
	}
	if line > len(t.lines) {
		return len(t.data)
	}
	off := t.lines[line-1]
	if line == 1 && bytes.HasPrefix(t.data, bom) {
		off += len(bom)
	}
	for ; col > 1 && off < len(t.data); col-- {
		_, n := utf8.DecodeRune(t.data[off:])
		off += n
	}
	return off
}

// lineAt is the span of the line that holds off, without its line break unless
// off is inside of that.
func (t *text) lineAt(off int) span {
	line, _ := t.place(off)
	s := span{t.lines[line-1], len(t.data)}
	if line < len(t.lines) {
		s.to = t.lines[line] - 1
	}
	if s.to > max(s.from, off) && t.data[s.to-1] == '\r' {
		s.to--
	}
	return s
}

// indent is the white space that the line of off begins with.
func (t *text) indent(off int) string {
	l := t.lineAt(off)
	line := t.data[l.from:l.to]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// newline is the line break that the file uses.
func (t *text) newline() string {
	if t.crlf {
		return "\r\n"
	}
	return "\n"
}

// quotedEnd is the offset after the JSON or double-quoted string that begins at from.
func (t *text) quotedEnd(from int) int {
	for i := from + 1; i < len(t.data); i++ {
		switch t.data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(t.data)
}
