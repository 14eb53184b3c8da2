package pattern

import (
	"slices"

	"tchain.dev/tchain/emit"
)

// A Rule is one entry of a proxy that takes the first entry that matches.
type Rule[T any] struct {
	Pattern
	Says T // what the target writes for it
	Hop  emit.Hop
}

// Comment is the route, and when what is on its way ends.
func (r Rule[T]) Comment() string { return r.Hop.Label() + r.Hop.Ends() }

// Rules are those of hops in the order in which the first that matches is the one
// that ServeMux would choose. Two of the same requests that say something else are
// refused.
func Rules[T any](hops []emit.Hop, target string, says func(emit.Hop) T, same func(a, b T) bool, c *emit.Collector) []Rule[T] {
	var out []Rule[T]
	for _, h := range hops {
		r := Rule[T]{Of(h, target, c), says(h), h}
		at := slices.IndexFunc(out, func(o Rule[T]) bool { return o.Same(r.Pattern) })
		switch {
		case at < 0:
			out = append(out, r)
		case !same(out[at].Says, r.Says):
			c.Refuse(&emit.Refusal{Target: target, Value: out[at].Hop.Label() + " and " + h.Label(), Why: "they match the same requests, and their values differ"})
		}
	}
	slices.SortStableFunc(out, func(a, b Rule[T]) int { return Compare(a.Pattern, b.Pattern) })
	return out
}

// Texts are Rules whose entries are text.
func Texts(hops []emit.Hop, target string, says func(emit.Hop) string, c *emit.Collector) []Rule[string] {
	return Rules(hops, target, says, func(a, b string) bool { return a == b }, c)
}
