package compile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFind(t *testing.T) {
	for _, tt := range []struct {
		name    string
		archive string
		args    string
		want    string // one line per target, then bases, skips and errors
	}{
		{"a directory is a stack of its package", `
-- a.cue --
package a
tchain: "v1"
-- b.cue --
package a
routes: {}
-- c_test.cue --
package a
x: 1
`, "", "stack . a a.cue,b.cue\nskip c_test.cue: is a test or tool file of CUE\n"},
		{"a walk passes over hidden, vendored and test directories", `
-- x/a.cue --
package a
tchain: "v1"
-- x/y/b.yaml --
tchain: v1
-- x/y/other.yaml --
nested: {tchain: v1}
-- .git/a.cue --
tchain: "v1"
-- node_modules/a.cue --
tchain: "v1"
-- vendor/a.cue --
tchain: "v1"
-- testdata/a.cue --
tchain: "v1"
-- _x/a.cue --
tchain: "v1"
-- cue.mod/a.cue --
tchain: "v1"
`, "./...", "stack x a x/a.cue\nstack x/y  x/y/b.yaml\nskip x/y/other.yaml: has no tchain: at its top level\n"},
		{"a directory that a walk passes over can be named", `
-- testdata/a.cue --
tchain: "v1"
`, "testdata", "stack testdata  testdata/a.cue\n"},
		{"a file that only mentions the word is skipped, and said to be", `
-- a.cue --
package a
x: tchain: "v1"
-- b.yaml --
x: {tchain: v1}
-- c.json --
{"x": {"tchain": "v1"}}
-- d.yaml --
kind: Deployment
-- stack.json --
{"tchain": "v1"}
`, ".", "stack .  stack.json\nskip a.cue: has no tchain: at its top level\nskip b.yaml: has no tchain: at its top level\nskip c.json: has no tchain: at its top level\nskip d.yaml: has no tchain: at its top level\n"},
		{"child directories are stacks of their parent's package, which is a base", `
-- .git/HEAD --
-- pay/base.cue --
package pay
tchain: "v1"
-- pay/prod/prod.cue --
package pay
routes: {}
-- pay/test/test.cue --
package pay
routes: {}
`, "./...", "stack pay/prod pay pay/base.cue,pay/prod/prod.cue\nstack pay/test pay pay/base.cue,pay/test/test.cue\nbase pay\n"},
		{"a parent with routes is a stack beside its children", `
-- .git/HEAD --
-- pay/base.cue --
package pay
tchain: "v1"
routes: {}
-- pay/prod/prod.cue --
package pay
x: 1
`, "./...", "stack pay pay pay/base.cue\nstack pay/prod pay pay/base.cue,pay/prod/prod.cue\n"},
		{"files above the argument belong to the package up to the module root", `
-- out.cue --
package pay
x: 2
-- m/cue.mod/module.cue --
module: "a.b/c"
-- m/base.cue --
package pay
tchain: "v1"
-- m/prod/prod.cue --
package pay
routes: {}
`, "m/prod", "stack m/prod pay m/base.cue,m/prod/prod.cue\n"},
		{"a named file takes nothing along", `
-- a.cue --
package a
tchain: "v1"
-- b.cue --
package a
x: 1
`, "a.cue", "stack . a a.cue\n"},
		{"named files of one package are one stack", `
-- a.cue --
package a
x: 1
-- b.cue --
package a
tchain: "v1"
`, "a.cue b.cue", "stack . a a.cue,b.cue\n"},
		{"files without a package are stacks of their own", `
-- a.cue --
tchain: "v1"
-- b.cue --
tchain: "v1"
`, ".", "stack .  a.cue\nstack .  b.cue\n"},
		{"a stack is found once", `
-- a.cue --
package a
tchain: "v1"
`, ". ./... .", "stack . a a.cue\n"},
		{"two packages with stacks in one directory are a mistake", `
-- a.cue --
package a
tchain: "v1"
-- b.cue --
package b
tchain: "v1"
`, ".", "error .: directory holds stacks of two packages, a and b; give each a directory of its own\n"},
		{"a second package without a stack is none", `
-- a.cue --
package a
tchain: "v1"
-- b.cue --
package b
x: 1
`, ".", "stack . a a.cue\n"},
		{"a missing path is a mistake", "", "nope nope/...", "error nope: no such file or directory\nerror nope/...: no such file or directory\n"},
		{"an empty directory is a mistake", "-- empty/README --\n", "empty", "error empty: directory holds no CUE, YAML or JSON file\n"},
		{"no stack is a mistake", "-- a.cue --\npackage a\nx: 1\n", "", "skip a.cue: has no tchain: at its top level\nerror .: no stack found; a stack is a file that says tchain: \"v1\" at its top level\n"},
		{"another kind of file is a mistake", "-- nginx.conf --\n", "nginx.conf", "error nginx.conf: not a CUE, YAML or JSON file\n"},
		{"a named file that is none is a mistake beside one that is", "-- b.yaml --\nx: 1\n-- c.cue --\nx: 1\n-- a.cue --\ntchain: \"v1\"\n", "a.cue b.yaml c.cue", "stack .  a.cue\nerror b.yaml: no stack found; a stack is a file that says tchain: \"v1\" at its top level\nerror c.cue: no stack found; a stack is a file that says tchain: \"v1\" at its top level\n"},
		{"a named file that a build attribute excludes is a mistake", "-- b.cue --\n@if(prod)\ntchain: \"v1\"\n-- a.cue --\ntchain: \"v1\"\n", "a.cue b.cue", "stack .  a.cue\nerror b.cue: file is excluded by a build attribute\n"},
		{"a named directory that holds none is a mistake beside one that does", "-- a/a.cue --\ntchain: \"v1\"\n-- b/b.cue --\nx: 1\n-- c/d/e.cue --\nx: 1\n", "a b c/...", "stack a  a/a.cue\nskip b/b.cue: has no tchain: at its top level\nskip c/d/e.cue: has no tchain: at its top level\nerror b: no stack found; a stack is a file that says tchain: \"v1\" at its top level\nerror c/...: no stack found; a stack is a file that says tchain: \"v1\" at its top level\n"},
		{"a directory that was walked before holds what it held", "-- a/a.cue --\ntchain: \"v1\"\n-- b.cue --\nx: 1\n", "./... a ./a/...", "stack a  a/a.cue\nskip b.cue: has no tchain: at its top level\n"},
		{"a base that is named without what builds on it is a mistake", `
-- .git/HEAD --
-- pay/base.cue --
package pay
tchain: "v1"
layers: {}
-- pay/prod/prod.cue --
package pay
routes: {}
`, "pay", "error pay: has no routes and is only the base of other directories, as pay/prod; name pay/...\n"},
		{"a base that is named with what builds on it is counted", `
-- .git/HEAD --
-- pay/base.cue --
package pay
tchain: "v1"
layers: {}
-- pay/prod/prod.cue --
package pay
routes: {}
`, "pay pay/prod", "stack pay/prod pay pay/base.cue,pay/prod/prod.cue\nbase pay\n"},
		{"a byte order mark hides no stack", "-- a.yaml --\n\uFEFFtchain: v1\n-- b.json --\n\uFEFF{\"tchain\": \"v1\"}\n-- c.cue --\n\uFEFFtchain: \"v1\"\n", ".", "stack .  a.yaml\nstack .  b.json\nstack .  c.cue\n"},
		{"a file with a syntax error is still found", "-- a.cue --\npackage a\ntchain: \"v1\"\nx: 5m\n-- b.yaml --\ntchain: v1\nx: [\n-- c.json --\n{\"tchain\": \"v1\",}\n", ".", "stack . a a.cue\nstack .  b.yaml\nstack .  c.json\n"},
		{"a build attribute excludes a file", "-- a.cue --\n@if(prod)\npackage a\ntchain: \"v1\"\n-- b.cue --\n@if(!prod)\npackage a\ntchain: \"v1\"\n-- c.cue --\n@ignore()\npackage a\n", ".", "stack . a b.cue\nskip a.cue: is excluded by a build attribute\nskip c.cue: is excluded by a build attribute\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := inDir(t, tt.archive)
			targets, sum := find(strings.Fields(tt.args), Options{})
			var b strings.Builder
			for _, x := range targets {
				var files []string
				for _, f := range x.files {
					files = append(files, shown(f))
				}
				fmt.Fprintf(&b, "stack %s %s %s\n", x.dir, x.pkg, strings.Join(files, ","))
			}
			for _, x := range sum.Bases {
				fmt.Fprintf(&b, "base %s\n", x)
			}
			for _, x := range sum.Skipped {
				fmt.Fprintf(&b, "skip %s: %s\n", x.Path, x.Reason)
			}
			for _, x := range sum.Errors {
				fmt.Fprintf(&b, "error %s: %s\n", x.Range.File, x.Message)
			}
			if diff := cmp.Diff(tt.want, b.String()); diff != "" {
				t.Errorf("in %s (-want +got):\n%s", dir, diff)
			}
		})
	}
}

