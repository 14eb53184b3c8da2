package check

import (
	"fmt"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
)

// Its Check reports nothing by itself: what a suppression covers is known only
// when all other rules have run.
var suppression = &Rule{
	ID:       "suppression",
	Title:    "a suppression that names no rule or one that must stand, matches nothing, or has ended",
	Why:      "A finding that was accepted is silent only as long as somebody stands for it. A suppression that covers nothing any more hides the next fault at the same place; one with a misspelt rule never did anything; one that has ended asks for its reason again. One of a rule that policy: notSuppressible names has no effect; nor has one of this rule.",
	Severity: Warning,
	Since:    "0.1.0",
	Stands:   true,
	Check:    func(*Pass) {},
}

// suppress parts the findings that stand from those that the stack's suppressions
// cover, and reports the suppressions that do nothing. today is a date as
// 2026-11-29; "" ends none.
func suppress(s *chain.Stack, fs []Finding, today string) (stand, suppressed []Finding) {
	used := make([]bool, len(s.Policy.Ignore))
	for _, f := range fs {
		if f.CoveredBy = covered(&s.Policy, used, f, today); f.CoveredBy == nil {
			stand = append(stand, f)
			continue
		}
		f.Suppressed = f.CoveredBy[0]
		suppressed = append(suppressed, f)
	}
	var idlers []Finding
	settled := map[chain.Range]bool{} // attributes that one use of their value needs, or that are told
	for i, g := range s.Policy.Ignore {
		settled[g.Written] = settled[g.Written] || used[i]
	}
	for i, g := range s.Policy.Ignore {
		if g.Shared || g.Written != (chain.Range{}) && settled[g.Written] {
			continue
		}
		if f, ok := Idle(&s.Policy, g, used[i], today); ok {
			f.Stack = s.Name
			idlers = append(idlers, f)
			settled[g.Written] = true
		}
	}
	return append(stand, suppression.graded(s, idlers)...), suppressed
}

// covered marks every suppression that covers a finding and gives them; nil if
// none does.
func covered(p *chain.Policy, used []bool, f Finding, today string) []*chain.Ignore {
	if stands(p, f.Rule) {
		return nil
	}
	var hits []*chain.Ignore
	for i := range p.Ignore {
		if g := &p.Ignore[i]; g.Rule == f.Rule && !ended(*g, today) && covers(g, f) {
			used[i] = true
			hits = append(hits, g)
		}
	}
	return hits
}

func ended(g chain.Ignore, today string) bool {
	return g.Until != "" && today != "" && g.Until < today
}

// stands reports whether nothing may suppress a rule.
func stands(p *chain.Policy, rule string) bool {
	r := Find(rule)
	return r != nil && r.Stands || slices.Contains(p.NotSuppressible, rule)
}

// Idle is the finding for a suppression that does nothing under a policy. Of one
// that is shared, only all stacks together know whether it is used.
func Idle(p *chain.Policy, g chain.Ignore, used bool, today string) (f Finding, ok bool) {
	text := idle(p, g, used, today)
	return Finding{
		Rule: suppression.ID, Severity: suppression.Severity, Pos: g.Place(), Label: "does nothing", Setting: g.Rule, Message: text,
	}, text != ""
}

func idle(p *chain.Policy, g chain.Ignore, used bool, today string) string {
	switch {
	case Find(g.Rule) == nil:
		return fmt.Sprintf("the suppression names no rule: %q; tchain explain lists them", g.Rule)
	case stands(p, g.Rule):
		return fmt.Sprintf("%s is not suppressible: %s", g.Rule, g.Reason)
	case ended(g, today):
		return fmt.Sprintf("the suppression of %s ended on %s: %s", g.Rule, g.Until, g.Reason)
	case !used:
		return fmt.Sprintf("the suppression of %s matches no finding any more: %s", g.Rule, g.Reason)
	}
	return ""
}

// covers: a suppression on a value holds for the findings at it and for those
// that it is a part of, one on a struct for the findings at all below; one in the
// policy for what it is narrowed to.
func covers(g *chain.Ignore, f Finding) bool {
	if g.Settings != nil && !slices.ContainsFunc(g.Settings, func(s string) bool { return isIn(f.Setting, s) }) && !partOf(g, f) {
		return false
	}
	if g.Layers != nil && !slices.Contains(g.Layers, f.Layer) {
		return false
	}
	return g.Routes == nil || slices.ContainsFunc(f.Routes, func(r string) bool { return slices.Contains(g.Routes, r) })
}

// isIn reports whether a setting is the one at a path, or is below it.
func isIn(setting, path string) bool {
	rest, ok := strings.CutPrefix(setting, path)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// partOf reports whether the value of a suppression is shown in a finding. All
// values of a shared layer are shown at the one place where it is used.
func partOf(g *chain.Ignore, f Finding) bool {
	if !g.Shared && overlaps(f.Pos, g.At) {
		return true
	}
	return slices.ContainsFunc(f.Related, func(r Related) bool {
		return overlaps(r.Pos, g.At) && (!g.Shared || r.Pos != f.Pos)
	})
}

func overlaps(a, b chain.Range) bool {
	return a.File == b.File && a.Line == b.Line && a.Column < b.EndColumn && b.Column < a.EndColumn
}
