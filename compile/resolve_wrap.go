package compile

import (
	"slices"

	"tchain.dev/tchain/chain"
)

// wraps are the layers around a client's transport, outer first. path is what
// they are written at.
func (t *tree) wraps(h here, wraps []*Part, path ...string) []chain.ClientLayer {
	var out []chain.ClientLayer
	for i, w := range wraps {
		p := h.partOf(t, w, nil, append(slices.Clone(path), "wrap", indexed(i), w.Type.Key)...)
		e := t.settle(p, "", t.location(), h.over != nil)
		t.remarks(e)
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
