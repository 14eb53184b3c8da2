package compile

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tchain.dev/tchain/schema"
)

func TestTheOpenSchemaOfTheTextIsThatOfTheSyntax(t *testing.T) {
	if d := cmp.Diff(string(opened(schema.FS)), string(builtinOpen())); d != "" {
		t.Errorf("parsed and scanned:\n%s", d)
	}
}
