// Package format prints what was found. A format is an adapter behind a
// two-method interface: it only reads findings and knows neither rules nor
// products. Every word about an event or a fault comes from package chain, so
// that all formats say the same.
package format

import (
	"io"

	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/diff"
)

// A Result is what one stack came to.
type Result struct {
	Unit     *compile.Unit
	Findings []check.Finding // sorted, with fixes that hold
	Hidden   int             // findings that were left out because nobody asked for them
	// Suppressed are findings that the stack or a baseline accepts, each with its
	// suppression; most formats say nothing of them.
	Suppressed []check.Finding
	Known      int // those of Suppressed that a baseline accepts
	// Moved is what moved since the commit that Options.Since names; nil is nothing.
	Moved *diff.Pair
	// Of is what the findings are of where that is no stack: "the baseline".
	Of string
}

// Gone is the result of a stack that is only in the commit that Options.Since names.
func Gone(p *diff.Pair) Result {
	return Result{Unit: &compile.Unit{Dir: p.Dir.Old}, Moved: p}
}

func (r *Result) gone() bool { return r.Moved != nil && r.Moved.Change == diff.Gone }

// A Formatter prints results one after the other. Both methods return the
// error of the writer, after which nothing more has to be printed.
type Formatter interface {
	Stack(Result) error
	// Close prints what concerns the whole run. It does not close the writer.
	Close(compile.Summary) error
}

// Options are what a format may be told. The zero value suits a file.
type Options struct {
	Color bool
	// Width is the number of columns of a terminal; 0 is 120. Only source lines
	// are cut to it.
	Width int
	// NotChecked lists all that was not checked instead of the first few.
	NotChecked bool
	// Path turns the name of a file into the one that a reader elsewhere knows it
	// by: relative to the root of the repository. nil leaves names as they are.
	Path func(string) string
	// FailOn is the lowest severity that fails a run; unset it is Warning.
	FailOn check.Severity
	// Since names the commit that the run is compared with; "" is none.
	Since string
	// Version is that of tchain; "" is not known.
	Version string
}

func (o Options) path(file string) string {
	if o.Path == nil || file == "" {
		return file
	}
	return o.Path(file)
}

func (o Options) fails(s check.Severity) bool {
	if o.FailOn == check.Off {
		return s >= check.Warning
	}
	return s >= o.FailOn
}

// A Format is one way of printing.
type Format struct {
	Name string // the word after --format
	Doc  string // one line, lower case, no final stop
	New  func(io.Writer, Options) Formatter
}

// Formats lists every format once; the first one is the default.
var Formats = []Format{
	{"text", "for people, with source lines and traces", newText},
	{"json", "for programs, one object; see docs/json.md", newJSON},
	{"sarif", "SARIF 2.1.0, for code scanning", newSARIF},
	{"github", "annotations of GitHub Actions, for standard output", newGitHub},
	{"gitlab", "GitLab's code quality report", newGitLab},
	{"junit", "JUnit XML, a suite a stack and a test a rule", newJUnit},
	{"checkstyle", "checkstyle XML", newCheckstyle},
	{"markdown", "for a comment on a pull request, with the traces folded", newMarkdown},
}

// Named is the format with a name; ok is false if there is none.
func Named(name string) (f Format, ok bool) {
	for _, f := range Formats {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}
