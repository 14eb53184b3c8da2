package chain

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// reading are the limits of a read on a pooled connection.
func reading(bound time.Duration, when string) []Limit {
	first, gap := limit(ResponseFirstByte, bound, FiresError), limit(ResponseReadGap, bound, FiresError)
	first.When, gap.When = when, when
	return []Limit{first, gap}
}

func TestAWorstCaseHoldsForAPooledConnectionToo(t *testing.T) {
	notKnown := reading(Never, "after /a")
	for i := range notKnown {
		notKnown[i].Why = WhyInjected
	}
	for _, row := range []struct {
		name     string
		reused   [][]Limit
		attempts int
		redirect int
		want     string
	}{
		// On a fresh one it waits for a connection 1s, connects 3s, secures 3s, reads 10s.
		{"none other", nil, 1, 0, "17s: response-read-gap"},
		{"a shorter one ends earlier", [][]Limit{reading(s, "after /a")}, 1, 0, "17s: response-read-gap"},
		{"a longer one has neither connect nor handshake before it", [][]Limit{reading(15*s, "after /a")}, 1, 0, "17s: response-read-gap"},
		{"one that outlasts all of them counts, and says when", [][]Limit{reading(25*s, "after /a")}, 1, 0, "26s: response-first-byte after /a"},
		{"the longest of several", [][]Limit{reading(s, "after /a"), reading(30*s, "after /b"), reading(25*s, "after /c")}, 1, 0, "31s: response-first-byte after /b"},
		{"without a limit nothing ends it", [][]Limit{reading(Never, "after /a")}, 1, 0, "never: "},
		{"of one given at run time nothing is known", [][]Limit{notKnown}, 1, 0, "17s: response-read-gap; not known: response-first-byte is injected at run time and not given, response-read-gap is injected at run time and not given"},
		{"each attempt may have a pooled one", [][]Limit{reading(25*s, "after /a")}, 2, 0, "52s: response-first-byte after /a"},
		{"each redirect, too", [][]Limit{reading(25*s, "after /a")}, 1, 2, "78s: response-first-byte after /a"},
	} {
		c := httpClient(1)
		c.Reused, c.Redirects = row.reused, row.redirect
		if row.attempts > 1 {
			c.Layers[0].Retry = &Retry{Attempts: size("attempts", row.attempts), On: []Cond{CondTimeout}}
		}
		r := appWay(c, nil)
		sum := WorstCall(r, r.Root.Steps[0].Calls[0].To, c, 0)
		got := Format(sum.Total) + ": "
		if sum.Total != Never {
			got += sum.Terms[len(sum.Terms)-1].Label
		}
		unknown := slices.DeleteFunc(slices.Clone(sum.NotChecked), func(x string) bool { return !strings.Contains(x, "injected") })
		if len(unknown) > 0 {
			got += "; not known: " + strings.Join(unknown, ", ")
		}
		if got != row.want {
			t.Errorf("%s: %s, want %s (%v)", row.name, got, row.want, sum.Terms)
		}
	}
}
