package compile

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

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
	dec := yaml.NewDecoder(bytes.NewReader(t.data))
	var doc, next yaml.Node
	if err := dec.Decode(&doc); err != nil {
		return nil, at(yamlError(err))
	}
	switch err := dec.Decode(&next); {
	case err == nil:
		return nil, at(next.Line, next.Column, "file holds more than one YAML document; write each stack in a file of its own")
	case err != io.EOF:
		return nil, at(yamlError(err))
	}
	if n := expanded(&doc, map[*yaml.Node]int{}); n > maxNodes {
		return nil, at(1, 1, "aliases make more than %d values", maxNodes)
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

// yamlError is a syntax error of the YAML reader: its line, a column, a format
// and its argument.
func yamlError(err error) (line, col int, format, msg string) {
	msg = strings.TrimPrefix(firstLine(err.Error()), "yaml: ")
	line = 1
	if m := yamlLine.FindStringSubmatch(msg); m != nil {
		line, _ = strconv.Atoi(m[1])
		msg = msg[len(m[0]):]
	}
	if err == io.EOF {
		msg = "file is empty"
	}
	return line, 1, "not valid YAML: %s", msg
}

// expanded is the number of nodes with every alias written out, up to just over
// maxNodes; no alias is followed twice.
func expanded(n *yaml.Node, known map[*yaml.Node]int) int {
	if got, ok := known[n]; ok {
		return got
	}
	// An alias inside its own anchor would never end; the mark makes it too large.
	known[n] = maxNodes + 1
	sum := 1
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		sum += expanded(n.Alias, known)
	}
	for _, c := range n.Content {
		sum = min(sum+expanded(c, known), maxNodes+1)
	}
	known[n] = sum
	return sum
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
