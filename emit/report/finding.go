package report

import (
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
)

// A Finding is something that is wrong on a route, in place.
type Finding struct {
	Rule     string   `json:"rule"`
	Severity string   `json:"severity"`
	Layer    string   `json:"layer"`
	Setting  string   `json:"setting"`
	Message  string   `json:"message"`
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Fixes    []string `json:"fixes"` // in words, smallest first
}

// Find adds a finding to those of the routes for which it holds, by name; without
// names it is about the stack as a whole and stands at each.
func Find(routes []Route, names []string, f Finding) {
	for i := range routes {
		if len(names) == 0 || slices.Contains(names, routes[i].Route) {
			routes[i].Findings = append(routes[i].Findings, f)
		}
	}
}

// findingsAt are the findings that belong to a hop: those of its caller, and at a
// last layer those of the callee. hop -1 has those of no layer on the route.
func (r *Route) findingsAt(hop int) []Finding {
	var out []Finding
	for _, f := range r.Findings {
		if r.placeOf(f) == hop {
			out = append(out, f)
		}
	}
	return out
}

// placeOf is the hop at which a finding stands: the first one of its layer.
func (r *Route) placeOf(f Finding) int {
	for i, h := range r.Hops {
		if h.From == f.Layer {
			return i
		}
	}
	for i, h := range r.Hops {
		if h.To == f.Layer {
			return i
		}
	}
	return -1
}

// text is the finding in lines under its hop.
func (f Finding) text() []string {
	out := []string{"  " + f.head()}
	for i, fix := range f.Fixes {
		word := "fix: "
		if i > 0 {
			word = " or: "
		}
		out = append(out, "    "+word+fix)
	}
	return out
}

// lines are those of text in at most width columns, what goes on a bit further in.
func (f Finding) lines(width int) []string {
	var out []string
	for _, line := range f.text() {
		words := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(words)]
		for i, part := range wrapWords(words, width-len(indent)-len("  ")) {
			if i > 0 {
				part = "  " + part
			}
			out = append(out, indent+part)
		}
	}
	return out
}

// head is the finding in one line: "error[error-room] at stack.cue:15: proxy answers 504 …".
func (f Finding) head() string {
	text := f.Severity + "[" + f.Rule + "]"
	if f.Line > 0 {
		text += " at " + sourceText(chain.Written, f.File, f.Line, "")
	}
	return text + ": " + f.Message
}
