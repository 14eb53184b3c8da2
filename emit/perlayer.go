package emit

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
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
	// Listed says that a file lists the routes, so that one of some routes is no part of
	// that of all.
	Listed bool
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

func counted(routes int) string {
	if routes == 1 {
		return "route"
	}
	return strconv.Itoa(routes) + " routes"
}

// Files are those that write makes of each layer. file is what their names begin
// with: the name of the stack, and that of the layer where the stack has several. A
// stack without such a layer, and what is refused in any of them, is an error.
func (p PerLayer) Files(s *chain.Stack, o Options, write func(l *Layer, file string, c *Collector) []File) ([]File, []Warning, error) {
	routes, err := o.Select(s)
	if err != nil {
		return nil, nil, err
	}
	layers, all := Layers(routes, OfType(p.Type)), Layers(s.Routes, OfType(p.Type))
	if len(layers) == 0 {
		return nil, nil, &Refusal{Target: p.Target, Nothing: true, Why: "no route of " + s.Name + " crosses " + p.Called}
	}
	var files []File
	var c Collector
	for _, l := range layers {
		file := s.Name
		if len(all) > 1 || p.Named {
			file += "." + l.Name
		}
		l.All = all[slices.IndexFunc(all, func(a *Layer) bool { return a.Name == l.Name })].Hops
		if left := len(l.All) - len(l.Hops); p.Listed && left > 0 {
			c.Warn("", fmt.Sprintf("%s has only what --route keeps of %s, and not the other %s: in place of the files of all routes, its files take those away", file, l.Name, counted(left)))
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
