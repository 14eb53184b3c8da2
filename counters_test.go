package tchain_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/internal/cuestats"
)

// TestTheWorkOfTheEvaluatorForTheExamples counts in a process of its own, so
// that no other test adds to it. TCHAIN_UPDATE=1 rewrites the golden.
func TestTheWorkOfTheEvaluatorForTheExamples(t *testing.T) {
	const golden = "testdata/counters.txt"
	if dir := os.Getenv("TCHAIN_COUNT"); dir != "" {
		compile.Each([]string{dir}, compile.Options{Workers: 1}, func(*compile.Unit) {})
		c := cuestats.Total()
		fmt.Printf("count: %d unifications, %d conjuncts, %d disjuncts, %d leaks\n", c.Unifications, c.Conjuncts, c.Disjuncts, c.Leaks())
		return
	}
	dirs, err := filepath.Glob("examples/*")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(dirs)
	var got strings.Builder
	for _, dir := range dirs {
		cmd := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$", "-test.v")
		cmd.Env = append(os.Environ(), "TCHAIN_COUNT="+dir)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for line := range strings.Lines(string(out)) {
			if text, ok := strings.CutPrefix(line, "count: "); ok {
				got.WriteString(filepath.ToSlash(dir) + ": " + text)
			}
		}
	}
	if os.Getenv("TCHAIN_UPDATE") != "" {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Errorf("the evaluator does other work than before (-want +got):\n%s", d)
	}
}
