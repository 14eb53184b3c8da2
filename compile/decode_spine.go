package compile

import (
	"slices"

	"cuelang.org/go/cue"

	"tchain.dev/tchain/chain"
)

// spine reads a path: the names of layers, from the person to the last one.
func (d *decoder) spine(v cue.Value, path []string) (names []string, ok bool) {
	if broken(v) {
		d.bad[key(path)] = true
		return nil, false
	}
	list, isList := elements(v, path)
	if !isList {
		d.failValue(path, `%s is %s; a path is a list of layers: ["web", "edge", "api"]`, lastName(path), shownValue(v))
		return nil, false
	}
	ok = true
	for _, e := range list {
		name, err := concrete(e.v).String()
		switch {
		case broken(e.v):
			ok = false
		case err != nil:
			d.failValue(e.path, "path has %s in its list; it takes the names of layers", shownValue(e.v))
			ok = false
		case !d.isLayer(name):
			d.failValue(e.path, "unknown layer %q in path; %s", name, meant(name, d.layerNames(), 8))
			ok = false
		case slices.Contains(names, name):
			d.failValue(e.path, "path goes through %s twice", name)
			ok = false
		}
		names = append(names, name)
	}
	if len(list) == 0 && v.Allows(cue.AnyIndex) {
		d.failValue(path, "%s has no value; %s", lastName(path), noValue(d.src.attrs(path...), "name the layers from the person to the last one"))
		return nil, false
	}
	if len(list) == 0 {
		d.failValue(path, "%s is empty; name the layers from the person to the last one", lastName(path))
		ok = false
	}
	if len(list) == 1 && ok && !d.isApp(names[0]) {
		d.failValue(path, "%s has only %s; a request needs a caller and a callee", lastName(path), names[0])
		ok = false
	}
	return names, ok
}

// checkSpines judges the paths once all layers and routes are known.
func (d *decoder) checkSpines() {
	for _, l := range d.out.Layers {
		if l.App != nil {
			d.callees(l, l.App.Calls, []string{"layers", l.Name, "app", "calls"})
		}
	}
	if d.out.DefaultPath != nil {
		d.order(d.out.DefaultPath, []string{"path"})
	}
	for _, r := range d.out.Routes {
		at := []string{"routes", r.Pattern}
		switch {
		case r.Path == nil && r.Paths == nil && d.out.DefaultPath == nil && !d.anyBad(below(at, "path"), below(at, "paths"), []string{"path"}):
			if !d.bad[key(at)] {
				d.failAt(r.Pos, `route has no path; write path: ["web", …] here or at the top of the stack`)
			}
		case r.Path != nil:
			d.order(r.Path, below(at, "path"))
		}
		for _, p := range r.Paths {
			d.order(p.Path, below(at, "paths", p.Name))
		}
	}
}

// anyBad reports whether an error was reported for one of the paths or below.
func (d *decoder) anyBad(paths ...[]string) bool {
	for _, p := range paths {
		k := key(p)
		for bad := range d.bad {
			if bad == k || len(bad) > len(k) && bad[:len(k)+1] == k+"\x00" {
				return true
			}
		}
	}
	return false
}

// order demands that each layer of a path can stand where it stands.
func (d *decoder) order(names []string, path []string) {
	if d.anyBad(path) {
		return
	}
	for i, name := range names {
		l := d.layerNamed(name)
		if l == nil || l.Type == nil {
			continue
		}
		at := below(path, indexed(i))
		last := i == len(names)-1
		switch {
		case l.Type.Role == chain.RoleCaller && i > 0:
			d.failValue(at, "%s is %s and can only be first in a path", name, an(l.Type.Title))
		case l.Type.Role == chain.RoleLeaf && !last:
			d.failValue(at, "%s is %s and must be the last layer of a path; it calls no one that is known", name, an(l.Type.Title))
		case l.App != nil && !last && !calls(l.App, names[i+1:]) && !d.anyBad([]string{"layers", name}):
			d.failValue(at, "%s has no client that calls %s; add clients: %s: …", name, names[i+1], names[i+1])
		}
	}
}

// calls reports whether an app has a client for the next layer of a path: one
// that calls it, or that goes through it to one further on.
func calls(a *App, rest []string) bool {
	for _, c := range a.Clients {
		if slices.Contains(c.To, rest[0]) || c.Via == rest[0] {
			return true
		}
	}
	return false
}

// isApp reports whether a layer is an app, which may be a path by itself: it
// makes calls of its own, or answers what it is probed with.
func (d *decoder) isApp(name string) bool {
	l := d.layerNamed(name)
	return l != nil && l.App != nil
}
