package pattern

import (
	"slices"

	"tchain.dev/tchain/emit"
)

// ByHost are the hops with a callee by what host says of them, in their order.
func ByHost(hops []emit.Hop, host func(emit.Hop) string) [][]emit.Hop {
	var out [][]emit.Hop
	for _, h := range hops {
		if h.Callee() == nil {
			continue
		}
		at := slices.IndexFunc(out, func(o []emit.Hop) bool { return host(o[0]) == host(h) })
		if at < 0 {
			at = len(out)
			out = append(out, nil)
		}
		out[at] = append(out[at], h)
	}
	return out
}

// General are the hops of no host, which host calls any, that a host with routes of
// its own serves, too, for proxies that look at one host's rules only. Their rules
// come after all of the host's own: as ServeMux has it, a host comes before a path.
func General(hops, own []emit.Hop, host func(emit.Hop) string, any string) []emit.Hop {
	var out []emit.Hop
	for _, h := range hops {
		if h.Callee() != nil && host(h) == any && !slices.ContainsFunc(own, func(o emit.Hop) bool {
			return o.Route.Method == h.Route.Method && o.Route.Pathname == h.Route.Pathname && o.Route.Prefix == h.Route.Prefix
		}) {
			out = append(out, h)
		}
	}
	return out
}
