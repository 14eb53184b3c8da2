package check

import "tchain.dev/tchain/chain"

// unknownOnTheWay reports whether a limit between the outermost caller and a
// faulted call has a value that only run time knows: whether the fault ends is
// then not known either.
func unknownOnTheWay(r *chain.Route, f chain.Fault) bool {
	var on func(n *chain.Node) (reaches, unknown bool)
	on = func(n *chain.Node) (bool, bool) {
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

// NotChecked are the phases that the worst cases of a stack leave out, because
// nothing bounds them or a value is not known, each once for a route and layer.
func NotChecked(s *chain.Stack) []chain.NotChecked {
	var out []chain.NotChecked
	for _, r := range s.Routes {
		seen := map[string]bool{}
		for _, n := range r.Nodes() {
			for _, c := range n.Calls() {
				for _, reason := range chain.WorstCall(r, n, c, 0).NotChecked {
					if key := n.Layer + "\x00" + reason; !seen[key] {
						seen[key] = true
						out = append(out, chain.NotChecked{Route: r.Name, Layer: n.Layer, Reason: reason})
					}
				}
			}
		}
	}
	return out
}
