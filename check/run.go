package check

import (
	"cmp"
	"context"
	"fmt"
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
	m := &merger{at: map[string][]int{}, routes: map[string]bool{}}
	for _, f := range known.reported(s, r) {
		m.add(f)
	}
	return r.graded(s, m.out)
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

// A merger collects findings and adds the routes of one cause to one finding. What
// weighs differently on two routes is two: a person who has a 502 on the one has a
// repeat that hides it on the other. On one route the worst is told.
type merger struct {
	out    []Finding
	at     map[string][]int // by cause
	routes map[string]bool  // of a finding, with and without a callee
}

func (m *merger) add(f Finding) {
	key := fmt.Sprint(f.Rule, f.Pos, f.Layer, "\x00", f.Setting, "\x00", f.Case)
	for _, i := range m.at[key] {
		g := &m.out[i]
		if g.Severity != f.Severity && !m.shares(i, f.Routes) {
			continue
		}
		m.addRoutes(i, f.Routes, f.Callee)
		if f.Severity > g.Severity {
			f.Routes, f.On = g.Routes, g.On
			*g = f
		}
		return
	}
	i := len(m.out)
	m.at[key] = append(m.at[key], i)
	routes := f.Routes
	f.Routes, f.On = nil, nil
	m.out = append(m.out, f)
	m.addRoutes(i, routes, f.Callee)
}

// shares reports whether a finding is on one of some routes already.
func (m *merger) shares(i int, routes []string) bool {
	return slices.ContainsFunc(routes, func(r string) bool { return m.routes[routeKey(i, "\x00", r)] })
}

func routeKey(i int, mark, route string) string { return fmt.Sprint(i, mark, route) }

func (m *merger) addRoutes(i int, routes []string, callee string) {
	add := func(list *[]string, mark, text string) {
		if k := routeKey(i, mark, text); !m.routes[k] {
			m.routes[k] = true
			*list = append(*list, text)
		}
	}
	g := &m.out[i]
	for _, r := range routes {
		add(&g.Routes, "\x00", r)
		if callee != "" {
			r += " → " + callee
		}
		add(&g.On, "\x01", r)
	}
}

func compare(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column),
		cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Setting, b.Setting), cmp.Compare(a.Message, b.Message))
}
