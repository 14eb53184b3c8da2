package retake

import (
	"strings"
	"testing"
)

func TestAFailureThatPassesOnceIsANote(t *testing.T) {
	for name, fail := range map[string]func(testing.TB){
		"Error": func(t testing.TB) { t.Error("late") }, "Errorf": func(t testing.TB) { t.Errorf("late") },
		"Fatal": func(t testing.TB) { t.Fatal("late") }, "Fatalf": func(t testing.TB) { t.Fatalf("late") },
		"Fail": testing.TB.Fail, "FailNow": testing.TB.FailNow,
	} {
		runs := 0
		Test(t, func(t testing.TB) {
			if runs++; runs < Most {
				fail(t)
			}
		})
		if runs != Most {
			t.Errorf("%s: %d runs, want %d", name, runs, Most)
		}
	}
}

func TestWhatPassesRunsOnce(t *testing.T) {
	runs := 0
	Test(t, func(testing.TB) { runs++ })
	if runs != 1 {
		t.Errorf("%d runs", runs)
	}
}

// A recorder stands for the test that is to fail.
type recorder struct {
	testing.TB
	lines []string
}

func (r *recorder) Log(args ...any)                { r.lines = append(r.lines, args[0].(string)) }
func (r *recorder) Errorf(format string, _ ...any) { r.lines = append(r.lines, "failed: "+format) }
func (r *recorder) Logf(format string, _ ...any)   { r.lines = append(r.lines, format) }

func TestAFailureThatStaysFailsTheTest(t *testing.T) {
	r := &recorder{TB: t}
	Test(r, func(t testing.TB) { t.Errorf("early") })
	if got, want := strings.Join(r.lines, ", "), "early, measured again, early, measured again, failed: early"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}
