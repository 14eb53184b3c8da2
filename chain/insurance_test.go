package chain

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestWorstCasesOfTheInsuranceStackAreThoseOfTheDesign(t *testing.T) {
	r := insurance()
	want := map[string]time.Duration{"api": 95 * time.Second, "proxy": 128 * time.Second, "edge": 155 * time.Second, "web": 160 * time.Second}
	for _, n := range r.Nodes() {
		if w, ok := want[n.Layer]; ok {
			if got := Worst(r, n); got.Total != w {
				t.Errorf("%s ends at %s, want %s (%+v)", n.Layer, Format(got.Total), Format(w), got.Terms)
			}
		}
	}
}

// brief is a trace in one line, for tests.
func brief(tr Trace) string {
	var b strings.Builder
	for _, e := range tr.Events {
		fmt.Fprintf(&b, "%s %s %s", Format(e.At), e.Node.Layer, e.Kind)
		if e.Status != 0 {
			fmt.Fprintf(&b, " %d", e.Status)
		}
		b.WriteString("; ")
	}
	from := ""
	if tr.Outcome.From != nil {
		from = tr.Outcome.From.Layer
	}
	fmt.Fprintf(&b, "=> %d %s %s at %s cut=%v", tr.Outcome.Status, tr.Outcome.Error, from, Format(tr.Outcome.At), tr.Outcome.Cut)
	return b.String()
}

func TestWhatEachFaultDoesToTheInsuranceStack(t *testing.T) {
	r := insurance()
	want := map[string]string{
		"blackhole web→edge":     "=> 0 gives up web at 160s cut=false",
		"trickle edge→proxy":     "=> 200 gives up web at 160s cut=true",
		"blackhole edge→proxy":   "=> 504  edge at 10s cut=false",
		"silent edge→proxy":      "=> 504  edge at 145s cut=false",
		"stall edge→proxy":       "=> 200 cut short proxy at 145s cut=true",
		"header-drip edge→proxy": "=> 0 gives up web at 160s cut=false",
		"header-drip proxy→api":  "=> 504  proxy at 125s cut=false",
		"refused proxy→api":      "=> 502  proxy at 0s cut=false",
		"unavailable proxy→api":  "=> 503  api at 0s cut=false",
		"saturated api→auth":     "=> 0 its own error api at 1s cut=false",
		"tls-stall api→auth":     "=> 0 its own error api at 3s cut=false",
		"silent api→auth":        "=> 0 its own error api at 95s cut=false",
		"trickle api→auth":       "=> 0 its own error api at 95s cut=false",
		"slow api→auth":          "=> 200  api at 12s cut=false",
	}
	for _, f := range Faults(r) {
		name := fmt.Sprintf("%s %s→%s", f.Kind, f.From.Layer, f.Call.To.Layer)
		if w, ok := want[name]; ok {
			delete(want, name)
			if got := brief(Play(r, f)); !strings.HasSuffix(got, w) {
				t.Errorf("%s: %s\nwant … %s", name, got, w)
			}
		}
	}
	for name := range want {
		t.Errorf("%s is not among the faults of the route", name)
	}
}
