package nginx

import (
	"fmt"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

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
	serve, ok := h.Node.ServeLimit(chain.IdleKeepalive)
	if h.Call == nil || h.Outer.Role == chain.RoleCaller || len(h.Call.Idle) == 0 || !ok {
		return ""
	}
	idle := h.Call.Idle[0].Bound
	if idle == chain.Never || serve.Bound <= idle {
		return "not above " + h.Outer.Layer + "'s " + chain.Format(idle)
	}
	return "above " + h.Outer.Layer + "'s " + chain.Format(idle)
}

// tries says what the number of tries comes to.
func (h hop) tries(s chain.Setting) string {
	call := h.Callee()
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
	if h.Route.HasBody() {
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
