package format

import (
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
)

func TestARangeOutsideOfWhatIsShownGetsItsOwnPartOfTheLine(t *testing.T) {
	line := "a: " + strings.Repeat("x", 60) + "FIRST" + strings.Repeat("y", 60) + "SECOND" + strings.Repeat("z", 60)
	src := map[string][]byte{"a.cue": []byte(line + "\n")}
	at := func(word string) chain.Range {
		col := strings.Index(line, word) + 1
		return chain.Range{File: "a.cue", Line: 1, Column: col, EndLine: 1, EndColumn: col + len(word)}
	}
	r := Result{Unit: &compile.Unit{Source: src}, Findings: []check.Finding{{
		Rule: "r", Pos: at("FIRST"), Label: "one", Related: []check.Related{{Pos: at("SECOND"), Message: "two"}, {Pos: at("SECOND"), Message: "again"}},
	}}}
	const want = `    1 │ …xxxxxxxxxxxxFIRSTyyyyyyyyyyy…
      │              ^^^^^ one
    1 │ …yyyyyyyyyyySECONDzzzzzzzzzzz…
      │             ^^^^^^ two
      │             ^^^^^^ again
`
	if got := printed(t, "text", Options{Width: 38}, compile.Summary{}, r); !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAFingerprintHoldsNothingOfTheMessage(t *testing.T) {
	f := check.Finding{Rule: "no-limit", Stack: "s", Layer: "web", Setting: "web.x", Message: "web waits for ever and under 1 other fault"}
	more := f
	more.Message = "web waits for ever and under 12 other faults"
	if a, b := Fingerprints([]check.Finding{f}), Fingerprints([]check.Finding{more}); a[0] != b[0] {
		t.Errorf("%s became %s with a number", a, b)
	}
	for what, change := range map[string]func(*check.Finding){
		"rule": func(f *check.Finding) { f.Rule = "x" }, "stack": func(f *check.Finding) { f.Stack = "x" },
		"layer": func(f *check.Finding) { f.Layer = "x" }, "setting": func(f *check.Finding) { f.Setting = "x" },
	} {
		other := f
		change(&other)
		if a, b := Fingerprints([]check.Finding{f}), Fingerprints([]check.Finding{other}); a[0] == b[0] {
			t.Errorf("another %s has the same fingerprint", what)
		}
	}
}

func TestATraceEndsWithTheOutermostLayerWhateverItIs(t *testing.T) {
	limit := &chain.Limit{Kind: chain.Connect, Side: chain.Calling, Bound: time.Second, Origin: chain.Origin{Name: "connect"}}
	for _, role := range []chain.Role{chain.RoleCaller, chain.RoleBuffering, chain.RolePassing} {
		back := &chain.Node{Layer: "back", Role: chain.RoleLeaf}
		outermost := &chain.Node{Layer: "front", Role: role}
		call := &chain.Call{To: back, Addresses: 1, Layers: []chain.ClientLayer{{Limits: []chain.Limit{*limit}}}}
		outermost.Steps = []chain.Step{{Calls: []*chain.Call{call}}}
		for fault, want := range map[chain.FaultKind]string{
			chain.Silent: "     never  front  waits for an answer, which never comes",
			chain.Stall:  "     never  front  waits for the rest of a 200, which never comes",
		} {
			if fault == chain.Stall && role == chain.RoleBuffering {
				want = "     never  front  waits for an answer, which never comes"
			}
			trace := chain.Play(&chain.Route{Root: outermost}, chain.Fault{Kind: fault, Call: call, From: outermost})
			lines := traceText(&trace)
			if got := lines[len(lines)-1]; got != want {
				t.Errorf("%s, %s: last line %q, want %q", role, fault, got, want)
			}
			events := eventsJSON(&trace)
			if last := events[len(events)-1]; last.At != "never" || last.Layer != "front" {
				t.Errorf("%s, %s: last event %+v", role, fault, last)
			}
		}
	}
}
