package compile

import (
	"slices"

	"tchain.dev/tchain/chain"
)

// hosted reports whether the product is run by its vendor, in no version that a
// team could choose, so that what the vendor does not document is not known.
func (t *Type) hosted() bool { return t.Role == chain.RolePassing && t.Root.child("version") == nil }

// phaseKinds are the kinds of what ends one phase of a call.
var phaseKinds = []chain.Kind{
	chain.PoolWait, chain.DNS, chain.Connect, chain.Tunnel, chain.TLSHandshake, chain.WriteGap,
	chain.ResponseHeader, chain.ResponseFirstByte, chain.ResponseReadGap,
}

// undocumented are the phases of which nobody outside knows whether something ends
// them: those before the response where a vendor says nothing, since a deadline around
// them all that is off is no proof that they have no end, what follows the first byte where
// it names a limit for that one only, and all where what makes the call is not declared.
func (e *effective) undocumented(limits []chain.Limit) []chain.Unbounded {
	last := chain.AtRequestSent
	switch {
	case e.undeclared, slices.ContainsFunc(limits, func(l chain.Limit) bool { return l.Kind == chain.ResponseFirstByte && e.typ.hosted() && !e.typ.Own }):
		last = chain.AtBodyEnd
	case !e.typ.hosted() || e.typ.Own:
		return nil
	}
	var out []chain.Unbounded
	for m := chain.AtLease; m <= last; m++ {
		if !slices.ContainsFunc(limits, func(l chain.Limit) bool {
			return slices.Contains(phaseKinds, l.Kind) && l.Covers(m) && !(e.undeclared && l.Bound == chain.Never)
		}) {
			out = append(out, chain.Unbounded{Phase: m, Undocumented: true})
		}
	}
	return out
}
