package nginx

import (
	"errors"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// Target is `tchain emit nginx`.
var Target = emit.Target{
	Name:  "nginx",
	Title: "NGINX: locations for server {} and upstreams for http {}",
	Emit:  write,
}

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
	routes, err := o.Select(s)
	if err != nil {
		return nil, nil, err
	}
	layers := layersOf(s, routes)
	if len(layers) == 0 {
		return nil, nil, &emit.Refusal{Target: "nginx", Why: "no route of " + s.Name + " crosses an NGINX layer"}
	}
	var files []emit.File
	var c collector
	for _, l := range layers {
		l.file = s.Name
		if len(layers) > 1 {
			l.file += "." + l.name
		}
		c.Plain("nginx", l.file, "file name")
		for _, host := range l.hosts() {
			files = append(files, l.serverFile(host, &c))
		}
		files = append(files, l.upstreamFile(&c))
	}
	if len(c.Refusals) > 0 {
		return nil, nil, errors.Join(c.Refusals...)
	}
	return files, c.Warnings, nil
}

func layersOf(s *chain.Stack, routes []*chain.Route) []*layer {
	var out []*layer
	for _, l := range emit.Layers(routes, emit.OfType("nginx")) {
		own := &layer{stack: s, name: l.Name}
		for _, h := range l.Hops {
			own.hops = append(own.hops, hop{h})
		}
		out = append(out, own)
	}
	return out
}

type collector struct{ emit.Collector }
