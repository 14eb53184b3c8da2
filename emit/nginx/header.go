package nginx

import (
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// setHeader is the directive of the headers of a request to the upstream.
const setHeader = "proxy_set_header"

// isHeader reports whether a setting is a header of a request to the upstream, which
// is called by the header's name.
func isHeader(s chain.Setting) bool { return strings.HasSuffix(s.Block, "."+setHeader) }

// connection is the Connection header towards the upstream; the zero Setting, which
// sends none, where the stack knows none.
func (h hop) connection() chain.Setting {
	for _, s := range h.Node.Settings {
		if isHeader(s) && s.Origin.Name == "Connection" {
			return s
		}
	}
	return chain.Setting{}
}

// headers are the lines of all headers that the hop sends and NGINX would not send so
// by itself: what is written, and an empty Connection where a release before 1.29.7 may
// run.
func (h hop) headers(c *collector) []row {
	var out []row
	for _, s := range h.Node.Settings {
		needed := s.Origin.Name == "Connection" && s.Value == "" && h.wantsKeepalive() && !modern(h.Node.Product)
		if !isHeader(s) || s.Origin.Source != chain.Written && !needed {
			continue
		}
		c.Plain("nginx", s.Origin.Name, "header name")
		out = append(out, row{setHeader, s.Origin.Name + " " + headerValue(s, c), headerComment(s, h), s.Origin})
	}
	return out
}

func headerComment(s chain.Setting, h hop) string {
	text := comment(s, h)
	if s.Origin.Name == "Connection" && s.Value == "" {
		text += ": kept open"
	}
	return text
}

// headerValue is a header's value as one word of nginx.conf.
func headerValue(s chain.Setting, c *collector) string {
	if strings.ContainsAny(s.Value, "\r\n") {
		c.Refuse(emit.Refuse("nginx", s.Origin, "a header has no line breaks"))
	}
	if s.Value != "" && !strings.ContainsAny(s.Value, " \t;{}\"'\\#") {
		return s.Value
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s.Value) + `"`
}

// serverHeaders are the lines of headers that stand in the server block: what all hops
// to an upstream have in common that hand on no WebSocket.
func serverHeaders(hops []hop, c *collector) []row {
	var out []row
	found := false
	for _, h := range hops {
		if h.Callee() == nil || family(h.Route) != "proxy_" || h.upgrades() {
			continue
		}
		own := h.headers(c)
		if found && !sameLines(own, out) {
			return nil
		}
		out, found = own, true
	}
	return out
}

// ownHeaders are the lines of headers inside the hop's location: none where the server
// block's are the hop's own, else all, since the first one switches those off.
func (h hop) ownHeaders(server []row, c *collector) []row {
	own := h.headers(c)
	if h.upgrades() {
		own = slices.DeleteFunc(own, func(r row) bool { return r.key() == setHeader+" Connection" })
		return append([]row{
			{name: setHeader, value: "Upgrade $http_upgrade", comment: "this location takes no proxy_set_header from server {}"},
			{name: setHeader, value: "Connection " + connectionUpgrade},
		}, own...)
	}
	if sameLines(own, server) {
		return nil
	}
	return own
}

func sameLines(a, b []row) bool {
	return slices.EqualFunc(a, b, func(x, y row) bool { return x.name == y.name && x.value == y.value })
}
