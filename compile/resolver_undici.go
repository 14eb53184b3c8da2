package compile

import (
	"time"

	"tchain.dev/tchain/chain"
)

// resolveUndici dials the next of several addresses as the Node release does.
func resolveUndici(in clientInput) clientOutput {
	out := in.Defaults
	out.Next = in.nodeNext(in.versions.node.text())
	return out
}

// nodeNext is when Node dials the next of several addresses: not before 20, and twice as
// late from 25 on. The last one has all the time that is left, so that this ends no connect.
func (in clientInput) nodeNext(node string) chain.Value {
	each := in.find("autoSelectFamilyAttemptTimeout")
	if choose := in.find("autoSelectFamily"); in.Addresses < 2 {
		return chain.Value{}
	} else if !choose.on() || node != "" && !atLeast(node, "20") {
		return chain.Value{D: chain.Never, Origin: choose.origin}
	}
	if each.state != known {
		return chain.Value{}
	}
	next := each.value()
	if !each.written() && node != "" && atLeast(node, "25") {
		next.D, next.Origin.Text, next.Origin.Note = 500*time.Millisecond, "500", "from Node 25 on"
	}
	return next
}
