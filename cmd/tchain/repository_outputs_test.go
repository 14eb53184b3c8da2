package main

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"strings"
	"testing"

	"github.com/joshdk/go-junit"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"tchain.dev/tchain/check"
	"tchain.dev/tchain/format"
	"tchain.dev/tchain/internal/cuestats"
)

// One run over 300 stacks, of which 40 are bad and one cannot be read, in every
// format at once: each form is taken by its reader, and all say the same.
func TestEveryFormatOfAWholeRepository(t *testing.T) {
	if testing.Short() {
		t.Skip("checks 300 stacks several times")
	}
	schema := sarifSchema(t)
	monorepo(t)
	replace(t, "team03/svc031/dev/env.cue", "package svc\n\nlayers: api: app: clients: price: gohttp: Timeout: 10s\n")

	work := func(args ...string) (unifications int64, out string) {
		before := cuestats.Total().Unifications
		out, code := runs(t, args...)
		if code != ExitUsage {
			t.Errorf("%v: exit %d", args, code)
		}
		return int64(cuestats.Total().Unifications - before), out
	}
	alone, _ := work("check", "./...")
	args := []string{"check", "./..."}
	for _, f := range format.Formats {
		args = append(args, "--output", f.Name+"=out/"+f.Name)
	}
	together, text := work(args...)
	if together > alone+alone/100 {
		t.Errorf("eight outputs take %d unifications, one takes %d", together, alone)
	}
	read := func(name string) string {
		data, err := os.ReadFile("out/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if read("text") != text {
		t.Error("a file of text is not what is printed")
	}

	var all struct {
		Findings, Errors []struct{ File, Rule string }
	}
	parse(t, read("json"), &all)
	if len(all.Findings) != 40 || len(all.Errors) != 1 || all.Errors[0].File != "team03/svc031/dev/env.cue" {
		t.Errorf("JSON has %d findings, errors %v", len(all.Findings), all.Errors)
	}

	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(read("sarif")))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(doc); err != nil {
		t.Errorf("SARIF: %v", err)
	}
	report, err := sarif.FromBytes([]byte(read("sarif")))
	if err != nil {
		t.Fatal(err)
	}
	run := report.Runs[0]
	prints := map[string]bool{}
	for _, r := range run.Results {
		for _, print := range r.PartialFingerprints {
			prints[print] = true
		}
	}
	// Stage and prod of a service stand at one line of their base: one alert.
	if n := len(run.Results); n != 40 || len(prints) != 20 || len(run.Invocations) != 1 || *run.Invocations[0].ExecutionSuccessful {
		t.Errorf("SARIF has %d results with %d fingerprints", n, len(prints))
	}

	suites, err := junit.Ingest([]byte(read("junit")))
	if err != nil {
		t.Fatal(err)
	}
	passed, failed, broken := 0, 0, 0
	for _, s := range suites {
		passed, failed, broken = passed+s.Totals.Passed, failed+s.Totals.Failed, broken+s.Totals.Error
	}
	if len(suites) != 300 || failed != 40 || broken != 1 || passed != 299*len(check.Rules)-40 {
		t.Errorf("JUnit has %d suites, %d tests that pass, %d that fail, %d errors", len(suites), passed, failed, broken)
	}

	var issues []struct{ Fingerprint, Severity string }
	parse(t, read("gitlab"), &issues)
	unique := map[string]bool{}
	for _, i := range issues {
		unique[i.Fingerprint] = true
	}
	var style struct {
		Files []struct {
			Errors []struct{} `xml:"error"`
		} `xml:"file"`
	}
	if err := xml.Unmarshal([]byte(read("checkstyle")), &style); err != nil {
		t.Fatal(err)
	}
	marks := 0
	for _, f := range style.Files {
		marks += len(f.Errors)
	}
	if notes := strings.Count(read("github"), "::error file=team"); len(issues) != 41 || len(unique) != 41 || marks != 41 || notes != 41 {
		t.Errorf("GitLab has %d, checkstyle %d, GitHub %d", len(issues), marks, notes)
	}
	if md := read("markdown"); !strings.HasPrefix(md, "### tchain: 40 errors in 40 of 300 stacks; 1 stack could not be read") || len(md) > 65_536 {
		t.Errorf("the comment has %d bytes and begins %.100q", len(md), md)
	}
}

func parse(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatal(err)
	}
}

// sarifSchema is the published one.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	schema, err := c.Compile("../../format/testdata/sarif/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}
