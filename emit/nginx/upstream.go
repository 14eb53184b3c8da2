package nginx

import (
	"slices"
	"strconv"
	"strings"

	"tchain.dev/tchain/emit"
)

func (l *layer) upstreamFile(c *collector) emit.File {
	name := l.file + ".upstream.conf"
	var p page
	l.header(&p, name)
	p.raw("# include in http {}")
	l.upgradeMap(&p)
	var peers []hop
	for _, h := range l.hops {
		call := h.Callee()
		if call == nil {
			continue
		}
		at := slices.IndexFunc(peers, func(o hop) bool { return o.Callee().To.Layer == call.To.Layer })
		if at < 0 {
			peers = append(peers, h)
			continue
		}
		samePeer(peers[at], h, c)
	}
	for _, h := range peers {
		h.upstream(&p, l.file, c)
	}
	return emit.File{Name: name, Content: p.bytes()}
}

// connectionUpgrade is the Connection header towards the upstream of a WebSocket.
const connectionUpgrade = "$connection_upgrade"

// upgradeMap gives a request that asks for an upgrade its Connection header, and
// leaves one that does not as it is elsewhere: closed, or kept for reuse.
func (l *layer) upgradeMap(p *page) {
	at := slices.IndexFunc(l.hops, hop.upgrades)
	if at < 0 {
		return
	}
	without := "close"
	if slices.ContainsFunc(l.hops, func(h hop) bool { return h.upgrades() && h.connection().Value == "" }) {
		without = `""`
	}
	p.raw("")
	p.raw("# Connection for the locations of WebSockets, where a request may also come without Upgrade")
	p.raw("map $http_upgrade %s {", connectionUpgrade)
	p.set(4, "default", "upgrade", "")
	p.set(4, `""`, without, "")
	p.raw("}")
}

// samePeer refuses two routes whose one upstream would need different values.
func samePeer(a, b hop, c *collector) {
	for _, s := range b.settings(true, c) {
		if v := a.upstreamValue(s.Origin.Name); v != s.Value {
			c.Refuse(&emit.Refusal{Target: "nginx", Setting: s.Origin.Setting, Why: a.Label() + " and " + b.Label() + " meet in upstream " +
				b.Callee().To.Layer + ", where " + s.Origin.Name + " cannot be both " + orUnset(v) + " and " + orUnset(s.Value)})
		}
	}
}

func (h hop) upstreamValue(name string) string {
	for _, s := range h.Node.Settings {
		if s.Block == "upstream" && s.Origin.Name == name {
			return s.Value
		}
	}
	return ""
}

func (h hop) upstream(p *page, file string, c *collector) {
	peer := h.Callee().To.Layer
	p.raw("")
	p.raw("upstream %s {", peer)
	servers := false
	for _, s := range h.settings(true, c) {
		if s.Origin.Name != "server" || s.Value == "" {
			continue
		}
		servers = true
		p.raw("    # %s", strings.Join(append([]string{s.Origin.Setting}, h.ejectionFrom()...), ", "))
		for _, text := range serverLines(s.Value, h.ejection()) {
			if strings.ContainsAny(text, ";{}\"'#\\") {
				c.Refuse(emit.Refuse("nginx", s.Origin, "%q is no server", text))
			}
			p.set(4, "server", text, "")
		}
	}
	if !servers {
		include := file + "." + peer + ".servers.conf"
		p.raw("    # the stack names no servers: one `server HOST:PORT%s;` a line, in a file of your own", h.ejection())
		if from := h.ejectionFrom(); from != nil {
			p.raw("    # %s", strings.Join(from, ", "))
		}
		p.set(4, "include", include, "")
		c.Warn("", "upstream "+peer+" has no servers in the stack: it includes "+include+", which is yours to write")
	}
	h.keepalive(p, c)
	p.raw("}")
}

// ejection is how failures take a server out of use, as parameters of its line.
func (h hop) ejection() string {
	text := ""
	for _, name := range []string{"max_fails", "fail_timeout"} {
		if v := h.upstreamValue(name); v != "" {
			text += " " + name + "=" + strings.ReplaceAll(v, " ", "")
		}
	}
	return text
}

// ejectionFrom is where the stack writes those parameters.
func (h hop) ejectionFrom() []string {
	var out []string
	for _, s := range h.Node.Settings {
		if s.Block == "upstream" && (s.Origin.Name == "max_fails" || s.Origin.Name == "fail_timeout") && s.Origin.Said() {
			out = append(out, s.Origin.Setting)
		}
	}
	return out
}

// serverLines are the servers of a space separated list, each with its parameters.
func serverLines(list, defaults string) []string {
	var out []string
	for _, w := range strings.Fields(list) {
		param := strings.Contains(w, "=") || slices.Contains([]string{"backup", "down", "resolve", "drain"}, w)
		if param && len(out) > 0 {
			out[len(out)-1] += " " + w
		} else {
			out = append(out, w)
		}
	}
	for i, text := range out {
		for param := range strings.FieldsSeq(defaults) {
			if name, _, _ := strings.Cut(param, "="); !strings.Contains(text, " "+name+"=") {
				out[i] += " " + param
			}
		}
	}
	return out
}

// keepalive writes the kept connections, or that there are none.
func (h hop) keepalive(p *page, c *collector) {
	if !h.wantsKeepalive() {
		if modern(h.Node.Product) {
			p.set(4, "keepalive", "0", h.keepaliveFrom()+"no connection is kept")
			return
		}
		p.raw("    # %sno keepalive: every request opens a connection", h.keepaliveFrom())
		return
	}
	for _, s := range h.settings(true, c) {
		switch s.Origin.Name {
		case "server", "max_fails", "fail_timeout":
		default:
			if s.Origin.Name == "keepalive" || stated(s) {
				p.set(4, s.Origin.Name, native(s), comment(s, h))
			}
		}
	}
}

// keepaliveFrom is where the stack writes that there are none, before what comes of it.
func (h hop) keepaliveFrom() string {
	for _, s := range h.Node.Settings {
		if s.Block == "upstream" && s.Origin.Name == "keepalive" && s.Origin.Said() {
			return s.Origin.Setting + ": "
		}
	}
	return ""
}

// wantsKeepalive reports whether the stack has connections to the upstream kept.
func (h hop) wantsKeepalive() bool {
	v := strings.Fields(h.upstreamValue("keepalive"))
	return len(v) > 0 && v[0] != "0"
}

// modern reports whether the version is known to be 1.29.7 or newer, which keeps
// connections to upstreams by itself.
func modern(product string) bool {
	parts := strings.Split(version(product), ".")
	want := []int{1, 29, 7}
	for i, w := range want {
		if i >= len(parts) {
			return false
		}
		n, err := strconv.Atoi(parts[i])
		if err != nil || n != w {
			return err == nil && n > w
		}
	}
	return true
}
