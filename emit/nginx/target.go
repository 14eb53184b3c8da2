package nginx

import (
	"errors"
	"regexp"

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
type hop struct {
	route *chain.Route
	node  *chain.Node
	outer *chain.Node // who calls the layer; nil if it is outermost
	call  *chain.Call // outer's call to it; nil if it is outermost
	// inside says that an app stands further out: it chooses the path of its own
	// calls, which the stack does not tell.
	inside bool
}

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
		c.plain(l.file, "file name")
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
	add := func(h hop) {
		for _, l := range out {
			if l.name == h.node.Layer {
				l.hops = append(l.hops, h)
				return
			}
		}
		out = append(out, &layer{stack: s, name: h.node.Layer, hops: []hop{h}})
	}
	for _, r := range routes {
		var walk func(h hop)
		walk = func(h hop) {
			if h.node.Type == "nginx" {
				add(h)
			}
			for _, c := range h.node.Calls() {
				walk(hop{r, c.To, h.node, c, h.inside || h.node.Role == chain.RoleBuffering})
			}
		}
		walk(hop{route: r, node: r.Root})
	}
	return out
}

type collector struct{ emit.Collector }

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

// plain refuses a word that would need quoting in NGINX or in a file name.
func (c *collector) plain(word, what string) {
	if !plainWord.MatchString(word) {
		c.Refuse(&emit.Refusal{Target: "nginx", Value: word, Why: "a " + what + " takes letters, digits, dot, dash and underscore"})
	}
}
