package check

import "tchain.dev/tchain/chain"

// reportNotices turns what the resolvers noticed into findings of one rule.
func reportNotices(kind chain.NoticeKind, sev Severity, label string) func(*Pass) {
	return func(p *Pass) {
		for _, n := range p.Stack.Notices {
			if n.Kind != kind {
				continue
			}
			f := Finding{
				Routes: n.Routes, Layer: n.Layer, Setting: n.Origin.Setting, Severity: soften(sev, n.Origin),
				Pos: n.Origin.Pos, Label: label + known(n.Origin), Message: n.Message,
			}
			if n.Winner.Pos != n.Origin.Pos && n.Winner.Pos != (chain.Range{}) {
				f.Related = []Related{{Pos: n.Winner.Pos, Message: n.Winner.Name + " " + n.Winner.Text + " is in force" + known(n.Winner)}}
			}
			if fix, ok := changes(n.Remedy); ok {
				f.Fixes = []Fix{fix}
			}
			p.Report(f)
		}
	}
}

// changes is the fix that writes all of a remedy; ok is false where there is none, or a
// part of it cannot be written.
func changes(remedy []chain.Change) (f Fix, ok bool) {
	var fixes []Fix
	for _, c := range remedy {
		if c.Origin.Place == nil {
			return Fix{}, false
		}
		fixes = append(fixes, write(c.Origin, c.Text))
	}
	return both(fixes...), len(fixes) > 0
}
