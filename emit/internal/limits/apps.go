package limits

import (
	"cmp"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// stores are the types of layers that speak no HTTP.
var stores = []string{"mysql", "postgres", "redis"}

// Apps finds the apps and their clients, both in the order of their names.
func (d Dialect) Apps(routes []*chain.Route, c *emit.Collector) []*App {
	type key struct{ app, client string }
	uses := map[key][]Use{}
	var keys []key
	for _, r := range routes {
		for _, n := range r.Nodes() {
			for _, call := range n.Calls() {
				if call.Client == "" || n.Role == chain.RoleCaller {
					continue
				}
				if slices.Contains(stores, call.To.Type) {
					c.Warn("", n.Layer+" to "+call.To.Layer+" is not written: "+call.Product+" is no HTTP client")
					continue
				}
				k := key{n.Layer, call.Client}
				if uses[k] == nil {
					keys = append(keys, k)
				}
				uses[k] = append(uses[k], Use{r, n, call, d})
			}
		}
	}
	slices.SortFunc(keys, func(a, b key) int { return cmp.Or(cmp.Compare(a.app, b.app), cmp.Compare(a.client, b.client)) })
	var out []*App
	for _, k := range keys {
		if len(out) == 0 || out[len(out)-1].Layer != k.app {
			out = append(out, &App{Layer: k.app})
		}
		a := out[len(out)-1]
		a.Clients = append(a.Clients, d.split(k.client, uses[k], c)...)
	}
	return out
}

// Distinct refuses clients of an app that name would call the same.
func (a *App) Distinct(name func(*Client) string, c *emit.Collector) {
	seen := map[string]string{}
	for _, cl := range a.Clients {
		n := name(cl)
		if other, ok := seen[n]; ok {
			c.Refuse(&emit.Refusal{Target: cl.d.Target, Value: a.Layer, Why: "clients " + other + " and " + cl.Name + " would both be " + n})
		}
		seen[n] = cl.Name
	}
}

// RestsOn reports whether a setting of the app's layer decides what is written of its
// clients: one of theirs, the deadline, or where the app stands.
func (a *App) RestsOn(setting string) bool {
	_, client, found := strings.Cut(setting, ".app.clients.")
	return found && slices.ContainsFunc(a.Clients, func(cl *Client) bool {
		return strings.HasPrefix(strings.ReplaceAll(client, `"`, "")+".", cl.Name+".")
	}) || !found && !emit.OfServer(setting)
}
