package main

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
)

// verify leaves the fixes that were tried and hold, for findings that stand; those
// that were tried before it keeps as they are. It makes of a unit for which the time
// does not suffice one that says so.
func (x *examined) verify(opt compile.Options, severity map[string]string) {
	if x.verified || x.unit.Stack == nil {
		return
	}
	x.verified = true
	for _, list := range [][]check.Finding{x.known, x.suppressed} {
		for i := range list {
			list[i].Fixes = nil
		}
	}
	all := append(x.stand[:len(x.stand):len(x.stand)], x.known...) // a fix may leave what is known
	unit := x.unit
	ok := x.budget.spend(func(ctx context.Context) {
		check.Verify(ctx, all, func(edits []chain.Edit) ([]check.Finding, error) { // its error is that of ctx
			again, err := retry(unit, opt, edits)
			if err != nil {
				return nil, err
			}
			grade(again, severity)
			return check.RunTrial(ctx, again, today())
		})
	})
	if !ok {
		x.lost()
		return
	}
	x.stand = all[:len(x.stand)]
}

// judged is one stack with its findings, with fixes that nobody has tried, and
// apart from them those that the stack suppresses. severity goes over the stack's
// own policy. A unit that is no stack, or takes longer than the timeout, has none.
func judged(u *compile.Unit, severity map[string]string, timeout time.Duration) *examined {
	x := &examined{unit: u, budget: budgetOf(u, timeout)}
	if u.Stack == nil {
		return x
	}
	var stand, suppressed []check.Finding
	ok := x.budget.spend(func(ctx context.Context) {
		u.Stack.NotChecked = append(u.Stack.NotChecked, check.NotChecked(u.Stack)...)
		grade(u.Stack, severity)
		stand, suppressed, _ = check.RunAll(ctx, u.Stack, today()) // its error is that of ctx
	})
	if !ok {
		x.lost()
		return x
	}
	x.stand, x.suppressed = stand, suppressed
	return x
}

// lost is a stack for which the time did not suffice.
func (x *examined) lost() { *x = examined{unit: x.budget.late(x.unit, "check"), budget: x.budget} }

func grade(s *chain.Stack, severity map[string]string) {
	if s.Policy.Severity == nil {
		s.Policy.Severity = map[string]string{}
	}
	maps.Copy(s.Policy.Severity, over(&s.Policy, severity))
}

// today decides which suppressions have ended.
func today() string { return time.Now().UTC().Format(time.DateOnly) }

// retry reads a stack as if the edits had been made.
func retry(u *compile.Unit, opt compile.Options, edits []chain.Edit) (*chain.Stack, error) {
	overlay, err := overlay(u.Source, edits)
	if err != nil {
		return nil, err
	}
	opt.Overlay = overlay
	again := compile.Again(u, opt)
	switch {
	case len(again.Errors) > len(u.Errors):
		return nil, fmt.Errorf("%s cannot be read with the edits: %s", u.Dir, again.Errors[0].Message)
	case again.Stack == nil:
		return nil, fmt.Errorf("%s has no stack with the edits", u.Dir)
	}
	return again.Stack, nil
}

// overlay is the files that the edits change, as they would be, by absolute path.
func overlay(source map[string][]byte, edits []chain.Edit) (map[string][]byte, error) {
	byFile := map[string][]chain.Edit{}
	for _, e := range edits {
		byFile[e.Range.File] = append(byFile[e.Range.File], e)
	}
	out := map[string][]byte{}
	for file, list := range byFile {
		text, ok := source[file]
		if !ok {
			return nil, fmt.Errorf("%s is not a file of the stack", file)
		}
		edited, err := apply(text, list)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		abs, err := filepath.Abs(filepath.FromSlash(file))
		if err != nil {
			return nil, err
		}
		out[abs] = edited
	}
	return out, nil
}
