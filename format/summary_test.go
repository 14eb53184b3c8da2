package format

import (
	"fmt"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
)

func TestSummaryLine(t *testing.T) {
	stack := func(routes int, errs int, sev ...check.Severity) Result {
		r := Result{Unit: &compile.Unit{Stack: &chain.Stack{Routes: make([]*chain.Route, routes)}, Errors: make([]compile.Error, errs)}}
		for _, s := range sev {
			r.Findings = append(r.Findings, check.Finding{Severity: s})
		}
		return r
	}
	wide := func(routes int) Result {
		r := stack(routes, 0, check.Error)
		r.Findings[0].Routes = make([]string, routes)
		return r
	}
	hidden := stack(1, 0)
	hidden.Hidden = 2
	accepted := stack(1, 0)
	accepted.Suppressed, accepted.Known = make([]check.Finding, 3), 1
	E, W, I := check.Error, check.Warning, check.Info
	for _, tc := range []struct {
		rs       []Result
		mistakes int
		failOn   check.Severity
		want     string
	}{
		{nil, 0, 0, "no stack found"},
		{[]Result{stack(1, 0)}, 0, 0, "1 stack, 1 route: clean"},
		{[]Result{stack(2, 0, I), hidden}, 0, 0, "2 stacks, 3 routes: clean, 1 info (2 hidden, --info shows them)"},
		{[]Result{accepted}, 0, 0, "1 stack, 1 route: nothing new (2 suppressed; 1 known)"},
		{[]Result{stack(1, 0, E, E, E, E, W)}, 0, 0, "4 errors, 1 warning in 1 stack"},
		{[]Result{stack(1, 0, W), stack(1, 0)}, 0, 0, "1 warning in 1 of 2 stacks"},
		{[]Result{stack(0, 1)}, 0, 0, "1 stack could not be read"},
		{[]Result{stack(0, 1), stack(1, 0)}, 0, 0, "no findings in 1 stack; 1 stack could not be read"},
		{[]Result{stack(0, 1), stack(1, 0, E)}, 0, 0, "1 error in 1 of 2 stacks; 1 stack could not be read"},
		{[]Result{stack(1, 0)}, 2, 0, "no findings in 1 stack; 2 mistakes outside of the stacks"},
		{[]Result{stack(1, 0, E)}, 1, 0, "1 error in 1 stack"},
		{nil, 1, 0, "nothing was checked"},
		{[]Result{wide(4)}, 0, 0, "1 error in 1 stack"},
		{[]Result{wide(5)}, 0, 0, "1 error in 1 stack (--format json names all routes)"},
		{[]Result{stack(1, 0, I), stack(1, 0)}, 0, I, "1 info in 1 of 2 stacks"},
	} {
		sum := tally{failOn: tc.failOn}
		for _, r := range tc.rs {
			sum.add(r)
		}
		if got := sum.text(compile.Summary{Errors: make([]compile.Error, tc.mistakes)}); got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	}
}

func TestTheSummaryCountsWhatIsSkipped(t *testing.T) {
	data, file := compile.Skip{Path: "a.yaml"}, compile.Skip{Path: "a.cue"}
	dir := compile.Skip{Path: "platform", Dir: true}
	for _, tc := range []struct {
		stacks  int
		skipped []compile.Skip
		want    string
	}{
		{1, []compile.Skip{data}, "1 stack, 0 routes: clean"},
		{1, []compile.Skip{file, data}, "1 stack, 0 routes: clean (1 CUE file skipped, --not-checked lists them)"},
		{1, []compile.Skip{dir, file}, "1 stack, 0 routes: clean (1 CUE file, 1 directory skipped, --not-checked lists them)"},
		{1, []compile.Skip{dir, dir}, "1 stack, 0 routes: clean (2 directories skipped, --not-checked lists them)"},
		{0, []compile.Skip{file}, "nothing was checked"},
		{0, []compile.Skip{dir, file}, "nothing was checked (1 directory skipped, --not-checked lists them)"},
	} {
		var sum tally
		errs := []compile.Error{{}}
		if tc.stacks > 0 {
			sum.add(Result{Unit: &compile.Unit{Stack: &chain.Stack{}}})
			errs = nil
		}
		if got := sum.text(compile.Summary{Skipped: tc.skipped, Errors: errs}); got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	}
}

func TestNotCheckedIsShortUnlessAllIsAskedFor(t *testing.T) {
	var g gaps
	for i := range 8 {
		n := chain.NotChecked{Route: "GET /a", Layer: "auth", Setting: fmt.Sprintf("auth.s%d", i), Reason: "not declared"}
		g.add([]unchecked{{"one", n}})
		if i == 0 {
			n.Route = "GET /b"
			g.add([]unchecked{{"one", n}})
		}
		if i == 1 {
			g.add([]unchecked{{"two", n}})
		}
	}
	short := strings.Join(g.lines(false), "\n")
	want := "auth.s0: not declared  (2 routes)\nauth.s1: not declared  (2 stacks)\nauth.s2: not declared\nauth.s3: not declared\nauth.s4: not declared\nand 3 more (--not-checked)"
	if short != want {
		t.Errorf("got:\n%s", short)
	}
	if n := len(g.lines(true)); n != 8 {
		t.Errorf("%d lines of 8", n)
	}
}

func TestALongTraceIsCutInTheMiddle(t *testing.T) {
	tr := &chain.Trace{}
	n := &chain.Node{Layer: "api"}
	for i := range 40 {
		tr.Events = append(tr.Events, chain.Event{At: chain.Times(i, 1e9), Kind: chain.EvLeaves, Node: n})
	}
	lines := traceText(tr)
	if len(lines) != 17 || !strings.Contains(lines[8], "and 24 more events") {
		t.Errorf("%d lines:\n%s", len(lines), strings.Join(lines, "\n"))
	}
}
