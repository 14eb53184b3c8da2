package check_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
)

// A golden is what a person is shown of the findings of one rule.
type golden struct{ strings.Builder }

// add checks a variant's stack and gives the findings of all rules.
func (g *golden) add(t *testing.T, v variant) []check.Finding {
	t.Helper()
	text := v.stack(t)
	proposed := check.Run(stackOf(t, text))
	found := verified(proposed, text)
	g.title(v)
	for i, f := range found {
		if f.Rule == v.rule {
			if slices.ContainsFunc(f.Related, func(r check.Related) bool { return r.Pos == (chain.Range{}) }) {
				t.Errorf("shows a place that is none: %+v", f.Related)
			}
			g.finding(f, proposed[i].Fixes)
		}
	}
	return found
}

func (g *golden) title(v variant) {
	_, routes, own := strings.Cut(v.example, "\nroutes:")
	switch {
	case !own:
		fmt.Fprintf(g, "== %s\n", v.example)
	case len(v.replaced) == 0:
		fmt.Fprintf(g, "==\n%s\n", strings.TrimSpace(v.example))
	default:
		fmt.Fprintf(g, "== …%s\n", strings.Join(strings.Fields(routes), " "))
	}
	for i := 0; i < len(v.replaced); i += 2 {
		fmt.Fprintf(g, "   %s → %s\n", strings.TrimSpace(v.replaced[i]), strings.TrimSpace(v.replaced[i+1]))
	}
}

func (g *golden) finding(f check.Finding, proposed []check.Fix) {
	fmt.Fprintf(g, "%s: %s\n", f.Severity, f.Message)
	fmt.Fprintf(g, "  %s %s %s, on %s\n", at(f.Pos), f.Setting, f.Label, strings.Join(f.Routes, ", "))
	for _, r := range f.Related {
		fmt.Fprintf(g, "  %s %s\n", at(r.Pos), r.Message)
	}
	if f.Trace != nil {
		fmt.Fprintf(g, "  %s: %s\n", f.Trace.Fault.Text(), f.Trace.Outcome.Text())
	}
	for _, p := range proposed {
		g.fix(p, f.Fixes)
	}
}

func (g *golden) fix(p check.Fix, held []check.Fix) {
	word := "in vain"
	for _, h := range held {
		if cmp.Equal(h.Edits, p.Edits) {
			word = "fix"
		}
	}
	fmt.Fprintf(g, "  %s: %s\n", word, strings.TrimSuffix(p.Message+"; "+p.After, "; "))
}

func at(r chain.Range) string {
	return fmt.Sprintf("%d:%d-%d", r.Line, r.Column, r.EndColumn)
}

func (g *golden) compare(t *testing.T, rule string) {
	t.Helper()
	file := filepath.Join("golden", rule+".txt")
	if os.Getenv("TCHAIN_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(g.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), g.String()); d != "" {
		t.Errorf("what is shown differs (-want +got):\n%s", d)
	}
}
