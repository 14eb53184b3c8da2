package compile

import (
	"net/http"
	"slices"
	"strings"
)

func (d *decoder) routes(m member) {
	fields, ok := members(m.v, m.path)
	if !ok {
		if !broken(m.v) {
			d.failValue(m.path, `routes is %s; write one key for each request pattern: routes: "GET /v1/pay": {…}`, shownValue(m.v))
		}
		return
	}
	if len(fields) == 0 {
		d.failValue(m.path, `routes is empty; write one key for each request pattern: routes: "GET /v1/pay": {…}`)
	}
	for _, f := range fields {
		d.out.Routes = append(d.out.Routes, d.route(f))
	}
	d.ambiguous(fields)
}

func (d *decoder) route(m member) *RouteDecl {
	r := &RouteDecl{Pattern: m.name, Pos: d.labelOf(m.path)}
	if why := wrongPattern(m.name); why != "" {
		d.failLabel(m.path, "route pattern %q %s", m.name, why)
	}
	typ, err := d.cat.typ("facts", "route")
	if err != nil {
		d.failLabel(m.path, "%v", err)
		return r
	}
	w := &walk{typ: typ}
	d.suppressions(d.attrsOf(m.path), m.path)
	fields, ok := members(m.v, m.path)
	if !ok && !broken(m.v) {
		d.failValue(m.path, "route is %s; it takes a block with path, tps and the like", shownValue(m.v))
	}
	var plain []member
	for _, f := range fields {
		switch f.name {
		case "path":
			r.Path, _ = d.spine(f.v, f.path)
		case "paths":
			d.entrances(r, f)
		case "at", "calls":
		default:
			plain = append(plain, f)
		}
	}
	r.Block = d.fields(w, typ.Root, plain, m.path)
	d.oneResponse(r.Block)
	for _, f := range plain {
		d.laterField(w, f)
	}
	if r.Path != nil && r.Paths != nil {
		d.failLabel(below(m.path, "paths"), "route has path and paths; write one of them")
	}
	d.flow(r)
	for _, f := range fields {
		switch f.name {
		case "at":
			d.overrides(r, f)
		case "calls":
			d.routeCalls(r, f)
		}
	}
	return r
}

// oneResponse demands that an answer has one form, which the protocol may say too.
func (d *decoder) oneResponse(b *Block) {
	protocol := layered{b}.value("protocol").text()
	for _, in := range b.Blocks {
		switch {
		case in.Field.Name != "response" || len(in.Blocks) == 0:
		case len(in.Blocks) > 1:
			d.failLabel(in.Blocks[1].Path, "response has two forms, %s and %s; an answer is exactly one", in.Blocks[0].Field.Name, in.Blocks[1].Field.Name)
		case protocol == protocolWebSocket && in.Blocks[0].Field.Name != protocolWebSocket:
			d.failLabel(in.Blocks[0].Path, "response has the form %s, which no answer of protocol: %q has; write response: websocket or another protocol", in.Blocks[0].Field.Name, protocol)
		}
	}
}

func (d *decoder) entrances(r *RouteDecl, m member) {
	fields, ok := members(m.v, m.path)
	if !ok {
		if !broken(m.v) {
			d.failValue(m.path, `paths is %s; write one path for each entrance: paths: {web: […], mobile: […]}`, shownValue(m.v))
		}
		return
	}
	for _, f := range fields {
		if names, ok := d.spine(f.v, f.path); ok {
			r.Paths = append(r.Paths, NamedPath{f.name, names})
		}
	}
}

// overrides reads what differs on a route.
func (d *decoder) overrides(r *RouteDecl, m member) {
	fields, ok := members(m.v, m.path)
	if !ok {
		if !broken(m.v) {
			d.failValue(m.path, "at is %s; write at: LAYER: TYPE: {…}", shownValue(m.v))
		}
		return
	}
	reach := d.reachable(r)
	for _, f := range fields {
		l := d.layerNamed(f.name)
		if l == nil && d.lost {
			continue
		}
		if l == nil {
			d.failLabel(f.path, "unknown layer %q in at; %s", f.name, meant(f.name, d.layerNames(), 8))
			continue
		}
		if len(reach) > 0 && !slices.Contains(reach, f.name) {
			d.failLabel(f.path, "%s is not on the way of this route: %s", f.name, strings.Join(reach, ", "))
			continue
		}
		o := &Layer{Name: f.name}
		if d.sameType(l, f) {
			d.layer(o, f, true)
			r.At = append(r.At, o)
		}
	}
}

// sameType demands that an override is of the layer's own type.
func (d *decoder) sameType(l *Layer, m member) bool {
	if l.Type == nil {
		return false
	}
	fields, _ := members(m.v, m.path)
	for _, f := range fields {
		if f.name != l.Type.Key && d.cat.has("layer", f.name) {
			d.failLabel(f.path, "%s is of type %s, not %s", l.Name, l.Type.Key, f.name)
			return false
		}
	}
	return true
}

// reachable are the layers that a route's requests can meet: those of its
// paths, and what their apps call.
func (d *decoder) reachable(r *RouteDecl) []string {
	var out []string
	add := func(names ...string) {
		for _, n := range names {
			if !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	add(r.Path...)
	for _, p := range r.Paths {
		add(p.Path...)
	}
	if len(out) == 0 {
		add(d.out.DefaultPath...)
	}
	for i := 0; i < len(out); i++ {
		if l := d.layerNamed(out[i]); l != nil && l.App != nil {
			for _, c := range l.App.Clients {
				add(c.To...)
				if c.Via != "" {
					add(c.Via)
				}
			}
		}
	}
	return out
}

// methods are those of HTTP itself. Any other word can be one, too.
var methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions, http.MethodConnect, http.MethodTrace}

// wrongPattern says what is wrong with a request pattern; "" if nothing is. The
// forms are those of Go's ServeMux, which is asked.
func wrongPattern(pattern string) (why string) {
	if method, _, ok := strings.Cut(pattern, " "); ok && method != strings.ToUpper(method) && strings.ToUpper(method) != "" {
		return "has its method in lower case; write " + strings.ToUpper(method)
	} else if ok && !slices.Contains(methods, method) {
		if near := Closest(method, methods); near != "" {
			return "has the method " + method + "; did you mean " + near + "?"
		}
	}
	defer func() {
		if e := recover(); e != nil {
			text, _ := e.(string)
			if err, ok := e.(error); ok {
				text = err.Error()
			}
			why = "is malformed: " + patternReason(text)
		}
	}()
	http.NewServeMux().Handle(pattern, http.NotFoundHandler())
	return ""
}

// patternReason is what ServeMux says without its prefix and offset.
func patternReason(text string) string {
	if text == "http: invalid pattern" {
		return `it is empty; write a pattern as "GET /v1/pay"`
	}
	if _, rest, ok := strings.Cut(text, "at offset "); ok {
		if _, reason, ok := strings.Cut(rest, ": "); ok {
			text = reason
		}
	}
	if text == "host/path missing /" {
		return `it has no path; write a pattern as "GET /v1/pay"`
	}
	return text
}

// splitPattern is a well-formed pattern in its parts; a path that ends in a
// slash covers what is below.
func splitPattern(pattern string) (method, host, path string, prefix bool) {
	rest := pattern
	if m, after, ok := strings.Cut(pattern, " "); ok {
		method, rest = m, strings.TrimLeft(after, " \t")
	}
	if i := strings.Index(rest, "/"); i >= 0 {
		host, path = rest[:i], rest[i:]
	}
	return method, host, path, strings.HasSuffix(path, "/") || strings.HasSuffix(path, "...}")
}
