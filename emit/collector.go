package emit

// A Collector gathers what a target cannot write and what has to be said, each once.
type Collector struct {
	Refusals []error
	Warnings []Warning

	seen map[string]bool
}

func (c *Collector) first(text string) bool {
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	fresh := !c.seen[text]
	c.seen[text] = true
	return fresh
}

// Refuse adds a refusal, unless the same was added before.
func (c *Collector) Refuse(r *Refusal) {
	if c.first(r.Error()) {
		c.Refusals = append(c.Refusals, r)
	}
}

// Warn adds a warning, unless the same was added before.
func (c *Collector) Warn(setting, message string) {
	if w := (Warning{Setting: setting, Message: message}); c.first(w.String()) {
		c.Warnings = append(c.Warnings, w)
	}
}
