package compile

import (
	"cmp"
	"slices"

	"tchain.dev/tchain/chain"
)

// unmet are the settings that are written and in force on no route, in the order of the
// files: inner blocks beat them on each, or no route has their path.
func (r *resolver) unmet() []chain.Setting {
	met, seen := map[string]bool{}, map[*chain.Setting]bool{} // routes share the settings of a layer
	for _, route := range r.stack.Routes {
		for _, n := range route.Nodes() {
			if len(n.Settings) == 0 || seen[&n.Settings[0]] {
				continue
			}
			seen[&n.Settings[0]] = true
			for _, s := range n.Settings {
				if s.Origin.Said() {
					met[s.Origin.Setting] = true
				}
			}
		}
	}
	var out []chain.Setting
	var walk func(layer string, b *Block)
	walk = func(layer string, b *Block) {
		if b == nil || b.Field.Keyed == "list" { // the elements of a list are there on every route
			return
		}
		for _, v := range b.Values {
			setting := settingOf(v)
			if v.Field.ID == "" || !v.known() || v.name() == "version" || met[setting] || r.inForce[setting] {
				continue
			}
			met[setting] = true
			o := v.Origin
			o.Layer, o.ID = layer, v.Field.ID
			out = append(out, chain.Setting{Block: b.Field.Block, Value: v.Text, Origin: o})
		}
		for _, inner := range b.Blocks {
			walk(layer, inner)
		}
	}
	layers := slices.Clone(r.d.Layers)
	for _, decl := range r.d.Routes {
		layers = append(layers, decl.At...)
	}
	for _, l := range layers {
		if l.App == nil {
			walk(l.Name, l.Block)
			continue
		}
		parts := slices.Clone(l.App.Clients)
		if l.App.Server != nil {
			parts = append(parts, l.App.Server)
		}
		for _, p := range parts {
			walk(l.Name, p.Block)
		}
	}
	slices.SortStableFunc(out, func(a, b chain.Setting) int {
		x, y := a.Origin.Pos, b.Origin.Pos
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column))
	})
	return out
}
