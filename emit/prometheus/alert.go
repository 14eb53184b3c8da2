package prometheus

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// An alert is one rule. Two of the same expression are one, with the comments of both.
type alert struct {
	name     string
	comments []string
	expr     string
	lasts    string // for how long before it is told
	severity string
	layer    string
	summary  string
	doc      string // of the metric
}

// rules are alerts in the order in which they were added.
type rules []*alert

func (r *rules) add(a alert) {
	at := slices.IndexFunc(*r, func(o *alert) bool { return o.name == a.name && o.expr == a.expr })
	if at < 0 {
		*r = append(*r, &a)
		return
	}
	for _, text := range a.comments {
		if !slices.Contains((*r)[at].comments, text) {
			(*r)[at].comments = append((*r)[at].comments, text)
		}
	}
}

// text is the rule in YAML. Its strings are in double quotes, which YAML reads as Go does.
func (a alert) text() string {
	var b strings.Builder
	for _, c := range a.comments {
		fmt.Fprintf(&b, "      # %s\n", c)
	}
	if a.doc != "" {
		fmt.Fprintf(&b, "      # %s\n", a.doc)
	}
	fmt.Fprintf(&b, "      - alert: %s\n        expr: >-\n          %s\n", a.name, strings.ReplaceAll(a.expr, "\n", "\n          "))
	if a.lasts != "" {
		fmt.Fprintf(&b, "        for: %s\n", a.lasts)
	}
	fmt.Fprintf(&b, "        labels:\n          severity: %s\n          layer: %s\n        annotations:\n          summary: %s\n", a.severity, strconv.Quote(a.layer), strconv.Quote(a.summary))
	return b.String()
}
