package emit

// A Collector gathers what a target cannot write and what has to be said, each once.
type Collector struct {
	Refusals []error
	Warnings []Warning

	seen  map[string]bool
	owner map[string]string // of a file, by its name
	// rejected are the settings, by path, whose values the product does not take: what
	// else speaks against one is not said.
	rejected map[string]bool
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
	if !c.rejected[r.Setting] && c.first(r.Error()) {
		c.Refusals = append(c.Refusals, r)
	}
}

// Warn adds a warning, unless the same was added before.
func (c *Collector) Warn(setting, message string) {
	if w := (Warning{Setting: setting, Message: message}); c.first(w.String()) {
		c.Warnings = append(c.Warnings, w)
	}
}

// Files are those that a target writes for a layer. A file that another layer is
// written to, by names that come to the same, is refused.
func (c *Collector) Files(target, layer string, files ...File) []File {
	if c.owner == nil {
		c.owner = map[string]string{}
	}
	for _, f := range files {
		if other, ok := c.owner[f.Name]; ok {
			c.Refuse(&Refusal{Target: target, Value: f.Name, Why: "layers " + other + " and " + layer + " would both be written to it"})
		}
		c.owner[f.Name] = layer
	}
	return files
}
