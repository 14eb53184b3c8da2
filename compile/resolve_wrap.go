package compile

import (
	"slices"

	"tchain.dev/tchain/chain"
)

// wraps are the layers around a client's transport, outer first. path is what
// they are written at, and client is what they are around.
func (t *tree) wraps(h here, client *effective, wraps []*Part, path ...string) []chain.ClientLayer {
	var out []chain.ClientLayer
	for i, w := range wraps {
		p := h.partOf(t, w, nil, append(slices.Clone(path), "wrap", indexed(i), w.Type.Key)...)
		e := t.settle(p, "", t.location(), h.over != nil)
		t.remarks(e)
		if client.typ.Returns && !t.underSpring(client) {
			e.conditions().withoutStatuses(client.typ.Key)
		}
		layer := chain.ClientLayer{Name: w.Type.Key, Retry: e.retry()}
		for _, l := range e.timers {
			t.inForce[l.Origin.Setting] = true
			if l.Side == chain.Calling && l.Kind != chain.PoolWait && slices.Contains(exchangeKinds, l.Kind) { // see guard
				layer.Limits = append(layer.Limits, l)
			}
		}
		out = append(out, layer)
	}
	return out
}

// underSpring reports whether one of Spring's clients calls a product, as its
// settings or the app's runtime say. Those throw an exception for a status.
func (t *tree) underSpring(e *effective) bool {
	if !slices.ContainsFunc(e.typ.Root.Fields, func(f *Field) bool { return f.Name == "spring" }) {
		return false
	}
	written := func(name string) bool { return len(e.blocks.child(name)) > 0 }
	return written("factory") || written("properties") || e.blocks.value("spring") != nil || t.versionsOf(e.layer).springOf() != ""
}
