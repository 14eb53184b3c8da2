package format

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
)

// validSARIF holds a document against the published schema, formats included.
func validSARIF(t *testing.T) func(text string) error {
	t.Helper()
	file, err := os.Open("testdata/sarif/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	doc, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(sarifSchema, doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(sarifSchema)
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) error {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			return err
		}
		return schema.Validate(v)
	}
}

// readSARIF reads a document as another program does.
func readSARIF(t *testing.T, text string) *sarif.Run {
	t.Helper()
	report, err := sarif.FromBytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Runs) != 1 {
		t.Fatalf("%d runs", len(report.Runs))
	}
	return report.Runs[0]
}

func TestSARIFIsTheFormOfTheStandard(t *testing.T) {
	valid := validSARIF(t)
	text := printed(t, "sarif", Options{Version: "v1.2.3"}, compile.Summary{}, insurance(t))
	if err := valid(text); err != nil {
		t.Error(err)
	}
	var log sarifLog
	if err := json.Unmarshal([]byte(text), &log); err != nil {
		t.Fatal(err)
	}
	rules := log.Runs[0].Tool.Driver.Rules
	log.Runs[0].Tool.Driver.Rules = []sarifRule{} // they would make the golden long
	var short bytes.Buffer
	if err := writeJSON(&short, log); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/finding.sarif", short.String())
	for i, r := range rules {
		if r.ID != check.Rules[i].ID || r.Help.Text == "" || !strings.Contains(r.Help.Markdown, "```cue\n") {
			t.Errorf("rule %s has no help or no example", r.ID)
		}
	}
	if err := valid(printed(t, "sarif", Options{}, compile.Summary{})); err != nil {
		t.Errorf("without a stack: %v", err)
	}
}

func TestTheSchemaRefusesWhatIsNotSARIF(t *testing.T) {
	valid := validSARIF(t)
	text := printed(t, "sarif", Options{}, compile.Summary{}, insurance(t))
	for _, change := range [][2]string{
		{`"level": "error"`, `"level": "bad"`}, {`"startLine": 15`, `"startLine": 0`}, {`"executionSuccessful"`, `"successful"`},
		{`"uri": "examples/insurance/stack.cue"`, `"uri": "a b%zz"`},
	} {
		if valid(strings.ReplaceAll(text, change[0], change[1])) == nil {
			t.Errorf("%s instead of %s is accepted", change[1], change[0])
		}
	}
}

func TestSARIFHoldsWhatAReaderLooksFor(t *testing.T) {
	r := insurance(t)
	for i, line := range []int{18, 20} {
		accepted := r.Findings[0]
		at := chain.Range{File: r.Findings[0].Pos.File, Line: line, Column: 1, EndLine: line, EndColumn: 2}
		if i == 1 {
			at.File = "accepted.json"
		}
		accepted.Suppressed = &chain.Ignore{Rule: "error-room", Reason: "known", Until: "2030-01-01", At: at}
		r.Suppressed = append(r.Suppressed, accepted)
	}
	r.Unit.Errors = []compile.Error{{Range: chain.Range{File: "bad/stack.cue", Line: 3, Column: 1, EndLine: 3, EndColumn: 4}, Message: "syntax"}}
	text := printed(t, "sarif", Options{}, compile.Summary{Errors: []compile.Error{{Range: chain.Range{File: "nosuch"}, Message: "no such file"}}}, r)
	if err := validSARIF(t)(text); err != nil {
		t.Error(err)
	}
	run := readSARIF(t, text)
	if n := len(run.Results); n != 3 {
		t.Fatalf("%d results", n)
	}
	x := run.Results[0]
	if *run.Tool.Driver.Rules[x.RuleIndex].ID != "error-room" || *x.RuleID != "error-room" || x.Level != "error" {
		t.Errorf("rule %d %s, level %s", x.RuleIndex, *x.RuleID, x.Level)
	}
	region := x.Locations[0].PhysicalLocation.Region
	if *region.StartLine != 15 || *region.StartColumn != 31 || *region.EndColumn != 36 || *run.ColumnKind != "unicodeCodePoints" {
		t.Errorf("region %d:%d-%d, columns are %s", *region.StartLine, *region.StartColumn, *region.EndColumn, *run.ColumnKind)
	}
	related := x.RelatedLocations[0]
	if *related.Message.Text != "api: 95s = 90s perCall + 5s reserve" || *related.PhysicalLocation.Region.StartLine != 25 {
		t.Errorf("related %s", *related.Message.Text)
	}
	if want := "proxy answers 504 at 90s, before api's own error at 95s; [api: 95s = 90s perCall + 5s reserve](1)"; *x.Message.Text != want || related.ID != 1 {
		t.Errorf("message %s", *x.Message.Text)
	}
	change := x.Fixes[0].ArtifactChanges[0]
	if *change.ArtifactLocation.URI != "examples/insurance/stack.cue" || *change.ArtifactLocation.URIBaseID != "%SRCROOT%" || *change.Replacements[0].InsertedContent.Text != `"96s"` {
		t.Errorf("fix of %s writes %s", *change.ArtifactLocation.URI, *change.Replacements[0].InsertedContent.Text)
	}
	steps := x.CodeFlows[0].ThreadFlows[0].Locations
	if got := *steps[4].Location.Message.Text; got != "90s proxy gives up on api (proxy_read_timeout 90s)" {
		t.Errorf("step %q", got)
	}
	for i, want := range []string{"", "inSource", "external"} {
		s := run.Results[i].Suppressions
		if i == 0 && len(s) == 0 {
			continue
		}
		if len(s) != 1 || *s[0].Kind != want || *s[0].Justification != "known" {
			t.Errorf("result %d has %d suppressions, want %s", i, len(s), want)
		}
	}
	in := run.Invocations[0]
	if *in.ExecutionSuccessful || len(in.ToolExecutionNotifications) != 3 {
		t.Errorf("successful %t, %d notifications", *in.ExecutionSuccessful, len(in.ToolExecutionNotifications))
	}
	if got := *in.ToolExecutionNotifications[0].Locations[0].PhysicalLocation.ArtifactLocation.URI; got != "bad/stack.cue" {
		t.Errorf("the first notification is of %s", got)
	}
}

