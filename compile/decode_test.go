package compile

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"tchain.dev/tchain/schema"
)

// decodeText reads text as the file stack.cue and decodes it. Errors of the
// reader come back as they are.
func decodeText(t testing.TB, text string, set map[string]string) (*Decoded, []Error) {
	t.Helper()
	return decodeNamed(t, "stack.cue", text, set)
}

func decodeNamed(t testing.TB, name, text string, set map[string]string) (*Decoded, []Error) {
	t.Helper()
	src, errs := sourceOf(t, name, text, set)
	if src == nil || len(errs) > 0 {
		return nil, errs
	}
	return decode(src, testCatalogue())
}

func sourceOf(t testing.TB, name, text string, set map[string]string) (*source, []Error) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	opt := Options{Set: set}
	targets, sum := find([]string{name}, opt)
	if len(targets) != 1 {
		t.Fatalf("found %d stacks, want 1: %v", len(targets), sum)
	}
	return (&reader{opt: opt, schema: schema.FS}).read(targets[0])
}

// testCatalogue is one catalogue for all tests, as in a run.
var testCatalogue = sync.OnceValue(func() *catalogue { return newCatalogue(schema.FS) })

func shownErrors(errs []Error) string {
	var b strings.Builder
	for _, e := range errs {
		fmt.Fprintf(&b, "%d:%d: %s\n", e.Range.Line, e.Range.Column, e.Message)
	}
	return b.String()
}

// valueAt is a decoded value by its setting path.
func valueAt(t testing.TB, d *Decoded, setting string) *Value {
	t.Helper()
	var found *Value
	var walk func(*Block)
	walk = func(b *Block) {
		if b == nil {
			return
		}
		for _, v := range b.Values {
			if v.Origin.Setting == setting {
				found = v
			}
		}
		for _, in := range b.Blocks {
			walk(in)
		}
	}
	layer := func(l *Layer) {
		walk(l.Block)
		walk(l.Facts)
		if l.App == nil {
			return
		}
		for _, p := range append(l.App.Clients, l.App.Server) {
			if p != nil {
				walk(p.Block)
			}
		}
	}
	for _, l := range d.Layers {
		layer(l)
	}
	for _, r := range d.Routes {
		walk(r.Block)
		for _, l := range r.At {
			layer(l)
		}
	}
	if found == nil {
		t.Fatalf("no value %s", setting)
	}
	return found
}
