package chain

// unknownOnTheWay reports whether a limit between the outermost caller and a
// faulted call has a value that only run time knows: whether the fault ends is
// then not known either.
func unknownOnTheWay(r *Route, f Fault) bool {
	var on func(n *Node) (reaches, unknown bool)
	on = func(n *Node) (bool, bool) {
		for _, c := range n.Calls() {
			reaches, unknown := c == f.Call, false
			if !reaches {
				reaches, unknown = on(c.To)
			}
			if !reaches {
				continue
			}
			for _, l := range c.Limits() {
				unknown = unknown || l.Unknown()
			}
			return true, unknown
		}
		return false, false
	}
	_, unknown := on(r.Root)
	return unknown
}
