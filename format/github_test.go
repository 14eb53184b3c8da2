package format

import (
	"strings"
	"testing"

	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
)

// A command is a workflow command as the runner reads it: the line up to the
// next "::" is its name and properties, the rest its text.
type command struct {
	name, text string
	props      map[string]string
}

func readCommands(t *testing.T, out string) []command {
	t.Helper()
	data := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%25", "%")
	property := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")
	var all []command
	for line := range strings.Lines(out) {
		head, text, ok := strings.Cut(strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "::"), "::")
		if !strings.HasPrefix(line, "::") || !ok {
			t.Fatalf("no command: %.200q", line)
		}
		name, list, _ := strings.Cut(head, " ")
		c := command{name, data.Replace(text), map[string]string{}}
		for pair := range strings.SplitSeq(list, ",") {
			k, v, ok := strings.Cut(pair, "=")
			if !ok {
				t.Fatalf("no property: %q", pair)
			}
			c.props[k] = property.Replace(v)
		}
		all = append(all, c)
	}
	return all
}

func TestGitHubShowsAFindingAtItsLine(t *testing.T) {
	text := printed(t, "github", Options{}, compile.Summary{}, insurance(t))
	c := readCommands(t, text)[0]
	for k, want := range map[string]string{
		"file": "examples/insurance/stack.cue", "line": "15", "col": "31", "endColumn": "36", "title": "tchain error-room",
	} {
		if c.props[k] != want {
			t.Errorf("%s is %q", k, c.props[k])
		}
	}
	golden(t, "testdata/finding.github", text)
	if !strings.HasPrefix(c.text, "proxy answers 504 at 90s, before api's own error at 95s\n   15 │ ") || !strings.Contains(c.text, "\n       90s  proxy ") {
		t.Errorf("text:\n%s", c.text)
	}
}

func TestGitHubHasALevelForEachSeverity(t *testing.T) {
	r := insurance(t)
	r.Findings = append(r.Findings, r.Findings[0], r.Findings[0])
	r.Findings[1].Severity, r.Findings[2].Severity = check.Warning, check.Info
	r.Findings[2].Pos.EndLine += 2
	var names []string
	all := readCommands(t, printed(t, "github", Options{}, compile.Summary{Errors: []compile.Error{{Message: "nowhere"}}}, r))
	for _, c := range all {
		names = append(names, c.name)
	}
	if got := strings.Join(names, " "); got != "error warning notice error" {
		t.Error(got)
	}
	if p := all[2].props; p["col"] != "" || p["endLine"] != "17" {
		t.Errorf("a range over lines has %v", p)
	}
	if p := all[3].props; p["file"] != "" || p["line"] != "" || all[3].text != "nowhere" {
		t.Errorf("an error of no file has %v", p)
	}
}

func TestGitHubReadsBackWhateverAStackHolds(t *testing.T) {
	eachNasty(t, "github", func(t *testing.T, r Result, got string) {
		all := readCommands(t, got)
		if want := len(r.Unit.Errors) + len(r.Findings) + 2; len(all) != want {
			t.Fatalf("%d commands, want %d", len(all), want)
		}
		c := all[1]
		if c.props["file"] != clean(r.Findings[0].Pos.File) || len(c.props) != 5 {
			t.Errorf("properties %q", c.props)
		}
		if !strings.HasPrefix(c.text, clean(r.Findings[0].Message)) {
			t.Errorf("text %.100q", c.text)
		}
	})
}
