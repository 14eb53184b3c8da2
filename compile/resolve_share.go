package compile

import (
	"slices"
	"strconv"

	"tchain.dev/tchain/chain"
)

// A grown node is what a layer came to on one route, with all below it and all
// that was said on the way. Routes that meet it in the same way share it: most
// routes of a stack differ in their names only.
type grown struct {
	node   *chain.Node
	nodes  []*chain.Node // it and all below
	layers []string      // all whose description decided something
	said   []func(*tree) // remarks, to be made again for each route
	given  bool          // something below counts what a caller gives it
}

// A trail is what a tree notes of itself while it grows, so that a part of it
// can be shared.
type trail struct {
	layers []string
	said   []func(*tree)
	own    int // parts that are of this route alone
}

// shared is grow, once for all routes that meet a layer in the same way. A route
// that says something of a layer has that layer, and all that call it, for itself.
func (t *tree) shared(name string, rest, above []string) *chain.Node {
	k := key(append([]string{strconv.FormatBool(t.route.HasBody()), string(t.route.Response.Mode), name}, rest...))
	if g := t.known[k]; g != nil && t.mayShare(g, above) {
		t.trail.layers = append(t.trail.layers, g.layers...)
		for _, say := range g.said {
			t.say(say)
		}
		t.takes(g)
		return g.node
	}
	layers, said, own, errs := len(t.trail.layers), len(t.trail.said), t.trail.own, len(t.errs)
	node := t.grow(name, rest, above)
	if node == nil || t.trail.own > own || len(t.errs) > errs {
		return node
	}
	g := &grown{node: node, layers: slices.Clone(t.trail.layers[layers:]), said: slices.Clone(t.trail.said[said:])}
	for _, n := range (&chain.Route{Root: node}).Nodes() {
		g.nodes = append(g.nodes, n)
		g.given = g.given || n.Deadline.From != ""
	}
	t.takes(g)
	if t.known[k] == nil {
		t.known[k] = g
	}
	return node
}

func (t *tree) takes(g *grown) {
	for _, n := range g.nodes {
		t.nodes[n] = true
	}
}

// mayShare reports whether the route can have a node as another route has it.
// One route has a node once, and what a caller gives belongs to that caller.
func (t *tree) mayShare(g *grown, above []string) bool {
	return !(g.given && len(above) > 0) &&
		!slices.ContainsFunc(g.layers, func(l string) bool { return t.speaksOf(l) || slices.Contains(above, l) }) &&
		!slices.ContainsFunc(g.nodes, func(n *chain.Node) bool { return t.nodes[n] })
}

// speaksOf reports whether the route says something of a layer.
func (t *tree) speaksOf(layer string) bool {
	_, calls := t.decl.Calls[layer]
	return calls || slices.ContainsFunc(t.decl.At, func(o *Layer) bool { return o.Name == layer })
}

// looks notes that a layer's description decides something.
func (t *tree) looks(layer string) {
	t.trail.layers = append(t.trail.layers, layer)
	if t.speaksOf(layer) {
		t.trail.own++
	}
}

// notice keeps a notice for the route, and for each that shares what it is about.
func (t *tree) notice(n chain.Notice) {
	t.say(func(t *tree) { t.notices(n, t.route.Name) })
}

// say makes a remark, here and on each route that shares what it is about.
func (t *tree) say(remark func(*tree)) {
	t.trail.said = append(t.trail.said, remark)
	remark(t)
}
