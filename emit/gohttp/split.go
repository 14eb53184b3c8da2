package gohttp

import (
	"fmt"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// split makes one Go client of a client of the stack, or one for each callee
// where each has connections of its own. A Go client has one bound of open calls,
// so that a bound for each callee and a smaller one for all cannot both be kept.
func split(name string, uses []use, c *collector) []*client {
	var callees, sharing []string
	add := func(list *[]string, layer string) {
		if !slices.Contains(*list, layer) {
			*list = append(*list, layer)
		}
	}
	for _, u := range uses {
		add(&callees, u.call.To.Layer)
		add(&sharing, u.call.To.Layer)
		if u.call.Pool != nil {
			for _, other := range u.call.Pool.Shared {
				add(&sharing, other)
			}
		}
	}
	slices.Sort(callees)
	whole := &client{name: name, varName: exported(name) + "Limits", callees: callees, uses: uses}
	p := uses[0].call.Pool
	switch {
	case p == nil:
		return []*client{whole}
	case len(sharing) == 1:
		whole.pool = p.InForce()
		return []*client{whole}
	case p.PerHost.N == 0 || p.Total.N != 0 && p.PerHost.N >= p.Total.N:
		whole.pool = p.Total
		return []*client{whole}
	case p.Total.N != 0 && len(sharing)*p.PerHost.N > p.Total.N:
		c.Refuse(emit.Refuse(target, p.Total.Origin, "%s have %d each and %d together; a Go client has one bound",
			strings.Join(sharing, ", "), p.PerHost.N, p.Total.N))
		return nil
	}
	var out []*client
	for _, to := range callees {
		own := &client{name: name, varName: whole.varName, callees: []string{to}, pool: p.PerHost}
		if len(callees) > 1 {
			own.varName = exported(name) + exported(to) + "Limits"
		}
		for _, u := range uses {
			if u.call.To.Layer == to {
				own.uses = append(own.uses, u)
			}
		}
		out = append(out, own)
	}
	return out
}

// samePool refuses routes that see pools of different sizes in one client.
func (cl *client) samePool(c *collector) {
	first := cl.uses[0]
	for _, u := range cl.uses[1:] {
		if sizes(u.call.Pool) == sizes(first.call.Pool) {
			continue
		}
		c.Refuse(&emit.Refusal{Target: target, Value: u.node.Layer + " to " + u.call.To.Layer, Why: fmt.Sprintf("%s and %s share client %s and differ in its pool: %s and %s",
			first.route.Name, u.route.Name, cl.name, sizes(first.call.Pool), sizes(u.call.Pool))})
	}
}

func sizes(p *chain.Pool) string {
	if p == nil {
		return "none"
	}
	return fmt.Sprintf("%d per callee, %d in all", p.PerHost.N, p.Total.N)
}
