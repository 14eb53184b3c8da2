package nginx

import (
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// order is the order of the directives that have one; others follow as they come.
var order = []string{
	"client_header_timeout", "client_body_timeout", "send_timeout", "keepalive_timeout", "keepalive_time",
	"proxy_http_version", "proxy_connect_timeout", "proxy_send_timeout", "proxy_read_timeout",
	"proxy_next_upstream", "proxy_next_upstream_tries", "proxy_next_upstream_timeout",
	"grpc_connect_timeout", "grpc_send_timeout", "grpc_read_timeout",
	"grpc_next_upstream", "grpc_next_upstream_tries", "grpc_next_upstream_timeout",
}

// serverOnly are directives that no location takes.
var serverOnly = []string{"client_header_timeout"}

// mainOnly are directives that stand outside http {}.
var mainOnly = []string{"worker_shutdown_timeout"}

// families are the modules that pass requests on, by the start of their directives.
var families = []string{"proxy_", "grpc_", "fastcgi_", "uwsgi_", "scgi_", "memcached_"}

// family is the module that serves the route.
func family(r *chain.Route) string {
	if r.Protocol == "grpc" {
		return "grpc_"
	}
	return "proxy_"
}

func familyOf(name string) string {
	for _, f := range families {
		if strings.HasPrefix(name, f) {
			return f
		}
	}
	return ""
}

// stated reports whether the setting gets a line: whatever somebody wrote, and
// every timer, whose default would otherwise hang on the version and the outer blocks.
func stated(s chain.Setting) bool {
	if s.Value == "" {
		return false
	}
	if s.Origin.Source != chain.Default {
		return true
	}
	name := s.Origin.Name
	switch {
	case name == "resolver_timeout": // it runs only for names that are resolved at run time
		return false
	case familyOf(name) != "" && strings.Contains(name, "_next_upstream"):
		return true
	}
	return strings.HasSuffix(name, "_timeout") || strings.HasSuffix(name, "_time")
}

// settings are the settings of a hop in writing order: its upstream's, or all others.
func (h hop) settings(upstream bool, c *collector) []chain.Setting {
	var out []chain.Setting
	for _, s := range h.Node.Settings {
		if (s.Block == "upstream") == upstream && !isHeader(s) {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b chain.Setting) int { return rank(a) - rank(b) })
	return out
}

func rank(s chain.Setting) int {
	if i := slices.Index(order, s.Origin.Name); i >= 0 {
		return i
	}
	return len(order)
}

// complete refuses a location that would leave a timer to the outer blocks
// because its value is not known, and says what else is not.
func (h hop) complete(fam string, c *collector) {
	for _, name := range []string{"connect_timeout", "send_timeout", "read_timeout"} {
		if s, _ := h.find(fam + name); s.Value == "" {
			c.Refuse(&emit.Refusal{Target: "nginx", Value: h.Label(), Why: fam + name + " of " + h.Node.Layer + " has no value that is known; name the other routes with --route to leave it out"})
		}
	}
	for _, n := range h.Route.NotChecked {
		if n.Layer == h.Node.Layer && n.Setting != "" {
			c.Warn(n.Setting, "not written for "+h.Label()+": "+n.Reason)
		}
	}
}

// find is the setting of a name outside the upstream block.
func (h hop) find(name string) (chain.Setting, bool) {
	for _, s := range h.Node.Settings {
		if s.Block != "upstream" && s.Origin.Name == name {
			return s, true
		}
	}
	return chain.Setting{}, false
}

// native is the value as it stands in nginx.conf. "1h 30m" is one time, which
// NGINX takes without the space too; "75s 60s" is two.
func native(s chain.Setting) string {
	words := strings.Fields(s.Value)
	if len(words) < 2 || !strings.Contains(s.Origin.Name, "time") {
		return strings.Join(words, " ")
	}
	last := len(units)
	for _, w := range words {
		at := slices.Index(units, strings.TrimLeft(w, "0123456789"))
		if at < 0 || at >= last {
			return strings.Join(words, " ")
		}
		last = at
	}
	return strings.Join(words, "")
}

var units = []string{"ms", "s", "m", "h", "d", "w", "M", "y"}
