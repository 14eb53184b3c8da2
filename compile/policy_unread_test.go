package compile

import (
	"fmt"
	"strings"
	"testing"
)

// underPolicy is a repository with a stack in a/.
const underPolicy = `
-- .git/HEAD --
-- a/stack.cue --
package a
tchain: "v1"
name: "a"
layers: {
	web: browser: fetch: signal: timeout: 60_000
	price: external: {}
}
routes: "GET /price": path: ["web", "price"]
`

func TestAPolicyThatIsNotInForceIsTold(t *testing.T) {
	const (
		text    = "package policy\n\npolicy: errorRoom: \"2s\"\n"
		name    = `: this policy is not in force: one is read from a file named tchain.cue, or from a stack's own package; name the file so, or give it the package of the stack`
		cueOnly = `: this policy is not in force: one is read from CUE alone, from a file named tchain.cue or from the stack's own`
		nobody  = `: this policy is not in force: no stack is in its directory or below; move it to where they are, or delete it`
		module  = "-- cue.mod/module.cue --\nmodule: \"x.example@v0\"\nlanguage: version: \"v0.14.0\"\n"
		user    = "\n-- b/stack.cue --\npackage b\nimport \"x.example/shared\"\ntchain: \"v1\"\nname: \"b\"\npolicy: shared.policy\nlayers: {\n\tweb: browser: fetch: signal: timeout: 60_000\n\tprice: external: {}\n}\nroutes: \"GET /price\": path: [\"web\", \"price\"]\n"
	)
	for _, tt := range []struct{ name, archive, args, want string }{
		{"under the right name it is", "-- tchain.cue --\n" + text, "./...", ""},
		{"under another name", "-- policy.cue --\n" + text, "./...", "policy.cue:3:1" + name},
		{"in other letters", "-- Tchain.cue --\n" + text, "./...", "Tchain.cue:3:1" + name},
		{"above what the command names", "-- policy.cue --\n" + text, "a", "policy.cue:3:1" + name},
		{"above the file that the command names", "-- policy.cue --\n" + text, "a/stack.cue", "policy.cue:3:1" + name},
		{"without a package, and a byte order mark before it", "-- policy.cue --\n\ufeffpolicy: {\n\tnotSuppressible: [\"ping\"]\n}\n", "./...", "policy.cue:1:1" + name},
		{"of another package than the stack's beside it", "-- a/policy.cue --\n" + text, "a", "a/policy.cue:3:1" + name},
		{"as a part of the stack it is", "-- a/policy.cue --\npackage a\npolicy: errorRoom: \"2s\"\n", "./...", ""},
		{"as a part of the base it is", "-- policy.cue --\npackage a\npolicy: errorRoom: \"2s\"\n", "./...", ""},
		{"where no stack is", "-- config/tchain.cue --\n" + text, "./...", "config/tchain.cue:3:1" + nobody},
		{"where a nearer one takes its place it is not needed", "-- tchain.cue --\n" + text + "-- a/tchain.cue --\n" + text, "./...", ""},
		{"with severities alone", "-- policy.cue --\npolicy: severity: ping: \"off\"\n", "./...", "policy.cue:1:1" + name},
		{"with suppressions alone", "-- policy.cue --\npolicy: ignore: [{rule: \"ping\", reason: \"x\"}]\n", "./...", "policy.cue:1:1" + name},
		{"in YAML", "-- tchain.yaml --\n# ours\npolicy:\n  errorRoom: 2s\n", "./...", "tchain.yaml:2:1" + cueOnly},
		{"in JSON", "-- tchain.json --\n{\"policy\": {\"severity\": {\"ping\": \"off\"}}}\n", "./...", "tchain.json:1:2" + cueOnly},
		{"of other software", "-- p.cue --\npolicy: {severity: \"high\", ignore: [\"a\", {rule: 1}]}\n-- q.yaml --\npolicy: {severity: {a: 1}, ignore: all}\n-- r.yaml --\n- policy\n- severity\n-- s.yaml --\n{{ policy: severity }}\n-- t.cue --\npolicy: severity\n", "./...", ""},
		{"in a package that a stack imports it is", module + user + "-- shared/policy.cue --\npackage shared\npolicy: errorRoom: \"2s\"\n", "./...", ""},
		{"in a package that nothing imports", module + "-- shared/policy.cue --\npackage shared\npolicy: errorRoom: \"2s\"\n", "./...", "shared/policy.cue:2:1" + name},
		{"in a package above the run, which others may import", module + "-- policy.cue --\n" + text, "a", ""},
		{"in a package that a broken stack may import", module + "-- b/stack.cue --\npackage b\ntchain: \"v1\"\nname: }\n-- shared/policy.cue --\npackage shared\npolicy: errorRoom: \"2s\"\n", "./...", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inDir(t, underPolicy+tt.archive)
			sum := Each(strings.Fields(tt.args), Options{}, func(*Unit) {})
			got := ""
			for _, e := range sum.Errors {
				got += fmt.Sprintf("%s:%d:%d: %s", e.Range.File, e.Range.Line, e.Range.Column, e.Message)
				for _, s := range sum.Skipped {
					if s.Path == e.Range.File {
						t.Errorf("%s is told and skipped", s.Path)
					}
				}
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestAPolicyAboveThePathOfACommand(t *testing.T) {
	const stack = "-- r/x/a/stack.cue --\npackage a\ntchain: \"v1\"\nname: \"a\"\nlayers: {\n\tweb: browser: fetch: signal: timeout: 60_000\n\tprice: external: {}\n}\nroutes: \"GET /price\": path: [\"web\", \"price\"]\n"
	for _, tt := range []struct {
		name, archive, wd, arg string
		has                    bool
	}{
		{"up to the root of the repository", "-- r/.git/HEAD --\n-- r/tchain.cue --\npolicy: {}\n", "r/x/a", ".", true},
		{"not above it", "-- r/x/.git/HEAD --\n-- r/tchain.cue --\npolicy: {}\n", "r", "x/a", false},
		{"without a repository, up to where the command is given", "-- r/tchain.cue --\npolicy: {}\n", "r", "x/...", true},
		{"and with a module below that", "-- r/tchain.cue --\npolicy: {}\n-- r/x/cue.mod/module.cue --\nmodule: \"x.example@v0\"\nlanguage: version: \"v0.14.0\"\n", "r", "x/...", true},
		{"and not above that", "-- tchain.cue --\npolicy: {}\n", "r", "x/...", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inDir(t, stack+tt.archive)
			t.Chdir(tt.wd)
			targets, _ := find([]string{tt.arg}, Options{})
			if len(targets) != 1 || (targets[0].policy() != "") != tt.has {
				t.Errorf("%+v", targets)
			}
		})
	}
}