func TestFindUnreadable(t *testing.T) {
	inDir(t, "-- a.cue --\ntchain: \"v1\"\n")
	want := "permission denied"
	if os.Getuid() == 0 { // root reads everything that can be reached
		want = "too many levels of symbolic links"
		if err := errors.Join(os.Remove("a.cue"), os.Symlink("a.cue", "a.cue")); err != nil {
			t.Fatal(err)
		}
	} else if err := os.Chmod("a.cue", 0); err != nil {
		t.Fatal(err)
	}
	if _, sum := find([]string{"a.cue"}, Options{}); len(sum.Errors) != 1 || !strings.Contains(sum.Errors[0].Message, want) {
		t.Errorf("errors = %v, want one that says %s", sum.Errors, want)
	}
}

// A link that leads nowhere is no stack in data, of which a repository holds
// anything; in CUE it may be a part of one.
func TestFindPassesOverDataBehindALinkThatLeadsNowhere(t *testing.T) {
	inDir(t, "-- a/a.cue --\ntchain: \"v1\"\n")
	if err := errors.Join(os.Symlink("gone", "a/b.json"), os.Symlink("c.yaml", "a/c.yaml"), os.Symlink("gone", "a/d.cue")); err != nil {
		t.Fatal(err)
	}
	_, sum := find([]string{"./..."}, Options{})
	if len(sum.Errors) != 1 || sum.Errors[0].Range.File != "a/d.cue" {
		t.Errorf("errors = %v", sum.Errors)
	}
	want := []Skip{{Path: "a/b.json", Reason: "is a link that leads nowhere"}, {Path: "a/c.yaml", Reason: "is a link that leads nowhere"}}
	if !slices.Equal(sum.Skipped, want) {
		t.Errorf("skipped = %v", sum.Skipped)
	}
}

