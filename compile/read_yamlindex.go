package compile

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// yaml indexes a YAML document by its own nodes: CUE's syntax of it has the
// right beginnings but ends of its own.
func (ix *index) yaml(s *source) {
	path := s.target.own[0]
	t, err := s.text(path)
	if err != nil || len(s.yaml.Content) == 0 {
		return
	}
	y := &yamlIndexer{ix, t, path, map[int]span{}}
	ix.spans[path] = y.spans
	y.node(s.yaml.Content[0], nil)
}

type yamlIndexer struct {
	*index
	text  *text
	file  string
	spans map[int]span
}

// node indexes what a node holds and returns the node's span.
func (y *yamlIndexer) node(n *yaml.Node, path []string) span {
	s := span{from: y.text.offset(n.Line, n.Column)}
	s.to = s.from
	content := s.from
	switch n.Kind {
	case yaml.ScalarNode:
		content = y.content(n, s.from)
		s = span{content, y.scalarEnd(n, content)}
	case yaml.AliasNode:
		s.to = s.from + 1 + len(n.Value)
	case yaml.MappingNode:
		content = y.content(n, s.from)
		for i := 0; i+1 < len(n.Content); i += 2 {
			k, v := n.Content[i], n.Content[i+1]
			p := append(path[:len(path):len(path)], k.Value)
			d := &decl{path: p, file: y.file}
			if k.Value != "<<" {
				y.add(d)
			}
			d.label = y.node(k, nil)
			d.value = y.node(v, p)
			s.to = max(s.to, d.value.to, d.label.to)
		}
		s.to = y.flowEnd(n, s.to, '}')
	case yaml.SequenceNode:
		content = y.content(n, s.from)
		for i, c := range n.Content {
			d := &decl{path: append(path[:len(path):len(path)], indexed(i)), file: y.file}
			y.add(d)
			d.value = y.node(c, d.path)
			d.label = d.value
			s.to = max(s.to, d.value.to)
		}
		s.to = y.flowEnd(n, s.to, ']')
	}
	y.spans[s.from] = s
	y.spans[content] = s
	return s
}

// content is where the value begins after its anchor and tag.
func (y *yamlIndexer) content(n *yaml.Node, at int) int {
	data := y.text.data
	for at < len(data) && (data[at] == '&' || data[at] == '!') {
		for at < len(data) && !bytes.ContainsRune([]byte(" \t\r\n"), rune(data[at])) {
			at++
		}
		for at < len(data) && bytes.ContainsRune([]byte(" \t\r\n"), rune(data[at])) {
			at++
		}
	}
	return at
}

// scalarEnd is the end of a scalar. One over several lines ends where its first
// line does.
func (y *yamlIndexer) scalarEnd(n *yaml.Node, at int) int {
	data := y.text.data
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		return y.text.quotedEnd(at)
	case n.Style&yaml.SingleQuotedStyle != 0:
		for i := at + 1; i < len(data); i++ {
			if data[i] == '\'' {
				if i+1 < len(data) && data[i+1] == '\'' {
					i++
					continue
				}
				return i + 1
			}
		}
		return len(data)
	}
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 && bytes.HasPrefix(data[min(at, len(data)):], []byte(n.Value)) {
		return at + len(n.Value)
	}
	line := data[at:max(at, y.text.lineAt(at).to)]
	if i := bytes.Index(line, []byte(" #")); i >= 0 {
		line = line[:i]
	}
	return at + len(bytes.TrimRight(line, " \t"))
}

// flowEnd is the end of a mapping or sequence with brackets, else from.
func (y *yamlIndexer) flowEnd(n *yaml.Node, from int, bracket byte) int {
	if n.Style&yaml.FlowStyle == 0 {
		return from
	}
	if i := bytes.IndexByte(y.text.data[from:], bracket); i >= 0 {
		return from + i + 1
	}
	return from
}
