package compile

import (
	"slices"

	"tchain.dev/tchain/chain"
)

// kernelOfApps is what apps run on, as a type of the category "kernel".
const kernelOfApps = "linux"

// kernel puts the limits of the operating system in force where a product has
// none: what no setting ends, it ends.
func (t *tree) kernel(c *chain.Call, e *effective, limits []chain.Limit) []chain.Limit {
	if e.typ.Kernel == "" {
		return limits
	}
	typ, err := t.d.cat.typ("kernel", e.typ.Kernel)
	if err != nil { // a schema that cannot be read, which every type of it shows
		return limits
	}
	for _, f := range typ.Root.Fields {
		for _, spec := range f.Limits {
			l, off, ok := e.kernelLimit(typ, f, spec, limits)
			switch {
			case !ok:
			case off < 0:
				limits = append(limits, l)
			default:
				limits = slices.Replace(limits, off, off+1, append([]chain.Limit{l}, unended(c, limits[off], l)...)...)
			}
		}
	}
	return limits
}

// kernelLimit is one limit of the operating system, where the product has none of
// the kind and none around it that is over before. off is the index of the
// product's own, which is off; -1 if it has no setting for it.
func (e *effective) kernelLimit(typ *Type, f *Field, spec LimitSpec, limits []chain.Limit) (out chain.Limit, off int, ok bool) {
	_, bound := parseDefault(f, f.Fixed)
	off = -1
	for i, l := range limits {
		switch {
		case l.Side != chain.Calling || !l.Covers(spec.End) || !l.Ends():
		case l.Unknown(), l.Bound <= bound, l.Kind == spec.Kind && l.Bound != chain.Never:
			return out, off, false
		case l.Kind == spec.Kind && off < 0:
			off = i
		}
	}
	out = chain.Limit{
		Kind: spec.Kind, Side: spec.Side, Start: spec.Start, End: spec.End, Bound: bound, Fires: spec.Fires, Kernel: true,
		Origin: chain.Origin{Layer: e.layer, Setting: settingPath(e.path), Text: f.Fixed, Pos: e.pos},
	}
	note := "nothing else ends it"
	if off >= 0 {
		own := limits[off]
		out.Fires, out.Per, out.Origin = own.Fires, own.Per, own.Origin
		if note = own.Origin.Setting + ": " + own.Why; own.Why == notSet {
			note = own.Origin.Setting + " is " + own.Why
		}
	}
	if e.typ.InTurn {
		out.Per = spec.Per
	}
	o := &out.Origin
	o.Source, o.ID, o.Name, o.Estimate = chain.Fixed, f.ID, "the kernel's limit", ""
	o.Product, o.Proved, o.Doc = typ.Title, f.Proof != "", f.DocURL
	o.Note = f.Name + ", since " + note
	return out, off, true
}

// unended is what a limit that is off leaves without an end beside what the
// kernel ends: the phases before and after.
func unended(c *chain.Call, own, kernel chain.Limit) []chain.Limit {
	var out []chain.Limit
	if !slices.Contains(c.Skips, chain.AtResolved) && own.Covers(chain.AtResolved) {
		before := own
		before.Kind, before.End = chain.DNS, kernel.Start
		out = append(out, before)
	}
	if c.TLS && own.Covers(chain.AtSecured) {
		after := own
		after.Kind, after.Start, after.End = chain.TLSHandshake, kernel.End, chain.AtSecured
		out = append(out, after)
	}
	return out
}
