package check

import (
	"slices"

	"tchain.dev/tchain/chain"
)

var rejected = &Rule{
	ID:        "rejected",
	Title:     "the product or its API would not take the value",
	Why:       "The value can be written here and not there: it is outside of what the product takes, or the product does not know the word. The roll-out fails, or goes on with the old value, and whoever rolls out under pressure finds out last.",
	Severity:  Error,
	Since:     "0.1.0",
	NoOutcome: "what the product does not take is never in force",
	Check:     reportNotices(chain.NoticeRejected, Error, "not taken"),
}

// untaken reports whether the product would not take what is written for a setting.
func (p *Pass) untaken(o chain.Origin) bool {
	return slices.ContainsFunc(p.Stack.Notices, func(n chain.Notice) bool {
		return n.Kind == chain.NoticeRejected && n.Origin.Pos == o.Pos
	})
}

// restsOnDoubt reports whether a fix of a finding follows from a value that the product
// would not take, or whose unit was hardly meant, and leaves it as it is: that value
// has to change first.
func (p *Pass) restsOnDoubt(f Finding, x Fix) bool {
	rests := func(at chain.Range) bool {
		return at == f.Pos || slices.ContainsFunc(f.Related, func(r Related) bool { return r.Pos == at })
	}
	for _, n := range p.Stack.Notices {
		if at := n.Origin.Pos; (n.Kind == chain.NoticeRejected || n.Kind == chain.NoticeUnit) && rests(at) &&
			!slices.ContainsFunc(x.Edits, func(e chain.Edit) bool { return e.Range == at }) {
			return true
		}
	}
	return false
}
