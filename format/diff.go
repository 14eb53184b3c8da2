package format

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"tchain.dev/tchain/check"
	"tchain.dev/tchain/diff"
	"tchain.dev/tchain/internal/safetext"
)

// A DiffFormat is one way of printing what differs between two sides.
type DiffFormat struct {
	Name  string // the word after --format
	Write func(io.Writer, *diff.Diff, Options) error
}

// DiffFormats lists every format once; the first one is the default.
var DiffFormats = []DiffFormat{
	{"text", diffText},
	{"markdown", diffMarkdown},
	{"json", func(w io.Writer, d *diff.Diff, _ Options) error { return writeJSON(w, d) }},
}

// A pairGroup is stacks in which the same moved, as when a file that all of them
// share was edited. Where it is written may differ.
type pairGroup struct {
	stacks   []string
	findings []diffLine // of all of them
	moved    []diffLine // as in the first
}

// A diffLine is a line with the colour that it has on a terminal.
type diffLine struct{ color, text string }

// groupPairs groups stacks; told picks the findings that are listed.
func groupPairs(pairs []diff.Pair, told func(*diff.Finding) bool) []pairGroup {
	var out []pairGroup
	at := map[string]int{}
	for i := range pairs {
		p := &pairs[i]
		var findings []diff.Finding
		for n := range p.Findings {
			if told(&p.Findings[n]) {
				findings = append(findings, p.Findings[n])
			}
		}
		key := fmt.Sprint(p.Change, len(findings) > 0, pairMoved(p, false))
		g, ok := at[key]
		if !ok {
			if len(findings) == 0 && len(p.Routes) == 0 && p.Change == diff.Changed && p.Name == nil && p.Dir.Old == p.Dir.New {
				continue
			}
			g = len(out)
			at[key] = g
			out = append(out, pairGroup{moved: pairMoved(p, true)})
		}
		out[g].stacks = append(out[g].stacks, pairName(p))
		out[g].findings = append(out[g].findings, findingLines(findings)...)
	}
	return out
}

// lines are the findings of a group and what moved.
func (g *pairGroup) lines() []diffLine {
	out := g.findings[:len(g.findings):len(g.findings)]
	if len(out) > 0 && len(g.moved) > 0 {
		out = append(out, diffLine{})
	}
	if out = append(out, g.moved...); len(out) == 0 {
		out = append(out, diffLine{"", "   nothing in force differs"}) // but its name or directory
	}
	return out
}

func everyFinding(*diff.Finding) bool { return true }

func noFinding(*diff.Finding) bool { return false }

// goneFinding is for a run that tells all other findings by itself.
func goneFinding(f *diff.Finding) bool { return f.Change == diff.Gone }

// text is the lines without colour and without an indent.
func (g *pairGroup) text(indent string) string {
	var b strings.Builder
	for _, l := range g.lines() {
		b.WriteString(clean(strings.TrimPrefix(l.text, indent)) + "\n")
	}
	return b.String()
}

// fewNames is how many names a heading lists.
const fewNames = 3

func someNames(names []string) string {
	if rest := len(names) - fewNames; rest > 1 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:fewNames], ", "), rest)
	}
	return strings.Join(names, ", ")
}

// pairName is the stack's name and where it is.
func pairName(p *diff.Pair) string {
	name := p.Stack
	if p.Name != nil {
		name = p.Name.Old + " → " + p.Name.New
	}
	dir := p.Dir.New
	switch {
	case p.Change == diff.Gone:
		dir = p.Dir.Old
	case p.Change == diff.Changed && p.Dir.Old != p.Dir.New:
		dir = p.Dir.Old + " → " + p.Dir.New
	}
	if dir != "" && dir != "." && dir != name {
		name += "  [" + dir + "]"
	}
	return name
}

// pairMoved is what moved in a stack, without its findings.
func pairMoved(p *diff.Pair, sources bool) []diffLine {
	var out []diffLine
	switch n := count(len(p.Routes), "route"); p.Change {
	case diff.New:
		return []diffLine{{"", "   new stack, " + n}}
	case diff.Gone:
		return []diffLine{{"", "   the stack is gone, " + n}}
	}
	for _, l := range movedLines(p.Routes, sources) {
		out = append(out, diffLine{"", l})
	}
	return out
}

// findingLines are the findings of one stack, those that count first.
func findingLines(all []diff.Finding) []diffLine {
	var out []diffLine
	for _, f := range all {
		x, color := f.New, red
		if x == nil {
			x, color = f.Old, green
		}
		if f.Change == diff.Changed {
			color = ""
		}
		text := fmt.Sprintf("   %-7s %s %s[%s]: %s", f.Change, foundWhere(x), x.Severity, x.Rule, x.Message)
		out = append(out, diffLine{color, strings.TrimRight(text, " ")})
		switch {
		case f.Why != "":
			out = append(out, diffLine{"", "           " + f.Why})
		case f.Change == diff.Changed:
			out = append(out, diffLine{"", "           before: " + f.Old.Message})
		}
	}
	return out
}

