package chain

// PassesFlows reports whether a layer only passes on the bytes of connections, of which
// it knows no more than that they are not idle: it answers nothing itself, and no limit
// of it ends a wait for an answer.
func (n *Node) PassesFlows() bool {
	_, flow := n.ServeLimit(FlowIdle)
	calls := n.Calls()
	return flow && len(calls) > 0 && len(calls[0].Limits()) == 0
}

// Through is the last call on the way to what answers a call of n, and who makes it:
// the call itself, or that of the last layer behind it that only passes flows. What
// bounds the call is to be compared with the callee of that one.
func (n *Node) Through(c *Call) (from *Node, last *Call) {
	for c.To.PassesFlows() {
		n, c = c.To, c.To.Calls()[0]
	}
	return n, c
}

// Answering is what answers the call: its callee, or what is behind layers that only
// pass flows.
func (c *Call) Answering() *Node {
	_, last := (*Node)(nil).Through(c)
	return last.To
}
