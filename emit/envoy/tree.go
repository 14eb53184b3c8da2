package envoy

import "strings"

// A line is one field of a message, by its path: "retry_policy.num_retries".
type line struct{ path, value, from string }

// tree writes lines as nested YAML. Lines of one block follow each other.
func tree(b *strings.Builder, indent int, lines []line) {
	var open []string
	for _, l := range lines {
		parts := strings.Split(l.path, ".")
		blocks := parts[:len(parts)-1]
		same := 0
		for same < min(len(blocks), len(open)) && blocks[same] == open[same] {
			same++
		}
		for i := same; i < len(blocks); i++ {
			b.WriteString(strings.Repeat(" ", indent+2*i) + blocks[i] + ":\n")
		}
		open = blocks
		b.WriteString(strings.Repeat(" ", indent+2*len(blocks)) + parts[len(parts)-1] + ": " + l.value + " # " + l.from + "\n")
	}
}
