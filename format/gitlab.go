package format

import (
	"io"
	"strconv"

	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
)

// gitlabFormat gathers the list that GitLab reads as a code quality report.
type gitlabFormat struct {
	w    io.Writer
	opt  Options
	out  []gitlabIssue
	seen map[string]int // fingerprints, which must differ within a report
}

type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
	End   int `json:"end"`
}

func newGitLab(w io.Writer, opt Options) Formatter {
	return &gitlabFormat{w: w, opt: opt, out: []gitlabIssue{}, seen: map[string]int{}}
}

func (f *gitlabFormat) Stack(r Result) error {
	f.add(f.opt.issues(r))
	return nil
}

func (f *gitlabFormat) add(issues []issue) {
	for i := range issues {
		x := &issues[i]
		print := x.fingerprint
		if n := f.seen[print]; n > 0 { // two stacks of one name
			print = digest(print + "\x00" + strconv.Itoa(n))
		}
		f.seen[x.fingerprint]++
		f.out = append(f.out, gitlabIssue{
			Description: x.message, CheckName: x.rule, Fingerprint: print, Severity: gitlabSeverity(x),
			Location: gitlabLocation{x.pos.File, gitlabLines{x.line(), max(x.line(), x.pos.EndLine)}},
		})
	}
}

func (f *gitlabFormat) Close(s compile.Summary) error {
	f.add(f.opt.mistakes(s.Errors, "."))
	return writeJSON(f.w, f.out)
}

func gitlabSeverity(i *issue) string {
	switch {
	case i.rule == unreadable:
		return "blocker"
	case i.severity == check.Error:
		return "major"
	case i.severity == check.Warning:
		return "minor"
	}
	return "info"
}
