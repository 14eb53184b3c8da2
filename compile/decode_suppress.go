package compile

import (
	"slices"
	"strings"
	"time"

	"cuelang.org/go/cue/ast"

	"tchain.dev/tchain/chain"
)

var suppressionKeys = []string{"ignore", "reason", "until"}

// suppressions reads @tchain(ignore=…) on a value or a struct. It covers the
// setting and, of a struct, all below. One in a file that other stacks use too
// need not cover anything in this one.
func (d *decoder) suppressions(attrs []attr, path []string) {
	for _, a := range attrs {
		if a.Name != "tchain" {
			continue
		}
		d.placed[a.Range] = true
		g, ok := d.suppression(a, "@tchain of "+lastName(path), func(format string, args ...any) { d.failValue(path, format, args...) })
		g.At, g.Settings = d.posOf(path), []string{settingPath(path)}
		if ok && !slices.ContainsFunc(d.out.Policy.Ignore, func(o chain.Ignore) bool {
			return o.Written == g.Written && o.At == g.At && slices.Equal(o.Settings, g.Settings)
		}) {
			d.out.Policy.Ignore = append(d.out.Policy.Ignore, g)
		}
	}
}

// suppression is what one attribute says; what is its name in messages.
func (d *decoder) suppression(a attr, what string, fail func(format string, args ...any)) (g chain.Ignore, ok bool) {
	g = chain.Ignore{Written: a.Range, Shared: !d.src.owns(a.Range.File)}
	ok = true
	wrong := func(format string, args ...any) {
		ok = false
		fail(format, args...)
	}
	said := map[string]bool{}
	for _, x := range a.Args {
		switch {
		case x.Key == "" && slices.Contains(suppressionKeys, x.Value):
			wrong(`%s in %s has no value; write %s="…"`, x.Value, what, x.Value)
			continue
		case x.Key == "":
			x.Key = x.Value
		case said[x.Key]:
			wrong("%s says %s twice; write one attribute for each suppression", what, x.Key)
			continue
		}
		said[x.Key] = true
		switch x.Key {
		case "ignore":
			g.Rule = x.Value
		case "reason":
			g.Reason = x.Value
		case "until":
			if g.Until = x.Value; !isDate(x.Value, time.DateOnly) {
				wrong(untilNoDay, x.Value)
			}
		default:
			wrong("unknown word %q in %s; %s", x.Key, what, meant(x.Key, suppressionKeys, 0))
		}
	}
	switch {
	case !ok:
	case strings.TrimSpace(g.Rule) == "":
		wrong(`%s has no rule; write @tchain(ignore="RULE", reason="…")`, what)
	case strings.TrimSpace(g.Reason) == "":
		wrong(`%s has no reason; write @tchain(ignore=%q, reason="…")`, what, g.Rule)
	}
	return g, ok
}

// strays are the suppressions that stand on nothing that is read as a setting: they
// cover nothing, which a rule tells. Those under a condition that does not hold
// here are no mistake.
func (d *decoder) strays() {
	d.attributesOf(func(a attr, maybe bool) {
		if maybe || d.placed[a.Range] {
			return
		}
		g, ok := d.suppression(a, "@tchain", func(format string, args ...any) { d.failAt(a.Range, format, args...) })
		if g.At, g.Settings = a.Range, []string{}; ok {
			d.out.Policy.Ignore = append(d.out.Policy.Ignore, g)
		}
	})
}

// attributesOf gives all @tchain in the files of the stack's package, and whether
// a condition or a loop decides on them. One whose name is misspelt is a mistake.
func (d *decoder) attributesOf(each func(a attr, maybe bool)) {
	for _, f := range d.src.files {
		depth := 0
		ast.Walk(f, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.Comprehension:
				depth++
			case *ast.Attribute:
				if a := d.src.readAttr(x); a.Name == "tchain" {
					each(a, depth > 0)
				} else if suppresses(a) {
					d.failAt(a.Range, "unknown attribute @%s; did you mean @tchain?", a.Name)
				}
			}
			return true
		}, func(n ast.Node) {
			if _, ok := n.(*ast.Comprehension); ok {
				depth--
			}
		})
	}
}

// suppresses reports whether an attribute of another name was hardly meant to be
// anything else.
func suppresses(a attr) bool {
	return Closest(a.Name, []string{"tchain"}) != "" && slices.ContainsFunc(a.Args, func(x attrArg) bool {
		return likely(x.Key, suppressionKeys) != ""
	})
}
