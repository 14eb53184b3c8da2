package check

import (
	"cmp"
	"context"
	"slices"

	"tchain.dev/tchain/chain"
)

// Run gives the findings of every rule on one stack, merged over its routes and
// in a total order: by file, line, column, rule, setting, message. Severities
// are those of the stack's policy; a rule that it switches off gives nothing.
func Run(s *chain.Stack) []Finding { return RunOn(s, "") }

// RunOn is Run with the suppressions that end before a day, as 2026-11-29, taken
// as ended; "" ends none.
func RunOn(s *chain.Stack, today string) []Finding {
	stand, _, _ := RunAll(context.Background(), s, today) // which never ends
	return stand
}

// RunAll is RunOn that also gives what the stack's suppressions cover, in the
// same order, each finding with the first suppression that covers it. It gives
// up between two rules once ctx has ended, with ctx's error and no findings.
func RunAll(ctx context.Context, s *chain.Stack, today string) (stand, suppressed []Finding, err error) {
	return run(ctx, s, today, newMemo())
}

// RunTrial is RunAll for a stack with a fix in it, which asks only what findings
// there are: they come without traces, and their fixes are not worked out.
func RunTrial(ctx context.Context, s *chain.Stack, today string) ([]Finding, error) {
	m := newMemo()
	m.trial = true
	stand, _, err := run(ctx, s, today, m)
	return stand, err
}

func run(ctx context.Context, s *chain.Stack, today string, known *memo) (stand, suppressed []Finding, err error) {
	var all []Finding
	for _, rule := range Rules {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		all = append(all, rule.run(s, known)...)
	}
	stand, suppressed = suppress(s, all, today)
	attribute(s, stand)
	attribute(s, suppressed)
	slices.SortStableFunc(stand, compare)
	slices.SortStableFunc(suppressed, compare)
	return stand, suppressed, nil
}

// Run gives the findings of one rule on one stack.
func (r *Rule) Run(s *chain.Stack) []Finding { return r.run(s, newMemo()) }

func (r *Rule) run(s *chain.Stack, known *memo) []Finding {
	return r.graded(s, merged(known.reported(s, r)))
}

// graded gives findings of the rule the severity that the stack's policy names.
func (r *Rule) graded(s *chain.Stack, fs []Finding) []Finding {
	name, ok := s.Policy.Severity[r.ID]
	if !ok {
		return fs
	}
	sev, _ := ParseSeverity(name)
	if sev == Off {
		return nil
	}
	for i := range fs {
		fs[i].Severity = sev
	}
	return fs
}

func compare(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column),
		cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Setting, b.Setting), cmp.Compare(a.Message, b.Message))
}
