package compile

import (
	"fmt"
	"strings"
	"testing"

	"cuelang.org/go/cue/cuecontext"
	"cuelang.org/go/cue/format"
)

func TestPlace(t *testing.T) {
	const head, tail = "tchain: \"v1\"\n", "routes: {}\n"
	for _, tt := range []struct{ name, in, path, want string }{
		{"a struct over several lines gets a line at its end", "l: {\n\ta: 1\n\tb: 2 // last\n}\n", "l.c", "l: {\n\ta: 1\n\tb: 2 // last\n\tc: 9\n}\n"},
		{"what is missing on the way is a chain", "l: {\n\ta: 1\n}\n", "l.b.c-d.e", "l: {\n\ta: 1\n\tb: \"c-d\": e: 9\n}\n"},
		{"a struct on one line gets it before its brace", "l: {a: 1}\n", "l.b", "l: {a: 1, b: 9}\n"},
		{"blanks before the brace stay", "l: { a: 1 }\n", "l.b", "l: { a: 1, b: 9 }\n"},
		{"an empty struct needs no comma", "l: x: {}\n", "l.x.b.c", "l: x: {b: c: 9}\n"},
		{"a trailing comma is used", "l: {a: 1,}\n", "l.b", "l: {a: 1, b: 9}\n"},
		{"a chain gets a line of its own", "l: a: b: 1 // why\n", "l.a.c", "l: a: b: 1 // why\nl: a: c: 9\n"},
		{"a chain inside of braces gets it there", "l: {\n\ta: b: c: 1\n\tz: 1\n}\n", "l.a.b.d", "l: {\n\ta: b: c: 1\n\ta: b: d: 9\n\tz: 1\n}\n"},
		{"a chain on a line with others gets it beside them", "l: {a: b: c: 1, z: 1}\n", "l.a.b.d", "l: {a: b: c: 1, a: b: d: 9, z: 1}\n"},
		{"a chain that ends in braces is extended after them", "l: a: {\n\tb: 1\n}\n", "l.c", "l: a: {\n\tb: 1\n}\nl: c: 9\n"},
		{"a path that does not begin anywhere gets a line at the end", "l: 1\n", "m.n", "l: 1\nroutes: {}\nm: n: 9\n"},
		{"the struct inside of a list is found", "l: [{a: 1}, {b: 1}]\n", "l.[1].c", "l: [{a: 1}, {b: 1, c: 9}]\n"},
		{"a struct beside a reference is used", "#B: {a: int, ...}\nl: #B & {\n\ta: 1\n}\n", "l.c", "#B: {a: int, ...}\nl: #B & {\n\ta: 1\n\tc: 9\n}\n"},
		{"of two declarations the one with braces is used", "l: a: 1\nl: {\n\tb: 1\n}\n", "l.c", "l: a: 1\nl: {\n\tb: 1\n\tc: 9\n}\n"},
		{"an ellipsis stays last", "l: {\n\ta: 1\n\t...\n}\n", "l.c", "l: {\n\ta: 1\n\tc: 9\n\t...\n}\n"},
		{"an ellipsis stays last on one line", "l: {a: 1, ...}\n", "l.c", "l: {a: 1, c: 9, ...}\n"},
		{"a brace behind the last field is no line of its own", "l: {\n\ta: 1}\n", "l.c", "l: {\n\ta: 1, c: 9}\n"},
		{"labels that are no identifiers are quoted", "l: {a: 1}\n", "l.GET /x.if._y.#z.é", "l: {a: 1, \"GET /x\": \"if\": \"_y\": \"#z\": é: 9}\n"},
		{"line breaks are those of the file", "l: {\r\n\ta: 1\r\n}\r\n", "l.b", "l: {\r\n\ta: 1\r\n\tb: 9\r\n}\r\n"},
		{"an attribute stays with its field", "l: {a: string @env(A)}\n", "l.b", "l: {a: string @env(A), b: 9}\n"},
		{"what is written has no place", "l: a: 1\n", "l.a", ""},
		{"what is written elsewhere has no place", "_x: {a: 1}\nl: _x\n", "l.b", ""},
		{"a value from elsewhere has no place", "_x: {a: 1}\nl: {_x}\n", "l.a", ""},
		{"a list has no place", "l: [1]\n", "l.[1]", ""},
		{"a text has no place", "l: \"x\"\n", "l.a", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			content := head + tt.in + tail
			s := mustRead(t, "a.cue", content)
			path := strings.Split(tt.path, ".")
			before, after, rng, ok := s.place(path)
			if !ok {
				if tt.want != "" {
					t.Fatal("no place")
				}
				return
			}
			x := newText("", []byte(content))
			from, to := x.offset(rng.Line, rng.Column), x.offset(rng.EndLine, rng.EndColumn)
			if from != to {
				t.Errorf("range %v is not empty", rng)
			}
			got := content[:from] + before + "9" + after + content[to:]
			want := head + tt.want
			if !strings.Contains(want, tail) {
				want += tail
			}
			if got != want {
				t.Fatalf("got:\n%s\nwant:\n%s", got, want)
			}
			if tt.name == "labels that are no identifiers are quoted" {
				return
			}
			again := mustRead(t, "a.cue", got)
			if v, _ := again.lookup(path); fmt.Sprint(v) != "9" {
				t.Errorf("%s = %v, want 9", tt.path, v)
			}
			if _, err := format.Source([]byte(got)); err != nil || cuecontext.New().CompileString(got).Err() != nil {
				t.Errorf("result is not valid: %v", err)
			}
		})
	}
	if _, _, _, ok := mustRead(t, "a.yaml", "tchain: v1\nl: {a: 1}\n").place([]string{"l", "b"}); ok {
		t.Error("YAML has a place")
	}
}
