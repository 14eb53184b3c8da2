package emit

import (
	"strings"

	"tchain.dev/tchain/chain"
)

// Lost warns of each setting that the stack writes and of which nothing is told:
// neither the files nor a refusal nor a warning before says its path, nor that of
// another one of them with the same value. who is what has nothing for it: "tchain
// emit nginx".
func (c *Collector) Lost(who string, settings []chain.Setting, files []File) {
	type value struct{ id, text string }
	told := map[value]bool{}
	of := func(s chain.Setting) value { return value{s.Origin.ID, s.Value} }
	for _, s := range settings {
		told[of(s)] = told[of(s)] || s.Value == "" || !s.Origin.Said() || s.Origin.Name == "version" || c.told(s.Origin.Setting, files)
	}
	for _, s := range settings {
		if !told[of(s)] {
			c.Warn(s.Origin.Setting, s.Value+" is not written: "+who+" has nothing for it")
		}
	}
}

// Unmet warns of each setting that keep accepts by its path and ID, that the stack
// writes and no route has in force, unless something is told of it, as Lost says.
func (c *Collector) Unmet(s *chain.Stack, keep func(o chain.Origin) bool, files []File) {
	for _, set := range s.Unmet {
		if keep(set.Origin) && !c.told(set.Origin.Setting, files) {
			c.Warn(set.Origin.Setting, set.Value+" is not written: no route is known to have it in force")
		}
	}
}

// told reports whether anything says the path of a setting.
func (c *Collector) told(setting string, files []File) bool {
	for _, f := range files {
		if says(string(f.Content), setting) {
			return true
		}
	}
	for _, r := range c.Refusals {
		if says(r.Error(), setting) {
			return true
		}
	}
	for _, w := range c.Warnings {
		if says(w.String(), setting) {
			return true
		}
	}
	return false
}

// says reports whether a text has a path, and not only one that begins or ends like it.
func says(text, path string) bool {
	for {
		before, after, found := strings.Cut(text, path)
		if !found {
			return false
		}
		if !strings.HasSuffix(before, ".") && !partOfPath(before, len(before)-1) && !partOfPath(after, 0) {
			return true
		}
		text = after
	}
}

// partOfPath reports whether the byte of a text goes on with a path: a letter, a
// digit, a dash or underscore, or a dot that is no full stop.
func partOfPath(text string, at int) bool {
	if at < 0 || at >= len(text) {
		return false
	}
	b := text[at]
	switch {
	case b == '.':
		return at+1 < len(text) && text[at+1] != ' ' && text[at+1] != '\n'
	case b == '-', b == '_', '0' <= b && b <= '9', 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z':
		return true
	}
	return false
}
