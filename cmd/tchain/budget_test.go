package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/compile"
)

// brokenExample is a stack with findings.
func brokenExample(t *testing.T) *compile.Unit {
	t.Helper()
	var unit *compile.Unit
	compile.Each([]string{filepath.Join("..", "..", "examples", "insurance-broken")}, compile.Options{}, func(u *compile.Unit) { unit = u })
	if unit == nil || unit.Stack == nil {
		t.Fatal("the example cannot be read")
	}
	return unit
}

func TestAStackForWhichTheTimeDoesNotSufficeShowsNoFindings(t *testing.T) {
	for says, examine := range map[string]func(*compile.Unit) *examined{
		"when reading took all of it": func(u *compile.Unit) *examined {
			u.Took = time.Minute
			return judged(u, nil, time.Minute)
		},
		"when the rules did": func(u *compile.Unit) *examined {
			x := judged(u, nil, time.Minute)
			x.budget.left = 0
			return x
		},
	} {
		t.Run(says, func(t *testing.T) {
			x := examine(brokenExample(t))
			c := &checkCommand{stacks: stacks{run: &run{Command: Command{Stderr: io.Discard}}}, read: true}
			res := c.result(x, compile.Options{})
			if c.run.code != ExitUsage || c.read || len(res.Findings) > 0 || len(res.Suppressed) > 0 || res.Unit.Stack != nil {
				t.Fatalf("exit %d, %d findings, the rest counts as read: %v", c.run.code, len(res.Findings), c.read)
			}
			errs := res.Unit.Errors
			if len(errs) != 1 || !strings.HasSuffix(errs[0].Range.File, "stack.cue") || errs[0].Range.Line != 3 || !strings.Contains(errs[0].Message, "did not end within 60s") {
				t.Errorf("%+v", errs)
			}
		})
	}
}

func TestWorkIsLeftWhenItsTimeIsUp(t *testing.T) {
	b := budget{whole: time.Millisecond, left: time.Millisecond}
	if b.spend(func(ctx context.Context) { <-ctx.Done() }) || b.left != 0 {
		t.Errorf("work that never ends did end, with %s left", b.left)
	}
	if b.spend(func(context.Context) { t.Error("work began with nothing left") }) {
		t.Error("nothing was left")
	}
}

func TestAPanicInWorkIsTheCallers(t *testing.T) {
	defer func() {
		if got := recover(); got != "broken" {
			t.Errorf("got %v", got)
		}
	}()
	b := budget{whole: time.Minute, left: time.Minute}
	b.spend(func(context.Context) { panic("broken") })
}

func TestAnExplanationForWhichTheTimeDoesNotSufficeSaysNothing(t *testing.T) {
	u := brokenExample(t)
	for says, row := range map[string]struct {
		took time.Duration
		code int
		want string // of standard error
	}{
		"it suffices":     {0, ExitClean, ""},
		"reading took it": {time.Minute, ExitUsage, "the explanation did not end within 60s"},
	} {
		var out, told strings.Builder
		q := &routeQuestion{stacks: stacks{run: &run{Command: Command{Stderr: &told}}, timeout: time.Minute}, fault: "silent"}
		u.Took = row.took
		if err := q.answer(&out, u, u.Stack.Routes[0].Name); err != nil {
			t.Fatal(err)
		}
		if q.run.code != row.code || !strings.Contains(told.String(), row.want) || (out.String() == "") != (row.want != "") {
			t.Errorf("%s: exit %d, told %q, written %d bytes", says, q.run.code, told.String(), out.Len())
		}
	}
}
