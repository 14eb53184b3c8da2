package emit

import (
	"regexp"
	"strconv"
	"strings"

	"tchain.dev/tchain/chain"
)

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

// Plain refuses a word that would need quoting in a product's files or in the
// name of one. What it is for is said in words: "file name", "layer name".
func (c *Collector) Plain(target, word, what string) {
	if !plainWord.MatchString(word) {
		c.Refuse(&Refusal{Target: target, Value: word, Why: "a " + what + " takes letters, digits, dot, dash and underscore"})
	}
}

var odd = regexp.MustCompile(`[^a-z0-9]+`)

// ObjectName is a name as all objects of Kubernetes take one, a Service with no dots too.
func ObjectName(text string) string {
	return strings.Trim(odd.ReplaceAllString(strings.ToLower(text), "-"), "-")
}

// StackName is a stack's name for the first lines of a file, which are the same from
// wherever it is written; quoted where it is more than a word.
func StackName(s *chain.Stack) string {
	if plainWord.MatchString(s.Name) {
		return s.Name
	}
	return strconv.Quote(s.Name)
}

// From says where a value comes from, for a comment beside it: its setting path,
// or whose default it is.
func From(o chain.Origin) string {
	text := o.Setting
	switch o.Source {
	case chain.Default:
		text = "default"
		if o.Product != "" {
			text += " of " + o.Product
		}
		if o.Name != "" {
			text += ": " + o.Name
		}
	case chain.Derived, chain.Fixed:
		if o.Note != "" {
			text += ", " + o.Note
		}
	}
	return strings.ReplaceAll(strings.TrimPrefix(text, ", "), "\n", " ")
}
