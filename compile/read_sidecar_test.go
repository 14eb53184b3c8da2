package compile

import (
	"testing"

	"tchain.dev/tchain/schema"
)

func TestAFileThatOnlyTiesToTheSchemaIsNotEvaluated(t *testing.T) {
	const stack = "-- stack.cue --\npackage a\n\ntchain: \"v1\"\nlayers: a: nginx: {}\nroutes: \"/\": path: [\"a\"]\n"
	for _, c := range []struct {
		name, tie string
		left      int
	}{
		{"the generated file", "layers: [string]: schema.#Layer\nroutes: [string]: schema.#Route\npolicy?: schema.#Policy\n", 1},
		{"a field that nobody else declares", "layers: [string]: schema.#Layer\nmore: [string]: schema.#Route\n", 2},
		{"a value beside the tie", "layers: [string]: schema.#Layer & {owner: \"pay\"}\n", 2},
		{"a value of its own", "layers: [string]: schema.#Layer\npath: [\"a\"]\n", 2},
		{"an attribute", "layers: [string]: schema.#Layer @x(y)\n", 2},
		{"a definition that the schema does not have", "policy?: schema.#Nothing\n", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			inDir(t, stack+"-- tchain_schema.cue --\npackage a\n\nimport \"tchain.dev/schema\"\n\n"+c.tie)
			targets, sum := find(nil, Options{})
			if len(targets) != 1 {
				t.Fatal(sum.Errors)
			}
			s, _ := (&reader{schema: schema.FS}).read(targets[0])
			if len(s.files) != c.left {
				t.Errorf("%d files are evaluated, want %d", len(s.files), c.left)
			}
		})
	}
}
