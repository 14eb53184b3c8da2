package compile

import (
	"slices"

	"tchain.dev/tchain/chain"
)

// instead reads which earlier call a call stands in for, and after which failures.
func (d *decoder) instead(c *StepCall, f member) {
	if f.name == "instead" {
		at := d.standing(f.path)
		d.suppressions(at.attrs, f.path)
		c.Instead = d.str(f)
		c.InsteadAt = chain.Origin{Source: chain.Written, Setting: settingPath(f.path), Name: "instead", Text: c.Instead, Pos: at.pos, Used: at.used, Shared: at.shared}
		return
	}
	words, ok := elements(f.v, f.path)
	if !ok || len(words) == 0 {
		d.failValue(f.path, `on is %s; it is a list of failures: on: ["refused", "connect-timeout"]`, shownValue(f.v))
		return
	}
	c.On = []chain.Cond{}
	for _, w := range words {
		word := d.str(w)
		conds := ownConds(word)
		if len(conds) == 0 && !broken(w.v) {
			d.failValue(w.path, "on: unknown condition %q; a status, a class as 5xx, timeout, error, or one of %s", word, condWords())
		}
		for _, cond := range conds {
			if !slices.Contains(c.On, cond) {
				c.On = append(c.On, cond)
			}
		}
	}
}

// standIns demands that what is called instead of another call comes in a later
// step, and that somebody waits for both.
func (d *decoder) standIns(steps []CallStep, path []string) {
	var waited, ignored []string
	for i, s := range steps {
		for _, c := range s.Calls {
			at := below(path, indexed(i), c.Name)
			fail := func(field, format string, args ...any) { d.failValue(below(at, field), format, args...) }
			switch {
			case c.Instead == "" && c.On != nil:
				fail("on", "on says after which failures a call is made instead of another one: instead: \"…\" is missing")
			case c.Instead == "":
			case c.Background:
				fail("instead", "a call in the background is not waited for, and stands in for none")
			case slices.Contains(ignored, c.Instead):
				fail("instead", "%s is called in the background: its failure is not noticed", c.Instead)
			case slices.Contains(waited, c.Instead):
			case Closest(c.Instead, waited) != "":
				fail("instead", "no earlier step calls %s; did you mean %s?", c.Instead, Closest(c.Instead, waited))
			default:
				fail("instead", "no earlier step calls %s; write calls: [{%s: {}}, {%s: instead: %q}]", c.Instead, c.Instead, c.Name, c.Instead)
			}
		}
		for _, c := range s.Calls {
			if c.Background {
				ignored = append(ignored, c.Name)
			} else {
				waited = append(waited, c.Name)
			}
		}
	}
}

// replace links what is called instead of an earlier call with that one.
func replace(n *chain.Node, made map[string]*chain.Call, sc StepCall, c *chain.Call) {
	if earlier := made[sc.Instead]; earlier != nil {
		c.Instead, c.InsteadOn, c.InsteadAt = earlier, sc.On, sc.InsteadAt
		c.InsteadAt.Layer = n.Layer
	}
}
