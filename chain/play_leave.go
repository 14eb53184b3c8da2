package chain

import "time"

// stopped ends a node's own work at a time: its callees see their caller leave.
func (p *player) stopped(n *Node, x exchange, at time.Duration) exchange {
	y := exchange{reply: x.reply}
	for _, e := range x.events {
		if e.Node == n && e.At >= at {
			continue
		}
		y.events = append(y.events, e)
	}
	y.late = x.late
	for _, c := range n.Calls() {
		y = leave(c.To, y, at)
	}
	return y
}

// leave is what becomes of a callee's exchange when its caller leaves at a
// time: a node that cancels stops, and what it called stops or goes on by the
// same rule; a node that does not goes on, and its answer is never delivered.
func leave(n *Node, x exchange, at time.Duration) exchange {
	stops, unheard := map[*Node]bool{}, map[*Node]bool{}
	var told func(*Node)
	told = func(m *Node) {
		if m.Cancel != CancelPropagates {
			unheard[m] = true
			return
		}
		stops[m] = true
		for _, c := range m.Calls() {
			told(c.To)
		}
	}
	told(n)
	y := exchange{reply: x.reply, late: x.late}
	busy := map[*Node]bool{}
	var order []*Node
	for _, e := range x.events {
		if e.At < at {
			y.events = append(y.events, e)
			continue
		}
		if stops[e.Node] {
			if !busy[e.Node] && e.At > at {
				busy[e.Node] = true
				order = append(order, e.Node)
			}
			continue
		}
		if unheard[e.Node] {
			switch e.Kind {
			case EvAnswers, EvPasses, EvCuts, EvCloses:
				e.Kind = EvUndelivered
			}
		}
		y.late = append(y.late, e)
	}
	for _, m := range order {
		y.late = append(y.late, Event{At: at, Kind: EvLeaves, Node: m})
	}
	return y
}
