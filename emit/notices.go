package emit

import (
	"maps"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
)

// Heed refuses what a layer's product rejects and warns of what it ignores, and of what
// another setting beats, on any of the routes: another value is in force there than the
// one that is written.
func (c *Collector) Heed(target string, s *chain.Stack, layer string, routes []*chain.Route) {
	rejected := map[string]bool{}
	for _, n := range s.Notices {
		if n.Layer != layer || !slices.ContainsFunc(routes, func(r *chain.Route) bool { return n.Routes == nil || slices.Contains(n.Routes, r.Name) }) {
			continue
		}
		switch n.Kind {
		case chain.NoticeRejected:
			c.Refuse(Refuse(target, n.Origin, "%s", n.Message))
			rejected[n.Origin.Setting] = n.Origin.Setting != ""
		case chain.NoticeIgnored, chain.NoticeShadowed:
			c.Warn(n.Origin.Setting, n.Message)
		}
	}
	if c.rejected == nil {
		c.rejected = map[string]bool{}
	}
	maps.Copy(c.rejected, rejected)
}

// AtRunTime refuses a layer's settings that are given at run time on any of the
// routes, as far as keep accepts their paths; nil is all. It reports whether there are
// any: what else is said of the layer rests on values that nobody knows.
func (c *Collector) AtRunTime(target, layer string, routes []*chain.Route, keep func(setting string) bool) bool {
	found := false
	for _, r := range routes {
		for _, n := range r.NotChecked {
			if n.Layer != layer || n.AtRunTime == "" || keep != nil && !keep(n.Setting) {
				continue
			}
			found = true
			what := &Refusal{Target: target, Setting: n.Setting, Why: "its value comes at run time and is not known here"}
			if !strings.HasSuffix(n.Setting, n.AtRunTime) {
				what.Value = n.AtRunTime // one of several that a resolver reads
			}
			c.Refuse(what)
		}
	}
	return found
}

// OfClient reports whether a setting is of an app's client.
func OfClient(setting string) bool { return strings.Contains(setting, ".app.clients.") }

// OfServer reports whether a setting is of an app's server.
func OfServer(setting string) bool { return strings.Contains(setting, ".app.server.") }
