package compile

import (
	"slices"
	"strings"
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
				if g.Reason = v.Text; strings.TrimSpace(v.Text) == "" {
					d.failValue(v.Path, `reason is empty; write why it is accepted: reason: "…"`)
				}
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

const untilNoDay = `until is %q; it is a day, as "2027-03-31"`

func (d *decoder) checkUntil(path []string, text string) {
	if !isDate(text, time.DateOnly) {
		d.failValue(path, untilNoDay, text)
	}
}