func foundWhere(x *diff.Found) string {
	if x.Line == 0 {
		return x.File + ":"
	}
	return fmt.Sprintf("%s:%d:%d:", x.File, x.Line, max(x.Column, 1))
}

// diffSummary is the verdict in one line.
func diffSummary(d *diff.Diff) string {
	if len(d.Stacks) == 0 {
		return "nothing in force differs in " + count(d.Compared, "stack")
	}
	by := map[diff.Kind]int{}
	var parts []string
	for _, p := range d.Stacks {
		for _, f := range p.Findings {
			by[f.Change]++
		}
	}
	for _, k := range []diff.Kind{diff.New, diff.Worse, diff.Gone} {
		switch n := by[k]; {
		case n > 0 && len(parts) == 0:
			parts = append(parts, count(n, "finding")+" "+string(k))
		case n > 0:
			parts = append(parts, fmt.Sprint(n, " ", k))
		}
	}
	findings := "no finding new or gone"
	if len(parts) > 0 {
		findings = strings.Join(parts, ", ")
	}
	if d.Compared == len(d.Stacks) {
		return findings + "; " + count(d.Compared, "stack") + " " + differs(d.Compared)
	}
	return fmt.Sprintf("%s; %d of %s %s", findings, len(d.Stacks), count(d.Compared, "stack"), differs(len(d.Stacks)))
}

func differs(n int) string {
	if n == 1 {
		return "differs"
	}
	return "differ"
}

func diffText(w io.Writer, d *diff.Diff, opt Options) error {
	out, paint := bufio.NewWriter(w), palette{opt.Color}
	for _, g := range groupPairs(d.Stacks, everyFinding) {
		out.WriteString(paint.paint(bold, clean(someNames(g.stacks))) + "\n")
		for _, l := range g.lines() {
			out.WriteString(paint.paint(l.color, clean(l.text)) + "\n")
		}
		out.WriteString("\n")
	}
	out.WriteString(diffSummary(d) + "\n")
	return out.Flush()
}

// diffMarkdown is a comment: the findings in a table, what moved in folds.
func diffMarkdown(w io.Writer, d *diff.Diff, opt Options) error {
	head := "### tchain: " + safetext.Markdown(diffSummary(d)) + "\n\n" + safetext.MarkdownCode(d.Old) + " → " + safetext.MarkdownCode(d.New) + "\n"
	var rows, folds []string
	for _, p := range d.Stacks {
		for _, f := range p.Findings {
			rows = append(rows, findingRow(&f, opt))
		}
	}
	if len(rows) > 0 {
		head += "\n| | severity | where | what |\n|---|---|---|---|\n"
	}
	for _, g := range groupPairs(d.Stacks, noFinding) {
		folds = append(folds, fold(someNames(g.stacks), g.text("   ")))
	}
	room := markdownLimit - markdownCut - len(head)
	rows, cutRows := fitting(rows, &room)
	folds, cutFolds := fitting(folds, &room)
	text := head + strings.Join(rows, "") + strings.Join(folds, "")
	if cutRows+cutFolds > 0 {
		text += fmt.Sprintf("\nCut to what a comment can hold: %s and %s are left out; `tchain diff` prints them.\n",
			count(cutRows, "finding"), count(cutFolds, "stack"))
	}
	_, err := io.WriteString(w, text)
	return err
}

func findingRow(f *diff.Finding, opt Options) string {
	x := f.New
	if x == nil {
		x = f.Old
	}
	where := opt.path(x.File)
	if x.Line > 0 {
		where += fmt.Sprintf(":%d", x.Line)
	}
	what := safetext.Markdown(clip(x.Message, markdownCell)) + " " + safetext.MarkdownCode(x.Rule)
	if f.Why != "" {
		what += " (" + safetext.Markdown(clip(f.Why, markdownCell)) + ")"
	}
	return "| " + string(f.Change) + " | " + x.Severity + " | " + safetext.MarkdownCode(clip(where, markdownCell)) + " | " + what + " |\n"
}

// DiffSeverity is the highest of what counts; Off if nothing does.
func DiffSeverity(findings []diff.Finding) check.Severity {
	most := check.Off
	for _, f := range findings {
		if s, ok := check.ParseSeverity(severityOf(f)); ok && f.Counts() {
			most = max(most, s)
		}
	}
	return most
}

func severityOf(f diff.Finding) string {
	if f.New == nil {
		return ""
	}
	return f.New.Severity
}

// distinct are the words of a list, each once, in order.
func distinct(words []string) []string {
	var out []string
	for _, w := range words {
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