func TestFindTakesFilesOfTheOverlay(t *testing.T) {
	dir := inDir(t, "-- a.cue --\npackage a\n")
	targets, _ := find(nil, Options{Overlay: map[string][]byte{filepath.Join(dir, "b.cue"): []byte("package a\ntchain: \"v1\"\n")}})
	if len(targets) != 1 || len(targets[0].files) != 2 {
		t.Errorf("targets = %+v, want one of two files", targets)
	}
}

func TestALinkToADirectoryThatIsNotLookedIntoIsSkipped(t *testing.T) {
	const stack = "\ntchain: \"v1\"\nroutes: {}\n"
	inDir(t, "-- r/a/a.cue --"+stack+"-- r/sub/b.cue --"+stack+"-- out/deep/c.cue --"+stack)
	for link, to := range map[string]string{"r/there": "../out", "r/sub/there": "../../out", "r/again": "a", "r/.hidden": "../out", "r/nowhere": "../no"} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	const why = " is a link to a directory, which /... does not follow; to check it, name where it leads to true"
	for _, tt := range []struct{ args, want string }{
		{"r/...", "2 [{r/sub/there" + why + "} {r/there" + why + "}]"},
		{"r/sub/...", "1 [{r/sub/there" + why + "}]"},
		{"r/sub", "1 []"},
		{"r/... out/...", "3 []"},
	} {
		targets, sum := find(strings.Fields(tt.args), Options{})
		if got := fmt.Sprint(len(targets), " ", sum.Skipped); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.args, got, tt.want)
		}
	}
}
