package compile

import "slices"

// routeCalls reads what apps call on one route.
func (d *decoder) routeCalls(r *RouteDecl, m member) {
	fields, ok := members(m.v, m.path)
	if !ok {
		if !broken(m.v) {
			d.failValue(m.path, "calls is %s; on a route write calls: APP: [{…}]", shownValue(m.v))
		}
		return
	}
	r.Calls = map[string][]CallStep{}
	for _, f := range fields {
		switch l := d.layerNamed(f.name); {
		case l == nil && d.lost:
		case l == nil:
			d.failLabel(f.path, "unknown layer %q in calls; %s", f.name, meant(f.name, d.layerNames(), 8))
		case l.Type != nil && l.Type.Key != "app":
			d.failLabel(f.path, "%s is of type %s and makes no calls of its own; only an app does", f.name, l.Type.Key)
		default:
			r.Calls[f.name] = d.calls(f)
			d.callees(l, r.Calls[f.name], f.path)
		}
	}
}

// calls reads a list of steps, each a struct with the callees as its keys.
func (d *decoder) calls(m member) []CallStep {
	list, ok := elements(m.v, m.path)
	if !ok {
		if !broken(m.v) {
			d.failValue(m.path, "calls is %s; it is a list of steps: calls: [{price: {}}, {db: {times: 3}}]", shownValue(m.v))
		}
		return nil
	}
	out := []CallStep{}
	for _, e := range list {
		fields, ok := members(e.v, e.path)
		if !ok {
			if !broken(e.v) {
				d.failValue(e.path, "calls has %s in its list; a step is a struct with the callees as keys: {price: {}}", shownValue(e.v))
			}
			continue
		}
		var step CallStep
		for _, f := range fields {
			step.Calls = append(step.Calls, d.stepCall(f))
		}
		out = append(out, step)
	}
	d.standIns(out, m.path)
	return out
}

// mostCalls is how often one step may call for one request; each is played.
const mostCalls = 1000

var stepFields = []string{"method", "times", "atOnce", "fallback", "background", "instead", "on"}

func (d *decoder) stepCall(m member) StepCall {
	c := StepCall{Name: m.name, Path: m.path, Pos: d.labelOf(m.path)}
	fields, ok := members(m.v, m.path)
	if !ok && !broken(m.v) {
		d.failValue(m.path, "%s is %s; a call is a struct: %s: {}", m.name, shownValue(m.v), m.name)
	}
	for _, f := range fields {
		if broken(f.v) {
			continue
		}
		v := concrete(f.v)
		switch f.name {
		case "method":
			c.Method = d.str(f)
		case "times", "atOnce":
			n, err := v.Int64()
			if err != nil || n < 1 || n > mostCalls {
				d.failValue(f.path, "%s is %s; it is a whole number from 1 to %d", f.name, shownValue(v), mostCalls)
				continue
			}
			if f.name == "times" {
				c.Times = int(n)
			} else {
				c.AtOnce = int(n)
			}
		case "fallback", "background":
			b, err := v.Bool()
			if err != nil {
				d.failValue(f.path, "%s takes true or false, not %s", f.name, shownValue(v))
			}
			if f.name == "fallback" {
				c.Fallback = b
			} else {
				c.Background = b
			}
		case "instead", "on":
			d.instead(&c, f)
		default:
			d.failLabel(f.path, "unknown field %q in the call of %s; %s", f.name, m.name, meant(f.name, stepFields, 0))
		}
	}
	return c
}

// callees demands that each call of an app names one of its clients, or a layer
// that one of them calls.
func (d *decoder) callees(l *Layer, steps []CallStep, path []string) {
	if l.App == nil {
		return
	}
	var known []string
	for _, c := range l.App.Clients {
		known = append(known, c.Name)
		known = append(known, c.To...)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	for i, s := range steps {
		for _, c := range s.Calls {
			if slices.Contains(known, c.Name) {
				continue
			}
			at := below(path, indexed(i), c.Name)
			switch best := Closest(c.Name, known); {
			case best != "":
				d.failLabel(at, "%s has no client that calls %s; did you mean %s?", l.Name, c.Name, best)
			default:
				d.failLabel(at, "%s has no client that calls %s; add clients: %s: …", l.Name, c.Name, c.Name)
			}
		}
	}
}
