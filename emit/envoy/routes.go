package envoy

import (
	"fmt"
	"strconv"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/pattern"
)

// routes are one RouteConfiguration with the name of the layer, and a virtual host
// for each host.
func routes(l *emit.Layer, c *emit.Collector) string {
	var b strings.Builder
	fmt.Fprintf(&b, "resources:\n  - \"@type\": type.googleapis.com/envoy.config.route.v3.RouteConfiguration\n    name: %s\n    virtual_hosts:\n", l.Name)
	for _, own := range pattern.ByHost(l.Hops, host) {
		says := func(h emit.Hop) string { return says(h, c) }
		rules := pattern.Texts(own, target, says, c)
		name, domains := "all", `"*"`
		if at := host(own[0]); at != anyHost { // Envoy looks at no other virtual host for it
			name, domains = at, fmt.Sprintf("%q, %q", at, at+":*")
			if strings.HasPrefix(at, "*") { // Envoy takes one * in a domain, in front or at the end: https://www.envoyproxy.io/docs/envoy/latest/api-v3/config/route/v3/route_components.proto
				domains = strconv.Quote(at)
				c.Warn("", own[0].Label()+": a Host with a port matches no domain like "+at+": set strip_any_host_port in the HttpConnectionManager if clients send one")
			}
			rules = append(rules, pattern.Texts(pattern.General(l.Hops, own, host, anyHost), target, says, c)...)
		}
		fmt.Fprintf(&b, "      - name: %s\n        domains: [%s]\n        routes:\n", name, domains)
		for _, r := range rules {
			fmt.Fprintf(&b, "          # %s\n          - match:\n              %s\n", r.Comment(), match(r.Pattern))
			switch methods := r.Methods(); {
			case methods != r.Method:
				fmt.Fprintf(&b, "              headers: [{name: \":method\", string_match: {safe_regex: {regex: %q}}}]\n", methods)
			case methods != "":
				fmt.Fprintf(&b, "              headers: [{name: \":method\", string_match: {exact: %s}}]\n", methods)
			}
			b.WriteString("            route:\n" + r.Says)
		}
	}
	return b.String()
}

func match(p pattern.Pattern) string {
	switch p.Form {
	case pattern.Exact:
		return fmt.Sprintf("path: %q", p.Value)
	case pattern.Prefix:
		return fmt.Sprintf("prefix: %q", p.Value)
	}
	return fmt.Sprintf("safe_regex: {regex: %q}", p.Value)
}

// says are the cluster and the timers of a route. Without a condition nothing is
// tried again, and no policy is written.
func says(h emit.Hop, c *emit.Collector) string {
	var b strings.Builder
	fmt.Fprintf(&b, "              cluster: %s\n", h.Callee().To.Layer)
	tree(&b, 14, lines(h, routeFields, c))
	if h.Route.Response.Mode == chain.WebSocket { // which Envoy hands on where it is told to only
		b.WriteString("              upgrade_configs: [{upgrade_type: websocket}]\n")
	}
	if _, ok := find(h, "retry_policy.retry_on"); ok {
		tree(&b, 14, lines(h, retryFields, c))
		return b.String()
	}
	for _, f := range retryFields {
		if s, ok := find(h, f.setting); ok && s.Origin.Said() {
			c.Warn(s.Origin.Setting, s.Value+" is not written: without retry_on nothing is tried again")
		}
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
