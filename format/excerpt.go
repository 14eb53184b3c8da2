package format

import (
	"strings"

	"tchain.dev/tchain/chain"
)

// A source finds lines of files; it splits a file when it is first asked for.
type source struct {
	files map[string][]byte
	lines map[string][]string
}

// line is a line of a file without its end, cleaned; ok is false if there is none.
func (s *source) line(file string, n int) (line string, ok bool) {
	lines, done := s.lines[file]
	if !done {
		if text, there := s.files[file]; there {
			lines = strings.Split(string(text), "\n")
		}
		if s.lines == nil {
			s.lines = map[string][]string{}
		}
		s.lines[file] = lines
	}
	if n < 1 || n > len(lines) {
		return "", false
	}
	return clean(strings.TrimSuffix(lines[n-1], "\r")), true
}

// An excerpt is a source line and what stands under it.
type excerpt struct {
	shown  string
	pad    string // up to the range, as wide as the line is there
	carets string
}

// around cuts a line to the columns that fit, so that the range stays in view,
// and marks the range. A line that does not fit loses its indent first. A range
// over several lines is marked to the end of the first.
func around(line string, r chain.Range, columns int) excerpt {
	rs := []rune(line)
	if width(rs) > columns {
		rs = []rune(strings.TrimLeft(line, " \t"))
		dropped := len([]rune(line)) - len(rs)
		r.Column, r.EndColumn = r.Column-dropped, r.EndColumn-dropped
	}
	from := min(max(r.Column-1, 0), len(rs))
	to := len(rs)
	if r.EndLine <= r.Line {
		to = min(max(r.EndColumn-1, from), len(rs))
	}
	first, last := window(rs, from, to, columns)
	shown := string(rs[first:last])
	pad := blank(rs[first:min(from, last)])
	if first > 0 {
		shown, pad = "…"+shown, " "+pad
	}
	if last < len(rs) {
		shown += "…"
	}
	n := max(width(rs[min(from, last):min(to, last)]), 1)
	return excerpt{shown, pad, strings.Repeat("^", n)}
}

// window is the part of a line that is shown: all of it if it fits, else as
// much before the range as after it.
func window(rs []rune, from, to, columns int) (first, last int) {
	if width(rs) <= columns {
		return 0, len(rs)
	}
	first, last = from, from
	room := columns - 2 // the marks that say where it was cut
	grow := func(i int) bool {
		w := runeWidth(rs[i])
		if w > room {
			return false
		}
		room -= w
		return true
	}
	for last < to && grow(last) {
		last++
	}
	for more := last == to; more; {
		more = false
		if first > 0 && grow(first-1) {
			first--
			more = true
		}
		if last < len(rs) && grow(last) {
			last++
			more = true
		}
	}
	return first, last
}
