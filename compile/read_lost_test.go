package compile

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lostBase is a base with two directories that build on it; prod is filled in by each test.
const lostBase = `
-- .git/HEAD --
-- pay/base.cue --
package pay
tchain: "v1"
layers: {}
-- pay/dev/stack.cue --
package pay
routes: {}
`

func TestWhatIsMeantAsAStackIsNeverSkipped(t *testing.T) {
	const dev = "stack pay/dev\n"
	for _, tt := range []struct{ name, archive, args, want string }{
		{"an overlay of another package", lostBase + "-- pay/prod/stack.cue --\npackage apy\n\nlayers: {}\nroutes: {}\n", "./...",
			dev + "pay/prod/stack.cue:3:1: layers makes this a part of a stack, but the file is of package apy, and the base pay/base.cue is of package pay; write package pay\n"},
		{"an overlay of another package, by its directory", lostBase + "-- pay/prod/stack.cue --\npackage apy\nroutes: {}\n", "pay/prod",
			"pay/prod/stack.cue:2:1: routes makes this a part of a stack, but the file is of package apy, and the base pay/base.cue is of package pay; write package pay\n"},
		{"an overlay of another package, by its name", lostBase + "-- pay/prod/stack.cue --\npackage apy\nroutes: {}\n", "pay/prod/stack.cue",
			"pay/prod/stack.cue:2:1: routes makes this a part of a stack, but the file is of package apy, and the base pay/base.cue is of package pay; write package pay\n"},
		{"an overlay without a package", lostBase + "-- pay/prod/eu/stack.cue --\nname: \"x\"\nroutes: {}\n", "./...",
			dev + "pay/prod/eu/stack.cue:2:1: routes makes this a part of a stack, but the file has no package line, and the base pay/base.cue is of package pay; write package pay\n"},
		{"an overlay beside its base", lostBase + "-- pay/prod.cue --\npackage apy\nroutes: {}\n", "./...",
			dev + "pay/prod.cue:2:1: routes makes this a part of a stack, but the file is of package apy, and the base pay/base.cue is of package pay; write package pay\n"},
		{"an overlay of another package over a whole stack", "-- .git/HEAD --\n-- a.cue --\npackage a\ntchain: \"v1\"\nroutes: {}\n-- b/b.cue --\npackage b\nlayers: {}\n", "./...",
			"stack .\nb/b.cue:2:1: layers makes this a part of a stack, but the file is of package b, and the base a.cue is of package a; write package a\n"},
		{"an overlay of another package that only fills in what the base has", lostBase + "-- pay/more.cue --\npackage pay\n#env: string\nread?: string\n-- pay/prod/eu/env.cue --\npackage env\n\n// Here.\n#env: \"prod\"\nread: \"2s\"\n", "./...",
			dev + "pay/prod/eu/env.cue:4:1: #env is a field of the base pay/base.cue, which is of package pay, but the file is of package env; write package pay\n"},
		{"one without a package", lostBase + "-- pay/more.cue --\npackage pay\nread: string\n-- pay/prod/env.cue --\nread: \"2s\"\n", "./...",
			dev + "pay/prod/env.cue:1:1: read is a field of the base pay/base.cue, which is of package pay, but the file has no package line; write package pay\n"},
		{"one with a misspelt package and more in it, in the directory of a stack", lostBase + "-- pay/more.cue --\npackage pay\nread: string\n-- pay/dev/env.cue --\npackage pya\nx: 1\nread: \"2s\"\n", "./...",
			dev + "pay/dev/env.cue:3:1: read is a field of the base pay/base.cue, which is of package pay, but the file is of package pya; write package pay\n"},
		{"files with fields of the base that are of something else", lostBase + "-- pay/more.cue --\npackage pay\nread: string\n-- pay/dev/k8s.cue --\npackage k8s\nread: \"2s\"\n-- pay/prod/k8s.cue --\npackage k8s\nread: \"2s\"\nkind: \"x\"\n-- pay/prod/empty.cue --\npackage none\n", "./...",
			dev + "skip pay/dev/k8s.cue\nskip pay/prod/k8s.cue\nskip pay/prod/empty.cue\n"},
		{"a lost mark", "-- .git/HEAD --\n-- a/base.cue --\npackage a\nlayers: {}\n-- a/b/stack.cue --\npackage a\nroutes: {}\n", "./...",
			"skip a/base.cue\na/b/stack.cue:2:1: says layers and routes but not tchain: \"v1\"\n"},
		{"a misspelt mark, told once for all that build on it", "-- .git/HEAD --\n-- a/base.cue --\n\uFEFFpackage a\ntchian: \"v1\"\nlayers: {}\n-- a/b/stack.cue --\npackage a\nroutes: {}\n-- a/c/stack.cue --\npackage a\nroutes: {}\n", "./...",
			"skip a/b/stack.cue\nskip a/c/stack.cue\na/base.cue:2:1: says layers and routes and tchian, but not tchain: \"v1\"; did you mean tchain?\n"},
		{"a misspelt mark in a file without a package", "-- a.cue --\nTchain: \"v1\"\nlayers: {}\nroutes: {}\n", ".",
			"a.cue:1:1: says layers and routes and Tchain, but not tchain: \"v1\"; did you mean tchain?\n"},
		{"YAML and JSON without the mark", "-- x/a.yaml --\nlayers: {a: 1}\nroutes: {}\n-- x/b.json --\n{\"layers\": {}, \"routes\": {}}\n", "./...",
			"x/a.yaml:1:1: says layers and routes but not tchain: \"v1\"\nx/b.json:1:2: says layers and routes but not tchain: \"v1\"\n"},
		{"YAML and JSON with other text before it", "-- x/a.yaml --\n# ours\nname: x\n\nroutes: {}\nlayers:\n  a: 1\n-- x/b.json --\n{\n  \"name\": \"x\",\n  \"layers\": {}, \"routes\": {}}\n-- x/c.yaml --\n{layers: {}, routes: {}}\n", "./...",
			"x/a.yaml:4:1: says layers and routes but not tchain: \"v1\"\nx/b.json:3:3: says layers and routes but not tchain: \"v1\"\nx/c.yaml:1:2: says layers and routes but not tchain: \"v1\"\n"},
		{"YAML that is named", "-- a.yaml --\nname: x\nlayers: {}\nroutes: {}\n", "a.yaml",
			"a.yaml:2:1: says layers and routes but not tchain: \"v1\"\n"},
		{"YAML and JSON with a misspelt mark", "-- x/a.yaml --\n\uFEFFlayers: {}\nroutes: {}\nTchain: v1\n-- x/b.json --\n{\"layers\": {},\n\"tchian\": \"v1\", \"routes\": {}}\n", "./...",
			"x/a.yaml:3:1: says layers and routes and Tchain, but not tchain: \"v1\"; did you mean tchain?\nx/b.json:2:1: says layers and routes and tchian, but not tchain: \"v1\"; did you mean tchain?\n"},
		{"a part of a package that is named itself", lostBase, "pay/dev/stack.cue",
			"pay/dev/stack.cue: is a part of package pay, whose other files are not taken along; name the directory: pay/dev\n"},
		{"an overlay of another package beside one of the right package, with what only the base's package sees", lostBase + "-- pay/more.cue --\npackage pay\n_read: string\n#env: string\n-- pay/dev/env.cue --\npackage prod\n\n_read: \"60s\"\n#env: \"prod\"\n", "./...",
			dev + "pay/dev/env.cue:3:1: _read is a field of the base pay/base.cue, which is of package pay, but the file is of package prod; write package pay\n"},
		{"a package of its own beside an overlay, with a name or more that the base does not know", lostBase + "-- pay/more.cue --\npackage pay\n_read: string\nread?: string\n-- pay/dev/env.cue --\npackage prod\n\n_read: \"60s\"\n_write: \"1s\"\n-- pay/dev/other.cue --\npackage other\nread: \"2s\"\n", "./...",
			dev + "skip pay/dev/other.cue\nskip pay/dev/env.cue\n"},
		{"other files beside stacks", lostBase + "-- pay/dev/k8s.cue --\npackage k8s\nroutes: [{}]\nlayers?: {}\n-- pay/dev/values.cue --\nreplicas: 3\n-- gateway/a.cue --\npackage gateway\nroutes: {}\n-- b.yaml --\nroutes: []\nlayers: []\n", "./...",
			dev + "skip b.yaml\nskip gateway/a.cue\nskip pay/dev/k8s.cue\nskip pay/dev/values.cue\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inDir(t, tt.archive)
			if diff := cmp.Diff(tt.want, foundText(tt.args)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A directory below a base may also hold what the base imports.
func TestAPackageThatABaseImportsIsNoOverlay(t *testing.T) {
	for _, imports := range []bool{true, false} {
		ref, want := "\"2s\"", "pay/defaults/d.cue:2:1: #read is a field of the base pay/base.cue, which is of package pay, but the file is of package defaults; write package pay"
		head := ""
		if imports {
			head, ref, want = "import \"x.example/pay/defaults\"\n", "defaults.#read", ""
		}
		inDir(t, "-- cue.mod/module.cue --\nmodule: \"x.example@v0\"\nlanguage: version: \"v0.14.0\"\n"+
			"-- pay/base.cue --\npackage pay\n"+head+"tchain: \"v1\"\n#read: "+ref+"\n"+
			"-- pay/defaults/d.cue --\npackage defaults\n#read: \"2s\"\n"+
			"-- pay/dev/stack.cue --\npackage pay\nname: \"pay\"\nlayers: {\n\tweb: browser: fetch: signal: timeout: 60_000\n\tprice: external: {}\n}\nroutes: \"GET /price\": path: [\"web\", \"price\"]\n")
		units := 0
		sum := Each([]string{"./..."}, Options{}, func(u *Unit) {
			if units++; u.Stack == nil {
				t.Error(u.Errors)
			}
		})
		got := ""
		for _, e := range sum.Errors {
			got += fmt.Sprintf("%s:%d:%d: %s", e.Range.File, e.Range.Line, e.Range.Column, e.Message)
		}
		if got != want || units != 1 {
			t.Errorf("%d stacks, %s", units, got)
		}
	}
}

// foundText is what find makes of some arguments, one line each.
func foundText(args string) string {
	targets, sum := find(strings.Fields(args), Options{})
	var b strings.Builder
	for _, x := range targets {
		fmt.Fprintf(&b, "stack %s\n", x.dir)
	}
	for _, x := range sum.Skipped {
		fmt.Fprintf(&b, "skip %s\n", x.Path)
	}
	for _, x := range sum.Errors {
		at := x.Range.File
		if x.Range.Line > 0 {
			at += fmt.Sprintf(":%d:%d", x.Range.Line, x.Range.Column)
		}
		fmt.Fprintf(&b, "%s: %s\n", at, x.Message)
	}
	return b.String()
}

func TestATextThatIsNotUTF8IsAMistake(t *testing.T) {
	utf16 := "\xff\xfe"
	for _, c := range "tchain: \"v1\"\n" {
		utf16 += string([]byte{byte(c), 0})
	}
	for _, tt := range []struct{ name, file, data, want string }{
		{"CUE in UTF-16", "a/a.cue", utf16, "a/a.cue: cannot be read: the file is UTF-16; a stack is UTF-8\n"},
		{"CUE in Latin-1", "a/a.cue", "package a\n// \xfcber\n", "a/a.cue: cannot be read: no UTF-8\n"},
		{"YAML in UTF-16, which is found so that reading it fails", "a/a.yaml", utf16, "stack a\n"},
		{"other YAML in UTF-16", "a/a.yaml", strings.ReplaceAll(utf16, "t\x00", "d\x00"), "skip a/a.yaml\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inDir(t, "-- b/b.cue --\ntchain: \"v1\"\n-- a/README --\n")
			if err := os.WriteFile(tt.file, []byte(tt.data), 0o666); err != nil {
				t.Fatal(err)
			}
			want := tt.want + "stack b\n"
			if !strings.HasPrefix(tt.want, "stack") {
				want = "stack b\n" + tt.want
			}
			if diff := cmp.Diff(want, foundText("./...")); diff != "" {
				t.Error(diff)
			}
		})
	}
}
