package format

import (
	"encoding/json"
	"strings"
	"testing"

	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
)

// readQuality reads a report and holds it against what GitLab's documentation
// requires of every entry.
func readQuality(t *testing.T, text string) []gitlabIssue {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	var all []gitlabIssue
	if err := dec.Decode(&all); err != nil || all == nil {
		t.Fatalf("no list: %v", err)
	}
	prints := map[string]bool{}
	for _, x := range all {
		if x.Description == "" || x.CheckName == "" || x.Location.Path == "" || x.Location.Lines.Begin < 1 || x.Location.Lines.End < x.Location.Lines.Begin {
			t.Errorf("incomplete: %+v", x)
		}
		if strings.HasPrefix(x.Location.Path, "./") {
			t.Errorf("GitLab does not find %s", x.Location.Path)
		}
		switch x.Severity {
		case "info", "minor", "major", "critical", "blocker":
		default:
			t.Errorf("severity %q", x.Severity)
		}
		if prints[x.Fingerprint] || x.Fingerprint == "" {
			t.Errorf("fingerprint %q comes twice", x.Fingerprint)
		}
		prints[x.Fingerprint] = true
	}
	return all
}

func TestGitLabIsTheFormOfItsDocumentation(t *testing.T) {
	text := printed(t, "gitlab", Options{}, compile.Summary{}, insurance(t))
	golden(t, "testdata/finding.gitlab.json", text)
	all := readQuality(t, text)
	if print := Fingerprints(insurance(t).Findings)[0]; len(all) != 1 || all[0].Fingerprint != print {
		t.Errorf("fingerprint %s, want %s", all[0].Fingerprint, print)
	}
	if got := printed(t, "gitlab", Options{}, compile.Summary{}); got != "[]\n" {
		t.Errorf("a clean run is %q", got)
	}
}

func TestGitLabTellsTwoStacksOfOneNameApart(t *testing.T) {
	r := insurance(t)
	bad := Result{Unit: &compile.Unit{Dir: "b", Errors: []compile.Error{{Message: "bad"}}}}
	r.Findings = append(r.Findings, r.Findings[0])
	r.Findings[1].Severity = check.Info
	all := readQuality(t, printed(t, "gitlab", Options{}, compile.Summary{Errors: []compile.Error{{Message: "nowhere"}}}, r, r, bad))
	var severities []string
	for _, x := range all {
		severities = append(severities, x.Severity)
	}
	if got := strings.Join(severities, " "); got != "major info major info blocker blocker" {
		t.Error(got)
	}
}

func TestGitLabReadsWhateverAStackHolds(t *testing.T) {
	eachNasty(t, "gitlab", func(t *testing.T, r Result, got string) {
		all := readQuality(t, got)
		if want := strings.ToValidUTF8(clean(r.Findings[0].Message), "\ufffd"); all[1].Description != want {
			t.Errorf("description %.100q", all[1].Description)
		}
	})
}
