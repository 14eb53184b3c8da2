package emit

import (
	"errors"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
)

// A PerLayer is a target that writes each layer of one type by itself, with all
// routes that cross it.
type PerLayer struct {
	Target string // in refusals
	Type   string // the key of the layers' type
	Called string // what a stack has none of, with its article: "an ALB"
	Named  bool   // file names have the layer's name where it is the only one, too
}

// Names are what a Target has under that name: all that of says of each layer.
func (p PerLayer) Names(of func(*Layer) []string) func(*chain.Stack, Options) []string {
	return func(s *chain.Stack, o Options) []string {
		routes, err := o.Select(s)
		if err != nil {
			return nil // Emit says so
		}
		var out []string
		for _, l := range Layers(routes, OfType(p.Type)) {
			out = append(out, of(l)...)
		}
		return out
	}
}

// Callees are the layers that the layer calls, each once, behind a word.
func (l *Layer) Callees(word string) []string {
	var out []string
	for _, h := range l.Hops {
		if call := h.Callee(); call != nil && !slices.Contains(out, word+call.To.Layer) {
			out = append(out, word+call.To.Layer)
		}
	}
	return out
}

// Files are those that write makes of each layer. file is what their names begin
// with: the name of the stack, and that of the layer where there are several. A
// stack without such a layer, and what is refused in any of them, is an error.
func (p PerLayer) Files(s *chain.Stack, o Options, write func(l *Layer, file string, c *Collector) []File) ([]File, []Warning, error) {
	routes, err := o.Select(s)
	if err != nil {
		return nil, nil, err
	}
	layers := Layers(routes, OfType(p.Type))
	if len(layers) == 0 {
		return nil, nil, &Refusal{Target: p.Target, Nothing: true, Why: "no route of " + s.Name + " crosses " + p.Called}
	}
	var files []File
	var c Collector
	for _, l := range layers {
		file := s.Name
		if len(layers) > 1 || p.Named {
			file += "." + l.Name
		}
		c.Plain(p.Target, file, "file name")
		if c.AtRunTime(p.Target, l.Name, routes, nil) {
			continue
		}
		c.Heed(p.Target, s, l.Name, routes)
		own := c.Files(p.Target, l.Name, write(l, file, &c)...)
		var said []chain.Setting
		for _, h := range l.Hops {
			said = append(said, h.Node.Settings...)
		}
		c.Lost("tchain emit "+p.Target, said, own)
		files = append(files, own...)
	}
	c.Unmet(s, func(o chain.Origin) bool { return strings.HasPrefix(o.ID, p.Type+".") }, files)
	if len(c.Refusals) > 0 {
		return nil, nil, errors.Join(c.Refusals...)
	}
	return files, c.Warnings, nil
}
