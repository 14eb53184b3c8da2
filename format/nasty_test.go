package format

import (
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
)

// nastyTexts are what a stack can hold and a format can trip over.
var nastyTexts = []struct{ name, text string }{
	{"quotes and angle brackets", `"a" 'b' <b>c</b> & &amp; </details>`},
	{"what ends a CDATA section", `]]> <![CDATA[ x ]]>`},
	{"what Markdown reads", "a | b \\| *c* _d_ [e](http://x) `f` ```g``` ~~h~~ # i $j$ - k"},
	{"what calls somebody", "@team #12 GH-3 user@example.com"},
	{"what the runner reads", "100%25 a::error file=x,line=1::b %0A c,d=e"},
	{"lines of every system", "one\r\ntwo\nthree\rfour\u2028five"},
	{"emoji and wide characters", "👩‍👩‍👧 日本語 é\u0301 🚦"},
	{"what no document can hold", "a\x00b\x1b[31mc\ufffed\xffe"},
	{"an empty text", ""},
	{"a very long text", strings.Repeat("long 長い ", 3_000)},
}

// nasty is a stack in which everything that can be chosen is text.
func nasty(text string) Result {
	file := "dir with space/a,b:c#d%20é/" + strings.NewReplacer("/", "_", "\x00", "").Replace(clip(text, 80)) + ".cue"
	pos := chain.Range{File: file, Line: 2, Column: 3, EndLine: 2, EndColumn: 7}
	api, db := &chain.Node{Layer: text}, &chain.Node{Layer: "db " + text}
	limit := &chain.Limit{Kind: chain.ResponseHeader, Bound: time.Second, Origin: chain.Origin{Name: text, Setting: text, Pos: pos}}
	f := check.Finding{
		Rule: "error-room", Severity: check.Error, Stack: text, Owner: text, Pos: pos, Label: text,
		Routes: []string{text, "GET /u/{id}"}, Layer: text, Setting: text, Message: "says " + text,
		Related: []check.Related{{Pos: pos, Message: text}, {Message: text}},
		Trace: &chain.Trace{
			Fault:   chain.Fault{Kind: chain.Silent, From: api, Call: &chain.Call{To: db}},
			Events:  []chain.Event{{Kind: chain.EvSent, Node: api, Peer: db}, {At: time.Second, Kind: chain.EvTimeout, Node: api, Peer: db, Limit: limit}},
			Outcome: chain.Outcome{Error: "gives up", At: time.Second},
		},
		Fixes: []check.Fix{{Message: text, After: text, Edits: []chain.Edit{{Range: pos, NewText: text}}}},
	}
	warning, info, accepted := f, f, f
	warning.Rule, warning.Severity = "within", check.Warning
	info.Rule, info.Severity = "implicit", check.Info
	accepted.Suppressed = &chain.Ignore{Rule: f.Rule, Reason: "for " + text, Until: "2030-01-01", At: pos}
	return Result{
		Unit: &compile.Unit{
			Dir: "dir", Stack: &chain.Stack{Name: text, NotChecked: []chain.NotChecked{{Layer: text, Setting: text, Reason: text}}},
			Source: map[string][]byte{file: []byte("first\n" + text + "\n")},
			Errors: []compile.Error{{Range: pos, Message: "unread " + text}},
		},
		Findings: []check.Finding{f, warning, info, f}, Suppressed: []check.Finding{accepted},
	}
}

// eachNasty runs a test on what a format makes of each text.
func eachNasty(t *testing.T, format string, test func(t *testing.T, r Result, got string)) {
	t.Helper()
	sum := compile.Summary{Errors: []compile.Error{{Message: "no such file or directory", Range: chain.Range{File: "nosuch"}}, {Message: "nowhere"}}}
	for _, tc := range nastyTexts {
		t.Run(tc.name, func(t *testing.T) {
			r := nasty(tc.text)
			test(t, r, printed(t, format, Options{}, sum, r))
		})
	}
}

func TestFormatsGiveTheSameBytesOnEveryRun(t *testing.T) {
	for _, f := range Formats {
		first := printed(t, f.Name, Options{}, compile.Summary{}, insurance(t), nasty("x"))
		if again := printed(t, f.Name, Options{}, compile.Summary{}, insurance(t), nasty("x")); again != first {
			t.Errorf("%s differs from run to run", f.Name)
		}
	}
}

// For people the summary counts it, and for programs SARIF alone has it.
func TestOnlySARIFTellsOfWhatIsSuppressed(t *testing.T) {
	r := insurance(t)
	plain := map[string]string{}
	for _, f := range Formats {
		plain[f.Name] = printed(t, f.Name, Options{}, compile.Summary{}, r)
	}
	accepted := r.Findings[0]
	accepted.Suppressed = &chain.Ignore{Rule: accepted.Rule, Reason: "known"}
	r.Suppressed = []check.Finding{accepted}
	for _, f := range Formats {
		now := printed(t, f.Name, Options{}, compile.Summary{}, r)
		if counted := strings.Contains(now, "(1 suppressed)"); counted != (f.Name == "text" || f.Name == "markdown") {
			t.Errorf("%s: counted is %t", f.Name, counted)
		}
		now = strings.Replace(now, " (1 suppressed)", "", 1)
		if same := now == plain[f.Name]; same != (f.Name != "sarif") {
			t.Errorf("%s: same is %t", f.Name, same)
		}
	}
}

func TestFormatsForOthersNameFilesAsTheyAreKnownThere(t *testing.T) {
	r := insurance(t)
	r.Unit.Errors = []compile.Error{{Range: r.Findings[0].Pos, Message: "bad"}}
	other := r.Findings[0].Pos
	other.File = "lib/base.cue"
	r.Unit.Source[other.File] = r.Unit.Source[r.Findings[0].Pos.File]
	r.Findings[0].Related[0].Pos = other
	r.Findings[0].Fixes[0].Edits[0].Range = other
	opt := Options{Path: func(file string) string { return "infra/" + file }}
	for _, f := range Formats {
		got := printed(t, f.Name, opt, compile.Summary{}, r)
		for _, file := range []string{"examples/insurance/stack.cue", "lib/base.cue"} {
			n, moved := strings.Count(got, file), strings.Count(got, "infra/"+file)
			if f.Name == "text" || f.Name == "json" {
				if moved != 0 || n == 0 {
					t.Errorf("%s moves %s", f.Name, file)
				}
			} else if n != moved {
				t.Errorf("%s has %d of %d names of %s from the root on", f.Name, moved, n, file)
			}
		}
	}
}
