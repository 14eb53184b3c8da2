package compile

import (
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
)

// placeFunc says where a setting that is not written could be inserted. path is
// the setting's path from the root of the stack.
type placeFunc func(path []string) (before, after string, at chain.Range, ok bool)

// A part is one product in use: a layer, or a server, client or wrap of an app.
type part struct {
	typ     *Type
	blocks  layered  // as written, the route's own first
	path    []string // of the part from the root of the stack
	pos     chain.Range
	layer   string
	version string // "" is open: the newest
	asOf    string // month of the defaults of hosted products; "" is the newest
	// before hides defaults since a version: it shows what an older product did.
	before string
	place  placeFunc
}

// product is the part with its version, for people.
func (p *part) product() string {
	if p.version == "" {
		return p.typ.Key
	}
	return p.typ.Key + " " + p.version
}

// effective are the settings of a part that are in force towards one peer on
// one request path, in the schema's order.
type effective struct {
	*part
	peer     string
	location location
	settings []*setting
	notices  []chain.Notice
	changes  []chain.Notice // see changesOf
	compared bool
	falling  int // how many fields fall back to each other just now
	// unmatched are keys that cannot be laid against the request path.
	unmatched []string
}

// settle works out what is in force. peer is the next layer, "" for none.
func settle(p *part, peer string, at location) *effective {
	e := &effective{part: p, peer: peer, location: at}
	e.settings = e.resolveAll(frame{field: p.typ.Root, blocks: p.blocks, path: p.path})
	return e
}

// A frame is one struct of the schema with what is written of it.
type frame struct {
	field  *Field
	blocks layered
	path   []string // where a setting of it is written usually
	group  string
	name   string // the prefix of names, with its final dot
	block  string
}

func (f frame) below(field *Field, blocks layered) frame {
	f.path = append(slices.Clone(f.path), field.Name)
	f.name += field.Name + "."
	f.field, f.blocks = field, blocks
	f.block = strings.TrimPrefix(f.block+"."+field.Name, ".")
	return f
}

// resolveAll are the settings of a struct with all below it.
func (e *effective) resolveAll(fr frame) []*setting {
	var out []*setting
	inherited := false
	for _, f := range e.entrances(fr) {
		switch {
		case f.Inherit:
			if !inherited {
				out = append(out, e.resolveAll(e.inherit(fr))...)
			}
			inherited = true
		case f.Elem != nil && f.Keyed == "peer":
			if e.peer != "" {
				out = append(out, e.resolveAll(e.towards(fr, f))...)
			}
		case f.Elem != nil:
		case len(f.Fields) > 0:
			out = append(out, e.resolveAll(fr.below(f, fr.blocks.child(f.Name)))...)
		case f.Name != "version" || f.Notation != nil:
			out = append(out, e.resolve(fr, f))
		}
	}
	return out
}

// entrances are the fields that count. The structs at the top of an outermost
// caller are ways to make the same call: the first that is written is used,
// else the first.
func (e *effective) entrances(fr frame) []*Field {
	if e.typ.Role != chain.RoleCaller || fr.field != e.typ.Root {
		return fr.field.Fields
	}
	used := ""
	for _, f := range fr.field.Fields {
		if len(f.Fields) > 0 && (used == "" || len(fr.blocks.child(used)) == 0 && len(fr.blocks.child(f.Name)) > 0) {
			used = f.Name
		}
	}
	var out []*Field
	for _, f := range fr.field.Fields {
		if len(f.Fields) == 0 || f.Name == used {
			out = append(out, f)
		}
	}
	return out
}

// towards is the frame of what is said to the peer.
func (e *effective) towards(fr frame, f *Field) frame {
	out := fr.below(f.Elem, fr.blocks.element(f, e.peer))
	out.path = append(slices.Clone(fr.path), f.Name, e.peer)
	out.group, out.name, out.block = f.Name, "", f.Name
	return out
}

// inherit is the one frame that blocks with inheritance amount to: within each
// layer of what is written, an inner block's value replaces the outer one's.
// A setting that is not written belongs to the innermost block that has no key
// and is written, else to the innermost that has no key.
func (e *effective) inherit(fr frame) frame {
	var chained []*Field
	for _, f := range fr.field.Fields {
		if f.Inherit {
			chained = append(chained, f)
		}
	}
	var blocks layered
	for _, b := range fr.blocks {
		one := layered{b}
		for _, f := range slices.Backward(chained) {
			switch {
			case f.Elem == nil:
				blocks = append(blocks, one.child(f.Name)...)
			case f.Keyed == "route":
				key, ok := e.match(one.keys(f))
				if ok {
					blocks = append(blocks, one.element(f, key)...)
				}
			}
		}
	}
	usual := chained[0]
	for _, f := range chained {
		if f.Elem == nil && (len(fr.blocks.child(f.Name)) > 0 || len(fr.blocks.child(usual.Name)) == 0) {
			usual = f
		}
	}
	out := fr.below(usual, blocks)
	out.name = fr.name
	out.field = union(usual, chained)
	return out
}

// union is a struct with the fields of usual and those that only others have.
func union(usual *Field, others []*Field) *Field {
	out := *usual
	out.Fields = slices.Clone(usual.Fields)
	for _, o := range others {
		fields := o.Fields
		if o.Elem != nil {
			fields = o.Elem.Fields
		}
		for _, f := range fields {
			if !slices.ContainsFunc(out.Fields, func(x *Field) bool { return x.Name == f.Name }) {
				out.Fields = append(out.Fields, f)
			}
		}
	}
	return &out
}