func TestSARIFIsValidWhateverAStackHolds(t *testing.T) {
	valid := validSARIF(t)
	eachNasty(t, "sarif", func(t *testing.T, r Result, got string) {
		if err := valid(got); err != nil {
			t.Error(err)
		}
		run := readSARIF(t, got)
		if n := len(run.Results); n != len(r.Findings)+len(r.Suppressed) {
			t.Errorf("%d results", n)
		}
		for _, x := range run.Results {
			name, err := url.PathUnescape(*x.Locations[0].PhysicalLocation.ArtifactLocation.URI)
			if want := strings.ToValidUTF8(r.Findings[0].Pos.File, "\ufffd"); err != nil || strings.ToValidUTF8(name, "\ufffd") != want {
				t.Errorf("the name %q became %q, %v", want, name, err)
			}
			if text := *x.Fixes[0].ArtifactChanges[0].Replacements[0]; r.Findings[0].Setting != "" && text.InsertedContent == nil {
				t.Error("a fix writes nothing")
			}
		}
	})
}

func TestASARIFFingerprintOutlivesMovedLinesAndOtherNumbers(t *testing.T) {
	prints := func(r Result) string {
		var out []string
		for _, x := range readSARIF(t, printed(t, "sarif", Options{}, compile.Summary{}, r)).Results {
			out = append(out, x.PartialFingerprints[sarifPrint])
		}
		return strings.Join(out, " ")
	}
	r := insurance(t)
	r.Findings = append(r.Findings, r.Findings[0])
	before := prints(r)
	if a, b, _ := strings.Cut(before, " "); a == b || a == "" {
		t.Errorf("two findings have the fingerprints %s", before)
	}
	for i := range r.Findings {
		r.Findings[i].Pos.Line += 10
		r.Findings[i].Message = "proxy answers 504 at 91s"
	}
	if after := prints(r); after != before {
		t.Errorf("%s became %s", before, after)
	}
	want := Fingerprints(r.Findings)
	if before != strings.Join(want, " ") {
		t.Errorf("%s, but JSON says %v", before, want)
	}
}

func TestSARIFNamesAFileElsewhereWholly(t *testing.T) {
	for name, want := range map[string]sarifArtifact{
		"a b/ü.cue":    {URI: "a%20b/%C3%BC.cue", BaseID: sarifRoot},
		"c:d.cue":      {URI: "./c:d.cue", BaseID: sarifRoot},
		"ab:d.cue":     {URI: "./ab:d.cue", BaseID: sarifRoot},
		"/tmp/x.cue":   {URI: "file:///tmp/x.cue"},
		"C:/tmp/x.cue": {URI: "file:///C:/tmp/x.cue"},
	} {
		if got := (&sarifFormat{}).artifact(name); got != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestALongTraceIsShortInSARIF(t *testing.T) {
	r := insurance(t)
	for range 5_000 {
		r.Findings[0].Trace.Events = append(r.Findings[0].Trace.Events, chain.Event{Kind: chain.EvLeaves, Node: &chain.Node{Layer: "api"}})
	}
	steps := readSARIF(t, printed(t, "sarif", Options{}, compile.Summary{}, r)).Results[0].CodeFlows[0].ThreadFlows[0].Locations
	if len(steps) != sarifSteps {
		t.Errorf("%d steps", len(steps))
	}
}
