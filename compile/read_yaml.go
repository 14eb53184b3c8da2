package compile

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"cuelang.org/go/cue/ast"
	cueyaml "cuelang.org/go/encoding/yaml"
	"go.yaml.in/yaml/v3"
)

// maxNodes is how many values a YAML file may have once its aliases are
// written out. A stack of a thousand layers stays below.
const maxNodes = 100_000

// parseYAML reads a YAML file, after a look at its nodes: aliases can make a
// small file large beyond any memory, and YAML lets a key be written twice.
func (s *source) parseYAML(path string, t *text) (*ast.File, []Error) {
	at := func(line, col int, format string, args ...any) []Error {
		off := t.offset(line, col)
		return []Error{{t.rng(span{off, off}), fmt.Sprintf(format, args...)}}
	}
	if off, why := badText(t.data); why != "" {
		return nil, []Error{{t.rng(span{off, off}), "not valid YAML: " + why}}
	}
	dec := yaml.NewDecoder(bytes.NewReader(t.data))
	var doc, next yaml.Node
	if err := dec.Decode(&doc); err != nil {
		return nil, at(yamlError(t, err))
	}
	switch err := dec.Decode(&next); {
	case err == nil:
		return nil, at(next.Line, next.Column, "file holds more than one YAML document; write each stack in a file of its own")
	case err != io.EOF:
		return nil, at(yamlError(t, err))
	}
	if n := cycle(&doc, map[*yaml.Node]bool{}, map[*yaml.Node]bool{}); n != nil {
		return nil, at(n.Line, n.Column, "alias *%s stands inside of its own anchor, which never ends", n.Value)
	}
	if n := (&counter{sizes: map[*yaml.Node]int{}}).tooMany(&doc); n != nil {
		return nil, at(n.Line, n.Column, "aliases make more than %d values", maxNodes)
	}
	if n, why := oddNode(&doc); n != nil {
		return nil, at(n.Line, n.Column, "%s", why)
	}
	if k, first := duplicate(&doc); k != nil {
		return nil, at(k.Line, k.Column, "%s is written twice, first in line %d", k.Value, first.Line)
	}
	if len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, at(1, 1, "file is not a YAML mapping")
	}
	f, err := cueyaml.Extract(path, t.data)
	if err != nil {
		return nil, []Error{s.syntax(t, err)}
	}
	s.yaml = &doc
	return f, nil
}

var yamlLine = regexp.MustCompile(`^line (\d+): `)

// parserErrors begin what the parser of the YAML reader says, other than its
// scanner. It counts their lines from 0.
var parserErrors = []string{
	"did not find expected <", "did not find expected node content", "did not find expected '-' indicator",
	"did not find expected key", "did not find expected ',' or", "found undefined tag handle",
	"found duplicate %", "found incompatible YAML document",
}

var unknownAnchor = regexp.MustCompile(`^unknown anchor '(.+)' referenced$`)

// yamlError is a syntax error of the YAML reader: its line, a column, a format
// and its argument.
func yamlError(t *text, err error) (line, col int, format, msg string) {
	msg = strings.TrimPrefix(firstLine(err.Error()), "yaml: ")
	line = 1
	if m := yamlLine.FindStringSubmatch(msg); m != nil {
		line, _ = strconv.Atoi(m[1])
		msg = msg[len(m[0]):]
		if slices.ContainsFunc(parserErrors, func(p string) bool { return strings.HasPrefix(msg, p) }) {
			line = max(line+1, failsAt(t, err))
		}
	}
	if m := unknownAnchor.FindStringSubmatch(msg); m != nil {
		// The reader does not say where: it is the first alias of the name.
		alias := regexp.MustCompile(`(?m)^(?:[^#"'\n]*[\s\[{,])?(\*` + regexp.QuoteMeta(m[1]) + `)(?:[\s\]},]|$)`)
		if at := alias.FindSubmatchIndex(t.data); at != nil {
			line, col = t.place(at[2])
			return line, col, "alias *%s has no anchor", m[1]
		}
	}
	if err == io.EOF {
		msg = "file is empty"
	}
	return line, 1, "not valid YAML: %s", msg
}

// failsAt is the first line up to which a YAML text fails in the same way: the
// reader names only where the block begins that it could not go on with.
func failsAt(t *text, err error) int {
	_, want, _ := strings.Cut(strings.TrimPrefix(err.Error(), "yaml: line"), ": ")
	return 1 + sort.Search(len(t.lines)-1, func(i int) bool {
		var n yaml.Node
		err := yaml.Unmarshal(t.data[:t.lines[i+1]], &n)
		return err != nil && strings.HasSuffix(err.Error(), want)
	})
}

