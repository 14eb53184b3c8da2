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

// The variables by which a server block sends the headers of WebSockets on: a line of
// them inside a location would switch off those that the team has in the server block.
const (
	upgradeHeader    = "$upgrade_header"
	connectionHeader = "$connection_header"
)

// serverHeaders are the lines of headers that stand in the server block.
type serverHeaders struct {
	rows       []row  // what all hops to an upstream have in common that hand on no WebSocket
	upgrades   bool   // Upgrade and Connection are variables, which the location of a WebSocket sets
	connection string // the Connection header elsewhere
	upgrade    string // the Upgrade header elsewhere
}

func headersOf(hops []hop, c *collector) serverHeaders {
	out := serverHeaders{connection: "close", upgrade: `""`}
	found, alike := false, true
	for _, h := range hops {
		if h.Callee() == nil || family(h.Route) != "proxy_" {
			continue
		}
		if out.upgrades = out.upgrades || h.upgrades(); h.upgrades() {
			continue
		}
		own := h.headers(c)
		alike = alike && (!found || sameLines(own, out.rows))
		out.rows, found = own, true
	}
	if !alike {
		out.rows = nil
	}
	if modern(hops[0].Node.Product) {
		out.connection = `""`
	}
	if line := lookup(out.rows, connectionLine); line.value != "" {
		_, out.connection, _ = strings.Cut(line.value, " ")
	}
	if line := lookup(out.rows, upgradeLine); line.value != "" {
		_, out.upgrade, _ = strings.Cut(line.value, " ")
	}
	return out
}

// The keys of the lines of headers that the locations of WebSockets have from here.
const (
	connectionLine = setHeader + " Connection"
	upgradeLine    = setHeader + " Upgrade"
)

// others are lines without those of Connection and Upgrade.
func others(rows []row) []row {
	return slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.key() == connectionLine || r.key() == upgradeLine })
}

func (s serverHeaders) write(p *page) {
	if s.rows == nil && !s.upgrades {
		return
	}
	p.raw("")
	rows := s.rows
	if s.upgrades {
		p.raw("# for the locations of WebSockets%s. They stand", elsewhere(s.upgrade))
		rows = append([]row{
			{name: "set", value: upgradeHeader + " " + s.upgrade}, {name: "set", value: connectionHeader + " " + s.connection},
			{name: setHeader, value: "Upgrade " + upgradeHeader}, {name: setHeader, value: "Connection " + connectionHeader},
		}, others(rows)...)
	}
	p.raw("# beside your own proxy_set_header lines, which one inside a location would switch off")
	for _, r := range rows {
		p.set(0, r.name, r.value, r.comment)
	}
}

// elsewhere is what else is known of the Upgrade header in other locations.
func elsewhere(upgrade string) string {
	if upgrade == `""` {
		return "; elsewhere no Upgrade is sent"
	}
	return ""
}

// ownHeaders are the lines of headers inside the hop's location: none where the server
// block's are the hop's own, else all, since the first one switches those off.
func (h hop) ownHeaders(server serverHeaders, c *collector) []row {
	own := h.headers(c)
	switch {
	case !h.upgrades() && sameLines(own, server.rows):
		return nil
	case !h.upgrades():
		return own
	case sameLines(others(own), others(server.rows)):
		return []row{
			{name: "set", value: upgradeHeader + " $http_upgrade", comment: h.asWritten("Upgrade")},
			{name: "set", value: connectionHeader + " " + connectionUpgrade, comment: h.asWritten("Connection")},
		}
	}
	return append([]row{
		{name: setHeader, value: "Upgrade $http_upgrade", comment: joined(h.asWritten("Upgrade"), "this location takes no proxy_set_header from server {}")},
		{name: setHeader, value: "Connection " + connectionUpgrade, comment: h.asWritten("Connection")},
	}, others(own)...)
}

// asWritten is the path of a header that the stack writes for WebSockets itself, to the
// same effect as the line from here; "" where it says none, or what opens none.
func (h hop) asWritten(header string) string {
	for _, s := range h.Node.Settings {
		opens := strings.Contains(s.Value, "$") || strings.Contains(strings.ToLower(s.Value), "upgrade") || header == "Upgrade" && s.Value != ""
		if isHeader(s) && s.Origin.Name == header && s.Origin.Source == chain.Written && opens {
			return s.Origin.Setting
		}
	}
	return ""
}

func joined(path, why string) string {
	if path == "" {
		return why
	}
	return path + ": " + why
}

func sameLines(a, b []row) bool {
	return slices.EqualFunc(a, b, func(x, y row) bool { return x.name == y.name && x.value == y.value })
}
