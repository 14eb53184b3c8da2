package compile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestErrors(t *testing.T) {
	for _, tt := range []struct{ name, file, in, want string }{
		{"two values for one field", "a.cue", "a: b: \"5s\"\na: b: \"6s\"\n", `a.cue:3:7: a.b: "6s" conflicts with "5s", written in a.cue:2:7`},
		{"a text where a number is wanted", "a.cue", "a: b: int\na: b: \"6s\"\n", `a.cue:3:7: a.b: "6s" and int are of different types, written in a.cue:2:7`},
		{"a word that is not defined", "a.cue", "a: b: enabled\n", `a.cue:2:7: a.b: enabled is not defined; a text needs quotes: "enabled"`},
		{"a reference to a field that is nowhere", "a.cue", "x: y: 1\na: x.z\n", `a.cue:3:6: a: there is no field z to refer to`},
		{"a reference into a definition without the field", "a.cue", "#x: y: 1\na: #x.z\n", `a.cue:3:7: a: there is no field z to refer to`},
		{"a field that a definition does not have", "a.cue", "#D: {x?: int}\na: #D & {y: 1}\n", `a.cue:3:10: a.y: this field is not allowed here, because a definition of the stack closes the struct`},
		{"none of several", "a.cue", "a: \"a\" | \"b\"\na: \"c\"\n", `a.cue:3:4: a: "c" is none of "a", "b"`},
		{"out of bounds", "a.cue", "a: >5 & 3\n", `a.cue:2:4: a: 3 is out of bounds: >5`},
		{"a sum of a text and a number", "a.cue", "a: \"30s\" + 10\n", `a.cue:2:4: a: "30s" and 10 cannot be combined by +: their types are string and int`},
		{"an import that is not of CUE", "a.cue", "import \"nope\"\na: nope.x\n", `a.cue:2:8: import "nope" is not a package of CUE`},
		{"an import without a module", "a.cue", "import \"x.io/nope\"\na: nope.x\n", `a.cue:2:8: import failed: the directory is in no CUE module; run cue mod init at its root`},
		{"an import that nothing uses", "a.cue", "import \"strings\"\na: 1\n", `a.cue:2:8: imported and not used: "strings"`},
		{"a name of the schema that does not exist", "a.cue", "import \"tchain.dev/schema\"\na: schema.#Layr\n", `a.cue:3:25: a: there is no field #Layr to refer to`},
		{"several mistakes are one line each", "a.cue", "a: 1\na: 2\nb: 1\nb: 2\n", "a.cue:3:4: a: 2 conflicts with 1, written in a.cue:2:4\na.cue:5:4: b: 2 conflicts with 1, written in a.cue:4:4"},
		{"a path with a name that needs quotes", "a.cue", "routes: \"GET /x\": tps: 1\nroutes: \"GET /x\": tps: 2\n", `a.cue:3:24: routes."GET /x".tps: 2 conflicts with 1, written in a.cue:2:24`},

		{"a duration without quotes", "a.cue", "a: 5m\n", `a.cue:2:4: 5m is not a CUE number; write "5m"`},
		{"a duration of two units", "a.cue", "a: 1h30m\n", `a.cue:2:4: 1h30m is not a CUE number; write "1h30m"`},
		{"a duration with a blank", "a.cue", "a: 90 s\n", `a.cue:2:4: 90 s is not a CUE number; write "90s"`},
		{"a decimal duration", "a.cue", "a: {b: 1.5s, c: 1}\n", `a.cue:2:8: 1.5s is not a CUE number; write "1.5s"`},
		{"a date", "a.cue", "a: 2026-09-01\n", `a.cue:2:4: 2026-09-01 is not a CUE number; write "2026-09-01"`},
		{"a date in an attribute", "a.cue", "a: 1 @tchain(until=2026-09-01)\n", `a.cue:2:20: 2026-09-01 is not a CUE number; write "2026-09-01"`},
		{"columns are counted in runes", "a.cue", "\"éé\": 5m\n", `a.cue:2:7: 5m is not a CUE number; write "5m"`},
		{"a brace that is not closed", "a.cue", "a: {b: 1\n", `a.cue:3:1: expected '}', found the end of the file`},
		{"a text that is not closed", "a.cue", "a: \"x\n", `a.cue:2:4: string literal not terminated`},
		{"a package name with a hyphen", "a.cue", "package my-shop\n", `a.cue:2:9: my-shop is no name of a package; write package my_shop`},
		{"a package name in quotes", "a.cue", "package \"shop\" // ours\n", `a.cue:2:9: "shop" is no name of a package; write package shop`},
		{"two fields without a comma", "a.cue", "a: {b: 1 c: 2}\n", `a.cue:2:10: a comma or a line break is missing before c`},
		{"nesting without end", "a.cue", "a: " + strings.Repeat("[", 5000) + "\n", `a.cue:2:4003: expression nests or chains more than 4000 deep`},
		{"a chain without end", "a.cue", "a: 1" + strings.Repeat("+1", 5000) + "\n", `a.cue:2:8003: expression nests or chains more than 4000 deep`},

		{"YAML with a tab", "a.yaml", "a:\n\tb: 1\n", `a.yaml:3:1: not valid YAML: found character that cannot start any token`},
		{"YAML with a key twice", "a.yaml", "a: {b: 1}\na: 2\n", `a.yaml:3:1: a is written twice, first in line 2`},
		{"YAML with two documents", "a.yaml", "a: 1\n---\ntchain: v1\n", `a.yaml:3:1: file holds more than one YAML document; write each stack in a file of its own`},
		{"YAML with an alias to nothing", "a.yaml", "a: *b\n", `a.yaml:2:4: alias *b has no anchor`},
		{"YAML with an alias to nothing that a comment names too", "a.yaml", "a: [1, # *b\n  *b]\n", `a.yaml:3:3: alias *b has no anchor`},
		{"YAML with a bomb of aliases", "a.yaml", bomb(), `a.yaml:7:10: aliases make more than 100000 values`},
		{"YAML with an alias inside of itself is no bomb", "a.yaml", "a: &x\n  b: *x\n", `a.yaml:3:6: alias *x stands inside of its own anchor, which never ends`},
		{"YAML with a tag of someone's own", "a.yaml", "a:\n  b: !foo bar\n", `a.yaml:3:6: tag !foo is not taken; write the value itself`},
		{"YAML with bytes", "a.yaml", "a: !!binary aGk=\n", `a.yaml:2:4: tag !!binary is not taken; write the value itself`},
		{"YAML with a tag that the value is not", "a.yaml", "a:\n  b: !!int x\n", `a.yaml:3:3: cannot decode "x" as !!int: illegal number start "x"`},
		{"YAML with a plain tag", "a.yaml", "a: !!str 5\nb: !!map {}\n", ""},
		{"YAML that merges what is no mapping", "a.yaml", "a: {<<: 5}\n", `a.yaml:2:9: << takes an alias of a mapping, or a list of them`},
		{"YAML that merges", "a.yaml", "a: &a {x: 1}\nb: {<<: *a}\nc: {<<: [*a]}\n", ""},
		{"YAML with a bracket that is not closed", "a.yaml", "a:\n  b: [1, 2\nc: 1\n", `a.yaml:3:1: not valid YAML: did not find expected ',' or ']'`},
		{"YAML with a line that is indented wrong", "a.yaml", "a:\n  b:\n    c: 1\n    d: 2\n   e: 3\n", `a.yaml:6:1: not valid YAML: did not find expected key`},
		{"YAML with two values on one line", "a.yaml", "a:\n  b: c: d\n", `a.yaml:3:1: not valid YAML: mapping values are not allowed in this context`},
		{"YAML with an octal number", "a.yaml", "a: 020000\n", `a.yaml:2:4: 020000 begins with a zero, which makes it octal for some; write 20000 or "020000"`},
		{"YAML with a negative octal number", "a.yaml", "a: [1, -007]\n", `a.yaml:2:8: -007 begins with a zero, which makes it octal for some; write -7 or "-007"`},
		{"YAML with numbers that only look octal", "a.yaml", "a: [0, 0.5, \"007\", 0s]\n", ""},
		{"YAML that is no UTF-8", "a.yaml", "a:\n  b: \xff\n", `a.yaml:3:6: not valid YAML: no UTF-8`},
		{"YAML with a NUL", "a.yaml", "a: x\x00y\n", `a.yaml:2:5: not valid YAML: control character U+0000`},
		{"YAML with a stray byte at its end", "a.yaml", "a: 1\n\xff\xfe", `a.yaml:3:1: not valid YAML: no UTF-8`},
		{"JSON that is no UTF-8", "a.json", "{\n\"tchain\": \"v1\", \"a\": \"\xff\"}\n", `a.json:2:23: not valid JSON: no UTF-8`},
		{"JSON with a byte order mark", "a.json", "\uFEFF{\"tchain\": \"v1\", \"a\": 1, \"a\": 2}\n", `a.json:1:26: "a" is written twice`},
		{"JSON with a trailing comma", "a.json", "{\n\"tchain\": \"v1\",\n}\n", `a.json:3:1: not valid JSON: invalid character '}' looking for beginning of object key string`},
		{"JSON with a key twice", "a.json", "{\"tchain\": \"v1\", \"a\": {\"b\": 1, \"b\": 2}}\n", `a.json:1:32: "b" is written twice`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := tt.in
			if !strings.HasSuffix(tt.file, ".json") {
				mark := "tchain: \"v1\"\n"
				if strings.HasPrefix(in, "import") {
					in = strings.Replace(in, "\n", "\n"+mark, 1)
					in = strings.Replace(in, "\n"+mark, "\ntchain: \"v1\", ", 1)
					in = "\n" + in
				} else {
					in = mark + in
				}
			}
			_, errs := readFile(t, tt.file, in)
			if diff := cmp.Diff(tt.want, strings.Join(lines(errs), "\n")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// bomb is small YAML of 9 to the power of 9 values.
func bomb() string {
	b := "a0: &a0 [1,1,1,1,1,1,1,1,1]\n"
	for i := range 9 {
		n, m := string(rune('1'+i)), string(rune('0'+i))
		b += "a" + n + ": &a" + n + " [" + strings.Repeat("*a"+m+",", 9) + "]\n"
	}
	return b
}
