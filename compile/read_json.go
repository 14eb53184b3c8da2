package compile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"cuelang.org/go/cue/ast"
	cuejson "cuelang.org/go/encoding/json"
)

// parseJSON reads a JSON file. A key that is written twice is an error: readers
// of JSON disagree on which one counts.
func (s *source) parseJSON(path string, t *text) (*ast.File, []Error) {
	at := func(off int, format string, args ...any) []Error {
		return []Error{{t.rng(span{off, off}), fmt.Sprintf(format, args...)}}
	}
	if utf16(t.data) {
		return nil, at(0, "not valid JSON: "+inUTF16)
	}
	if !utf8.Valid(t.data) {
		off := 0
		for r, n := utf8.DecodeRune(t.data); r != utf8.RuneError || n != 1; r, n = utf8.DecodeRune(t.data[off:]) {
			off += n
		}
		return nil, at(off, "not valid JSON: no UTF-8")
	}
	data := t.data
	if bytes.HasPrefix(data, bom) { // blanks in its place keep the offsets
		data = append([]byte("   "), data[len(bom):]...)
	}
	var any any
	if err := json.Unmarshal(data, &any); err != nil {
		off := len(t.data)
		if se, ok := err.(*json.SyntaxError); ok {
			off = int(se.Offset) - 1
		}
		if len(bytes.TrimSpace(data)) == 0 {
			return nil, at(0, "not valid JSON: file is empty")
		}
		return nil, at(off, "not valid JSON: %s", lowerFirst(err.Error()))
	}
	if off := tooDeep(data); off >= 0 {
		return nil, at(off, "expression nests or chains more than %d deep", maxDepth)
	}
	if off, key := jsonTwice(data); key != "" {
		return nil, at(off, "%s is written twice", key)
	}
	e, err := cuejson.Extract(path, data)
	if err != nil {
		return nil, []Error{s.syntax(t, err)}
	}
	x, ok := e.(*ast.StructLit)
	if !ok {
		return nil, at(0, "file is not a JSON object")
	}
	return &ast.File{Filename: path, Decls: x.Elts}, nil
}

// jsonTwice is the first key that an object of valid JSON holds twice.
func jsonTwice(data []byte) (off int, key string) {
	type frame struct {
		keys  map[string]bool // nil in an array
		value bool            // a value comes next, not a key
	}
	var open []frame
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '{':
			open = append(open, frame{keys: map[string]bool{}})
		case '[':
			open = append(open, frame{})
		case '}', ']':
			open = open[:len(open)-1]
		case ':':
			open[len(open)-1].value = true
		case ',':
			open[len(open)-1].value = false
		case '"':
			end := i + 1
			for ; data[end] != '"'; end++ {
				if data[end] == '\\' {
					end++
				}
			}
			if len(open) > 0 && open[len(open)-1].keys != nil && !open[len(open)-1].value {
				var k string
				_ = json.Unmarshal(data[i:end+1], &k)
				if open[len(open)-1].keys[k] {
					return i, fmt.Sprintf("%q", k)
				}
				open[len(open)-1].keys[k] = true
			}
			i = end
		}
	}
	return 0, ""
}
