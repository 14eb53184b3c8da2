package format

import (
	"encoding/xml"
	"io"
	"strings"
)

// writeXML writes a document; what XML cannot hold becomes U+FFFD.
func writeXML(w io.Writer, v any) error {
	text, err := xml.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(text)+"\n")
	return err
}

// A cdata is text over several lines, which stay lines in the document.
type cdata struct {
	Text string `xml:",cdata"`
}

// newCDATA takes what XML cannot hold from a text; encoding/xml does so for
// attributes only.
func newCDATA(s string) cdata {
	return cdata{strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t', r >= ' ' && r < 0xfffe, r > 0xffff:
			return r
		}
		return '\uFFFD'
	}, s)}
}
