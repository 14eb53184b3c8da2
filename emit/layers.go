package emit

import (
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
)

// A Hop is a layer as one route meets it.
type Hop struct {
	Route *chain.Route
	Node  *chain.Node
	Outer *chain.Node // who calls the layer; nil if it is outermost
	Call  *chain.Call // Outer's call to it; nil if it is outermost
	// Inside says that an app stands further out: it chooses the path of its own
	// calls, which the stack does not tell.
	Inside bool
}

// A Layer is one layer with the routes that cross it, in the order of the stack.
type Layer struct {
	Name string
	Hops []Hop
	All  []Hop // with those that Options.Routes leaves out; only PerLayer says
}

// Keeps reports whether a hop of All is one of Hops.
func (l *Layer) Keeps(h Hop) bool {
	return slices.ContainsFunc(l.Hops, func(o Hop) bool { return o.Node == h.Node })
}

// Layers are the layers that keep accepts, in the order in which routes meet them.
func Layers(routes []*chain.Route, keep func(*chain.Node) bool) []*Layer {
	var out []*Layer
	add := func(h Hop) {
		for _, l := range out {
			if l.Name == h.Node.Layer {
				l.Hops = append(l.Hops, h)
				return
			}
		}
		out = append(out, &Layer{Name: h.Node.Layer, Hops: []Hop{h}})
	}
	for _, r := range routes {
		var walk func(h Hop)
		walk = func(h Hop) {
			if keep(h.Node) {
				add(h)
			}
			for _, c := range h.Node.Calls() {
				walk(Hop{r, c.To, h.Node, c, h.Inside || h.Node.Role == chain.RoleBuffering})
			}
		}
		walk(Hop{Route: r, Node: r.Root})
	}
	return out
}

// OfType keeps the layers of one type, by its key.
func OfType(key string) func(*chain.Node) bool {
	return func(n *chain.Node) bool { return n.Type == key }
}

// AnswersWith keeps the apps whose server is of a product, by its name in the catalogue.
func AnswersWith(product string) func(*chain.Node) bool {
	return func(n *chain.Node) bool {
		return slices.ContainsFunc(n.Settings, func(s chain.Setting) bool {
			return strings.HasPrefix(s.Block+".", "server.") && strings.HasPrefix(s.Origin.ID, product+".")
		})
	}
}

// Callee is the layer's first call; nil if it answers itself.
func (h Hop) Callee() *chain.Call {
	if calls := h.Node.Calls(); len(calls) > 0 {
		return calls[0]
	}
	return nil
}

// Label is the route, with its entrance where it has several.
func (h Hop) Label() string {
	if h.Route.Entrance != "" {
		return h.Route.Name + " (" + h.Route.Entrance + ")"
	}
	return h.Route.Name
}

// Ends is when the inner layer, this one and the outer one end at worst, to
// follow Label: ": api ends at 95s, this layer at 128s". Of an external service
// nothing is known.
func (h Hop) Ends() string {
	var parts []string
	add := func(n *chain.Node, name string) {
		switch sum := chain.Worst(h.Route, n); {
		case n.Role == chain.RoleLeaf || n.Role == chain.RoleUnknown:
		case sum.Total == chain.Never:
			parts = append(parts, name+" never ends")
		case sum.NotChecked != nil:
			parts = append(parts, name+" ends at "+chain.Format(sum.Total)+" or later")
		case sum.Total > 0:
			parts = append(parts, name+" ends at "+chain.Format(sum.Total))
		}
	}
	for _, c := range h.Node.Calls() {
		add(c.To, c.To.Layer)
	}
	add(h.Node, "this layer")
	if h.Outer != nil {
		add(h.Outer, h.Outer.Layer)
	}
	for i := 1; i < len(parts); i++ {
		parts[i] = strings.Replace(parts[i], " ends at ", " at ", 1)
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}
