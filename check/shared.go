package check

import (
	"slices"

	"tchain.dev/tchain/chain"
)

// attribute says of findings whose layer it is, and the other place of the value that
// is marked: where a layer uses it, or where a file that several stacks share has it.
func attribute(s *chain.Stack, fs []Finding) {
	if len(fs) == 0 {
		return
	}
	owners := map[string]string{}
	others := map[string]Related{}
	for _, r := range s.Routes {
		for _, n := range r.Nodes() {
			owners[n.Layer] = n.Owner
			for _, x := range n.Settings {
				if o := x.Origin; o.Used.File != "" {
					others[o.Setting] = Related{Pos: o.Used, Message: "is used here"}
				} else if o.Shared.File != "" && o.Shared != o.Pos {
					others[o.Setting] = Related{Pos: o.Shared, Message: "is written here"}
				}
			}
		}
	}
	for i := range fs {
		f := &fs[i]
		if f.Owner == "" {
			f.Owner = owners[f.Layer]
		}
		other, ok := others[f.Setting]
		if !ok || other.Pos == f.Pos || slices.ContainsFunc(f.Related, func(r Related) bool { return r.Pos == other.Pos }) {
			continue
		}
		f.Related = append(f.Related[:len(f.Related):len(f.Related)], other)
	}
}
