package compile

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/token"

	"tchain.dev/tchain/chain"
)

// userPositions are the positions of an error that are in files of the user's.
func (s *source) userPositions(e errors.Error) []token.Pos {
	var out []token.Pos
	for _, p := range append([]token.Pos{e.Position()}, e.InputPositions()...) {
		if !p.IsValid() || fromSchema(p.Filename()) || p.Filename() == "" {
			continue
		}
		if _, err := s.text(p.Filename()); err != nil {
			continue
		}
		known := false
		for _, q := range out {
			known = known || p.Filename() == q.Filename() && p.Offset() == q.Offset()
		}
		if !known {
			out = append(out, p)
		}
	}
	return out
}

// errorRange is the range of the first position, widened to the literal or word
// there, else that of the path, a user's.
func (s *source) errorRange(poss []token.Pos, path []string) chain.Range {
	for _, p := range poss {
		r, ok := s.posRange(p)
		if !ok {
			continue
		}
		if r.Line == r.EndLine && r.Column == r.EndColumn {
			t, _ := s.text(p.Filename())
			off := s.offset(t, p)
			r = t.rng(span{off, wordEnd(t, off)})
		}
		return r
	}
	if s.index != nil && len(path) > 0 && s.value.Exists() {
		return s.at(path...)
	}
	return chain.Range{File: shown(s.target.own[0])}
}

// userPath is a path of CUE's in the user's words: without quotes.
func userPath(path []string) []string {
	out := make([]string, len(path))
	for i, p := range path {
		if out[i] = unquoted(p); p != "" && strings.Trim(p, "0123456789") == "" {
			out[i] = "[" + p + "]"
		}
	}
	return out
}

func plainText(e errors.Error) string {
	format, args := e.Msg()
	text := strings.TrimSpace(firstLine(fmt.Sprintf(format, args...)))
	if text == "" { // an error of a reader below, which says its file itself
		_, text = placed(e)
	}
	return lowerFirst(strings.TrimSuffix(text, ":"))
}

var filePrefix = regexp.MustCompile(`^(?:.*[/\\])?[^/\\:]*\.(?:cue|yaml|yml|json):(?:(\d+):(?:\d+:)?)? ?`)

// placed is what an error says without the file that it names, and its line; 0
// if it names none.
func placed(e error) (line int, text string) {
	text = firstLine(e.Error())
	if m := filePrefix.FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1])
		text = text[len(m[0]):]
	}
	return line, text
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}

// lowerFirst lowers the first letter unless the word is all capitals.
func lowerFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if next, _ := utf8.DecodeRuneInString(s[n:]); unicode.IsUpper(r) && !unicode.IsUpper(next) {
		return string(unicode.ToLower(r)) + s[n:]
	}
	return s
}
