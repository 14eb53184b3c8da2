package gohttp

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// serverMechanism is what a route's limits need, under the package name that it has here.
//
//go:embed internal/upstream/tchain_server.go
var serverMechanism string

// common are the fields of an http.Server that are the same for all routes.
var common = []string{"ReadHeaderTimeout", "ReadTimeout", "IdleTimeout"}

// isServer tells the apps that answer with Go's http.Server.
var isServer = emit.AnswersWith("gohttp")

// A routeLimit is what one route has of its own.
type routeLimit struct {
	route          string
	write, handler time.Duration // 0 is none
	comment        string
}

// serverFiles are an app's server: its fields, and a table of routes where those have
// limits of their own.
func serverFiles(l *emit.Layer, s *chain.Stack, pkg, dir string, c *emit.Collector) []emit.File {
	first := l.Hops[0]
	routes := routeLimits(l, c)
	longest, same, endless := time.Duration(0), true, false
	for _, r := range routes {
		longest, same, endless = max(longest, r.write), same && r.write == routes[0].write, endless || r.write == 0
	}
	if endless {
		longest = 0
	}
	table := !same || slices.ContainsFunc(routes, func(r routeLimit) bool { return r.handler > 0 })
	name := exported(l.Name)
	var b strings.Builder
	fmt.Fprintf(&b, "// %sServer is the server of %s. None of its limits ends a handler.\nfunc %[1]sServer(h http.Handler) *http.Server {\nreturn &http.Server{\nHandler: h,\n", name, l.Name)
	for _, field := range common {
		d, o := serverTime(first, field, c)
		for _, h := range l.Hops[1:] {
			if other, at := serverTime(h, field, c); other != d {
				c.Refuse(emit.Refuse(target, at, "%s and %s share one server, where %s cannot be both %s and %s", first.Label(), h.Label(), field, chain.Format(d), chain.Format(other)))
			}
		}
		comment := emit.From(o)
		if read, _ := serverTime(first, "ReadTimeout", c); d == 0 && read > 0 {
			comment += "; ReadTimeout"
		} else {
			comment = unlimited(comment, d)
		}
		fmt.Fprintf(&b, "%s: %s, // %s\n", field, expr(d), comment)
	}
	_, o := serverTime(first, "WriteTimeout", c)
	from := emit.From(o)
	if !same {
		from = "the longest of all routes"
	}
	fmt.Fprintf(&b, "WriteTimeout: %s, // %s\n}\n}\n", expr(longest), unlimited(from, longest))
	if table {
		fmt.Fprintf(&b, "\n// %sRoutes are the limits of each route of %s: mux.Handle(route, %[1]sRoutes[route].Limit(handler)).\nvar %[1]sRoutes = map[string]RouteLimits{\n", name, l.Name)
		for _, r := range routes {
			fmt.Fprintf(&b, "%q: {%s}, // %s\n", r.route, r.fields(), r.comment)
		}
		b.WriteString("}\n")
	}
	files := []emit.File{{Name: dir + fileWord(l.Name) + "_server.go", Content: source(b.String(), l.Name, pkg, s, c)}}
	if table {
		files = append(files, emit.File{Name: dir + "tchain_server.go", Content: packaged(serverMechanism, pkg)})
	}
	return files
}

// routeLimits are what each route has; behind another app, of whose calls the paths
// are not known, all have to be the same.
func routeLimits(l *emit.Layer, c *emit.Collector) []routeLimit {
	var out []routeLimit
	for _, h := range l.Hops {
		r := routeLimit{route: h.Route.Name}
		write, from := serverTime(h, "WriteTimeout", c)
		r.write, r.comment = max(write, 0), unlimited(emit.From(from), write)
		if s, ok := setting(h, "TimeoutHandler"); ok && s.Value != "null" { // null is a handler without it
			handler, at := serverTime(h, "TimeoutHandler", c)
			if handler <= 0 {
				c.Refuse(emit.Refuse(target, at, "http.TimeoutHandler ends every handler at once"))
			}
			r.handler, r.comment = handler, r.comment+"; "+emit.From(s.Origin)
		}
		at := slices.IndexFunc(out, func(o routeLimit) bool { return o.route == r.route || h.Inside })
		switch {
		case at < 0:
			out = append(out, r)
		case out[at].write != r.write || out[at].handler != r.handler:
			c.Refuse(&emit.Refusal{Target: target, Value: l.Hops[0].Label() + " and " + h.Label(), Why: "the server of " + l.Name + " cannot tell them apart, and their limits differ"})
		}
	}
	return out
}

// fields are those of RouteLimits that are limits.
func (r routeLimit) fields() string {
	var parts []string
	if r.write > 0 {
		parts = append(parts, "Write: "+expr(r.write))
	}
	if r.handler > 0 {
		parts = append(parts, "Handler: "+expr(r.handler))
	}
	return strings.Join(parts, ", ")
}

func unlimited(comment string, d time.Duration) string {
	if d <= 0 {
		return comment + "; no limit"
	}
	return comment
}

func setting(h emit.Hop, name string) (chain.Setting, bool) {
	for _, s := range h.Node.Settings {
		if s.Block == "server" && s.Origin.ID == "gohttp."+name && s.Value != "" {
			return s, true
		}
	}
	return chain.Setting{}, false
}

// serverTime is a timer of the server as Go has it: a negative one is no limit, and 0
// is none either but where ReadTimeout takes its place.
func serverTime(h emit.Hop, name string, c *emit.Collector) (time.Duration, chain.Origin) {
	s, ok := setting(h, name)
	d, err := time.ParseDuration(s.Value)
	switch {
	case !ok:
		c.Refuse(&emit.Refusal{Target: target, Setting: h.Node.Layer + ".app.server.gohttp." + name, Why: "it has no value that is known here"})
	case err != nil:
		c.Refuse(emit.Refuse(target, s.Origin, "it is no duration"))
	}
	return d, s.Origin
}
