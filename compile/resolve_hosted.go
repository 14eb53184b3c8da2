package compile

import (
	"slices"

	"tchain.dev/tchain/chain"
)

// hosted reports whether the product is run by its vendor, in no version that a
// team could choose, so that what the vendor does not document is not known.
func (t *Type) hosted() bool { return t.Role == chain.RolePassing && t.Root.child("version") == nil }

// undocumented are the phases before the response of which a vendor says nothing:
// a deadline around them all that is off is no proof that they have no end.
func (t *Type) undocumented(limits []chain.Limit) []chain.Unbounded {
	if !t.hosted() || t.Own {
		return nil
	}
	var out []chain.Unbounded
	for m := chain.AtLease; m <= chain.AtRequestSent; m++ {
		if !slices.ContainsFunc(limits, func(l chain.Limit) bool {
			return l.Side == chain.Calling && l.Covers(m) && l.Kind != chain.AttemptDeadline && l.Kind != chain.TotalDeadline
		}) {
			out = append(out, chain.Unbounded{Phase: m, Undocumented: true})
		}
	}
	return out
}
