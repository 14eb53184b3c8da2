package compile

import (
	"os"
	"strings"
	"testing"
)

func TestWhatTheStackLacksMayStandBesideIt(t *testing.T) {
	const (
		mark   = "tchain: \"v1\", name: \"t\"\n"
		layers = "layers: {web: browser: fetch: signal: timeout: 20_000, api: external: {}}\n"
		routes = "routes: \"GET /\": path: [\"web\", \"api\"]\n"
	)
	for _, c := range []struct{ name, stack, beside, named, want string }{
		{"no file has a package line", mark + layers, routes, ".",
			`1:1: stack has no routes; beside.cue has routes, but a file without a package line stands alone; begin both with the same, as "package stack"`},
		{"the other file has none", "package shop\n" + mark + layers, routes, ".",
			`2:1: stack has no routes; beside.cue has routes, but no package line; begin it with "package shop"`},
		{"the other file has another one", "package shop\n" + mark + layers, "package shopp\n" + routes, ".",
			`2:1: stack has no routes; beside.cue has routes, but is of package shopp; begin it with "package shop"`},
		{"one file of two is named", "package shop\n" + mark + layers, "package shop\n" + routes, "stack.cue",
			`2:1: stack has no routes; beside.cue has routes, but was not named with it; name both, or the directory`},
		{"a value stands there", mark + routes + strings.Replace(layers, "20_000", "_wait", 1), "_wait: 20_000\n", ".",
			`3:48: layers.web.browser.fetch.signal.timeout: _wait is not defined; beside.cue has _wait, but a file without a package line stands alone; begin both with the same, as "package stack"`},
		{"what is missing stands nowhere", mark + layers, "x: 1\n", ".",
			`1:1: stack has no routes; write routes: with one key for each request pattern, as "GET /v1/pay"`},
		{"what stands beside cannot be read", mark + layers, "routes: (\n", ".",
			`1:1: stack has no routes; write routes: with one key for each request pattern, as "GET /v1/pay"`},
		{"nothing is missing", mark + layers + routes, routes, ".", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for name, text := range map[string]string{"stack.cue": c.stack, "beside.cue": c.beside} {
				if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			var got string
			Each([]string{c.named}, Options{}, func(u *Unit) { got += shownErrors(u.Errors) })
			if got = strings.TrimSuffix(got, "\n"); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
		})
	}
}
