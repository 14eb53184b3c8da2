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
	file := exampleOf(t, string(page), 0)
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

// exampleOf is the n-th CUE file that a page shows, from 0.
func exampleOf(t *testing.T, page string, n int) string {
	t.Helper()
	parts := strings.Split(page, "```cue\n")
	if len(parts) < n+2 {
		t.Fatalf("the page has %d examples", len(parts)-1)
	}
	file, _, found := strings.Cut(parts[n+1], "```")
	if !found {
		t.Fatal("the example has no end")
	}
	return file
}

// TestTheTeamsTypeOnTheContributingPageIsShownLikeABuiltInOne reads the page's
// package and compiles a stack that imports it.
func TestTheTeamsTypeOnTheContributingPageIsShownLikeABuiltInOne(t *testing.T) {
	page, err := os.ReadFile("docs/contributing.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"cue.mod/module.cue": "module: \"acme.example/repo\"\nlanguage: version: \"v0.17.0\"\n",
		"platform/types.cue": exampleOf(t, string(page), 1),
		"shop/stack.cue": `package shop
import "acme.example/repo/platform"
tchain: "v1"
name:   "shop"
types: platform.types
layers: {
	edge: edgeway: {}
	shop: external: {}
}
routes: "GET /": path: ["edge", "shop"]
`,
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	types, u := compile.ReadTypes(filepath.Join(dir, "platform"), compile.Options{})
	if types == nil {
		t.Fatal(u.Errors)
	}
	if s := types.Settings("edgeway"); len(s) != 1 || s[0].Doc == "" || s[0].Proof != "sourced" || s[0].Defaults[0] != "30" {
		t.Errorf("the settings are %+v", s)
	}
	var got *chain.Stack
	compile.Each([]string{filepath.Join(dir, "shop")}, compile.Options{}, func(u *compile.Unit) {
		for _, e := range u.Errors {
			t.Error(e.Message)
		}
		got = u.Stack
	})
	if got == nil {
		t.Fatal("the stack was not read")
	}
	if l, ok := got.Routes[0].Root.Calls()[0].Limit(chain.ResponseFirstByte); !ok || l.Bound != 30*time.Second || l.Origin.Source != chain.Default {
		t.Errorf("its default is %+v", l)
	}
}
