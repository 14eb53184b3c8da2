package nginx

import (
	"fmt"
	"slices"
	"strings"

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

// tries says how long a request may take with all servers, where they are tried or
// would be; it is nothing where no more are than are now.
func (h hop) tries(s chain.Setting) string {
	call := h.Callee()
	if call == nil || call.Addresses < 2 {
		return ""
	}
	now, all := chain.WorstCall(h.Route, h.Node, call, 0), chain.WorstCall(h.Route, h.Node, everyServer(call), 0)
	text := fmt.Sprintf("%d servers, %s in all", call.Addresses, chain.Format(all.Total))
	switch {
	case s.Value == "0":
		return text
	case all.Total == now.Total:
		return ""
	}
	return "else " + text
}

// everyServer is a call without a limit of its tries.
func everyServer(call *chain.Call) *chain.Call {
	out := *call
	out.Layers = slices.Clone(call.Layers)
	for i, layer := range out.Layers {
		if layer.Retry != nil {
			retry := *layer.Retry
			retry.Attempts.N = 0
			out.Layers[i].Retry = &retry
		}
	}
	return &out
}
