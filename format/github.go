package format

import (
	"fmt"
	"io"
	"strings"

	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
)

// githubFormat prints workflow commands, one a line, which the runner of GitHub
// Actions turns into annotations.
type githubFormat struct {
	w   io.Writer
	opt Options
}

func newGitHub(w io.Writer, opt Options) Formatter { return &githubFormat{w, opt} }

func (f *githubFormat) Stack(r Result) error { return f.print(f.opt.issues(r)) }

func (f *githubFormat) Close(s compile.Summary) error { return f.print(f.opt.mistakes(s.Errors, "")) }

func (f *githubFormat) print(issues []issue) error {
	var b strings.Builder
	for i := range issues {
		b.WriteString(githubCommand(&issues[i]))
	}
	_, err := io.WriteString(f.w, b.String())
	return err
}

func githubCommand(i *issue) string {
	var props []string
	add := func(name string, value any) {
		props = append(props, name+"="+githubProperty.Replace(fmt.Sprint(value)))
	}
	if i.pos.File != "" {
		add("file", i.pos.File)
		add("line", i.line())
	}
	// The runner takes columns only of a range within one line.
	if r := i.pos; r.Line > 0 && r.EndLine == r.Line && r.Column > 0 {
		add("col", r.Column)
		add("endColumn", max(r.EndColumn, r.Column))
	} else if r.EndLine > r.Line {
		add("endLine", r.EndLine)
	}
	add("title", "tchain "+i.rule)
	text := strings.TrimRight(i.message+"\n"+i.body, "\n")
	return "::" + githubLevel(i.severity) + " " + strings.Join(props, ",") + "::" + githubData.Replace(text) + "\n"
}

func githubLevel(s check.Severity) string {
	if s == check.Info {
		return "notice"
	}
	return s.String()
}

// What a command's text and its properties may not hold as it is.
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
