package format

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/diff"
)

// gutter is the width of the line numbers, bar not included.
const gutter = 5

// defaultWidth is for output that is no terminal.
const defaultWidth = 120

type textFormat struct {
	w      *bufio.Writer
	opt    Options
	paint  palette
	blocks int // what was printed so far; a blank line comes between two
	gaps   gaps
	total  tally
	moved  []diff.Pair
	brief  bool // the last block was an error without a place; another such one follows without a blank line
}

func newText(w io.Writer, opt Options) Formatter {
	if opt.Width <= 0 {
		opt.Width = defaultWidth
	}
	opt.Path = nil // a person reads names from where the command was given
	return &textFormat{w: bufio.NewWriter(w), opt: opt, paint: palette{opt.Color}, total: tally{failOn: opt.FailOn}}
}

func (t *textFormat) Stack(r Result) error {
	src := &source{files: r.Unit.Source}
	for i := range r.Unit.Errors {
		t.error(src, &r.Unit.Errors[i], r.Unit.Dir)
	}
	for i := range r.Findings {
		t.finding(src, &r.Findings[i], r.Unit.Dir)
	}
	t.total.add(r)
	if r.Moved != nil {
		t.moved = append(t.moved, *r.Moved)
	}
	t.gaps.add(notChecked(r.Unit.Stack))
	return t.w.Flush()
}

func (t *textFormat) Close(s compile.Summary) error {
	src := &source{files: map[string][]byte{}}
	for _, p := range s.Policies {
		src.files[p.File] = p.Source
	}
	for i := range s.Errors {
		t.error(src, &s.Errors[i], "")
	}
	t.since()
	lines := t.gaps.lines(t.opt.NotChecked)
	if t.opt.NotChecked {
		for _, skip := range s.Skipped {
			lines = append(lines, skip.Path+": "+skip.Reason)
		}
	}
	if len(lines) > 0 {
		t.block()
		t.line(t.paint.paint(dim, "not checked:"))
		for _, l := range lines {
			t.line("   " + clean(l))
		}
	}
	if t.blocks > 0 {
		t.line("")
	}
	t.line(t.total.text(s))
	return t.w.Flush()
}

// since says what moved since the commit that the run is compared with.
func (t *textFormat) since() {
	groups := groupPairs(t.moved, goneFinding)
	if t.opt.Since == "" || t.total.stacks == 0 && len(groups) == 0 {
		return
	}
	t.block()
	if len(groups) == 0 {
		t.line(t.paint.paint(dim, "nothing in force moved since "+clean(t.opt.Since)))
		return
	}
	t.line(t.paint.paint(dim, "moved since "+clean(t.opt.Since)+":"))
	for _, g := range groups {
		t.line(t.paint.paint(bold, clean(someNames(g.stacks))))
		for _, l := range g.lines() {
			t.line(t.paint.paint(l.color, clean(l.text)))
		}
	}
}

func (t *textFormat) block() {
	if t.blocks > 0 {
		t.line("")
	}
	t.blocks++
}

// line writes one line; the writer remembers its first error until Flush.
func (t *textFormat) line(s string) {
	t.w.WriteString(s)
	t.w.WriteByte('\n')
}

func (t *textFormat) error(src *source, e *compile.Error, dir string) {
	if _, placed := src.line(e.Range.File, e.Range.Line); placed || !t.brief {
		t.block()
		t.brief = !placed
	}
	t.header(e.Range, dir, red, "error", e.Message)
	t.place(src, e.Range, "", red, shownPlace{})
}

func (t *textFormat) finding(src *source, f *check.Finding, dir string) {
	t.block()
	t.brief = false
	color := severityColor(f.Severity)
	t.header(f.Pos, dir, color, f.Severity.String()+"["+f.Rule+"]", f.Message)
	t.body(src, f)
}

// body is all of a finding but its first line.
func (t *textFormat) body(src *source, f *check.Finding) {
	color := severityColor(f.Severity)
	last := t.place(src, f.Pos, f.Label, color, shownPlace{file: f.Pos.File})
	for _, r := range f.Related {
		last = t.place(src, r.Pos, r.Message, cyan, last)
	}
	if f.Owner != "" && f.Layer != "" {
		t.bar("", "= ", clean(f.Layer+" belongs to "+f.Owner))
	}
	if h := heading(f.Routes, f.Trace); h != "" {
		t.line("   " + clean(h))
	}
	if f.Trace != nil {
		for _, l := range traceText(f.Trace) {
			t.line(clean(l))
		}
	}
	for i, fix := range f.Fixes {
		t.fix(i, fix, f.Pos.File)
	}
}

func (t *textFormat) header(r chain.Range, dir, color, kind, message string) {
	where := t.opt.path(r.File)
	if where == "" {
		where = dir
	}
	if r.Line > 0 {
		where += ":" + strconv.Itoa(r.Line) + ":" + strconv.Itoa(max(r.Column, 1))
	}
	if where != "" {
		where += ": "
	}
	t.line(t.paint.paint(bold, clean(where)) + t.paint.paint(color, kind+":") + " " + clean(message))
}

// A shownPlace is the line that was shown last, or the part of it.
type shownPlace struct {
	file string
	line int
	text string
}

// place shows a source line with a range marked and a label. last is the place
// shown before: its line is not repeated unless another part of it is needed, and
// a change of file is said. A place without a line is only its label.
func (t *textFormat) place(src *source, r chain.Range, label, color string, last shownPlace) shownPlace {
	label = clean(label)
	line, ok := src.line(r.File, r.Line)
	if !ok {
		if label != "" {
			t.bar("", "= ", label)
		}
		return last
	}
	if last.file != "" && r.File != last.file {
		t.line("   " + t.paint.paint(bold, fmt.Sprintf("%s:%d:%d", clean(t.opt.path(r.File)), r.Line, r.Column)))
	}
	x := around(line, r, t.opt.Width-gutter-3)
	now := shownPlace{r.File, r.Line, x.shown}
	if now != last {
		t.bar(strconv.Itoa(r.Line), "│ ", x.shown)
	}
	t.bar("", "│ ", x.pad+t.paint.paint(color, strings.TrimRight(x.carets+" "+label, " ")))
	return now
}

func (t *textFormat) bar(number, bar, text string) {
	left := strings.Repeat(" ", max(gutter-len(number), 0)) + number + " " + bar
	if text == "" {
		left = strings.TrimRight(left, " ")
	}
	t.line(t.paint.paint(dim, left) + text)
}

func severityColor(s check.Severity) string {
	switch s {
	case check.Error:
		return red
	case check.Warning:
		return yellow
	}
	return cyan
}
