package nginx

import (
	"slices"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// Target is `tchain emit nginx`.
var Target = emit.Target{
	Name:  "nginx",
	Title: "NGINX: locations for server {} and upstreams for http {}",
	Emit:  write,
	Names: perLayer.Names(func(l *emit.Layer) []string {
		out := l.Callees("upstream ")
		if slices.ContainsFunc(l.Hops, func(h emit.Hop) bool { return hop{h}.upgrades() }) {
			out = append(out, "map "+connectionUpgrade)
		}
		return out
	}),
}

var perLayer = emit.PerLayer{Target: "nginx", Type: "nginx", Called: "an NGINX layer", Listed: true}

// A hop is an NGINX layer as one route meets it.
type hop struct{ emit.Hop }

// A layer is one NGINX with all routes that cross it.
type layer struct {
	stack *chain.Stack
	name  string
	file  string // the start of its file names
	hops  []hop
}

func write(s *chain.Stack, o emit.Options) ([]emit.File, []emit.Warning, error) {
	return perLayer.Files(s, o, func(l *emit.Layer, file string, out *emit.Collector) (files []emit.File) {
		own, c := &layer{stack: s, name: l.Name, file: file}, &collector{out}
		for _, h := range l.Hops {
			own.hops = append(own.hops, hop{h})
		}
		shared := own.params(c)
		for _, host := range own.hosts() {
			files = append(files, own.serverFile(host, shared, c))
		}
		for _, p := range shared {
			files = append(files, own.paramsFile(p))
		}
		return append(files, own.upstreamFile(c))
	})
}

type collector struct{ *emit.Collector }
