package check

import (
	"slices"

	"tchain.dev/tchain/chain"
)

// attribute says of findings whose layer it is, and where the value was written
// that the marked place takes from a file which several stacks share.
func attribute(s *chain.Stack, fs []Finding) {
	if len(fs) == 0 {
		return
	}
	owners := map[string]string{}
	shared := map[string]chain.Range{}
	for _, r := range s.Routes {
		for _, n := range r.Nodes() {
			owners[n.Layer] = n.Owner
			for _, x := range n.Settings {
				if o := x.Origin; o.Shared.File != "" && o.Shared != o.Pos {
					shared[o.Setting] = o.Shared
				}
			}
		}
	}
	for i := range fs {
		f := &fs[i]
		if f.Owner == "" {
			f.Owner = owners[f.Layer]
		}
		at, ok := shared[f.Setting]
		if !ok || at == f.Pos || slices.ContainsFunc(f.Related, func(r Related) bool { return r.Pos == at }) {
			continue
		}
		f.Related = append(f.Related[:len(f.Related):len(f.Related)], Related{at, "is written here"})
	}
}
