package baseline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
)

// Parse reads a baseline. Its errors say the line and what is wrong there.
func Parse(name string, text []byte) (*Baseline, error) {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	p := &parser{name: name, text: text, dec: json.NewDecoder(bytes.NewReader(text))}
	p.dec.DisallowUnknownFields()
	if err := p.file(); err != nil {
		return nil, err
	}
	return New(name, p.entries), nil
}

type parser struct {
	name    string
	text    []byte
	dec     *json.Decoder
	version int
	entries []Entry
}

var errNoBaseline = errors.New(`is no baseline; it has no "findings"`)

func (p *parser) file() error {
	if len(bytes.TrimSpace(p.text)) == 0 {
		return fmt.Errorf("%s is empty", p.name)
	}
	if err := p.delim('{'); err != nil {
		return err
	}
	listed := false
	for p.dec.More() {
		at := p.next()
		key, err := p.dec.Token()
		if err != nil {
			return p.syntax(err)
		}
		switch key {
		case "schemaVersion":
			if err = p.value(&p.version); err == nil {
				err = p.supported()
			}
		case "findings":
			listed = true
			err = p.list()
		default:
			err = p.fail(at, "unknown field %q", key)
		}
		if err != nil {
			return err
		}
	}
	if err := p.delim('}'); err != nil {
		return err
	}
	end := p.next()
	if _, err := p.dec.Token(); err != io.EOF {
		return p.fail(end, "text after the end of the object")
	}
	if !listed {
		return fmt.Errorf("%s %w", p.name, errNoBaseline)
	}
	return p.supported()
}

// supported is asked as soon as the version is read, since entries of another
// version have other fields.
func (p *parser) supported() error {
	switch p.version {
	case schemaVersion:
		return nil
	case 1, 2:
		return fmt.Errorf("%s has schemaVersion %d, which does not say on which routes and calls a finding is known; delete it and run tchain baseline write", p.name, p.version)
	}
	return fmt.Errorf("%s has schemaVersion %d; this tchain reads %d", p.name, p.version, schemaVersion)
}

func (p *parser) list() error {
	if err := p.delim('['); err != nil {
		return err
	}
	for p.dec.More() {
		at := p.next()
		var e Entry
		if err := p.value(&e); err != nil {
			return err
		}
		if err := p.complete(at, &e); err != nil {
			return err
		}
		p.entries = append(p.entries, e)
	}
	return p.delim(']')
}

// complete checks an entry and takes the fingerprint's line as its place, which
// says more than the brace before it.
func (p *parser) complete(at int, e *Entry) error {
	for _, f := range []struct{ name, value string }{
		{"fingerprint", e.Fingerprint}, {"rule", e.Rule}, {"stack", e.Stack}, {"dir", e.Dir}, {"severity", e.Severity},
	} {
		if f.value == "" {
			return p.fail(at, "an entry has no %q", f.name)
		}
	}
	if e.Routes == nil {
		return p.fail(at, `an entry has no "routes"`)
	}
	if _, ok := check.ParseSeverity(e.Severity); !ok {
		return p.fail(at, "severity %q is none of error, warning and info", e.Severity)
	}
	quoted := []byte(`"` + e.Fingerprint + `"`)
	if i := bytes.Index(p.text[at:p.dec.InputOffset()], quoted); i >= 0 {
		e.at = p.rng(at+i, len(quoted))
	} else {
		e.at = p.rng(at, 1)
	}
	return nil
}

func (p *parser) delim(want json.Delim) error {
	at := p.next()
	tok, err := p.dec.Token()
	if err != nil {
		return p.syntax(err)
	}
	if tok != want {
		return p.fail(at, "expected %q", want.String())
	}
	return nil
}

func (p *parser) value(v any) error {
	at := p.next()
	if err := p.dec.Decode(v); err != nil {
		var typ *json.UnmarshalTypeError
		if errors.As(err, &typ) {
			return p.fail(at, "%s is a %s", typ.Field, typ.Value)
		}
		if what, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
			return p.fail(at, "unknown field %s", what)
		}
		return p.syntax(err)
	}
	return nil
}

// next is the offset of the next token's first byte.
func (p *parser) next() int {
	at := int(p.dec.InputOffset())
	for at < len(p.text) && bytes.IndexByte([]byte(" \t\r\n,:"), p.text[at]) >= 0 {
		at++
	}
	return at
}

func (p *parser) syntax(err error) error {
	var bad *json.SyntaxError
	switch {
	case errors.As(err, &bad):
		return p.fail(max(int(bad.Offset)-1, p.next()), "%v", err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return p.fail(len(p.text), "the file ends too early")
	}
	return p.fail(p.next(), "%v", err)
}

func (p *parser) fail(at int, format string, args ...any) error {
	r := p.rng(at, 0)
	return fmt.Errorf("%s:%d:%d: %s", p.name, r.Line, r.Column, fmt.Sprintf(format, args...))
}

// rng is the place of n bytes, which are on one line.
func (p *parser) rng(at, n int) chain.Range {
	head := p.text[:min(at, len(p.text))]
	line := bytes.Count(head, []byte("\n")) + 1
	col := utf8.RuneCount(head[bytes.LastIndexByte(head, '\n')+1:]) + 1
	return chain.Range{File: p.name, Line: line, Column: col, EndLine: line, EndColumn: col + n}
}
