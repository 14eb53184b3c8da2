package compile

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"cuelang.org/go/cue/errors"
)

// syntax is the first syntax error of a file. What the parser says after it
// follows from it.
func (s *source) syntax(t *text, err error) Error {
	es := errors.Errors(err)
	off, msg := len(t.data), "cannot be parsed"
	if len(es) > 0 {
		msg = plainText(es[0])
		if p := es[0].Position(); p.IsValid() {
			off = s.offset(t, p)
		} else if line, _ := placed(es[0]); line > 0 {
			off = t.offset(line, 1)
			off += len(t.indent(off))
		}
	}
	return s.syntaxAt(t, off, msg)
}

// numberWord is what people write where CUE wants quotes: 5m, 1h30m, 90 s,
// 2026-09-01.
var numberWord = later(`^[0-9][0-9._]*(?:-[0-9]+(?:-[0-9]+)?|(?:[ \t]?(?:ns|us|µs|ms|secs?|mins?|s|m|h|d|w|y)|[a-zA-Z%]+)(?:[0-9]+[a-zA-Z]+)*)\b`)

// packageLine is a package line whose name is none of CUE's.
var packageLine = later(`^\s*package[ \t]+("?[^\s"/;]*[^\s"/;\pL\pN_][^\s"/;]*"?|"[^\s"]*")`)

// notInName are the signs that no name of a package has.
var notInName = later(`[^\pL\pN_]+`)

func (s *source) syntaxAt(t *text, off int, msg string) Error {
	off = min(off, len(t.data))
	line := t.lineAt(off)
	if at := packageLine().FindSubmatchIndex(t.data[line.from:line.to]); at != nil && off >= line.from+at[2] && off <= line.from+at[3] {
		name := string(t.data[line.from+at[2] : line.from+at[3]])
		plain := strings.Trim(notInName().ReplaceAllString(name, "_"), "_")
		return Error{t.rng(span{line.from + at[2], line.from + at[3]}), fmt.Sprintf("%s is no name of a package; write package %s", name, plain)}
	}
	if from, word := numberAt(t, off); word != "" {
		return Error{t.rng(span{from, from + len(word)}), fmt.Sprintf("%s is not a CUE number; write %q", word, strings.Join(strings.Fields(word), ""))}
	}
	r := t.rng(span{off, wordEnd(t, off)})
	msg = strings.NewReplacer("'EOF'", "the end of the file", "'newline'", "the end of the line").Replace(msg)
	if strings.HasPrefix(msg, "missing ','") {
		msg = "a comma or a line break is missing"
		if word := string(t.data[off:wordEnd(t, off)]); word != "" {
			msg += " before " + word
		}
	}
	return Error{r, msg}
}

// numberAt is the number with a unit that off is in or just behind.
func numberAt(t *text, off int) (from int, word string) {
	line := t.lineAt(off)
	head := t.data[line.from:off]
	// Back over the number, and over one blank between it and its unit.
	i := len(bytes.TrimRight(head, " \t"))
	if len(head)-i > 1 {
		return 0, ""
	}
	for i > 0 && (isWord(head[i-1]) || head[i-1] == '.' || head[i-1] == '-') {
		i--
	}
	if i > 0 && head[i-1] == '"' {
		return 0, ""
	}
	m := numberWord().Find(t.data[line.from+i : line.to])
	end := line.from + i + len(m)
	if m == nil || end < off || end < len(t.data) && t.data[end] == ':' {
		return 0, ""
	}
	return line.from + i, string(m)
}

// later is an expression that is compiled where it is first asked for: few files have
// a mistake, and those with classes of letters take long.
func later(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}

// wordEnd is the end of the word or quoted string that begins at off, else the
// next character.
func wordEnd(t *text, off int) int {
	if off >= len(t.data) {
		return len(t.data)
	}
	if c := t.data[off]; c == '"' || c == '\'' {
		if end := stringEnd(t.data, off); end > off {
			return end + 1
		}
	}
	i := off
	for i < len(t.data) && (isWord(t.data[i]) || t.data[i] == '.' && i > off) {
		i++
	}
	if i == off && t.data[i] != '\n' && t.data[i] != '\r' {
		i++
	}
	return i
}
