package check_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"tchain.dev/tchain/internal/mutation"
)

var mutants = flag.String("mutants", "", "break only the conditions whose file, line and text match")

// TestEveryBrokenConditionIsCaught breaks the conditions of the rules one by one
// and asks the other tests of this package. -mutants 'rule_ping' breaks only some.
func TestEveryBrokenConditionIsCaught(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the other tests once for each condition")
	}
	if os.Getenv("TCHAIN_UPDATE") != "" {
		t.Skip("what is found is being rewritten")
	}
	files, err := filepath.Glob("rule_*.go")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	binary, all, err := mutation.Build(".", dir, append(files, "hop.go", "room_own.go", "words.go"))
	if err != nil {
		t.Fatal(err)
	}
	var wanted []mutation.Mutant
	only := regexp.MustCompile(*mutants)
	for _, m := range all {
		if only.MatchString(m.String()) {
			wanted = append(wanted, m)
		}
	}
	caught := make([]bool, len(wanted))
	next := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		r := &mutation.Runner{Binary: binary, Dir: ".", Args: []string{"-test.skip", "^" + t.Name() + "$"}}
		defer r.Stop()
		if ok, says, err := r.Passes(0, ""); !ok || err != nil {
			t.Fatal(says, err)
		}
		wg.Go(func() {
			for i := range next {
				caught[i] = isCaught(t, r, wanted[i])
			}
		})
	}
	for i := range wanted {
		next <- i
	}
	close(next)
	wg.Wait()
	why := map[string]string{}
	for reason, names := range equivalent {
		for _, name := range names {
			why[name] = reason
		}
	}
	n, same, met := 0, 0, map[string]bool{}
	for i, m := range wanted {
		reason, listed := why[m.Name()]
		met[m.Name()] = true
		switch {
		case caught[i] && listed:
			t.Errorf("a test fails with %s, so it is not the same: %s", m, reason)
		case caught[i]:
			n++
		case listed:
			same++
		default:
			t.Errorf("no test fails with %s", m)
		}
	}
	for name := range why {
		if !met[name] && *mutants == "" {
			t.Errorf("nothing is broken as %s", name)
		}
	}
	t.Logf("%d of %d caught, and %d are the same as the rule", n, len(wanted)-same, same)
}

// isCaught asks the rows of the file's rule first, and then all tests.
func isCaught(t *testing.T, r *mutation.Runner, m mutation.Mutant) bool {
	rule := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(m.File, "rule_"), ".go"), "_", "-")
	for _, run := range []string{"^TestTheNumbersThatDecideEachRule$/^" + rule + "$", ""} {
		passes, _, err := r.Passes(m.ID, run)
		if err != nil {
			t.Error(m, err)
		}
		if !passes {
			return true
		}
	}
	return false
}
