package check

import (
	"cmp"
	"slices"

	"tchain.dev/tchain/chain"
)

// Run gives the findings of every rule on one stack, merged over its routes and
// in a total order: by file, line, column, rule, setting, message. Severities
// are those of the stack's policy; a rule that it switches off gives nothing.
func Run(s *chain.Stack) []Finding {
	var all []Finding
	known := newMemo()
	for _, rule := range Rules {
		all = append(all, rule.run(s, known)...)
	}
	slices.SortStableFunc(all, compare)
	return all
}

// Run gives the findings of one rule on one stack.
func (r *Rule) Run(s *chain.Stack) []Finding { return r.run(s, newMemo()) }

func (r *Rule) run(s *chain.Stack, known *memo) []Finding {
	var out []Finding
	pass := &Pass{Stack: s, Rule: r, memo: known, report: func(f Finding) { out = merge(out, f) }}
	r.Check(pass)
	if name, ok := s.Policy.Severity[r.ID]; ok {
		sev, _ := ParseSeverity(name)
		if sev == Off {
			return nil
		}
		for i := range out {
			out[i].Severity = sev
		}
	}
	return out
}

// merge adds a finding, or its routes to the one that has the same cause.
func merge(fs []Finding, f Finding) []Finding {
	for i := range fs {
		g := &fs[i]
		if g.Rule == f.Rule && g.Pos == f.Pos && g.Layer == f.Layer && g.Setting == f.Setting {
			for _, r := range f.Routes {
				if !slices.Contains(g.Routes, r) {
					g.Routes = append(g.Routes, r)
				}
			}
			if f.Severity > g.Severity {
				routes := g.Routes
				*g = f
				g.Routes = routes
			}
			return fs
		}
	}
	return append(fs, f)
}

func compare(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column),
		cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Setting, b.Setting), cmp.Compare(a.Message, b.Message))
}
