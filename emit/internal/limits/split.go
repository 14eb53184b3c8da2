package limits

import (
	"fmt"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// split makes one client of a client of the stack, or one for each callee where
// each has connections of its own. A target's client has one bound of open calls,
// so that a bound for each callee and a smaller one for all cannot both be kept.
func (d Dialect) split(name string, uses []Use, c *emit.Collector) []*Client {
	var callees, sharing []string
	add := func(list *[]string, layer string) {
		if !slices.Contains(*list, layer) {
			*list = append(*list, layer)
		}
	}
	for _, u := range uses {
		add(&callees, u.Call.To.Layer)
		add(&sharing, u.Call.To.Layer)
		if u.Call.Pool != nil {
			for _, other := range u.Call.Pool.Shared {
				add(&sharing, other)
			}
		}
	}
	slices.Sort(callees)
	whole := &Client{Name: name, Callees: callees, Uses: uses, d: d}
	p := uses[0].Call.Pool
	switch {
	case p == nil || d.BothBounds:
		return []*Client{whole}
	case len(sharing) == 1:
		whole.Pool = p.InForce()
		return []*Client{whole}
	case p.PerHost.N == 0 || p.Total.N != 0 && p.PerHost.N >= p.Total.N:
		whole.Pool = p.Total
		return []*Client{whole}
	case p.Total.N != 0 && len(sharing)*p.PerHost.N > p.Total.N:
		c.Refuse(emit.Refuse(d.Target, p.Total.Origin, "%s have %d each and %d together; a %s client has one bound",
			strings.Join(sharing, ", "), p.PerHost.N, p.Total.N, d.Name))
		return nil
	}
	var out []*Client
	for _, to := range callees {
		own := &Client{Name: name, Callees: []string{to}, Pool: p.PerHost, d: d}
		if len(callees) > 1 {
			own.Part = to
		}
		for _, u := range uses {
			if u.Call.To.Layer == to {
				own.Uses = append(own.Uses, u)
			}
		}
		out = append(out, own)
	}
	return out
}

// samePool refuses routes that see pools of different sizes in one client.
func (cl *Client) samePool(c *emit.Collector) {
	first := cl.Uses[0]
	for _, u := range cl.Uses[1:] {
		if sizes(u.Call.Pool) == sizes(first.Call.Pool) {
			continue
		}
		c.Refuse(&emit.Refusal{Target: cl.d.Target, Value: u.Node.Layer + " to " + u.Call.To.Layer, Why: fmt.Sprintf("%s and %s share client %s and differ in its pool: %s and %s",
			first.Route.Name, u.Route.Name, cl.Name, sizes(first.Call.Pool), sizes(u.Call.Pool))})
	}
}

func sizes(p *chain.Pool) string {
	if p == nil {
		return "none"
	}
	return fmt.Sprintf("%d per callee, %d in all", p.PerHost.N, p.Total.N)
}
