package compile

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"
	"tchain.dev/tchain/chain"
)

// readSchema is a schema with what the tests refer to.
var readSchema fs.FS = fstest.MapFS{
	"stack.cue": {Data: []byte("package schema\n\n#Layer: {instances?: int}\n#Route: {path?: [...string]}\nversion: \"v1\"\n")},
}

// inDir writes a txtar archive to a directory of its own and goes there.
func inDir(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	for _, f := range txtar.Parse([]byte(archive)).Files {
		if err := os.MkdirAll(filepath.Dir(f.Name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// readOne reads the only stack in the working directory.
func readOne(t *testing.T, opt Options) (*source, []Error) {
	t.Helper()
	targets, sum := find([]string{"./..."}, opt)
	if len(targets) != 1 {
		t.Fatalf("found %d stacks, want 1: %v", len(targets), sum)
	}
	return (&reader{opt: opt, schema: readSchema}).read(targets[0])
}

// readFile reads content as the only file of a stack.
func readFile(t *testing.T, name, content string) (*source, []Error) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	targets, sum := find([]string{name}, Options{})
	if len(targets) != 1 {
		t.Fatalf("found %d stacks, want 1: %v", len(targets), sum)
	}
	return (&reader{schema: readSchema}).read(targets[0])
}

func mustRead(t *testing.T, name, content string) *source {
	t.Helper()
	s, errs := readFile(t, name, content)
	if len(errs) > 0 {
		t.Fatalf("errors: %v", lines(errs))
	}
	return s
}

func lines(errs []Error) []string {
	var out []string
	for _, e := range errs {
		pos := e.Range.File
		if e.Range.Line > 0 {
			pos += fmt.Sprintf(":%d:%d", e.Range.Line, e.Range.Column)
		}
		out = append(out, pos+": "+e.Message)
	}
	return out
}

// pointed is the text that a range covers, with its place: `3:5 "90s"`.
func pointed(s *source, r chain.Range) string {
	if r == (chain.Range{}) {
		return "nowhere"
	}
	for _, t := range s.texts {
		if t.name == r.File {
			return fmt.Sprintf("%s:%d:%d %s", r.File, r.Line, r.Column, t.data[t.offset(r.Line, r.Column):t.offset(r.EndLine, r.EndColumn)])
		}
	}
	return "no text of " + r.File
}

func TestReadPackage(t *testing.T) {
	t.Run("the schema is imported without a module and offline", func(t *testing.T) {
		inDir(t, `
-- stack.cue --
package a
import "tchain.dev/schema"
tchain: schema.version
layers: [string]: schema.#Layer
layers: a: nginx: typo: 1
routes: "GET /": schema.#Route
`)
		s, errs := readOne(t, Options{})
		if len(errs) > 0 {
			t.Fatal(lines(errs))
		}
		if v, ok := s.lookup([]string{"layers", "a", "nginx", "typo"}); !ok || v.Err() != nil {
			t.Errorf("the schema got in the way of the user's value: %v", v.Err())
		}
	})
	t.Run("a platform package of the user's module is imported and keeps its positions", func(t *testing.T) {
		inDir(t, `
-- cue.mod/module.cue --
module: "acme.com/x"
language: version: "v0.9.0"
-- cue.mod/pkg/tchain.dev/schema/old.cue --
package schema
#Layer: {closed: 1}
-- platform/edge.cue --
package platform
edge: alb: idle_timeout: 145 @estimate("from the console")
-- pay/stack.cue --
package pay
import (
	"acme.com/x/platform"
	"tchain.dev/schema"
)
tchain: "v1"
layers: [string]: schema.#Layer
layers: platform
layers: mine: platform.edge
routes: "GET /": {}
`)
		s, errs := readOne(t, Options{})
		if len(errs) > 0 {
			t.Fatal(lines(errs))
		}
		path := []string{"layers", "mine", "alb", "idle_timeout"}
		if got, want := pointed(s, s.at(path...)), "pay/stack.cue:9:15 platform.edge"; got != want {
			t.Errorf("at = %s, want %s", got, want)
		}
		if got, want := pointed(s, s.shared(path...)), "platform/edge.cue:2:26 145"; got != want {
			t.Errorf("shared = %s, want %s", got, want)
		}
		if as := s.attrs(path...); len(as) != 1 || as[0].Name != "estimate" || as[0].Args[0].Value != "from the console" {
			t.Errorf("attrs = %v, want the estimate of the platform", as)
		}
	})
	t.Run("a child directory is unified with the package above it", func(t *testing.T) {
		inDir(t, `
-- .git/HEAD --
-- pay/base.cue --
package pay
tchain: "v1"
layers: proxy: nginx: server: proxy_read_timeout: *"60s" | string
_env: string
-- pay/prod/prod.cue --
package pay
_env: "prod"
name: _env
layers: proxy: nginx: server: proxy_read_timeout: "90s"
routes: "GET /": {}
`)
		s, errs := readOne(t, Options{})
		if len(errs) > 0 {
			t.Fatal(lines(errs))
		}
		got := pointed(s, s.at("layers", "proxy", "nginx", "server", "proxy_read_timeout"))
		if want := `pay/prod/prod.cue:4:51 "90s"`; got != want {
			t.Errorf("at = %s, want %s", got, want)
		}
		var u Unit
		s.fill(&u)
		if got, want := fmt.Sprint(u.Dir, u.Files), "pay/prod[pay/base.cue pay/prod/prod.cue]"; got != want {
			t.Errorf("unit = %s, want %s", got, want)
		}
	})
	t.Run("an overlay replaces a file on both paths", func(t *testing.T) {
		dir := inDir(t, `
-- cue.mod/module.cue --
module: "acme.com/x"
language: version: "v0.9.0"
-- platform/edge.cue --
package platform
idle: 1
-- fast/stack.cue --
package fast
tchain: "v1"
x: 1
routes: {}
-- slow/stack.cue --
package slow
import "acme.com/x/platform"
tchain: "v1"
x: platform.idle
routes: {}
`)
		opt := Options{Overlay: map[string][]byte{
			filepath.Join(dir, "fast/stack.cue"):    []byte("package fast\ntchain: \"v1\"\nx: 2\nroutes: {}\n"),
			filepath.Join(dir, "platform/edge.cue"): []byte("package platform\nidle: 2\n"),
		}}
		targets, _ := find([]string{"./..."}, opt)
		for _, target := range targets {
			s, errs := (&reader{opt: opt}).read(target)
			if len(errs) > 0 {
				t.Fatal(lines(errs))
			}
			if v, _ := s.lookup([]string{"x"}); fmt.Sprint(v) != "2" {
				t.Errorf("%s: x = %v, want 2", target.dir, v)
			}
		}
	})
	t.Run("a value that is injected at run time is no mistake", func(t *testing.T) {
		s := mustRead(t, "a.cue", "tchain: \"v1\"\nlayers: a: x: string @env(PAY_TIMEOUT)\nlayers: a: y: *\"2s\" | string @env(B)\nroutes: {}\n")
		if as := s.attrs("layers", "a", "x"); len(as) != 1 || as[0].Name != "env" || as[0].Args[0].Value != "PAY_TIMEOUT" {
			t.Errorf("attrs = %v, want @env(PAY_TIMEOUT)", as)
		}
		if got, want := pointed(s, s.at("layers", "a", "y")), `a.cue:3:16 "2s"`; got != want {
			t.Errorf("at = %s, want %s", got, want)
		}
	})
	t.Run("a major version of the schema can be imported", func(t *testing.T) {
		mustRead(t, "a.cue", "import \"tchain.dev/schema@v0\"\ntchain: \"v1\"\na: schema.#Layer\nb: 1\n")
	})
	t.Run("a package that cannot be evaluated counts as a stack, so that its mistakes are seen", func(t *testing.T) {
		for _, in := range []string{"x: 1 & 2\n", "x: 1 & 2\nroutes: {}\n", "x: 5m\n", "x: nope\n"} {
			s, errs := readFile(t, "a.cue", "package a\ntchain: \"v1\"\n"+in)
			var sum Summary
			if len(errs) == 0 || s == nil || !sum.settle(s) || sum.Units != 1 {
				t.Errorf("%s: settle = %+v with %d errors, want it counted", in, sum, len(errs))
			}
		}
	})
	t.Run("a package without routes is no stack", func(t *testing.T) {
		inDir(t, "-- a.cue --\npackage a\ntchain: \"v1\"\n")
		s, _ := readOne(t, Options{})
		var sum Summary
		if sum.settle(s) || len(sum.Skipped) != 1 || !strings.Contains(sum.Skipped[0].Reason, "no routes") {
			t.Errorf("settle = %+v, want it skipped", sum)
		}
	})
}

func absolute(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}
