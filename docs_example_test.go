package tchain_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/schema"
)

// TestTheProductOnTheContributingPageIsAWholeProduct adds the page's file to
// the catalogue and compiles a stack with it.
func TestTheProductOnTheContributingPageIsAWholeProduct(t *testing.T) {
	page, err := os.ReadFile("docs/contributing.md")
	if err != nil {
		t.Fatal(err)
	}
	_, file, _ := strings.Cut(string(page), "```cue\n")
	file, _, found := strings.Cut(file, "```")
	if !found {
		t.Fatal("the page has no example")
	}
	dir := t.TempDir()
	stack := filepath.Join(dir, "stack.cue")
	if err := os.WriteFile(stack, []byte(`package shop
tchain: "v1"
name:   "shop"
layers: {
	edge: edgeway: idleTimeout: 20
	shop: external: idleKeepalive: "75s"
}
routes: "GET /": path: ["edge", "shop"]
`), 0o644); err != nil {
		t.Fatal(err)
	}
	var got *chain.Stack
	compile.Each([]string{stack}, compile.Options{Schema: schema.With("edgeway.cue", file)}, func(u *compile.Unit) {
		for _, e := range u.Errors {
			t.Error(e.Message)
		}
		got = u.Stack
	})
	if got == nil {
		t.Fatal("the stack was not read")
	}
	call := got.Routes[0].Root.Calls()[0]
	for kind, want := range map[chain.Kind]time.Duration{chain.ResponseFirstByte: 20 * time.Second, chain.Connect: 5 * time.Second} {
		if l, ok := call.Limit(kind); !ok || l.Bound != want {
			t.Errorf("%s is %v, want %s", kind, l.Bound, want)
		}
	}
	if len(call.Idle) != 1 || call.Idle[0].Bound != 20*time.Second {
		t.Errorf("an idle connection is kept %+v", call.Idle)
	}
}
