package gohttp

import "tchain.dev/tchain/emit"

// A collector gathers what cannot be written and what has to be said, each once.
type collector struct {
	refusals []error
	warnings []emit.Warning
	seen     map[string]bool
}

func (c *collector) first(text string) bool {
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	fresh := !c.seen[text]
	c.seen[text] = true
	return fresh
}

func (c *collector) refuse(r *emit.Refusal) {
	if c.first(r.Error()) {
		c.refusals = append(c.refusals, r)
	}
}

func (c *collector) warn(setting, message string) {
	if w := (emit.Warning{Setting: setting, Message: message}); c.first(w.String()) {
		c.warnings = append(c.warnings, w)
	}
}
