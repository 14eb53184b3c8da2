package draft

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	// perSecond and instances are what a draft assumes of the traffic.
	perSecond = 10
	instances = 2
)

// skeleton are the layers with their types, and of apps the parts.
func skeleton(layers []Layer) *field {
	root := &field{name: "layers"}
	for i, l := range layers {
		at := root.at(label(l.Name))
		switch {
		case l.Text != "":
			at.at(l.Type).value = strconv.Quote(l.Text)
		case l.Server == "":
			at.at(l.Type).why = l.Note
		default:
			n := at.at("instances")
			n.value, n.why = strconv.Itoa(instances), "each has pools of its own; write yours"
			at.at(l.Type, "server", l.Server)
			if i+1 < len(layers) {
				at.at(l.Type, "clients", label(layers[i+1].Name)).at(strings.Split(l.Client, ".")...)
			}
		}
	}
	return root
}

// text is the stack as drafted so far.
func (d *drafter) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, `// The way of a request, from its caller inward. Names and numbers are a start:
// write your own, and tchain check says what does not fit any more.
package %s

tchain: "v1"
name: %s

`, d.chain.Package, strconv.Quote(d.chain.Name))
	d.layers.write(&b, "")
	names := make([]string, len(d.chain.Layers))
	for i, l := range d.chain.Layers {
		names[i] = strconv.Quote(l.Name)
	}
	fmt.Fprintf(&b, `
routes: "GET /": {
	path: [%s]
	tps: %d // at the peak, over all instances; write yours
}
`, strings.Join(names, ", "), perSecond)
	return b.String()
}
