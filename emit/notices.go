package emit

import (
	"slices"

	"tchain.dev/tchain/chain"
)

// Heed refuses what a layer's product rejects and warns of what it ignores, and of what
// another setting beats, on any of the routes: another value is in force there than the
// one that is written.
func (c *Collector) Heed(target string, s *chain.Stack, layer string, routes []*chain.Route) {
	for _, n := range s.Notices {
		if n.Layer != layer || !slices.ContainsFunc(routes, func(r *chain.Route) bool { return n.Routes == nil || slices.Contains(n.Routes, r.Name) }) {
			continue
		}
		switch n.Kind {
		case chain.NoticeRejected:
			c.Refuse(Refuse(target, n.Origin, "%s", n.Message))
		case chain.NoticeIgnored, chain.NoticeShadowed:
			c.Warn(n.Origin.Setting, n.Message)
		}
	}
}
