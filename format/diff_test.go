package format

import (
	"fmt"
	"strings"
	"testing"

	"tchain.dev/tchain/diff"
	"tchain.dev/tchain/emit/report"
)

// slower is a stack in which one timer of two routes went from 11 s to 9 s.
func slower(name string) diff.Pair {
	d := func(s int64) *report.Duration { x := report.Duration(s * 1e9); return &x }
	limit := func(value, slack int64) *report.Limit {
		return &report.Limit{Kind: "response-header", Side: "call", Setting: "proxy.x.proxy_read_timeout", Value: *d(value), Origin: "written", File: name + "/stack.cue", Line: 9, Slack: d(slack)}
	}
	route := func(pattern string) diff.Route {
		return diff.Route{Route: pattern, Change: diff.Changed, Outermost: "web", Hops: []diff.Hop{{From: "proxy", To: "api", Change: diff.Changed, Limits: []diff.Limit{
			{Kind: "response-header", Side: "call", Change: diff.Changed, Old: limit(11, 1), New: limit(9, -1)},
		}}}}
	}
	return diff.Pair{
		Stack: name, Change: diff.Changed, Dir: diff.Text{Old: name, New: name},
		Findings: []diff.Finding{{Change: diff.New, New: &diff.Found{Rule: "error-room", Severity: "error", File: name + "/stack.cue", Line: 9, Column: 5, Message: "proxy answers @team <b>504</b> | `at` 9s"}}},
		Routes:   []diff.Route{route("GET /a"), route("GET /b")},
	}
}

func diffed(t *testing.T, name string, pairs ...diff.Pair) string {
	t.Helper()
	var b strings.Builder
	for _, f := range DiffFormats {
		if f.Name == name {
			if err := f.Write(&b, &diff.Diff{Old: "main", New: ".", Compared: len(pairs) + 1, Stacks: pairs}, Options{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b.String()
}

func TestWhatMovedAlikeIsToldOnce(t *testing.T) {
	var pairs []diff.Pair
	for i := range 6 {
		pairs = append(pairs, slower(fmt.Sprint("s", i)))
	}
	got := diffed(t, "text", pairs...)
	for text, want := range map[string]int{
		"s0, s1, s2 and 3 more\n": 1, "   GET /a, GET /b\n": 1, "11s → 9s": 1, "error[error-room]": 6,
		"\n6 findings new; 6 of 7 stacks differ\n": 1,
	} {
		if n := strings.Count(got, text); n != want {
			t.Errorf("%q stands %d times, want %d, in\n%s", text, n, want, got)
		}
	}
}

func TestAComparisonFitsAComment(t *testing.T) {
	var pairs []diff.Pair
	for i := range 400 {
		p := slower(fmt.Sprintf("s%03d-%s", i, strings.Repeat("x", 100)))
		p.Routes[0].Route = fmt.Sprint("GET /", i) // so that none is like another
		pairs = append(pairs, p)
	}
	got := diffed(t, "markdown", pairs...)
	if len(got) > markdownLimit {
		t.Errorf("%d bytes", len(got))
	}
	if !strings.Contains(got, "Cut to what a comment can hold") {
		t.Error("it does not say that it is cut")
	}
	if !strings.Contains(got, "proxy answers @&#8203;team &lt;b&gt;504&lt;/b&gt; \\| \\`at\\` 9s") {
		t.Errorf("not escaped: %s", got[:600])
	}
}

func TestSources(t *testing.T) {
	for _, tc := range []struct{ old, new, want string }{
		{"default of nginx 1.28.0", "default of nginx 1.29.7", "default, changed by nginx 1.28.0 → 1.29.7"},
		{"default of nginx", "default of nginx 1.29.7", "default of nginx → nginx 1.29.7"},
		{"default of nginx 1.28.0", "default of envoy 1.38", "default of nginx 1.28.0 → envoy 1.38"},
		{"default of nginx 1.28.0", "a.cue:5", "default of nginx 1.28.0 → a.cue:5"},
		{"a.cue:5", "a.cue:9", "a.cue:9"},
		{"a.cue:5", "b.cue:5", "a.cue:5 → b.cue:5"},
		{"", "a.cue:5", "a.cue:5"},
		{"a.cue:5", "", "was a.cue:5"},
	} {
		if got := sources(tc.old, tc.new); got != tc.want {
			t.Errorf("%q, %q: %q, want %q", tc.old, tc.new, got, tc.want)
		}
	}
}
