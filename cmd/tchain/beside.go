package main

import (
	"path/filepath"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/format"
)

// beside is what is found in files that concern more than one stack: entries of
// the baseline that are fixed, and suppressions that are for many stacks and cover
// nothing in any. read says that all was read, so that nothing else can be met.
func (c *checkCommand) beside(sum compile.Summary, seen *coverage, read bool) []format.Result {
	var out []format.Result
	add := func(of, file string, text []byte, findings []check.Finding, policy *chain.Policy) {
		res := format.Result{Of: of, Unit: &compile.Unit{
			Dir: filepath.ToSlash(filepath.Dir(file)), Files: []string{file}, Source: map[string][]byte{file: text},
		}}
		for _, f := range findings {
			for _, severity := range []map[string]string{policy.Severity, over(policy, c.judge.severity)} {
				if level, ok := severity[f.Rule]; ok {
					f.Severity, _ = check.ParseSeverity(level)
				}
			}
			if f.Severity == check.Off || c.hidden(f) {
				continue
			}
			if f.Severity >= c.judge.failOn {
				c.run.raise(ExitFindings)
			}
			res.Findings = append(res.Findings, f)
		}
		if len(res.Findings) > 0 {
			out = append(out, res)
		}
	}
	for _, p := range sum.Policies {
		dir, err := filepath.Abs(filepath.Dir(filepath.FromSlash(p.File)))
		all := err == nil && read && seen.tree(dir)
		var idle []check.Finding
		for _, g := range p.Ignore {
			if f, ok := check.Idle(&p.Policy, g, !all || c.shared.used(g), today()); ok {
				idle = append(idle, f)
			}
		}
		add("the policy", p.File, p.Source, idle, &p.Policy)
	}
	for _, file := range c.shared.files() {
		text, idle, policy := c.shared.idle(file, seen, read)
		add(file, file, text, idle, policy)
	}
	if c.known != nil && read {
		var fixed []check.Finding
		for _, e := range c.known.Refused() {
			fixed = append(fixed, e.MustStand())
		}
		for _, e := range c.known.Narrowed() {
			fixed = append(fixed, e.Fewer())
		}
		for _, e := range c.known.Fixed(c.known.looked(seen)) {
			fixed = append(fixed, e.Finding(!seen.met(c.known.at(e.Dir), e.Stack)))
		}
		// However a stack's suppressions are graded, what is fixed has to leave the file.
		must := &chain.Policy{NotSuppressible: []string{"suppression"}}
		add("the baseline", c.known.Name, c.known.text, fixed, must)
	}
	return out
}
