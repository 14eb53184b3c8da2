package chain

import (
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// repeat runs a property over so many routes, at least.
func repeat(t *testing.T, routes int, prop func(*rapid.T)) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	before := checks.Value.String()
	if routes > 0 && before == checks.DefValue {
		if err := checks.Value.Set(fmt.Sprint(routes)); err != nil {
			t.Fatal(err)
		}
		defer checks.Value.Set(before)
	}
	rapid.Check(t, prop)
}

func faultName(f Fault) string {
	return fmt.Sprintf("%s %s→%s", f.Kind, f.From.Layer, f.Call.To.Layer)
}

// agrees fails if the simulation of one fault disagrees with the fold.
func agrees(t rapid.TB, r *Route, f Fault) {
	got, w := Play(r, f), simulate(r, f)
	if *w.outcome != got.Outcome && !w.raced {
		t.Fatalf("%s: Play and the simulation disagree:\nPlay: %s\nsimulation: %s\n%s", faultName(f), brief(got), w.brief(), describe(r))
	}
}

func (w *simWorld) brief() string {
	var b strings.Builder
	for _, e := range w.log {
		fmt.Fprintf(&b, "%s %s %s", Format(e.At), e.Node.Layer, e.Kind)
		if e.Status != 0 {
			fmt.Fprintf(&b, " %d", e.Status)
		}
		b.WriteString("; ")
	}
	o := w.outcome
	from := ""
	if o.From != nil {
		from = o.From.Layer
	}
	fmt.Fprintf(&b, "=> %d %s %s at %s cut=%v", o.Status, o.Error, from, Format(o.At), o.Cut)
	return b.String()
}

func TestPlayAgreesWithASimulationOfEveryTimer(t *testing.T) {
	plays, begun := 0, time.Now()
	repeat(t, 800, func(t *rapid.T) {
		r := randomRoute(t, false)
		for _, f := range Faults(r) {
			agrees(t, r, f)
			plays++
		}
	})
	t.Logf("%d plays agree, in %v", plays, time.Since(begun))
}
