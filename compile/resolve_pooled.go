package compile

import (
	"slices"
	"strconv"

	"tchain.dev/tchain/chain"
)

// A pooledCall is one route's call over connections that other requests use, too.
type pooledCall struct {
	*hc5Pooled
	t    *tree
	call *chain.Call
	pool string // what has the same one shares connections
}

// later keeps a call until it is known what all routes send over its client.
func (t *tree) later(c *chain.Call, p *hc5Pooled, target string) {
	if p != nil {
		pool := key([]string{p.client(), target, strconv.FormatBool(c.TLS)})
		t.trail.own++
		t.pooled = append(t.pooled, pooledCall{p, t, c, pool})
	}
}

func (p *hc5Pooled) client() string { return settingPath(p.path) }

// settlePooled tells each of these calls what the routes send.
func (r *resolver) settlePooled() {
	sent, at := map[string][]hc5Sender{}, map[string][]location{}
	for _, p := range r.pooled {
		at[p.client()] = append(at[p.client()], p.t.location())
		for _, s := range p.sends(p.t.route.Name) {
			sent[p.pool] = addSender(sent[p.pool], s)
		}
	}
	for _, p := range r.pooled {
		derived, notice := p.settle(sent[p.pool])
		p.call.Derivations, p.call.Reused = derived, p.left(sent[p.pool])
		if notice != nil {
			notice.Layer = p.layer
			p.t.notice(*notice)
		}
		for _, x := range p.contexts {
			if !reached(x.key, at[p.client()]) {
				p.t.notChecked(p.layer, p.client(), "context "+strconv.Quote(x.key)+" is of no route over this client: when it is used is not known")
			}
		}
	}
}

// addSender keeps configs that leave the same on a connection once.
func addSender(all []hc5Sender, s hc5Sender) []hc5Sender {
	for i, old := range all {
		if old.request.rt.same(s.request.rt) && old.request.rct.same(s.request.rct) {
			if !slices.Contains(old.routes, s.routes[0]) {
				all[i].routes = append(all[i].routes, s.routes[0])
			}
			return all
		}
	}
	return append(all, s)
}

// same reports whether two values are the same setting's; nil is none.
func (v *hc5Value) same(other *hc5Value) bool {
	if v == nil || other == nil {
		return v == other
	}
	return v.as(other) && v.origin.Setting == other.origin.Setting
}

// reached reports whether a route at one of the locations has a context's path.
func reached(key string, at []location) bool {
	return slices.ContainsFunc(at, func(l location) bool {
		whole, part := l.under(key)
		return whole || part
	})
}
