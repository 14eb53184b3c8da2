package format

import (
	"bufio"
	"fmt"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
)

// unreadable stands in the place of a rule for a mistake in the input.
const unreadable = "unreadable"

// An issue is a finding or a mistake in the input in the form that programs for
// issues of any tool want: one place in one file, one line of text.
type issue struct {
	rule, stack string
	severity    check.Severity
	pos         chain.Range // of a file as a reader elsewhere knows it
	message     string
	fingerprint string
	body        string // all else that the text form says, over several lines
}

// line is the line of an issue where a format must have one.
func (i *issue) line() int { return max(i.pos.Line, 1) }

// text is the text form of an issue.
func (i *issue) text() string {
	where := i.pos.File
	if i.pos.Line > 0 {
		where += fmt.Sprintf(":%d:%d", i.pos.Line, max(i.pos.Column, 1))
	}
	if where != "" {
		where += ": "
	}
	kind := i.severity.String()
	if i.rule != unreadable {
		kind += "[" + i.rule + "]"
	}
	return where + kind + ": " + i.message + "\n" + i.body
}

// issues are the mistakes and the findings of a stack.
func (o Options) issues(r Result) []issue {
	out := o.mistakes(r.Unit.Errors, r.Unit.Dir)
	src := &source{files: r.Unit.Source}
	prints := Fingerprints(r.Findings)
	for n := range r.Findings {
		f := &r.Findings[n]
		out = append(out, issue{
			rule: f.Rule, stack: f.Stack, severity: f.Severity, pos: o.relocate(f.Pos, r.Unit.Dir),
			message: clean(f.Message), fingerprint: prints[n], body: o.body(src, f),
		})
	}
	return out
}

// mistakes are errors in the input; those of no file stand at dir.
func (o Options) mistakes(errs []compile.Error, dir string) []issue {
	var out []issue
	for _, e := range errs {
		pos := o.relocate(e.Range, dir)
		out = append(out, issue{
			rule: unreadable, severity: check.Error, pos: pos, message: clean(e.Message),
			fingerprint: digest(strings.Join([]string{unreadable, pos.File, e.Message}, "\x00")),
		})
	}
	return out
}

func (o Options) relocate(r chain.Range, dir string) chain.Range {
	if r.File == "" {
		r.File = dir
	}
	r.File = clean(o.path(r.File))
	return r
}

// body is a finding in text form without its first line.
func (o Options) body(src *source, f *check.Finding) string {
	var b strings.Builder
	t := &textFormat{w: bufio.NewWriter(&b), opt: Options{Width: defaultWidth, Path: o.Path}}
	t.body(src, f)
	t.w.Flush() // a builder takes everything
	return b.String()
}
