package compile

import (
	"fmt"
	"math"
	"strings"

	"tchain.dev/tchain/chain"
)

// route is one route at one entrance; nil with an error where its path cannot
// be followed.
func (r *resolver) route(decl *RouteDecl, entrance NamedPath) *chain.Route {
	route := &chain.Route{Name: decl.Pattern, Pos: decl.Pos, Path: entrance.Path, Entrance: entrance.Name}
	setPattern(route)
	t := &tree{resolver: r, decl: decl, route: route, nodes: map[*chain.Node]bool{}}
	t.facts()
	if len(entrance.Path) == 0 {
		r.fail(decl.Pos, "route %q has no path", decl.Pattern)
		return nil
	}
	failed := len(r.errs)
	route.Root = t.shared(entrance.Path[0], entrance.Path[1:], nil)
	if route.Root == nil || len(r.errs) > failed {
		return nil
	}
	chain.HandOn(route)
	return route
}

// setPattern splits a pattern as ServeMux reads it: method, host, path.
func setPattern(route *chain.Route) {
	route.Method, route.Host, route.Pathname, route.Prefix = splitPattern(route.Name)
	route.Pathname = strings.TrimSuffix(route.Pathname, "{$}") // which only says that it is no prefix
}

// A tree grows the nodes of one route.
type tree struct {
	*resolver
	decl  *RouteDecl
	route *chain.Route
	trail trail
	nodes map[*chain.Node]bool // those that the route has so far
}

// facts are what the route says of itself.
func (t *tree) facts() {
	block := layered{t.decl.Block}
	route := t.route
	if v := block.value("tps"); t.given(v, "") {
		route.TPS = perThousand(v.Raw)
	}
	route.Concurrent = t.size(block.value("concurrent"), "")
	if v := block.value("idempotent"); t.given(v, "") {
		yes := v.yes()
		route.Idempotent = &yes
	}
	route.IdempotencyKey = block.value("idempotencyKey").text()
	route.Within = t.duration(block.value("within"), "")
	route.QuietFor = t.duration(block.value("quietFor"), "")
	route.Protocol = block.value("protocol").text()
	if v := block.value("request", "upload", "size"); t.given(v, "") {
		route.Upload = &chain.Upload{Origin: v.Origin, Silence: t.duration(block.value("request", "upload", "silence"), "")}
		route.Upload.Bytes, route.Upload.BytesPerSecond = sizeAndRate(block.child("request").child("upload"))
	}
	t.response(block.child("response"))
}

// protocolWebSocket is the protocol of a route whose requests each open a WebSocket.
const protocolWebSocket = "websocket"

func (t *tree) response(block layered) {
	r := &t.route.Response
	switch {
	case len(block.child("stream")) > 0:
		b := block.child("stream")
		r.Mode = chain.Stream
		r.First, r.Silence, r.Total = t.duration(b.value("first"), ""), t.duration(b.value("silence"), ""), t.duration(b.value("total"), "")
		r.HeartbeatEvery = t.duration(b.value("heartbeat", "every"), "")
		r.HeartbeatFrom = b.value("heartbeat", "from").text()
	case len(block.child("download")) > 0:
		b := block.child("download")
		r.Mode = chain.Download
		r.DownloadBytes, r.BytesPerSecond = sizeAndRate(b)
	case len(block.child("websocket")) > 0:
		b := block.child("websocket")
		r.Mode = chain.WebSocket
		r.Silence, r.Total, r.HeartbeatEvery = t.duration(b.value("silence"), ""), t.duration(b.value("total"), ""), t.duration(b.value("ping"), "")
	case len(block.child("poll")) > 0:
		r.Mode = chain.Poll
	case t.route.Protocol == protocolWebSocket: // of which nothing more is said
		r.Mode = chain.WebSocket
	}
}

// takenToMake says what is assumed of an app that does not say whether it hands on
// bytes as they come, where the route's answer would cross it.
func (t *tree) takenToMake(h here, above []string) {
	root := t.route.Path[0]
	if t.route.Response.Flows() {
		t.trail.own++ // what stands further out decides
	}
	if !t.route.Response.Flows() || h.app().value("relay") != nil || h.layer.Name == root {
		return
	}
	for _, name := range above {
		if l := t.layer(name); name != root && name != h.layer.Name && l.App != nil && !t.at(l).app().value("relay").yes() {
			return // which is taken to make it, further out
		}
	}
	t.notChecked(h.layer.Name, h.layer.Name+".app.relay", fmt.Sprintf(
		"whether %[1]s hands on the bytes of its callees as they come is not declared: %[1]s is taken to make the %[2]s itself; say relay: true or false", h.layer.Name, t.route.Response.Mode.Text()))
}

// given reports whether a value is written and known; what is injected and not
// given is listed as not checked.
func (t *tree) given(v *Value, layer string) bool {
	if v != nil && !v.known() {
		t.gap(layer, settingOf(v), notGiven(v.name(), v.Inject))
	}
	return v != nil && v.known()
}

func (t *tree) size(v *Value, layer string) chain.Size {
	if !t.given(v, layer) {
		return chain.Size{}
	}
	return chain.Size{N: v.number(), Origin: t.own(v, layer)}
}

func (t *tree) duration(v *Value, layer string) chain.Value {
	if !t.given(v, layer) {
		return chain.Value{}
	}
	return chain.Value{D: v.D, Origin: t.own(v, layer)}
}

// measured is duration for what says how something is: other text there would not
// change it, so that it has no place to write it.
func (t *tree) measured(v *Value, layer string) chain.Value {
	out := t.duration(v, layer)
	out.Origin.Place = nil
	return out
}

// own is the origin of a fact about a layer.
func (t *tree) own(v *Value, layer string) chain.Origin {
	o := v.Origin
	if layer != "" {
		o.Layer = layer
	}
	return o
}

func settingOf(v *Value) string {
	if v.Origin.Setting != "" {
		return v.Origin.Setting
	}
	return settingPath(v.Path)
}

// notGiven is a value that nobody gave before run time; how is what would give it, or "".
func notGiven(name, how string) chain.NotChecked {
	if how != "" {
		how = " (" + how + ")"
	}
	return chain.NotChecked{Reason: name + " is " + unknownBound + how, AtRunTime: name}
}

func (t *tree) notChecked(layer, setting, reason string) {
	t.gap(layer, setting, chain.NotChecked{Reason: reason})
}

// gap notes what is not checked of a setting of a layer.
func (t *tree) gap(layer, setting string, n chain.NotChecked) {
	n.Layer, n.Setting = layer, setting
	t.say(func(t *tree) { t.leavesOut(n) })
}

// leavesOut notes on the route, once, what is not checked.
func (t *tree) leavesOut(n chain.NotChecked) {
	n.Route = t.route.Name
	for _, old := range t.route.NotChecked {
		if old == n {
			return
		}
	}
	t.route.NotChecked = append(t.route.NotChecked, n)
}

// perThousand is a rate per second as a number per 1000 s, rounded up.
func perThousand(raw any) int64 {
	switch n := raw.(type) {
	case int64:
		return n * 1000
	case float64:
		return int64(math.Ceil(n*1000 - 1e-6))
	}
	return 0
}
