package check_test

import (
	"slices"
	"testing"
)

// A stack of which one value is as the row says; the rest leaves room for it.
const proposing = `package shop
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 60_000
	lb: alb: idle_timeout: 30
	proxy: nginx: {version: "1.28.0", server: {proxy_connect_timeout: "2s", proxy_read_timeout: "20s"}, upstream: api: server: ["10.0.0.1:8080"]}
	api: app: {server: gohttp: IdleTimeout: "120s", clients: bank: node: {version: "22", setTimeout: 5000, destroyOnTimeout: true, signal: timeout: 6000}}
	bank: external: {}
	near: {endpoint: rtt: "2ms", external: {}}
}
routes: "GET /": path: ["web", "lb", "proxy", "api", "bank"]
`

// What is proposed is what a person would write: from what a hop needs, and never
// from a value that has to change first.
func TestOnlyAValueThatAPersonWouldWriteIsProposed(t *testing.T) {
	for _, row := range []struct {
		n, rule string
		edits   []string
		want    []string // nil: no fix
		none    bool     // no finding at all
	}{
		{"20 were seconds", "unit-trap", []string{"timeout: 60_000", "timeout: 20"}, []string{"line 5 20 → 20000"}, false},
		{"120 were two minutes", "unit-trap", []string{"timeout: 60_000", "timeout: 120"}, []string{"line 5 120 → 120000"}, false},
		{"200 were never 200 s", "unit-trap", []string{"setTimeout: 5000", "setTimeout: 200"}, nil, false},
		{"a bare number stays one", "unit-trap", []string{`node: {version: "22", setTimeout: 5000, destroyOnTimeout: true, signal: timeout: 6000}`, `socket: {connect: timeout: 1, soTimeout: 5000}`},
			[]string{"line 8 1 → 1000"}, false},
		{"a read limit of 0 is not raised over an error that comes at once", "error-room", []string{`"20s"`, `"0"`, `"api", "bank"]`, `"api"]`}, nil, true},
		{"but over what the hop needs", "error-room", []string{`"20s"`, `"0"`}, []string{`line 7 "0" → "7s"`}, false},
		{"a connect that no SYN gets through has a second", "tail-latency", []string{`"2s"`, `"0"`, "upstream: api:", "upstream: near:", `"api", "bank"]`, `"near"]`}, []string{`line 7 "0" → "2s"`}, false},
		{"a limit that the product refuses raises none further out", "error-room", []string{"idle_timeout: 30", "idle_timeout: 5000"}, []string{"line 6 5000 → 48"}, false},
		{"what an app says of its work is no setting: the limit is raised", "error-room", []string{"server: gohttp: IdleTimeout: \"120s\",", "work: max: \"18s\", server: gohttp: IdleTimeout: \"120s\","}, []string{`line 7 "20s" → "26s"`}, false},
		{"nor is a cold start", "error-room", []string{"server: gohttp: IdleTimeout: \"120s\",", "coldStart: init: \"18s\", server: gohttp: IdleTimeout: \"120s\","}, []string{`line 7 "20s" → "26s"`}, false},
		{"but a limit of its own is one", "error-room", []string{`setTimeout: 5000, destroyOnTimeout: true, signal: timeout: 6000`, `signal: timeout: 21000`}, []string{`line 7 "20s" → "23s"`, "line 8 21000 → 18000"}, false},
		{"nor does one in a unit that was hardly meant lower one further in", "error-room", []string{"timeout: 60_000", "timeout: 30"}, []string{"line 5 30 → 42000"}, false},
	} {
		f := of(findings(t, variant{example: proposing, replaced: row.edits}.stack(t)), row.rule)
		var got []string
		for _, x := range f.Fixes {
			got = append(got, x.Message)
		}
		if !slices.Equal(got, row.want) || (f.Rule == "") != row.none {
			t.Errorf("%s: %s %q: %q, want %q", row.n, f.Rule, f.Message, got, row.want)
		}
	}
}
