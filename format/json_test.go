package format

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
)

func TestJSONIsTheFormOfTheDesign(t *testing.T) {
	golden(t, "testdata/finding.json", printed(t, "json", Options{}, compile.Summary{}, insurance(t)))
}

func TestJSONHasListsWhereNothingIs(t *testing.T) {
	got := printed(t, "json", Options{}, compile.Summary{})
	want := "{\n  \"schemaVersion\": 1,\n  \"findings\": [],\n  \"errors\": [],\n  \"notChecked\": [],\n  \"skipped\": []\n}\n"
	if got != want {
		t.Errorf("got %s", got)
	}
	bare := Result{Unit: &compile.Unit{}, Findings: []check.Finding{{Trace: &chain.Trace{Outcome: chain.Outcome{At: chain.Never}}}}}
	if got := printed(t, "json", Options{}, compile.Summary{}, bare); strings.Count(got, "null") != 1 || !strings.Contains(got, `"status": null`) {
		t.Errorf("only a status may be null here: %s", got)
	}
}

func TestJSONIsSortedOverStacks(t *testing.T) {
	one := func(file string, line int) Result {
		pos := chain.Range{File: file, Line: line}
		return Result{Unit: &compile.Unit{Errors: []compile.Error{{Range: pos}}}, Findings: []check.Finding{{Pos: pos}}}
	}
	var out jsonOutput
	text := printed(t, "json", Options{}, compile.Summary{}, one("b", 1), one("a", 10), one("a", 9))
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, f := range out.Findings {
		got = append(got, f.File+string(rune('0'+f.Line%10))+out.Errors[i].File)
	}
	if s := strings.Join(got, " "); s != "a9a a0a b1b" {
		t.Errorf("order %s", s)
	}
}

// Every field that is written is described, so that no reader has to guess.
func TestEveryFieldOfTheJSONIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	var walk func(reflect.Type)
	walk = func(typ reflect.Type) {
		for typ.Kind() == reflect.Slice || typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct {
			return
		}
		for i := range typ.NumField() {
			f := typ.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name != "" && name != "-" && !strings.Contains(string(doc), "`"+name+"`") {
				t.Errorf("docs/json.md does not describe %s of %s", name, typ.Name())
			}
			walk(f.Type)
		}
	}
	walk(reflect.TypeFor[jsonOutput]())
}

func TestFingerprintsOutliveEditsElsewhere(t *testing.T) {
	f := check.Finding{Rule: "pool-size", Stack: "s", Layer: "api", Setting: "api.x", Message: "api needs 45 of 44"}
	moved := f
	moved.Pos.Line, moved.Message, moved.Routes = 99, "api needs 145 of 44", []string{"GET /b"}
	other := f
	other.Layer = "proxy"
	a, b, c := Fingerprints([]check.Finding{f}), Fingerprints([]check.Finding{moved}), Fingerprints([]check.Finding{f, f, other})
	if a[0] != b[0] || a[0] != c[0] || c[0] == c[1] || c[0] == c[2] || len(a[0]) != 16 {
		t.Errorf("fingerprints %v %v %v", a, b, c)
	}
}
