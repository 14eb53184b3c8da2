package compile

import "slices"

// inherit are the frames that blocks with inheritance amount to: within each
// layer of what is written, an inner block's value replaces the outer one's.
// A setting that is not written belongs to the innermost block that has no key
// and is written, else to the innermost that has no key; what that block does
// not take, to the outermost that does.
func (e *effective) inherit(fr frame) []frame {
	var chained []*Field
	for _, f := range fr.field.Fields {
		if f.Inherit {
			chained = append(chained, f)
		}
	}
	usual := chained[0]
	for _, f := range chained {
		if f.Elem == nil && (len(fr.blocks.child(f.Name)) > 0 || len(fr.blocks.child(usual.Name)) == 0) {
			usual = f
		}
	}
	first := fr.below(usual, e.inherited(fr, chained))
	first.name = fr.name
	first.field = union(usual, slices.DeleteFunc(slices.Clone(chained), func(f *Field) bool { return f.Elem == nil || f.Keyed == "peer" }))
	out, taken := []frame{first}, first.field
	for _, f := range chained {
		next, there := fr.below(f, first.blocks), f
		if f.Elem != nil {
			if f.Keyed != "peer" || e.peer == "" {
				continue
			}
			there = f.Elem
			next.path = append(next.path, e.peer)
		}
		if next.field = without(there, taken); len(next.field.Fields) > 0 {
			next.name = fr.name
			out = append(out, next)
			taken = union(taken, []*Field{there})
		}
	}
	return out
}

// inherited are the written blocks of a chain, the strongest first.
func (e *effective) inherited(fr frame, chained []*Field) layered {
	var out layered
	for _, b := range fr.blocks {
		one := layered{b}
		for _, f := range slices.Backward(chained) {
			switch {
			case f.Elem == nil:
				out = append(out, one.child(f.Name)...)
			case f.Keyed == "peer":
				out = append(out, one.element(f, e.peer)...)
			case f.Keyed == "route":
				if key, ok := e.match(one.keys(f)); ok {
					out = append(out, one.element(f, key)...)
				}
			}
		}
	}
	return out
}

// union is a struct with the fields of usual and those that only others have,
// in the structs below too.
func union(usual *Field, others []*Field) *Field {
	out := *usual
	out.Fields = slices.Clone(usual.Fields)
	for _, o := range others {
		if o.Elem != nil {
			o = o.Elem
		}
		for _, f := range o.Fields {
			i := slices.IndexFunc(out.Fields, func(x *Field) bool { return x.Name == f.Name })
			switch {
			case i < 0:
				out.Fields = append(out.Fields, f)
			case out.Fields[i] != f && len(f.Fields) > 0:
				out.Fields[i] = union(out.Fields[i], []*Field{f})
			}
		}
	}
	return &out
}

// without is a struct with what the other has not, in the structs below too.
func without(f, other *Field) *Field {
	out := *f
	out.Fields = nil
	for _, c := range f.Fields {
		have := other.child(c.Name)
		switch {
		case have == nil:
			out.Fields = append(out.Fields, c)
		case len(c.Fields) > 0:
			if rest := without(c, have); len(rest.Fields) > 0 {
				out.Fields = append(out.Fields, rest)
			}
		}
	}
	return &out
}
