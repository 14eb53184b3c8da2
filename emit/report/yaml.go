package report

import (
	"bytes"
	"io"

	"go.yaml.in/yaml/v3"
)

// WriteYAML writes the object of WriteJSON as YAML, its fields in the same order.
func (r *Report) WriteYAML(w io.Writer) error {
	var text bytes.Buffer
	if err := r.WriteJSON(&text); err != nil {
		return err
	}
	var doc yaml.Node // JSON is YAML, and a node keeps the order of its fields
	if err := yaml.Unmarshal(text.Bytes(), &doc); err != nil {
		return err
	}
	block(&doc)
	enc := yaml.NewEncoder(w)
	enc.SetIndent(2)
	if err := enc.Encode(&doc); err != nil {
		return err
	}
	return enc.Close()
}

// block takes the look of JSON off a node. What is empty keeps its brackets.
func block(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode || len(n.Content) > 0 {
		n.Style = 0
	}
	for _, c := range n.Content {
		block(c)
	}
}
