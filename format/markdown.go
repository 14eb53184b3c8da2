package format

import (
	"fmt"
	"io"
	"strings"

	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/diff"
	"tchain.dev/tchain/internal/safetext"
)

const (
	// markdownLimit is the most that GitHub takes as a comment. It counts
	// characters; bytes are never fewer.
	markdownLimit = 65_536
	// What one finding may take of it, however long the names in a stack are.
	markdownCell, markdownFold = 400, 8_000
	// markdownCut is room for the line that says what was cut.
	markdownCut = 300
)

// markdownFormat gathers a comment: a table of all findings, then each one's
// lines and trace in a fold.
type markdownFormat struct {
	w     io.Writer
	opt   Options
	rows  []string
	folds []string
	gaps  gaps
	total tally
	moved []diff.Pair
}

func newMarkdown(w io.Writer, opt Options) Formatter {
	return &markdownFormat{w: w, opt: opt, total: tally{failOn: opt.FailOn}}
}

func (f *markdownFormat) Stack(r Result) error {
	f.add(f.opt.issues(r))
	f.total.add(r)
	if r.Moved != nil {
		f.moved = append(f.moved, *r.Moved)
	}
	f.gaps.add(notChecked(r.Unit.Stack))
	return nil
}

func (f *markdownFormat) add(issues []issue) {
	for i := range issues {
		x := &issues[i]
		where := x.pos.File
		if x.pos.Line > 0 {
			where += fmt.Sprintf(":%d", x.pos.Line)
		}
		where = clip(where, markdownCell)
		what := safetext.Markdown(clip(x.message, markdownCell)) + " " + safetext.MarkdownCode(x.rule)
		cell := ""
		if where != "" {
			cell = safetext.MarkdownCode(where)
		}
		f.rows = append(f.rows, "| "+x.severity.String()+" | "+cell+" | "+what+" |\n")
		if x.body != "" {
			f.folds = append(f.folds, fold(where+": "+x.rule, x.body))
		}
	}
}

func (f *markdownFormat) Close(s compile.Summary) error {
	f.add(f.opt.mistakes(s.Errors, ""))
	head := "### tchain: " + safetext.Markdown(f.total.text(s)) + "\n"
	if len(f.rows) > 0 {
		head += "\n| severity | where | what |\n|---|---|---|\n"
	}
	gaps := ""
	if lines := f.gaps.lines(f.opt.NotChecked); len(lines) > 0 {
		for i := range lines {
			lines[i] = clean(lines[i])
		}
		gaps = fold("not checked", strings.Join(lines, "\n"))
	}
	for _, g := range groupPairs(f.moved, goneFinding) {
		f.folds = append(f.folds, fold("moved since "+f.opt.Since+": "+someNames(g.stacks), g.text("   ")))
	}
	room := markdownLimit - markdownCut - len(head) - len(gaps)
	rows, cutRows := fitting(f.rows, &room)
	folds, cutFolds := fitting(f.folds, &room)
	text := head + strings.Join(rows, "") + strings.Join(folds, "") + gaps
	if cutRows+cutFolds > 0 {
		text += fmt.Sprintf("\nCut to what a comment can hold: %d of %s and %d of %s are left out; `tchain check` prints them.\n",
			cutRows, count(len(f.rows), "finding"), cutFolds, count(len(f.folds), "trace"))
	}
	_, err := io.WriteString(f.w, text)
	return err
}

// fitting are the parts from the first on that fit, and how many do not.
func fitting(parts []string, room *int) (fit []string, cut int) {
	for i, p := range parts {
		if len(p) > *room {
			return parts[:i], len(parts) - i
		}
		*room -= len(p)
	}
	return parts, 0
}
