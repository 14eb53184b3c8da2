package chain

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// happenings are what was done, at which time and by whom, in an order that
// does not depend on how events at the same time were told. A layer that leaves
// is compared on its own, since Play tells it only of one that had more to do.
func happenings(lines []simLine) (did []string, left map[string]bool) {
	left = map[string]bool{}
	for _, l := range lines {
		text := fmt.Sprintf("%12d %s %s %d", l.At, l.Node.Layer, l.Kind, l.Status)
		switch l.Kind {
		case EvLeaves:
			left[text] = true
		case EvSees, EvEjects:
		default:
			did = append(did, text)
		}
	}
	sort.Strings(did)
	return did, left
}

func happened(tr Trace) (out []simLine) {
	for _, e := range tr.Events {
		out = append(out, simLine{e.At, e.Kind, e.Node, e.Status})
	}
	return out
}

func TestEveryEventOfATraceHappensInTheSimulationToo(t *testing.T) {
	events, ties := 0, 0
	repeat(t, 300, func(t *rapid.T) {
		r := randomRoute(t, true)
		for _, f := range Faults(r) {
			tr, w := Play(r, f), simulate(r, f)
			if w.tied || w.raced {
				ties++
				continue
			}
			did, left := happenings(happened(tr))
			want, wantLeft := happenings(w.log)
			events += len(did)
			if strings.Join(did, "\n") != strings.Join(want, "\n") {
				t.Fatalf("%s\nPlay: %s\nsimulation: %s\n%s", faultName(f), brief(tr), w.brief(), describe(r))
			}
			for l := range left {
				if !wantLeft[l] {
					t.Fatalf("%s: %s\nPlay: %s\nsimulation: %s\n%s", faultName(f), l, brief(tr), w.brief(), describe(r))
				}
			}
		}
	})
	t.Logf("%d events agree; %d plays with a tie were left out", events, ties)
}
