package check

import "embed"

// Each rule has two whole stacks: testdata/<id>/bad.cue has its finding, and
// testdata/<id>/clean.cue, its twin, has none. They are executed in the tests
// and printed by explain and in the docs.
//
//go:embed testdata
var exampleFS embed.FS

// Bad is a stack that has the rule's finding.
func (r *Rule) Bad() string { return r.example("bad") }

// Clean is its twin without.
func (r *Rule) Clean() string { return r.example("clean") }

func (r *Rule) example(which string) string {
	b, err := exampleFS.ReadFile("testdata/" + r.ID + "/" + which + ".cue")
	if err != nil {
		return ""
	}
	return string(b)
}