// badText is the first place of a text that is in no character set of YAML's,
// with what is wrong there; "" if nothing is.
func badText(data []byte) (off int, why string) {
	if utf16(data) {
		return 0, inUTF16
	}
	for off < len(data) {
		r, n := utf8.DecodeRune(data[off:])
		switch {
		case r == utf8.RuneError && n == 1:
			return off, "no UTF-8"
		case r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f || 0x80 <= r && r < 0xa0 && r != 0x85:
			return off, fmt.Sprintf("control character %U", r)
		}
		off += n
	}
	return 0, ""
}

// cycle is an alias that stands inside of its own anchor; nil if there is none.
func cycle(n *yaml.Node, above, done map[*yaml.Node]bool) *yaml.Node {
	if done[n] {
		return nil
	}
	above[n] = true
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		if above[n.Alias] {
			return n
		}
		if found := cycle(n.Alias, above, done); found != nil {
			return found
		}
	}
	for _, c := range n.Content {
		if found := cycle(c, above, done); found != nil {
			return found
		}
	}
	delete(above, n)
	done[n] = true
	return nil
}

// A counter counts nodes with every alias written out.
type counter struct {
	sizes map[*yaml.Node]int
	sum   int
}

// tooMany is the node at which a document gets more than maxNodes; nil if it
// has less. No node may be inside of its own alias.
func (c *counter) tooMany(n *yaml.Node) *yaml.Node {
	c.sum++
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		c.sum += c.expanded(n.Alias)
	}
	if c.sum > maxNodes {
		return n
	}
	for _, in := range n.Content {
		if found := c.tooMany(in); found != nil {
			return found
		}
	}
	return nil
}

// expanded is the size of a node, up to just over maxNodes; each is looked at once.
func (c *counter) expanded(n *yaml.Node) int {
	if got, ok := c.sizes[n]; ok {
		return got
	}
	sum := 1
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		sum += c.expanded(n.Alias)
	}
	for _, in := range n.Content {
		sum = min(sum+c.expanded(in), maxNodes+1)
	}
	c.sizes[n] = sum
	return sum
}

// plainTags are the types that a value of a stack may say that it has.
var plainTags = []string{"", "!", "!!str", "!!int", "!!float", "!!bool", "!!null", "!!map", "!!seq", "!!merge"}

// zeroFirst is a number that begins with a zero: some readers of YAML take it
// for octal, others do not.
var zeroFirst = regexp.MustCompile(`^[-+]?0[0-9_]+(\.[0-9_]*)?$`)

// oddNode is the first node that YAML allows and a stack does not, with the reason.
func oddNode(n *yaml.Node) (odd *yaml.Node, why string) {
	switch {
	case n.Kind == yaml.AliasNode:
		return nil, ""
	case n.Style&yaml.TaggedStyle != 0 && !slices.Contains(plainTags, n.ShortTag()):
		return n, "tag " + n.ShortTag() + " is not taken; write the value itself"
	case n.Kind == yaml.ScalarNode && n.Style == 0 && zeroFirst.MatchString(n.Value):
		plain := strings.TrimLeft(strings.TrimLeft(n.Value, "+-"), "0_")
		if plain == "" || plain[0] == '.' {
			plain = "0" + plain
		}
		if n.Value[0] == '-' {
			plain = "-" + plain
		}
		return n, fmt.Sprintf("%s begins with a zero, which makes it octal for some; write %s or %q", n.Value, plain, n.Value)
	case n.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if k, v := n.Content[i], n.Content[i+1]; k.Tag == "!!merge" && !mergeable(v, true) {
				return v, "<< takes an alias of a mapping, or a list of them"
			}
		}
	}
	for _, c := range n.Content {
		if odd, why = oddNode(c); odd != nil {
			return odd, why
		}
	}
	return nil, ""
}

func mergeable(n *yaml.Node, list bool) bool {
	switch n.Kind {
	case yaml.AliasNode:
		return n.Alias != nil && n.Alias.Kind == yaml.MappingNode
	case yaml.SequenceNode:
		return list && !slices.ContainsFunc(n.Content, func(c *yaml.Node) bool { return !mergeable(c, false) })
	}
	return n.Kind == yaml.MappingNode
}

// duplicate is the first key that a mapping holds twice, and its first place.
func duplicate(n *yaml.Node) (key, first *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		seen := map[string]*yaml.Node{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			k := n.Content[i]
			if k.Kind != yaml.ScalarNode || k.Value == "<<" {
				continue
			}
			if f, ok := seen[k.Value]; ok {
				return k, f
			}
			seen[k.Value] = k
		}
	}
	for _, c := range n.Content {
		if k, f := duplicate(c); k != nil {
			return k, f
		}
	}
	return nil, nil
}
