package format

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/joshdk/go-junit"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
)

func readJUnit(t *testing.T, text string) []junit.Suite {
	t.Helper()
	suites, err := junit.Ingest([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return suites
}

// tests are the tests of a suite that did not pass, as "name: status", and how
// many there are.
func tests(s junit.Suite) (failed string, n int) {
	var out []string
	for _, c := range s.Tests {
		if c.Status != junit.StatusPassed {
			out = append(out, c.Name+": "+string(c.Status))
		}
	}
	return strings.Join(out, ", "), len(s.Tests)
}

func TestJUnitHasASuiteAStackAndATestARule(t *testing.T) {
	r := insurance(t)
	within := r.Findings[0]
	within.Rule, within.Severity = "within", check.Warning
	r.Findings = append(r.Findings, r.Findings[0], within)
	r.Unit.Stack.Policy.Severity = map[string]string{"probe": "off"}
	clean := Result{Unit: &compile.Unit{Dir: "b", Stack: &chain.Stack{Name: "b"}}}
	bad := Result{Unit: &compile.Unit{Dir: "bad", Errors: []compile.Error{{Message: "one", Range: chain.Range{File: "bad/x.cue", Line: 2}}, {Message: "two"}}}}
	sum := compile.Summary{Errors: []compile.Error{{Message: "no such file", Range: chain.Range{File: "nosuch"}}}}
	for _, tc := range []struct {
		name   string
		failOn check.Severity
		want   string
	}{
		{"what fails the run fails", check.Off, "error-room: failed, probe: skipped, within: failed"},
		{"what does not is only told", check.Error, "error-room: failed, probe: skipped"},
	} {
		suites := readJUnit(t, printed(t, "junit", Options{FailOn: tc.failOn}, sum, r, clean, bad))
		if len(suites) != 4 {
			t.Fatalf("%d suites", len(suites))
		}
		if failed, n := tests(suites[0]); failed != tc.want || n != len(check.Rules) || suites[0].Name != "insurance" {
			t.Errorf("%s: %s of %d in %s", tc.name, failed, n, suites[0].Name)
		}
		if failed, n := tests(suites[1]); failed != "" || n != len(check.Rules) {
			t.Errorf("a clean stack: %s of %d", failed, n)
		}
		if failed, n := tests(suites[2]); failed != "unreadable: error" || n != 1 {
			t.Errorf("an unreadable stack: %s of %d", failed, n)
		}
		if failed, _ := tests(suites[3]); failed != "unreadable: error" {
			t.Errorf("a path that is not there: %s", failed)
		}
		for _, c := range suites[0].Tests {
			if c.Name == "error-room" && (c.Message != "proxy answers 504 at 90s, before api's own error at 95s (and 1 more)" || c.Classname != "insurance") {
				t.Errorf("%s: %s", c.Classname, c.Message)
			}
			if told := strings.Contains(c.SystemOut, "warning[within]"); c.Name == "within" && told != (tc.failOn == check.Error) {
				t.Errorf("%s: told is %t", tc.name, told)
			}
		}
	}
}

func TestJUnitHoldsTheWholeFinding(t *testing.T) {
	suites := readJUnit(t, printed(t, "junit", Options{}, compile.Summary{}, insurance(t)))
	text := printed(t, "text", Options{}, compile.Summary{}, insurance(t))
	text, _, _ = strings.Cut(text, "\n\n")
	for _, c := range suites[0].Tests {
		if c.Name == "error-room" && c.Error.Error() != text+"\n" {
			t.Errorf("got:\n%s\nwant:\n%s", c.Error, text)
		}
	}
}

func TestJUnitReadsBackWhateverAStackHolds(t *testing.T) {
	eachNasty(t, "junit", func(t *testing.T, r Result, got string) {
		suites := readJUnit(t, got)
		if failed, _ := tests(suites[0]); failed != "error-room: failed, within: failed, unreadable: error" {
			t.Error(failed)
		}
		for _, c := range suites[0].Tests {
			want := newCDATA(clean(r.Findings[0].Message)).Text
			if c.Name == "within" && c.Message != want {
				t.Errorf("message %.100q, want %.100q", c.Message, want)
			}
			if c.Name == "within" && !strings.Contains(c.Error.Error(), want) {
				t.Errorf("text %.300q lacks the message", c.Error)
			}
		}
	})
}

func readCheckstyle(t *testing.T, text string) []checkstyleFile {
	t.Helper()
	var out checkstyleOutput
	dec := xml.NewDecoder(strings.NewReader(text))
	dec.Strict = true
	if err := dec.Decode(&out); err != nil {
		t.Fatal(err)
	}
	for _, f := range out.Files {
		for _, e := range f.Errors {
			if f.Name == "" || e.Line < 1 || e.Message == "" || !strings.HasPrefix(e.Source, "tchain.") {
				t.Errorf("incomplete: %s %+v", f.Name, e)
			}
		}
	}
	return out.Files
}

func TestCheckstyleListsFindingsByFile(t *testing.T) {
	text := printed(t, "checkstyle", Options{}, compile.Summary{}, insurance(t))
	golden(t, "testdata/finding.checkstyle.xml", text)
	one := func(file string, line int, s check.Severity) Result {
		f := check.Finding{Rule: "within", Severity: s, Message: "m", Pos: chain.Range{File: file, Line: line, Column: 3}}
		return Result{Unit: &compile.Unit{}, Findings: []check.Finding{f}}
	}
	sum := compile.Summary{Errors: []compile.Error{{Message: "nowhere"}}}
	var got []string
	for _, f := range readCheckstyle(t, printed(t, "checkstyle", Options{}, sum, one("b", 1, check.Info), one("a", 9, check.Error), one("b", 1, check.Warning), one("a", 2, check.Error))) {
		for _, e := range f.Errors {
			got = append(got, f.Name+" "+e.Severity)
		}
	}
	if s := strings.Join(got, ", "); s != ". error, a error, a error, b info, b warning" {
		t.Error(s)
	}
}

func TestCheckstyleReadsBackWhateverAStackHolds(t *testing.T) {
	eachNasty(t, "checkstyle", func(t *testing.T, r Result, got string) {
		n := 0
		for _, f := range readCheckstyle(t, got) {
			for _, e := range f.Errors {
				n++
				if e.Source == "tchain.within" && (e.Message != newCDATA(clean(r.Findings[0].Message)).Text || e.Line != 2 || e.Column != 3) {
					t.Errorf("%.100q at %d:%d", e.Message, e.Line, e.Column)
				}
			}
		}
		if want := len(r.Findings) + len(r.Unit.Errors) + 2; n != want {
			t.Errorf("%d errors, want %d", n, want)
		}
	})
}
