package compile

// layered are blocks that lie over each other, the strongest first: what a
// route says of a layer, then what the layer says itself. A nil one is empty.
type layered []*Block

// child are the plain structs of a name below.
func (l layered) child(name string) layered {
	var out layered
	for _, b := range l {
		if b == nil {
			continue
		}
		for _, c := range b.Blocks {
			if c.Field != nil && c.Field.Name == name && c.Key == "" {
				out = append(out, c)
			}
		}
	}
	return out
}

// keys are the keys that are written of a keyed block, in the user's order.
func (l layered) keys(f *Field) []string {
	var out []string
	for _, b := range l.elements(f) {
		out = append(out, b.Key)
	}
	return out
}

// element is one element of a keyed block.
func (l layered) element(f *Field, key string) layered {
	var out layered
	for _, b := range l.elements(f) {
		if b.Key == key {
			out = append(out, b)
		}
	}
	return out
}

// elements are all elements of a keyed block, the strongest layer's first.
func (l layered) elements(f *Field) layered {
	var out layered
	for _, b := range l {
		if b == nil {
			continue
		}
		for _, c := range b.Blocks {
			switch {
			case c.Key != "" && (c.Field == f || c.Field == f.Elem):
				out = append(out, c)
			case c.Key == "" && c.Field == f:
				out = append(out, c.Blocks...)
			}
		}
	}
	return out
}

// value is the strongest value at a path of plain names; nil if none is written.
func (l layered) value(path ...string) *Value {
	for _, name := range path[:len(path)-1] {
		l = l.child(name)
	}
	for _, b := range l {
		if b == nil {
			continue
		}
		for _, v := range b.Values {
			if v.name() == path[len(path)-1] {
				return v
			}
		}
	}
	return nil
}

// name is the last word of a value's path; a value below a keyed block of plain
// values is called by its key.
func (v *Value) name() string {
	if n := len(v.Path); n > 0 {
		return v.Path[n-1]
	}
	return v.Field.Name
}

// known reports whether the value is there: it is not when it is injected at
// run time and was not given.
func (v *Value) known() bool { return v != nil && !(v.Inject != "" && v.Raw == nil) }

// text, number and yes read a value's kind; the zero value if it is another.
func (v *Value) text() string {
	if s, ok := v.rawOf().(string); ok {
		return s
	}
	return ""
}

func (v *Value) number() int {
	n, _ := v.rawOf().(int64)
	return int(n)
}

func (v *Value) yes() bool {
	b, _ := v.rawOf().(bool)
	return b
}

func (v *Value) rawOf() any {
	if v == nil {
		return nil
	}
	return v.Raw
}
