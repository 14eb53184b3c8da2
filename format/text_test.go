package format

import (
	"errors"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
)

func TestTextIsTheFormOfTheDesign(t *testing.T) {
	golden(t, "testdata/finding.txt", printed(t, "text", Options{}, compile.Summary{Units: 1}, insurance(t)))
}

func TestTextInColourHoldsTheSameText(t *testing.T) {
	plain := printed(t, "text", Options{}, compile.Summary{}, insurance(t))
	colored := printed(t, "text", Options{Color: true}, compile.Summary{}, insurance(t))
	if colored == plain {
		t.Fatal("no colour")
	}
	var b strings.Builder
	for i, part := range strings.Split(colored, "\x1b[") {
		if i > 0 {
			_, part, _ = strings.Cut(part, "m")
		}
		b.WriteString(part)
	}
	if b.String() != plain {
		t.Errorf("without colour:\n%s", b.String())
	}
}

func TestTextShowsErrorsOfTheInput(t *testing.T) {
	src := map[string][]byte{"a.cue": []byte("one\n\ttwo: nginxx: 3\r\n")}
	bad := Result{Unit: &compile.Unit{Dir: "dir", Source: src, Errors: []compile.Error{
		{Range: chain.Range{File: "a.cue", Line: 2, Column: 7, EndLine: 2, EndColumn: 13}, Message: `layer two has the unknown type nginxx`},
		{Range: chain.Range{File: "dir"}, Message: "evaluation took longer than 30s"},
	}}}
	sum := compile.Summary{Errors: []compile.Error{{Message: "nosuch does not exist"}}}
	want := `a.cue:2:7: error: layer two has the unknown type nginxx
    2 │ 	two: nginxx: 3
      │ 	     ^^^^^^

dir: error: evaluation took longer than 30s
error: nosuch does not exist

1 stack could not be read
`
	if got := printed(t, "text", Options{}, sum, bad); got != want {
		t.Errorf("got:\n%s", got)
	}
}

func TestTextPlaces(t *testing.T) {
	r := insurance(t)
	f := &r.Findings[0]
	r.Unit.Source["lib/base.cue"] = []byte("a: 1\n")
	f.Trace, f.Fixes = nil, append(f.Fixes, check.Fix{Message: "raise both", Edits: []chain.Edit{
		{Range: chain.Range{File: "lib/base.cue", Line: 1}}, {Range: f.Pos}, {Range: f.Related[0].Pos}}})
	f.Routes = []string{"GET /a", "GET /b", "GET /c", "GET /d", "GET /e"}
	f.Related = []check.Related{
		{Pos: f.Pos, Message: "again"},
		{Pos: chain.Range{File: "lib/base.cue", Line: 1, Column: 4, EndLine: 1, EndColumn: 5}, Message: "from here"},
		{Message: "edge: 60s is ALB's default"},
	}
	r.Unit.Stack.Routes[0].NotChecked = nil
	golden(t, "testdata/places.txt", printed(t, "text", Options{}, compile.Summary{}, r))
}

func TestTextCannotDriveATerminal(t *testing.T) {
	r := insurance(t)
	r.Findings[0].Message = "a\x1b[2Jb"
	if got := printed(t, "text", Options{}, compile.Summary{}, r); strings.Contains(got, "\x1b") {
		t.Errorf("an escape got through: %q", got)
	}
}

type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestFormatsReportTheErrorOfTheWriter(t *testing.T) {
	for _, f := range Formats {
		w := f.New(brokenWriter{}, Options{})
		err := w.Stack(insurance(t))
		if err == nil {
			err = w.Close(compile.Summary{})
		}
		if !errors.Is(err, errBroken) {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}
