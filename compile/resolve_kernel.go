package compile

import (
	"fmt"
	"slices"

	"tchain.dev/tchain/chain"
)

// kernelOfApps is what apps run on, as a type of the category "kernel".
const kernelOfApps = "linux"

// kernel puts the limits of the operating system in force where a product has
// none that is over before: what no setting ends by then, it ends.
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
			l, own, ok := e.kernelLimit(typ, f, spec, limits)
			switch {
			case !ok:
			case own < 0:
				limits = append(limits, l)
			case limits[own].Bound == chain.Never:
				limits = slices.Replace(limits, own, own+1, append([]chain.Limit{l}, unended(c, limits[own], l)...)...)
			case l.Start != limits[own].Start || l.End != limits[own].End || l.Per != limits[own].Per:
				limits = append(limits, l) // and its own, which bounds more than one connect
			default:
				e.outlasted(t, limits[own].Origin, l)
				limits = slices.Concat(limits[:own], []chain.Limit{l}, limits[own+1:])
			}
		}
	}
	return limits
}

// kernelLimit is one limit of the operating system, where the product has none of
// the kind that is over before, and none around it. own is the index of the product's
// of the kind, which is off or longer; -1 if it has no setting for it.
func (e *effective) kernelLimit(typ *Type, f *Field, spec LimitSpec, limits []chain.Limit) (out chain.Limit, own int, ok bool) {
	_, bound := parseDefault(f, f.Fixed)
	own = -1
	for i, l := range limits {
		switch {
		case l.Side != chain.Calling || !l.Covers(spec.End) || !l.Ends():
		case l.Unknown(), l.Bound <= bound:
			return out, own, false
		case l.Kind == spec.Kind && (own < 0 || l.Bound < limits[own].Bound):
			own = i
		}
	}
	out = chain.Limit{
		Kind: spec.Kind, Side: spec.Side, Start: spec.Start, End: spec.End, Bound: bound, Fires: spec.Fires, Kernel: true,
		Origin: chain.Origin{Layer: e.layer, Setting: settingPath(e.path), Text: f.Fixed, Pos: e.pos},
	}
	source, note := chain.Fixed, "nothing else ends it"
	if own >= 0 {
		set := limits[own]
		out.Fires, out.Per, out.Origin = set.Fires, set.Per, set.Origin
		switch {
		case set.Bound != chain.Never:
			source, note = set.Origin.Source, set.Origin.Setting+" is "+chain.Format(set.Bound)+" and the kernel stops dialling before"
		case set.Why == notSet:
			note = set.Origin.Setting + " is " + set.Why
		default:
			note = set.Origin.Setting + ": " + set.Why
		}
	}
	if e.typ.InTurn {
		out.Per = spec.Per
	}
	o := &out.Origin
	o.Source, o.ID, o.Name, o.Estimate = source, f.ID, "the kernel's limit", ""
	o.Product, o.Proved, o.Doc = typ.Title, f.Proof != "", f.DocURL
	o.Note = f.Name + ", since " + note
	return out, own, true
}

// outlasted says that what was written for the connect is longer than the kernel's limit.
func (e *effective) outlasted(t *tree, written chain.Origin, kernel chain.Limit) {
	if !written.Said() {
		return
	}
	t.notice(chain.Notice{
		Kind: chain.NoticeIgnored, Layer: e.layer, Origin: written,
		Message: fmt.Sprintf("%s %s acts as %s: the kernel stops dialling", written.Name, written.Text, chain.Format(kernel.Bound)),
	})
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
