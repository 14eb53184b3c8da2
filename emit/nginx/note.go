package nginx

import (
	"fmt"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

// ends is when the inner layer, this one and the outer one end at worst. Of an
// external service nothing is known.
func (h hop) ends() string {
	var parts []string
	add := func(n *chain.Node, name string) {
		switch sum := chain.Worst(h.route, n); {
		case n.Role == chain.RoleLeaf || n.Role == chain.RoleUnknown:
		case sum.Total == chain.Never:
			parts = append(parts, name+" never ends")
		case sum.NotChecked != nil:
			parts = append(parts, name+" ends at "+chain.Format(sum.Total)+" or later")
		case sum.Total > 0:
			parts = append(parts, name+" ends at "+chain.Format(sum.Total))
		}
	}
	for _, c := range h.node.Calls() {
		add(c.To, c.To.Layer)
	}
	add(h.node, "this layer")
	if h.outer != nil {
		add(h.outer, h.outer.Layer)
	}
	for i := 1; i < len(parts); i++ {
		parts[i] = strings.Replace(parts[i], " ends at ", " at ", 1)
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

// note is what a reader would otherwise look up for a directive.
func note(s chain.Setting, h hop) string {
	fam := familyOf(s.Origin.Name)
	switch strings.TrimPrefix(s.Origin.Name, fam) {
	case "keepalive_timeout":
		if s.Block != "upstream" {
			return h.callerIdle(s)
		}
	case "send_timeout":
		if fam != "" {
			return "between two writes"
		}
	case "read_timeout":
		return "whole header, then between two reads"
	case "next_upstream_tries":
		return h.tries(s)
	case "next_upstream_timeout":
		if s.Value == "0" {
			if n, ok := h.find(fam + "next_upstream_tries"); ok && n.Value != "0" {
				return "no limit; tries bounds it"
			}
			return "no limit"
		}
		return "asked only before another try"
	}
	return ""
}

// callerIdle lays the client keep-alive beside the idle time of who reuses it.
// Browsers look before they reuse, so that a person's browser is no such caller.
func (h hop) callerIdle(s chain.Setting) string {
	serve, ok := h.node.ServeLimit(chain.IdleKeepalive)
	if h.call == nil || h.outer.Role == chain.RoleCaller || len(h.call.Idle) == 0 || !ok {
		return ""
	}
	idle := h.call.Idle[0].Bound
	if idle == chain.Never || serve.Bound <= idle {
		return "not above " + h.outer.Layer + "'s " + chain.Format(idle)
	}
	return "above " + h.outer.Layer + "'s " + chain.Format(idle)
}

// tries says what the number of tries comes to.
func (h hop) tries(s chain.Setting) string {
	call := h.callee()
	if call == nil || call.Addresses < 2 {
		return ""
	}
	one := h.attempt(call)
	all := fmt.Sprintf("%d × %s = %s", call.Addresses, chain.Format(one), chain.Format(chain.Times(call.Addresses, one)))
	if s.Value == "0" {
		return "every server, " + all
	}
	return "else " + all
}

// attempt is the longest that one try can take before its header.
func (h hop) attempt(call *chain.Call) time.Duration {
	kinds := []chain.Kind{chain.Connect, chain.ResponseHeader}
	if h.route.HasBody() {
		kinds = append(kinds, chain.WriteGap)
	}
	var sum time.Duration
	for _, k := range kinds {
		if l, ok := call.Limit(k); ok {
			sum = chain.Add(sum, l.Bound)
		}
	}
	return sum
}
