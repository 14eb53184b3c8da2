package format

import (
	"os"
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
)

// find is the range of text in a line of a file.
func find(t *testing.T, files map[string][]byte, file string, line int, text string) chain.Range {
	t.Helper()
	got := strings.Split(string(files[file]), "\n")[line-1]
	before, _, ok := strings.Cut(got, text)
	if !ok {
		t.Fatalf("%s:%d holds no %q: %s", file, line, text, got)
	}
	col := len([]rune(before)) + 1
	return chain.Range{File: file, Line: line, Column: col, EndLine: line, EndColumn: col + len([]rune(text))}
}

// insurance is the design's sample: NGINX gives up before the app's own error.
func insurance(t *testing.T) Result {
	t.Helper()
	text, err := os.ReadFile("testdata/stack.cue")
	if err != nil {
		t.Fatal(err)
	}
	const file = "examples/insurance/stack.cue"
	src := map[string][]byte{file: text}
	read, perCall := find(t, src, file, 15, `"90s"`), find(t, src, file, 25, `"90s"`)

	node := func(name string) *chain.Node { return &chain.Node{Layer: name} }
	web, edge, proxy, api, auth := node("web"), node("edge"), node("proxy"), node("api"), node("auth")
	limit := &chain.Limit{Kind: chain.ResponseHeader, Side: chain.Calling, Bound: 90 * time.Second,
		Origin: chain.Origin{Name: "proxy_read_timeout", Setting: "proxy.nginx.server.proxy_read_timeout"}}
	at := 90 * time.Second
	trace := &chain.Trace{
		Fault: chain.Fault{Kind: chain.Silent, From: api, Call: &chain.Call{To: auth}},
		Events: []chain.Event{
			{Kind: chain.EvSent, Node: web, Peer: edge}, {Kind: chain.EvSent, Node: edge, Peer: proxy},
			{Kind: chain.EvSent, Node: proxy, Peer: api}, {Kind: chain.EvSent, Node: api, Peer: auth},
			{At: at, Kind: chain.EvTimeout, Node: proxy, Peer: api, Limit: limit}, {At: at, Kind: chain.EvAnswers, Node: proxy, Status: 504, Limit: limit},
			{At: at, Kind: chain.EvPasses, Node: edge, Peer: proxy, Status: 504}, {At: at, Kind: chain.EvSees, Node: web, Peer: proxy, Status: 504},
			{At: at, Kind: chain.EvTimeout, Node: api, Peer: auth}, {At: 95 * time.Second, Kind: chain.EvUndelivered, Node: api},
		},
		Outcome: chain.Outcome{Status: 504, From: proxy, At: at},
	}
	const route = "GET /v1/affiliation/health-insurance"
	f := check.Finding{
		Rule: "error-room", Severity: check.Error, Stack: "insurance", Owner: "team-edge", Pos: read,
		Label: "fires first  [nginx 1.28: proved]", Routes: []string{route}, Layer: "proxy", Setting: "proxy.nginx.server.proxy_read_timeout",
		Message: "proxy answers 504 at 90s, before api's own error at 95s",
		Related: []check.Related{{Pos: perCall, Message: "api: 95s = 90s perCall + 5s reserve"}},
		Trace:   trace,
		Fixes: []check.Fix{{Message: `"90s" → "96s"`, After: "then 1s over api's error, 46s under edge",
			Edits: []chain.Edit{{Range: read, NewText: `"96s"`}}}},
	}
	stack := &chain.Stack{Name: "insurance", Routes: []*chain.Route{{Name: route, NotChecked: []chain.NotChecked{
		{Layer: "auth", Setting: "auth.endpoint.announcesKeepAlive", Reason: "not declared"}}}}}
	unit := &compile.Unit{Dir: "examples/insurance", Stack: stack, Source: src}
	return Result{Unit: unit, Findings: []check.Finding{f}}
}

// printed is what a format makes of results and a summary.
func printed(t *testing.T, name string, opt Options, sum compile.Summary, rs ...Result) string {
	t.Helper()
	f, ok := Named(name)
	if !ok {
		t.Fatalf("no format %s", name)
	}
	var b strings.Builder
	w := f.New(&b, opt)
	for _, r := range rs {
		if err := w.Stack(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(sum); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// golden compares with a file, and writes it if TCHAIN_UPDATE is set.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if os.Getenv("TCHAIN_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s (TCHAIN_UPDATE=1 rewrites it); got:\n%s", file, got)
	}
}
