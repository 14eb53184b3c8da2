package compile

import (
	"slices"
	"time"

	"tchain.dev/tchain/chain"
)

// resolveUndici gives each of several addresses its time, as the Node release
// does: not before 20, and twice as long from 25 on.
func resolveUndici(in clientInput) clientOutput {
	out := in.Defaults
	each, node := in.find("autoSelectFamilyAttemptTimeout"), in.versions.node.text()
	if in.Addresses <= 1 || !in.find("autoSelectFamily").on() || node != "" && !atLeast(node, "20") {
		out.Limits = slices.DeleteFunc(out.Limits, func(l chain.Limit) bool { return l.Origin.ID == each.origin.ID })
		return out
	}
	for i := range out.Limits {
		if l := &out.Limits[i]; l.Origin.ID == each.origin.ID && !each.written() && node != "" && atLeast(node, "25") {
			l.Bound, l.Origin.Text, l.Origin.Note = 500*time.Millisecond, "500", "from Node 25 on"
		}
	}
	return out
}
