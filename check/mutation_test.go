package check_test

import (
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"tchain.dev/tchain/internal/mutation"
)

var (
	mutants    = flag.String("mutants", "", "break only the conditions whose file, line and text match")
	everything = flag.Bool("every-mutant", false, "break every condition, not a share of each rule's")
)

// share is how many of a rule's mutants stand for one that a usual run breaks.
const share = 24

// undecided lists the mutants that no test tells from the rule: because nothing
// could, or because nobody has written it yet.
const undecided = "undecided.txt"

// TestEveryBrokenConditionIsCaught breaks the conditions of the rules one by one
// and asks the other tests of this package: a share of each rule's, and with
// -every-mutant (make mutation) all. -mutants 'rule_ping' breaks only some. What
// no test decides stands in a list, which may only become shorter.
func TestEveryBrokenConditionIsCaught(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the other tests once for each condition")
	}
	update := os.Getenv("TCHAIN_UPDATE") != "" && *everything
	files, err := filepath.Glob("rule_*.go")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("TCHAIN_UPDATE", "")
	binary, all, err := mutation.Build(".", t.TempDir(), append(files, "hop.go", "room_own.go", "words.go"))
	if err != nil {
		t.Fatal(err)
	}
	wanted := chosen(all)
	survivors := surviving(t, binary, wanted)
	if update {
		text := strings.Join(slices.Compact(slices.Sorted(maps.Keys(survivors))), "\n") + "\n"
		if err := os.WriteFile(undecided, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(undecided)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, name := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		listed[name] = true
		if *everything && *mutants == "" && survivors[name] == 0 {
			t.Errorf("a test decides %s, or nothing is broken so: it leaves the list", name)
		}
	}
	for name := range survivors {
		if !listed[name] {
			t.Errorf("no test fails with %s", name)
		}
	}
	t.Log(counted(wanted, survivors))
}

// counted says how many of how many were caught, of each file and of all.
func counted(wanted []mutation.Mutant, survivors map[string]int) string {
	type count struct{ caught, of int }
	files := map[string]count{}
	var all count
	for _, m := range wanted {
		c := files[m.File]
		files[m.File] = count{c.caught + 1, c.of + 1}
		all = count{all.caught + 1, all.of + 1}
	}
	for name, times := range survivors {
		file, _, _ := strings.Cut(name, " ")
		c := files[file]
		files[file] = count{c.caught - times, c.of}
		all.caught -= times
	}
	var text strings.Builder
	for _, file := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&text, "%s: %d of %d\n", file, files[file].caught, files[file].of)
	}
	fmt.Fprintf(&text, "%d of %d broken conditions caught", all.caught, all.of)
	return text.String()
}

// chosen are the mutants that this run makes. A share of them is taken by their
// text and not by their place, so that an edit elsewhere in a file moves none.
func chosen(all []mutation.Mutant) []mutation.Mutant {
	only := regexp.MustCompile(*mutants)
	lowest := map[string]uint32{}
	for _, m := range all {
		if low, ok := lowest[m.File]; !ok || lot(m) < low {
			lowest[m.File] = lot(m)
		}
	}
	var out []mutation.Mutant
	for _, m := range all {
		if only.MatchString(m.String()) && (*everything || *mutants != "" || lot(m)%share == 0 || lot(m) == lowest[m.File]) {
			out = append(out, m)
		}
	}
	return out
}

// lot is the number that a mutant draws.
func lot(m mutation.Mutant) uint32 {
	h := fnv.New32a()
	io.WriteString(h, m.File+" "+m.Name())
	return h.Sum32()
}

// surviving are the names of the mutants with which no test fails, and how many
// have each.
func surviving(t *testing.T, binary string, wanted []mutation.Mutant) map[string]int {
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
	out := map[string]int{}
	for i, m := range wanted {
		if !caught[i] {
			out[m.File+" "+m.Name()]++
		}
	}
	return out
}

// isCaught asks the rows of the file's rule first, then those of all rules, and then
// all tests.
func isCaught(t *testing.T, r *mutation.Runner, m mutation.Mutant) bool {
	rule := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(m.File, "rule_"), ".go"), "_", "-")
	const rows = "^TestTheNumbersThatDecideEachRule$"
	for _, run := range []string{rows + "/^" + rule + "$", rows, ""} {
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
