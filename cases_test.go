package tchain_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
)

// A caseState is what testdata/cases/<id>/want.yaml says of one state of a
// case: the stack as reported, or with an edit.
type caseState struct {
	Name string     // of a further state
	Edit []caseEdit // makes the state from the stack as reported
	// What has to be found. In a working configuration there is nothing.
	Find []caseFinding
	// The rules of which nothing may be found, from warning up.
	Silent []string
	// Why something of them is found. It counts as a false alarm, and fails once nothing is.
	Alarm string
	// The case's smallest fix: what was found is gone with it.
	Fix    []caseEdit
	States []caseState // only at the top
}

// A caseEdit replaces a text that occurs once in the stack.
type caseEdit struct{ Was, Now string }

// A caseFinding is one finding that a case asks for; what is left empty is not compared.
type caseFinding struct {
	Rule    string
	Setting string
	Layer   string // unset: the first word of the setting
	Says    string // a part of the message, with the figures
	Sees    string // the outcome: "504 from edge at 60s", "502 from edge", "gives up"
	// Why it is not found yet. It counts as missed, and fails once it is found.
	Open string
}

// A tally counts cases: one is found if all is that it asks for.
type tally struct {
	found, missed, falseAlarms int
	got, asked                 int // findings
	open                       []string
}

// TestThePublicCases holds the checker to faults and working configurations
// that people have reported. `find` must be found, `silent` must not, and the
// fix that the report gives must clear what was found.
func TestThePublicCases(t *testing.T) {
	stacks, err := filepath.Glob("testdata/cases/*/stack.cue")
	if err != nil || len(stacks) == 0 {
		t.Fatal("no cases", err)
	}
	var sum tally
	for _, stack := range stacks {
		dir := filepath.Dir(stack)
		t.Run(filepath.Base(dir), func(t *testing.T) { sum.add(t, dir) })
	}
	for _, o := range sum.open {
		t.Log("open: " + o)
	}
	t.Logf("found %d / missed %d / false alarms %d (%d of %d findings)", sum.found, sum.missed, sum.falseAlarms, sum.got, sum.asked)
}

func (sum *tally) add(t *testing.T, dir string) {
	text, want := readCase(t, dir)
	missed, alarms := 0, 0
	for _, state := range append([]caseState{want}, want.States...) {
		name := strings.TrimSpace(filepath.Base(dir) + " " + state.Name)
		edited := edit(t, text, state.Edit)
		got, broken := findings(t, edited)
		for _, f := range got {
			t.Logf("%s: %s %s [%s]: %s (%s)", name, f.Severity, f.Rule, f.Setting, f.Message, seen(f))
		}
		found := sum.find(t, name, state, got)
		if len(broken) > 0 && len(found) == len(state.Find) {
			t.Errorf("%s: cannot be read: %s", name, strings.Join(broken, "; "))
		}
		missed += len(state.Find) - len(found)
		alarms += sum.silent(t, name, state, got)
		switch {
		case len(state.Find) > 0 && len(state.Fix) == 0:
			t.Errorf("%s: something is found, and no fix clears it", name)
		case len(state.Fix) > 0 && len(found) > 0:
			cleared(t, name, edit(t, edited, state.Fix), found)
		}
	}
	if alarms > 0 {
		sum.falseAlarms++
	}
	switch {
	case missed > 0:
		sum.missed++
	case len(want.Find) > 0:
		sum.found++
	}
}

// find gives those of the findings that a state asks for.
func (sum *tally) find(t *testing.T, name string, state caseState, got []check.Finding) (found []check.Finding) {
	t.Helper()
	for _, w := range state.Find {
		f, ok := w.among(got)
		switch {
		case ok && w.Open != "":
			t.Errorf("%s: %s is found and still marked as open", name, w.Rule)
		case ok:
			found = append(found, f)
		case w.Open != "":
			sum.open = append(sum.open, fmt.Sprintf("%s: %s: %s", name, w.Rule, w.Open))
		default:
			t.Errorf("%s: missed %+v", name, w)
		}
	}
	sum.got, sum.asked = sum.got+len(found), sum.asked+len(state.Find)
	return found
}

var caseSource = regexp.MustCompile(`^// Source: https://\S+\n`)

func readCase(t *testing.T, dir string) (string, caseState) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "stack.cue"))
	if err != nil {
		t.Fatal(err)
	}
	if !caseSource.Match(text) {
		t.Error("the stack does not begin with its source")
	}
	file, err := os.ReadFile(filepath.Join(dir, "want.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var want caseState
	dec := yaml.NewDecoder(bytes.NewReader(file))
	dec.KnownFields(true)
	if err := dec.Decode(&want); err != nil {
		t.Fatal(err)
	}
	return string(text), want
}

func edit(t *testing.T, text string, edits []caseEdit) string {
	t.Helper()
	for _, e := range edits {
		if n := strings.Count(text, e.Was); n != 1 {
			t.Fatalf("%q occurs %d times in the stack", e.Was, n)
		}
		text = strings.Replace(text, e.Was, e.Now, 1)
	}
	return text
}

// among is the finding that a case asks for.
func (w caseFinding) among(got []check.Finding) (check.Finding, bool) {
	for _, f := range got {
		layer, _, _ := strings.Cut(w.Setting, ".")
		if w.Layer != "" {
			layer = w.Layer
		}
		if f.Rule == w.Rule && f.Setting == w.Setting && f.Layer == layer &&
			strings.Contains(f.Message, w.Says) && strings.HasPrefix(seen(f), w.Sees) {
			return f, true
		}
	}
	return check.Finding{}, false
}

// seen is what the outermost caller has in the end: "504 from edge at 60s".
func seen(f check.Finding) string {
	if f.Trace == nil {
		return ""
	}
	o := f.Trace.Outcome
	var out string
	if o.Status != 0 {
		out = fmt.Sprint(o.Status)
	}
	if o.Cut {
		out += " cut"
	}
	out = strings.TrimSpace(out + " " + o.Error)
	if o.From != nil {
		out += " from " + o.From.Layer
	}
	return strings.TrimSpace(out + " at " + chain.Format(o.At))
}

// silent counts what is found of the rules that have nothing to say.
func (sum *tally) silent(t *testing.T, name string, state caseState, got []check.Finding) (alarms int) {
	t.Helper()
	for _, f := range got {
		if !slices.Contains(state.Silent, f.Rule) {
			continue
		}
		alarms++
		if state.Alarm == "" {
			t.Errorf("%s: false alarm: %s: %s", name, f.Rule, f.Message)
		}
	}
	switch {
	case alarms > 0 && state.Alarm != "":
		sum.open = append(sum.open, name+": "+state.Alarm)
	case state.Alarm != "":
		t.Errorf("%s: nothing is found and it is still marked as an alarm", name)
	}
	for _, rule := range state.Silent {
		if check.Find(rule) == nil {
			t.Errorf("%s: there is no rule %s", name, rule)
		}
	}
	return alarms
}

// cleared checks that a fix leaves nothing of a rule at the layer where it was found.
func cleared(t *testing.T, name, fixed string, found []check.Finding) {
	t.Helper()
	left, broken := findings(t, fixed)
	for _, b := range broken {
		t.Errorf("%s: with the fix: %s", name, b)
	}
	for _, was := range found {
		for _, f := range left {
			if f.Rule == was.Rule && f.Layer == was.Layer {
				t.Errorf("%s: the fix leaves %s: %s", name, f.Rule, f.Message)
			}
		}
	}
	for _, f := range left {
		t.Logf("%s: with the fix: %s %s [%s]: %s", name, f.Severity, f.Rule, f.Setting, f.Message)
	}
}
