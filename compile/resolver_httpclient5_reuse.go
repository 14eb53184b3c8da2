package compile

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

// An hc5Sender is a config that requests over one pool have, with the routes
// that send them.
type hc5Sender struct {
	request hc5Request
	routes  []string
}

// An hc5Reading is a limit that a read on a pooled connection can have.
type hc5Reading struct {
	*hc5Value
	after  []string // the routes whose requests leave it; nil: requests like this one only
	opened bool     // only the request that opened the connection leaves it
}

// readings are the limits that a read on a pooled connection can have: first
// where only requests like this one went over it, then by what others leave.
func (c *hc5Config) readings(r hc5Request, sent []hc5Sender) []hc5Reading {
	out := []hc5Reading{{hc5Value: c.readReused(r, nil, r)}}
	for _, s := range sent {
		v := c.readReused(r, s.request.rt, s.request)
		i := slices.IndexFunc(out, func(x hc5Reading) bool {
			return x.as(v) && (x.after == nil || x.origin.Setting == v.origin.Setting)
		})
		switch {
		case i < 0:
			out = append(out, hc5Reading{v, slices.Clone(s.routes), s.request.rt == nil || c.has("5.6.1")})
		case i > 0:
			out[i].after = append(out[i].after, s.routes...)
		}
	}
	return out
}

// left are the limits of a read on a pooled connection that are not those of a
// fresh one; nil if it always has those.
func (p *hc5Pooled) left(sent []hc5Sender) [][]chain.Limit {
	if p.neverReused() != nil {
		return nil
	}
	fresh := p.config.readFresh(p.request)
	var out [][]chain.Limit
	for _, x := range p.config.readings(p.request, sent) {
		if x.as(fresh) {
			continue
		}
		limits := []chain.Limit{*x.limit(chain.ResponseFirstByte), *x.limit(chain.ResponseReadGap)}
		for i := range limits {
			limits[i].When = x.when()
		}
		out = append(out, limits)
	}
	return out
}

// as reports whether two values last equally long; of one that is not known only
// that it is the same setting.
func (v *hc5Value) as(other *hc5Value) bool {
	if v.unknown || other.unknown {
		return v.unknown == other.unknown && v.origin.Setting == other.origin.Setting
	}
	return v.d == other.d
}

// when says in words which connection has the limit.
func (x hc5Reading) when() string {
	routes := x.after
	if routes == nil {
		return "on a reused connection"
	}
	if n := len(routes); n > 3 {
		routes = append(slices.Clone(routes[:2]), fmt.Sprintf("%d more routes", n-2))
	}
	text := strings.Join(routes, ", ")
	if n := len(routes); n > 1 {
		text = strings.Join(routes[:n-1], ", ") + " or " + routes[n-1]
	}
	if x.opened {
		return "where " + text + " opened it"
	}
	return "after " + text
}

// sticky is the notice that a read on a pooled connection has another limit than
// on a fresh one: that of the handshake, or of a request before; nil if it has not.
func (c *hc5Config) sticky(fresh *hc5Value, readings []hc5Reading) *chain.Notice {
	var n *chain.Notice
	var said []string
	for i, x := range readings {
		if x.unknown || fresh.unknown || x.d == fresh.d {
			continue
		}
		if n == nil {
			n = &chain.Notice{Kind: chain.NoticeSticky, Origin: x.origin, Winner: fresh.origin}
		}
		how := x.when()
		if i == 0 {
			how = fmt.Sprintf("by the %s that the handshake left in HttpClient %s", x.origin.Name, c.release())
		}
		said = append(said, mayTake(x.d)+" "+how)
	}
	if n == nil {
		return nil
	}
	if more := len(said) - 2; more > 1 {
		said = append(said[:2], fmt.Sprintf("has one of %d other limits", more))
	}
	n.Message = fmt.Sprintf("a read on a pooled connection %s; on a fresh one it %s", strings.Join(said, ", or "), mayTake(fresh.d))
	return n
}

// mayTake says of a read how long it lasts.
func mayTake(d time.Duration) string {
	if d == 0 {
		return "has no limit"
	}
	return "may take " + chain.Format(d)
}
