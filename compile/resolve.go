package compile

import (
	"fmt"
	"slices"

	"tchain.dev/tchain/chain"
)

// A resolver works out one stack.
type resolver struct {
	d     *Decoded
	place placeFunc
	stack *chain.Stack
	errs  []Error
	// inForce are the settings that are in force on any route: a value that wins
	// somewhere is not shadowed.
	inForce map[string]bool
	used    map[string]bool // the layers on any route
	settled map[string]*effective
	slots   map[*Type]map[string]slots // by the path that they are below
	known   map[string]*grown          // parts of trees that routes may share
	pooled  []pooledCall
}

// resolve turns what was written into what is in force: for each route, and for
// each entrance of it, a fresh tree of nodes and calls. place says where a
// setting that is not written could be; nil where nothing can be inserted. With
// errors the stack holds the routes that could be resolved.
func resolve(d *Decoded, place placeFunc) (*chain.Stack, []Error) {
	r := &resolver{
		d: d, place: place, inForce: map[string]bool{}, used: map[string]bool{}, settled: map[string]*effective{}, slots: map[*Type]map[string]slots{}, known: map[string]*grown{},
		stack: &chain.Stack{Name: d.Name, Dir: d.Dir, Pos: d.Pos, Policy: d.Policy},
	}
	for _, decl := range d.Routes {
		paths := decl.Paths
		if len(paths) == 0 {
			path := decl.Path
			if len(path) == 0 {
				path = d.DefaultPath
			}
			paths = []NamedPath{{Path: path}}
		}
		for _, p := range paths {
			if route := r.route(decl, p); route != nil {
				r.stack.Routes = append(r.stack.Routes, route)
			}
		}
	}
	r.settlePooled()
	for _, l := range d.Layers {
		if !r.used[l.Name] && len(r.errs) == 0 {
			r.stack.NotChecked = append(r.stack.NotChecked, chain.NotChecked{Layer: l.Name, Reason: l.Name + " is on no route: no path names it"})
		}
	}
	r.stack.Notices = slices.DeleteFunc(r.stack.Notices, func(n chain.Notice) bool {
		return losing(n) && r.inForce[n.Origin.Setting]
	})
	r.stack.Notices = eachWinner(r.stack.Notices)
	r.stack.Unmet = r.unmet()
	return r.stack, r.errs
}

func (r *resolver) fail(at chain.Range, format string, args ...any) {
	e := Error{Range: at, Message: fmt.Sprintf(format, args...)}
	if !slices.Contains(r.errs, e) {
		r.errs = append(r.errs, e)
	}
}

// slotsOf are the slots of all parts of a type.
func (r *resolver) slotsOf(t *Type) map[string]slots {
	if r.slots[t] == nil {
		r.slots[t] = map[string]slots{}
	}
	return r.slots[t]
}

// settle is settle, once for all routes that meet a part in the same way. What a
// route says of a part is its own, and so is what is written by request path.
func (t *tree) settle(p *part, peer string, at location, own bool) *effective {
	p.slots = t.slotsOf(p.typ)
	if own {
		return settle(p, peer, at)
	}
	if p.byLocation() {
		t.trail.own++
	} else {
		at = location{}
	}
	r := t.resolver
	k := key(append(slices.Clone(p.path), peer, p.http2, at.path, fmt.Sprint(at.prefix)))
	if r.settled[k] == nil {
		r.settled[k] = settle(p, peer, at)
	}
	return r.settled[k]
}

// byLocation reports whether anything is written by request path, or by another
// key that a resolver may lay against it.
func (p *part) byLocation() bool {
	return slices.ContainsFunc(p.typ.Root.Fields, func(f *Field) bool {
		return f.Elem != nil && f.Keyed != "peer" && len(p.blocks.elements(f)) > 0
	})
}

func (r *resolver) layer(name string) *Layer {
	for _, l := range r.d.Layers {
		if l.Name == name {
			return l
		}
	}
	return nil
}

// notices keeps a notice once, with all routes that it holds for.
func (r *resolver) notices(n chain.Notice, route string) {
	for i := range r.stack.Notices {
		old := &r.stack.Notices[i]
		if old.Kind == n.Kind && old.Layer == n.Layer && old.Origin.Setting == n.Origin.Setting && old.Origin.Pos == n.Origin.Pos && old.Message == n.Message {
			if !slices.Contains(old.Routes, route) {
				old.Routes = append(old.Routes, route)
			}
			for _, c := range n.Remedy {
				if !slices.ContainsFunc(old.Remedy, func(o chain.Change) bool { return o.Origin.Setting == c.Origin.Setting }) {
					old.Remedy = append(slices.Clip(old.Remedy), c)
				}
			}
			return
		}
	}
	n.Routes = []string{route}
	r.stack.Notices = append(r.stack.Notices, n)
}
