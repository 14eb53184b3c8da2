package format

import (
	"cmp"
	"encoding/xml"
	"io"
	"slices"

	"tchain.dev/tchain/compile"
)

// checkstyleFormat gathers issues, because the form lists them by file.
type checkstyleFormat struct {
	w      io.Writer
	opt    Options
	issues []issue
}

type checkstyleOutput struct {
	XMLName xml.Name         `xml:"checkstyle"`
	Version string           `xml:"version,attr"`
	Files   []checkstyleFile `xml:"file"`
}

type checkstyleFile struct {
	Name   string            `xml:"name,attr"`
	Errors []checkstyleError `xml:"error"`
}

type checkstyleError struct {
	Line     int    `xml:"line,attr"`
	Column   int    `xml:"column,attr,omitempty"`
	Severity string `xml:"severity,attr"`
	Message  string `xml:"message,attr"`
	Source   string `xml:"source,attr"`
}

func newCheckstyle(w io.Writer, opt Options) Formatter { return &checkstyleFormat{w: w, opt: opt} }

func (f *checkstyleFormat) Stack(r Result) error {
	f.issues = append(f.issues, f.opt.issues(r)...)
	return nil
}

func (f *checkstyleFormat) Close(s compile.Summary) error {
	f.issues = append(f.issues, f.opt.mistakes(s.Errors, ".")...)
	slices.SortStableFunc(f.issues, func(a, b issue) int {
		return cmp.Or(cmp.Compare(a.pos.File, b.pos.File), cmp.Compare(a.pos.Line, b.pos.Line), cmp.Compare(a.pos.Column, b.pos.Column))
	})
	out := checkstyleOutput{Version: "1.0"}
	for i := range f.issues {
		x := &f.issues[i]
		if n := len(out.Files); n == 0 || out.Files[n-1].Name != x.pos.File {
			out.Files = append(out.Files, checkstyleFile{Name: x.pos.File})
		}
		file := &out.Files[len(out.Files)-1]
		file.Errors = append(file.Errors, checkstyleError{x.line(), x.pos.Column, x.severity.String(), x.message, "tchain." + x.rule})
	}
	return writeXML(f.w, out)
}
