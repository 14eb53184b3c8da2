package compile

import (
	"strings"
	"testing"
)

// eachLine are the errors of a run, of the summary and of the units, and how many
// stacks it counts.
func eachLine(t *testing.T, args ...string) (string, int) {
	t.Helper()
	var out []string
	sum := Each(args, Options{}, func(u *Unit) { out = append(out, lines(u.Errors)...) })
	return strings.Join(append(out, lines(sum.Errors)...), "\n"), sum.Units
}

func TestWhatIsMeantAsAStackDoesNotVanish(t *testing.T) {
	const good = `
-- good/a.cue --
tchain: "v1"
name: "a"
layers: {web: browser: {}, api: app: {}}
routes: "GET /": path: ["web", "api"]
`
	const noRoutes = `stack has no routes; write routes: with one key for each request pattern, as "GET /v1/pay"`
	for _, tt := range []struct{ name, archive, args, want string }{
		{"a misspelt key, named", good + `
-- bad/a.cue --
tchain: "v1"
name: "b"
layers: a: app: {}
rotes: {}
`, "good bad", `bad/a.cue:4:1: unknown field "rotes" in the stack; did you mean routes?`},
		{"a misspelt key, below", good + `
-- bad/a.cue --
package bad
tchain: "v1"
name: "b"
layers: a: app: {}
rotes: {}
`, "./...", `bad/a.cue:5:1: unknown field "rotes" in the stack; did you mean routes?`},
		{"layers without routes, named", good + `
-- bad/a.yaml --
tchain: v1
name: b
layers: {a: {app: {}}}
`, "good bad/a.yaml", `bad/a.yaml:1:1: ` + noRoutes},
		{"layers without routes, below", good + `
-- bad/a.cue --
package bad
tchain: "v1"
name: "b"
layers: a: app: {}
`, "./...", `bad/a.cue:2:1: ` + noRoutes},
		{"misspelt layers", good + `
-- bad/a.cue --
tchain: "v1"
name: "b"
layres: {a: app: {}, b: app: {}}
routes: "GET /": path: ["a", "b"]
`, "./...", `bad/a.cue:3:1: unknown field "layres" in the stack; did you mean layers?`},
		{"the base of child packages", good + `
-- .git/HEAD --
-- pay/a.cue --
package pay
tchain: "v1"
layers: {web: browser: {}, api: app: {}}
-- pay/prod/a.cue --
package pay
name: "pay"
routes: "GET /": path: ["web", "api"]
`, "./...", ""},
		{"a mark without layers, below", good + `
-- other/a.cue --
package other
tchain: "v1"
`, "./...", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inDir(t, tt.archive)
			if got, units := eachLine(t, strings.Fields(tt.args)...); got != tt.want || (tt.want != "") != (units == 2) && tt.name != "the base of child packages" {
				t.Errorf("%d stacks\ngot  %s\nwant %s", units, got, tt.want)
			}
		})
	}
}
