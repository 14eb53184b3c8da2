package format

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"tchain.dev/tchain/chain"
)

// A trace is cut in the middle when it has more lines than this: a dozen
// repeated attempts read alike.
const mostTraceLines = 16

// whole is a trace with the outermost layer's own end. A person's program tells
// it itself; any other layer that stands outermost waits without a word.
func whole(t *chain.Trace) *chain.Trace {
	n, outermost := len(t.Events), t.Fault.From
	if n > 0 {
		outermost = t.Events[0].Node
	}
	if t.Outcome.At != chain.Never || outermost == nil || n > 0 && t.Events[n-1].Kind == chain.EvSees {
		return t
	}
	out := *t
	out.Events = append(t.Events[:n:n], chain.Event{At: chain.Never, Kind: chain.EvSees, Node: outermost, Status: t.Outcome.Status, Unknown: t.Outcome.Error == chain.NotKnown})
	return &out
}

// traceText is a trace in aligned lines, each with its indent.
func traceText(t *chain.Trace) []string {
	lines := whole(t).Lines()
	at, who := 5, 0
	for _, l := range lines {
		at = max(at, utf8.RuneCountInString(chain.Shown(l.At)))
		if !l.Way() {
			who = max(who, utf8.RuneCountInString(l.Who))
		}
	}
	var out []string
	for _, l := range lines {
		out = append(out, fmt.Sprintf("     %*s  %s", at, chain.Shown(l.At), lineText(l, who)))
	}
	if n := len(out); n > mostTraceLines {
		half := mostTraceLines / 2
		skipped := fmt.Sprintf("     %*s  and %d more events of the same kind", at, "…", n-2*half)
		out = append(append(out[:half:half], skipped), out[n-half:]...)
	}
	return out
}

func lineText(l chain.Line, who int) string {
	if l.Way() {
		return l.Who + "   " + l.What
	}
	return l.Who + strings.Repeat(" ", who-utf8.RuneCountInString(l.Who)) + "  " + l.What
}

// heading says where a finding holds and under which fault: the line above a trace.
func heading(routes []string, t *chain.Trace) string {
	text := routesText(routes)
	if t == nil {
		return text
	}
	if text != "" {
		text += "; "
	}
	return text + t.Fault.Text() + ":"
}

// fewRoutes is how many routes are named before they are only counted.
const fewRoutes = 3

func routesText(routes []string) string {
	n := len(routes)
	if n <= fewRoutes+1 {
		return strings.Join(routes, ", ")
	}
	return fmt.Sprintf("%s and %d more routes", strings.Join(routes[:fewRoutes], ", "), n-fewRoutes)
}
