package compile

import (
	"cmp"
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
	version string          // "" is open: the newest
	shown   string          // the version in words, where it is not known to the patch; "" is version
	runtime runtimeVersions // of the app that it is a part of
	asOf    string          // month of the defaults of hosted products; "" is the newest
	// before hides defaults since a version: it shows what an older product did.
	before string
	place  placeFunc
	http2  string           // "h2" or "grpc", which the peer is known to speak; "" else
	slots  map[string]slots // see slotsAt
}

// product is the part with its version, for people.
func (p *part) product() string {
	return strings.TrimSuffix(p.typ.Key+" "+cmp.Or(p.shown, p.version), " ")
}

// effective are the settings of a part that are in force towards one peer on
// one request path, in the schema's order.
type effective struct {
	*part
	peer        string
	location    location
	settings    []*setting
	productText string                     // the product, for people
	natives     map[string][]chain.Setting // see native, by prefix
	timers      []chain.Limit              // the limits in force; not to be changed
	notices     []chain.Notice
	reuse       []chain.Notice // notices of connections that are used again, which an upgraded one never is
	dropped     []droppedValue
	derived     []chain.Derivation // what an adjuster settled of the calls that the part makes
	changes     []chain.Notice     // see changesOf
	compared    bool
	falling     int // how many fields fall back to each other just now
	// unmatched are keys that cannot be laid against the request path.
	unmatched  []string
	open       []string // what the settings leave open, as reasons why something is not checked
	keptIf     string   // what is open, and idle connections are kept only so: see chain.Limit.If
	reusesNone bool     // a value of its says that no call is made on a connection that was used before
	undeclared bool     // what really makes the call is not declared, as a pool's driver
	// noUpgrade is why no request at a location asks the callee for an upgrade; nil: it may.
	noUpgrade func(location) *chain.NoUpgrade
}

// settle works out what is in force. peer is the next layer, "" for none.
func settle(p *part, peer string, at location) *effective {
	e := &effective{part: p, peer: peer, location: at, productText: p.product()}
	e.settings = e.resolveAll(frame{field: p.typ.Root, blocks: p.blocks, path: p.path})
	if adjust := adjusters[p.typ.Resolver]; adjust != nil {
		adjust(e)
	}
	e.timers = e.limits()
	return e
}

// A droppedValue is one of a block of which an inner one takes the place with all its keys.
type droppedValue struct {
	name  string // as a setting's: "proxy_set_header.Connection"
	value *Value
	by    *Block
}

// A frame is one struct of the schema with what is written of it.
type frame struct {
	field  *Field
	blocks layered
	path   []string // where a setting of it is written usually
	group  string
	name   string // the prefix of names, with its final dot
	block  string
	slots  slots // of path; nil where they were not asked for
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
	fr.slots = e.slotsAt(fr.path)
	inherited := false
	for _, f := range e.entrances(fr) {
		switch {
		case f.Inherit:
			if !inherited {
				for _, one := range e.inherit(fr) {
					out = append(out, e.resolveAll(one)...)
				}
			}
			inherited = true
		case f.Whole:
			out = append(out, e.resolveWhole(fr, f)...)
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

// resolveWhole are the settings of a struct of which only the innermost block that has
// something of it counts, then the keys that the schema does not name.
func (e *effective) resolveWhole(fr frame, f *Field) []*setting {
	written := fr.blocks.child(f.Name)
	inner := fr.below(f, nil)
	if i := slices.IndexFunc(written, func(b *Block) bool { return len(b.Values) > 0 }); i >= 0 {
		inner.blocks, inner.path = written[i:i+1], written[i].Path
		for _, outer := range written[i+1:] {
			for _, v := range outer.Values {
				e.dropped = append(e.dropped, droppedValue{inner.name + v.name(), v, written[i]})
			}
		}
	}
	named := *f
	named.Fields = slices.Clone(f.Fields)
	for _, b := range inner.blocks {
		for _, v := range b.Values {
			if named.child(v.name()) == nil {
				other := *v.Field
				other.Name = v.name()
				named.Fields = append(named.Fields, &other)
			}
		}
	}
	named.Elem, inner.field = nil, &named
	return e.resolveAll(inner)
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
