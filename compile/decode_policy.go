package compile

import (
	"slices"
	"time"

	"tchain.dev/tchain/chain"
)

func (d *decoder) policy(m member) {
	typ, err := d.cat.typ("facts", "policy")
	if err != nil {
		d.failLabel(m.path, "%v", err)
		return
	}
	fields, ok := members(m.v, m.path)
	if !ok && !broken(m.v) {
		d.failValue(m.path, "policy is %s; it takes a block: policy: {…}", shownValue(m.v))
	}
	var plain []member
	for _, f := range fields {
		switch f.name {
		case "ignore":
			d.ignores(f)
		case "notSuppressible":
			d.notSuppressible(f)
		default:
			plain = append(plain, f)
		}
	}
	b := d.fields(&walk{typ: typ}, typ.Root, plain, m.path)
	p := &d.out.Policy
	for _, v := range b.Values {
		switch v.Field.Name {
		case "errorRoom":
			p.ErrorRoom = v.D
		case "poolAgainst":
			p.PoolAgainst = v.Text
		}
	}
	for _, in := range b.Blocks {
		if in.Field.Name != "severity" {
			continue
		}
		p.Severity = map[string]string{}
		for _, v := range in.Values {
			if d.rules != nil && !slices.Contains(d.rules, v.Origin.Name) {
				d.failLabel(v.Path, "unknown rule %q in severity; %s", v.Origin.Name, meant(v.Origin.Name, d.rules, 0))
				continue
			}
			p.Severity[v.Origin.Name] = v.Text
			if d.out.graded == nil {
				d.out.graded = map[string]chain.Range{}
			}
			d.out.graded[v.Origin.Name] = d.posOf(v.Path)
		}
	}
}

func (d *decoder) notSuppressible(m member) {
	list, ok := elements(m.v, m.path)
	if !ok && !broken(m.v) {
		d.failValue(m.path, `notSuppressible is %s; it is a list of rules: notSuppressible: ["…"]`, shownValue(m.v))
	}
	for _, e := range list {
		id, err := concrete(e.v).String()
		switch {
		case broken(e.v):
		case err != nil:
			d.failValue(e.path, "%s in notSuppressible is no rule", shownValue(e.v))
		case d.rules != nil && !slices.Contains(d.rules, id):
			d.failValue(e.path, "unknown rule %q in notSuppressible; %s", id, meant(id, d.rules, 0))
		default:
			d.out.Policy.NotSuppressible = append(d.out.Policy.NotSuppressible, id)
		}
	}
}

func (d *decoder) ignores(m member) {
	list, ok := elements(m.v, m.path)
	if !ok {
		if !broken(m.v) {
			d.failValue(m.path, `ignore is %s; it is a list: ignore: [{rule: "…", reason: "…"}]`, shownValue(m.v))
		}
		return
	}
	typ, err := d.cat.typ("facts", "ignore")
	if err != nil {
		d.failLabel(m.path, "%v", err)
		return
	}
	for _, e := range list {
		b := d.block(&walk{typ: typ}, typ.Root, e.v, e.path)
		g := chain.Ignore{At: d.posOf(e.path)}
		for _, v := range b.Values {
			switch v.Field.Name {
			case "rule":
				g.Rule = v.Text
			case "reason":
				g.Reason = v.Text
			case "until":
				g.Until = v.Text
				d.checkUntil(v.Path, v.Text)
			case "setting":
				g.Settings = []string{v.Text}
			case "layer":
				g.Layers = []string{v.Text}
				d.ignoredLayer(v)
			case "route":
				g.Routes = []string{v.Text}
			}
		}
		d.out.Policy.Ignore = append(d.out.Policy.Ignore, g)
	}
}

func (d *decoder) ignoredLayer(v *Value) {
	if !d.lost && !d.isLayer(v.Text) {
		d.failValue(v.Path, "unknown layer %q in ignore; %s", v.Text, meant(v.Text, d.layerNames(), 8))
	}
}

func (d *decoder) checkUntil(path []string, text string) {
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		d.failValue(path, `until is %q; it is a day, as "2027-03-31"`, text)
	}
}

var suppressionKeys = []string{"ignore", "reason", "until"}

// suppressions reads @tchain(ignore=…) on a value or a struct. It covers the
// setting and, of a struct, all below. One in a file that other stacks use too
// need not cover anything in this one.
func (d *decoder) suppressions(attrs []attr, path []string) {
	for _, a := range attrs {
		if a.Name != "tchain" {
			continue
		}
		g := chain.Ignore{
			At: d.posOf(path), Settings: []string{settingPath(path)}, Written: a.Range, Shared: !d.src.owns(a.Range.File),
		}
		ok := true
		for _, x := range a.Args {
			k, text := x.Key, x.Value
			if k == "" {
				k = text
			}
			switch k {
			case "ignore":
				g.Rule = text
			case "reason":
				g.Reason = text
			case "until":
				g.Until = text
				d.checkUntil(path, text)
			default:
				d.failValue(path, "unknown word %q in @tchain of %s; %s", k, lastName(path), meant(k, suppressionKeys, 0))
				ok = false
			}
		}
		switch {
		case !ok:
		case g.Rule == "":
			d.failValue(path, `@tchain of %s has no rule; write @tchain(ignore="RULE", reason="…")`, lastName(path))
		case g.Reason == "":
			d.failValue(path, `@tchain of %s has no reason; write @tchain(ignore=%q, reason="…")`, lastName(path), g.Rule)
		case !slices.ContainsFunc(d.out.Policy.Ignore, func(o chain.Ignore) bool {
			return o.Written == g.Written && o.At == g.At && slices.Equal(o.Settings, g.Settings)
		}):
			d.out.Policy.Ignore = append(d.out.Policy.Ignore, g)
		}
	}
}
