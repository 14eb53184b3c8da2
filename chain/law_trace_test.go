package chain

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestTheTimesOfATraceNeverDecreaseAndNothingHappensAtNever(t *testing.T) {
	repeat(t, 250, func(t *rapid.T) {
		r := randomRoute(t, false)
		for _, f := range Faults(r) {
			tr := Play(r, f)
			for i, e := range tr.Events {
				if e.At < 0 || e.At == Never && e.Kind != EvSees {
					t.Fatalf("%s: an event at %s: %s\n%s", faultName(f), Format(e.At), brief(tr), describe(r))
				}
				if i > 0 && e.At < tr.Events[i-1].At {
					t.Fatalf("%s: time runs back: %s\n%s", faultName(f), brief(tr), describe(r))
				}
			}
		}
	})
}

func TestTheOutermostCallerSeesOneOutcomeAtTheTimeOfTheTrace(t *testing.T) {
	repeat(t, 250, func(t *rapid.T) {
		r := randomRoute(t, false)
		for _, f := range Faults(r) {
			tr := Play(r, f)
			seen := 0
			for _, e := range tr.Events {
				if e.Kind == EvSees {
					seen++
					if e.Node != r.Root || e.At != tr.Outcome.At {
						t.Fatalf("%s: %s", faultName(f), brief(tr))
					}
				}
			}
			if r.Root.Role == RoleCaller && seen != 1 {
				t.Fatalf("%s: seen %d times: %s", faultName(f), seen, brief(tr))
			}
		}
	})
}

func TestTheSameInputMakesTheSameOutput(t *testing.T) {
	sameNode := cmp.Comparer(func(a, b *Node) bool { return a == b })
	sameCall := cmp.Comparer(func(a, b *Call) bool { return a == b })
	repeat(t, 60, func(t *rapid.T) {
		r := randomRoute(t, false)
		faults := Faults(r)
		if diff := cmp.Diff(faults, Faults(r), sameNode, sameCall); diff != "" {
			t.Fatal(diff)
		}
		for _, f := range faults {
			if diff := cmp.Diff(Play(r, f), Play(r, f), sameNode, sameCall); diff != "" {
				t.Fatal(diff)
			}
		}
		for _, n := range r.Nodes() {
			if diff := cmp.Diff(Worst(r, n), Worst(r, n)); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

// A route is only read: a play leaves it as it was.
func TestNothingOfARouteIsChangedByPlayingIt(t *testing.T) {
	repeat(t, 100, func(t *rapid.T) {
		r := randomRoute(t, false)
		before := describe(r)
		for _, f := range Faults(r) {
			Play(r, f)
		}
		for _, n := range r.Nodes() {
			Worst(r, n)
		}
		if after := describe(r); after != before {
			t.Fatal(cmp.Diff(before, after))
		}
	})
}
