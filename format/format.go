// Package format prints what was found. A format is an adapter behind a
// two-method interface: it only reads findings and knows neither rules nor
// products. Every word about an event or a fault comes from package chain, so
// that all formats say the same.
package format

import (
	"io"

	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
)

// A Result is what one stack came to.
type Result struct {
	Unit     *compile.Unit
	Findings []check.Finding // sorted, with fixes that hold
	Hidden   int             // findings that were left out because nobody asked for them
}

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
