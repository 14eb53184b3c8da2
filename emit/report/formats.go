package report

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Format is a form that a report can be written in.
type Format struct {
	Name, Doc string
	sealed    bool // it needs no more of a route than Seal leaves
	write     func(*Report, io.Writer, Options) error
}

// Options are what a form may need to know about where it is read.
type Options struct {
	Width int // columns of a text; 0 is 120
	// Link is the address of a place in a stack's file; nil links to the file by its name.
	Link func(file string, line int) string
}

// Formats are all forms, in the order in which they are listed.
var Formats = []Format{
	{"text", "for people, as wide as the terminal", false, func(r *Report, w io.Writer, o Options) error { return r.WriteText(w, o.Width) }},
	{"html", "one page to open in a browser, which needs no network", false, (*Report).WriteHTML},
	{"svg", "a picture of one route", false, func(r *Report, w io.Writer, _ Options) error { return r.writeOne(w) }},
	{"markdown", "for a pull request, with Mermaid diagrams", false, func(r *Report, w io.Writer, _ Options) error { return r.WriteMarkdown(w) }},
	{"json", "one object", true, func(r *Report, w io.Writer, _ Options) error { return r.WriteJSON(w) }},
	{"yaml", "the same object", true, func(r *Report, w io.Writer, _ Options) error { return r.WriteYAML(w) }},
}

// Write writes the report in the form of that name.
func (r *Report) Write(w io.Writer, format string, o Options) error {
	for _, f := range Formats {
		if f.Name == format {
			return f.write(r, w, o)
		}
	}
	return fmt.Errorf("no format is called %q", format)
}

// Sealed reports whether a form needs no more of a route than Seal leaves.
func Sealed(format string) bool {
	return slices.ContainsFunc(Formats, func(f Format) bool { return f.Name == format && f.sealed })
}

// FormatNames are the names of all forms.
func FormatNames() []string {
	var out []string
	for _, f := range Formats {
		out = append(out, f.Name)
	}
	return out
}

// ErrOneRoute is that a picture is asked for of none or of several routes.
var ErrOneRoute = errors.New("a picture shows one route")

func (r *Report) writeOne(w io.Writer) error {
	if len(r.Routes) != 1 {
		var names []string
		for i := range r.Routes {
			names = append(names, r.Routes[i].title())
		}
		return fmt.Errorf("%w, and these are %d: %s", ErrOneRoute, len(names), strings.Join(names, ", "))
	}
	return r.Routes[0].WriteSVG(w, r.Routes[0].Main())
}
