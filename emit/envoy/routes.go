package envoy

import (
	"fmt"
	"slices"
	"strings"

	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/pattern"
)

// A rule is one route of Envoy's: what it matches, and what it says.
type rule struct {
	pattern.Pattern
	says, comment string
	hop           emit.Hop
}

// routes are one RouteConfiguration with the name of the layer, and a virtual host
// for each host.
func routes(l *emit.Layer, c *emit.Collector) string {
	var b strings.Builder
	fmt.Fprintf(&b, "resources:\n  - \"@type\": type.googleapis.com/envoy.config.route.v3.RouteConfiguration\n    name: %s\n    virtual_hosts:\n", l.Name)
	for _, own := range pattern.ByHost(l.Hops, host) {
		domain := host(own[0])
		name := domain
		if domain == anyHost {
			name = "all"
		} else { // Envoy looks at no other virtual host for it
			own = append(own, pattern.General(l.Hops, own, host, anyHost)...)
		}
		fmt.Fprintf(&b, "      - name: %s\n        domains: [%q]\n        routes:\n", name, domain)
		for _, r := range rules(own, c) {
			fmt.Fprintf(&b, "          # %s\n          - match:\n              %s\n", r.comment, r.match())
			if r.Method != "" {
				fmt.Fprintf(&b, "              headers: [{name: \":method\", string_match: {exact: %s}}]\n", r.Method)
			}
			b.WriteString("            route:\n" + r.says)
		}
	}
	return b.String()
}

func (r rule) match() string {
	switch r.Form {
	case pattern.Exact:
		return fmt.Sprintf("path: %q", r.Value)
	case pattern.Prefix:
		return fmt.Sprintf("prefix: %q", r.Value)
	}
	return fmt.Sprintf("safe_regex: {regex: %q}", r.Value)
}

// rules stand in the order in which Envoy, which takes the first one that matches,
// chooses as ServeMux would.
func rules(hops []emit.Hop, c *emit.Collector) []rule {
	var out []rule
	for _, h := range hops {
		r := rule{pattern.Of(h, target, c), says(h, c), h.Label() + h.Ends(), h}
		at := slices.IndexFunc(out, func(o rule) bool { return o.Same(r.Pattern) })
		switch {
		case at < 0:
			out = append(out, r)
		case out[at].says != r.says:
			c.Refuse(&emit.Refusal{Target: target, Value: out[at].hop.Label() + " and " + h.Label(), Why: "they match the same requests, and their values differ"})
		}
	}
	slices.SortStableFunc(out, func(a, b rule) int { return pattern.Compare(a.Pattern, b.Pattern) })
	return out
}

// says are the cluster and the timers of a route. Without a condition nothing is
// tried again, and no policy is written.
func says(h emit.Hop, c *emit.Collector) string {
	var b strings.Builder
	fmt.Fprintf(&b, "              cluster: %s\n", h.Callee().To.Layer)
	tree(&b, 14, lines(h, routeFields, c))
	if _, ok := find(h, "retry_policy.retry_on"); ok {
		tree(&b, 14, lines(h, retryFields, c))
	}
	return b.String()
}

const anyHost = "*"

// host is the domain that a route is for.
func host(h emit.Hop) string {
	if h.Inside || h.Route.Host == "" {
		return anyHost
	}
	return h.Route.Host
}
