package draft

import (
	"slices"
	"strconv"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
)

// repair writes what the findings of a stack ask for that is else complete.
func (d *drafter) repair(s *chain.Stack, found []check.Finding) {
	for _, n := range s.Notices {
		switch {
		case n.Kind != chain.NoticeImplicit:
		case n.Winner.Name == "version":
			d.plain(strconv.Quote(n.Winner.Text), "what is taken where none is written; put the one that you run", labels(n.Winner.Setting)...)
		case n.Origin.Place != nil:
			d.write(n.Origin, n.Origin.Text, "the default, which differs between versions")
		}
	}
	nodes := d.route.Nodes()
	slices.Reverse(nodes)
	for _, n := range nodes {
		if d.changed {
			return
		}
		if slices.ContainsFunc(found, func(f check.Finding) bool { return f.Setting != "" && f.Setting == n.Concurrency.Origin.Setting }) {
			d.capacity(s, n)
		}
		if !d.changed && n.Role == chain.RoleBuffering && slices.ContainsFunc(found, endless) {
			d.deadline(n)
		}
	}
}

// endless reports whether a finding is about something that no total ends.
func endless(f check.Finding) bool { return f.Rule == "gap-only" || f.Rule == "error-room" }

// deadline makes the program itself end the calls of a client that has no total.
func (d *drafter) deadline(n *chain.Node) {
	for _, c := range n.Calls() {
		if slices.ContainsFunc(c.Limits(), func(l chain.Limit) bool {
			return (l.Kind == chain.TotalDeadline || l.Kind == chain.AttemptDeadline) && l.Bound != chain.Never && l.Ends()
		}) {
			continue
		}
		want := answers
		if w := chain.WorstCall(d.route, n, c, 0).Total; w != chain.Never {
			want = w
		} else if l := first(n, c); l != chain.Never {
			want = l
		}
		if d.layers.at(label(n.Layer), n.Type, "deadline").find("perCall") != nil {
			return
		}
		d.plain(strconv.Quote(chain.Format(over(want))), "the client to "+c.To.Layer+" has no total of its own", label(n.Layer), n.Type, "deadline", "perCall")
		d.plain("true", "the program really ends a call then", label(n.Layer), n.Type, "deadline", "enforced")
	}
}
