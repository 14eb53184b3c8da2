package nginx

import (
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// A row is one line of a location.
type row struct {
	name, value, comment string
	origin               chain.Origin
}

func (loc *location) write(p *page, common []chain.Setting, headers serverHeaders, shared []params, c *collector) {
	first := loc.hops[0]
	rows := first.rows(common, headers, c)
	p.raw("")
	var said []string
	for i, h := range loc.hops {
		if i > 0 {
			loc.agree(first, h, rows, h.rows(common, headers, c), c)
			c.Warn("", first.Label()+" and "+h.Label()+" meet in location "+loc.pattern.match()+": what stands in it holds for both")
		}
		if text := h.Label() + h.Ends(); !slices.Contains(said, text) {
			said = append(said, text)
			p.raw("# %s", text)
		}
	}
	if first.Inside {
		p.raw("# an app further out chooses the path, which the stack does not tell")
	}
	p.raw("location %s {", loc.pattern.match())
	for _, r := range includes(rows, family(first.Route), shared) {
		p.set(4, r.name, r.value, r.comment)
	}
	p.raw("}")
}

// agree refuses two routes that need different values in one place.
func (loc *location) agree(a, b hop, as, bs []row, c *collector) {
	for _, name := range names(as, bs) {
		x, y := lookup(as, name), lookup(bs, name)
		if x.value == y.value {
			continue
		}
		o := y.origin
		if o.Source == chain.Default {
			o = x.origin
		}
		c.Refuse(&emit.Refusal{Target: "nginx", Setting: o.Setting, Why: a.Label() + " and " + b.Label() + " meet in location " +
			loc.pattern.match() + ", where " + name + " cannot be both " + orUnset(x.value) + " and " + orUnset(y.value)})
	}
}

// takesOthers warns of requests that a less specific route is for, by their method,
// and that come here all the same and meet another value.
func (loc *location) takesOthers(all []*location, common []chain.Setting, headers serverHeaders, c *collector) {
	for _, wider := range all {
		if wider == loc || !wider.pattern.covers(loc.pattern) {
			continue
		}
		for _, h := range wider.hops {
			if slices.ContainsFunc(loc.hops, func(o hop) bool { return takes(o.Route.Method, h.Route.Method) }) {
				continue
			}
			as, bs := loc.hops[0].rows(common, headers, c), h.rows(common, headers, c)
			for _, name := range names(as, bs) {
				if x, y := lookup(as, name).value, lookup(bs, name).value; x != y {
					c.Warn("", h.Label()+" and "+loc.hops[0].Label()+" meet in location "+loc.pattern.match()+
						", which NGINX chooses by the path alone: there "+name+" is "+orUnset(x)+" for both, not "+orUnset(y))
				}
			}
		}
	}
}

// key tells the lines of a location apart: a directive may stand there once, and
// proxy_set_header and set once for a header or variable.
func (r row) key() string {
	if r.name != setHeader && r.name != "set" {
		return r.name
	}
	header, _, _ := strings.Cut(r.value, " ")
	return r.name + " " + header
}

func names(as, bs []row) []string {
	var out []string
	for _, r := range append(slices.Clone(as), bs...) {
		if !slices.Contains(out, r.key()) {
			out = append(out, r.key())
		}
	}
	return out
}

func lookup(rows []row, name string) row {
	for _, r := range rows {
		if r.key() == name {
			return r
		}
	}
	return row{}
}

func orUnset(v string) string {
	if v == "" {
		return "unset"
	}
	return v
}

// rows are the lines of the hop's location, beside those of the server block around
// it: common, and its headers.
func (h hop) rows(common []chain.Setting, headers serverHeaders, c *collector) []row {
	fam := family(h.Route)
	out := h.pass(fam, c)
	if fam == "proxy_" && h.Callee() != nil {
		out = append(out, h.ownHeaders(headers, c)...)
	}
	if h.Callee() != nil {
		h.complete(fam, c)
	}
	for _, s := range h.settings(false, c) {
		name := s.Origin.Name
		if name == "proxy_http_version" && (h.wantsKeepalive() || h.upgrades()) { // pass writes it
			continue
		}
		switch f := familyOf(name); {
		case f == fam:
			if stated(s) {
				out = append(out, row{name, native(s), comment(s, h), s.Origin})
			}
		case f != "" && s.Origin.Source == chain.Written:
			c.Refuse(emit.Refuse("nginx", s.Origin, "%s is passed on with %spass", h.Label(), fam))
		case f == "" && stated(s) && !slices.Contains(mainOnly, name) && !slices.ContainsFunc(common, func(b chain.Setting) bool {
			return b.Origin.Name == name && native(b) == native(s)
		}):
			out = append(out, row{name, native(s), comment(s, h), s.Origin})
		}
	}
	return out
}

// pass are the lines that say where to and in which protocol.
func (h hop) pass(fam string, c *collector) []row {
	call := h.Callee()
	if call == nil {
		return nil
	}
	c.Plain("nginx", call.To.Layer, "layer name")
	scheme := map[bool]string{false: "http", true: "https"}[call.TLS]
	if fam == "grpc_" {
		scheme = map[bool]string{false: "grpc", true: "grpcs"}[call.TLS]
	}
	if call.TLS {
		c.Warn("", "location for "+call.To.Layer+" uses TLS: set "+fam+"ssl_name, "+fam+"ssl_server_name and Host in server {}, NGINX would send the name "+call.To.Layer)
	}
	out := []row{{name: fam + "pass", value: scheme + "://" + call.To.Layer}}
	if fam != "proxy_" {
		return out
	}
	s, _ := h.find("proxy_http_version")
	switch low := s.Value == "" || s.Value == "1.0"; {
	case !h.upgrades() && !h.wantsKeepalive():
		return out
	case h.upgrades() && low && s.Origin.Source != chain.Written:
		c.Warn(s.Origin.Setting, "HTTP/1.1 towards "+call.To.Layer+" is needed for a WebSocket: proxy_http_version 1.1 is written, the stack leaves it at the default 1.0")
		return append(out, row{"proxy_http_version", "1.1", "for a WebSocket", s.Origin})
	case h.upgrades() && low:
		c.Warn(s.Origin.Setting, "with HTTP/1.0 no connection to "+call.To.Layer+" is upgraded")
	}
	return append(out, row{s.Origin.Name, s.Value, comment(s, h), s.Origin})
}

// upgrades reports whether the hop hands WebSockets on.
func (h hop) upgrades() bool {
	return h.Route.Response.Mode == chain.WebSocket && h.Callee() != nil && family(h.Route) == "proxy_"
}

// comment is the setting path, or "default", and what the value does.
func comment(s chain.Setting, h hop) string {
	text := s.Origin.Setting
	switch s.Origin.Source {
	case chain.Default:
		text = "default"
	case chain.Derived, chain.Fixed:
		text = strings.TrimSpace(text + " " + s.Origin.Note)
	}
	if n := note(s, h); n != "" {
		text += ": " + n
	}
	return strings.ReplaceAll(text, "\n", " ")
}
