package compile

import (
	"slices"

	"tchain.dev/tchain/chain"
)

// grow is the node of a layer with all that it calls. rest is what the path
// says comes after it, above the layers that lead to it; nil with an error if
// that cannot be followed.
func (t *tree) grow(name string, rest, above []string) *chain.Node {
	l := t.layer(name)
	if l == nil {
		t.fail(t.decl.Pos, "route %q goes over %q, which is no layer", t.decl.Pattern, name)
		return nil
	}
	if slices.Contains(above, name) {
		t.fail(t.decl.Pos, "route %q comes to %s twice", t.decl.Pattern, name)
		return nil
	}
	t.used[name] = true
	above = append(slices.Clone(above), name)
	w := t.at(l)
	if l.App != nil {
		return t.growApp(w, rest, above)
	}
	peer := ""
	if len(rest) > 0 {
		peer = rest[0]
	}
	p := w.part(t)
	if peer != "" {
		p.http2 = t.speaksHTTP2(peer)
	}
	e := t.settle(p, peer, t.location(), w.over != nil)
	node := t.layerNode(w, e)
	if peer == "" {
		return node
	}
	if node.Role == chain.RoleLeaf {
		t.fail(t.decl.Pos, "route %q goes on after %s, of which nothing is known but what it answers", t.decl.Pattern, name)
		return nil
	}
	to := t.shared(peer, rest[1:], above)
	if to == nil {
		return nil
	}
	call := t.layerCall(w, e, node, to)
	node.Steps = []chain.Step{{Calls: []*chain.Call{call}}}
	return node
}

// location is the request path that blocks by location are laid against.
func (t *tree) location() location {
	return location{path: t.route.Pathname, prefix: t.route.Prefix}
}

// A here is a layer as this route meets it: as written, with what the route
// says of it on top.
type here struct {
	layer *Layer
	over  *Layer // nil if the route says nothing
}

// at is a layer with the route's override; a setting that the product cannot
// keep per route is an error there.
func (t *tree) at(l *Layer) here {
	t.looks(l.Name)
	for _, o := range t.decl.At {
		if o.Name != l.Name {
			continue
		}
		if o.Type != nil && o.Type != l.Type {
			t.fail(o.Pos, "%s is %s, not %s", l.Name, l.Type.Key, o.Type.Key)
			return here{layer: l}
		}
		return here{layer: l, over: o}
	}
	return here{layer: l}
}

func (h here) facts() layered {
	if h.over != nil {
		return layered{h.over.Facts, h.layer.Facts}
	}
	return layered{h.layer.Facts}
}

// blocks are the blocks of the type.
func (h here) blocks() layered {
	if h.over != nil {
		return layered{h.over.Block, h.layer.Block}
	}
	return layered{h.layer.Block}
}

// part is the layer's product.
func (h here) part(t *tree) *part {
	l := h.layer
	return &part{
		typ: l.Type, blocks: h.blocks(), path: []string{"layers", l.Name, l.Type.Key}, pos: l.Pos,
		layer: l.Name, version: h.blocks().value("version").text(), asOf: t.d.AsOf, place: t.place,
	}
}

// app are the app's plain settings: runtime, deadline, errors, relay, work; none
// of a layer that is one product.
func (h here) app() layered {
	if h.layer.App == nil {
		return nil
	}
	if h.over != nil && h.over.App != nil {
		return layered{h.over.App.Block, h.layer.App.Block}
	}
	return layered{h.layer.App.Block}
}

// overridden are the route's own blocks of a server or client of the app.
func (t *tree) overridden(h here, base *Part, pick func(*App) *Part) layered {
	if h.over == nil || h.over.App == nil {
		return nil
	}
	p := pick(h.over.App)
	switch {
	case p == nil:
		return nil
	case p.Type != nil && p.Type != base.Type:
		t.fail(p.Pos, "%s of %s is %s, not %s", p.Name, h.layer.Name, base.Type.Key, p.Type.Key)
		return nil
	}
	return layered{p.Block}
}

// wrap is what is wrapped around the layer's own calls; a list of the route's
// replaces the layer's.
func (h here) wrap() []*Part {
	if h.over != nil && len(h.over.Wrap) > 0 {
		return h.over.Wrap
	}
	return h.layer.Wrap
}

// partOf is the product of a server, client or wrap of the app, with the version
// that it says itself or that follows from the app's runtime.
func (h here) partOf(t *tree, p *Part, over layered, path ...string) *part {
	out := &part{
		typ: p.Type, blocks: append(slices.Clone(over), p.Block), path: append([]string{"layers", h.layer.Name}, path...),
		pos: p.Pos, layer: h.layer.Name, asOf: t.d.AsOf, place: t.place,
	}
	if out.pos == (chain.Range{}) {
		out.pos = h.layer.Pos
	}
	t.version(h, out)
	return out
}
