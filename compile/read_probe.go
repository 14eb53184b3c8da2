package compile

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/parser"
	"cuelang.org/go/cue/token"
	"go.yaml.in/yaml/v3"

	"tchain.dev/tchain/internal/regular"
)

// content reads files, taking the overlay first.
type content map[string][]byte

func (c content) read(path string) ([]byte, error) {
	if b, ok := c[path]; ok {
		return b, nil
	}
	return regular.Read(path)
}

// HasMark reports whether a file says at its top level that it is a stack, or a
// part of one. One that cannot be read says nothing.
func HasMark(path string) bool {
	f, ok := formOf(path)
	data, err := content(nil).read(path)
	switch {
	case !ok || err != nil || !bytes.Contains(data, mark):
		return false
	case f == formCUE:
		p := probeCUE(data, defaultMaxBytes)
		return p.marked && !p.out
	}
	return probeData(data, f, defaultMaxBytes)
}

// size is the number of bytes of a file, 0 if it cannot be read.
func (c content) size(path string) int64 {
	if b, ok := c[path]; ok {
		return int64(len(b))
	}
	if fi, err := os.Stat(path); err == nil {
		return fi.Size()
	}
	return 0
}

// shown is a file name as messages and ranges say it: relative to the working
// directory if it is below it, with forward slashes.
func shown(path string) string {
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(wd, path); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			path = rel
		}
	}
	return filepath.ToSlash(path)
}

var (
	mark       = []byte("tchain")
	markedCUE  = regexp.MustCompile(`(?m)^"?tchain"?[ \t]*:`)
	markedYAML = regexp.MustCompile(`(?m)^(?:\{\s*)?["']?tchain["']?[ \t]*:`)
	markedJSON = regexp.MustCompile(`"tchain"\s*:`)
)

// probed is what the outside of a CUE file says, without its evaluation.
type probed struct {
	pkg    string // "" without a package clause
	marked bool   // a top-level `tchain:`
	routes bool   // a top-level `routes:`, or something that could bring one
	out    bool   // excluded by @ignore or @if
	// layers and chains are the fields layers and routes of a stack, near is one
	// that is most likely meant as the mark.
	layers, chains, near probedField
	foreign              string // why it is not the text of a CUE file; "" if it is
}

// A probedField is a field at the top level of a file.
type probedField struct {
	is   bool
	name string
	at   int // offset in bytes
}

// probeCUE looks at the top level of a CUE file. A file that cannot be parsed
// counts as marked if a line of it begins with the mark, so that its mistake is
// reported and not passed over.
func probeCUE(data []byte, limit int64) probed {
	if why := foreign(data); why != "" {
		return probed{foreign: why}
	}
	cut := len(data)
	data = bytes.TrimPrefix(data, bom)
	cut -= len(data)
	if int64(len(data)) > limit || tooDeep(data) >= 0 {
		f, _ := parser.ParseFile("", data[:min(len(data), 1<<16)], parser.PackageClauseOnly)
		return probed{pkg: packageOf(f), marked: markedCUE.Match(data), routes: true}
	}
	if !slices.ContainsFunc(telling, func(word []byte) bool { return bytes.Contains(data, word) }) {
		f, err := parser.ParseFile("", data, parser.PackageClauseOnly)
		// Only an import could still bring routes, by a value embedded from it.
		return probed{pkg: packageOf(f), out: err == nil && excluded(f), routes: bytes.Contains(data, []byte("import"))}
	}
	f, err := parser.ParseFile("", data)
	p := probed{pkg: packageOf(f)}
	if err != nil {
		p.marked, p.routes = markedCUE.Match(data), true
		return p
	}
	p.out = excluded(f)
	for _, d := range f.Decls {
		switch x := d.(type) {
		case *ast.Field:
			switch name, _, err := ast.LabelName(x.Label); {
			case err != nil:
				p.routes = p.routes || !isPattern(x.Label)
			case name == "tchain":
				p.marked = true
			case name == "routes":
				p.routes = true
			}
			p.field(x, cut)
		case *ast.EmbedDecl, *ast.Comprehension:
			p.routes = true
		}
	}
	return p
}

// telling are the words without one of which a CUE file is no part of a stack, or
// one that need not be looked into.
var telling = [][]byte{mark, []byte("routes"), []byte("layers"), []byte(`"v1"`)}

// field looks at a field of the top level; cut is how many bytes of the file were
// before what was parsed. A list is no field of a stack: other software has
// routes and layers too.
func (p *probed) field(x *ast.Field, cut int) {
	name, _, err := ast.LabelName(x.Label)
	_, isList := x.Value.(*ast.ListLit)
	if err != nil || isList || x.Constraint != token.ILLEGAL {
		return
	}
	field := probedField{true, name, cut + x.Pos().Offset()}
	switch {
	case name == "layers" && !p.layers.is:
		p.layers = field
	case name == "routes" && !p.chains.is:
		p.chains = field
	case !p.near.is && Closest(name, []string{string(mark)}) != "":
		p.near = field
	}
}

// foreign says why a file is no text of CUE's; "" if it is one.
func foreign(data []byte) string {
	if utf16(data) {
		return inUTF16
	}
	if !utf8.Valid(data) {
		return "no UTF-8"
	}
	return ""
}

func isPattern(l ast.Label) bool { _, ok := l.(*ast.ListLit); return ok }

func packageOf(f *ast.File) string {
	if f == nil || f.PackageName() == "_" {
		return ""
	}
	return f.PackageName()
}

// excluded applies CUE's build attributes. No tag is ever set: a stack is
// checked as it stands.
func excluded(f *ast.File) bool {
	for _, d := range f.Decls {
		switch x := d.(type) {
		case *ast.Attribute:
			name, body := x.Split()
			if name == "ignore" {
				return true
			}
			if name == "if" {
				e, err := parser.ParseExpr("", body)
				return err == nil && !tagged(e)
			}
		case *ast.CommentGroup:
		default:
			return false
		}
	}
	return false
}

func tagged(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return tagged(x.X)
	case *ast.UnaryExpr:
		return x.Op == token.NOT && !tagged(x.X)
	case *ast.BinaryExpr:
		if x.Op == token.LAND {
			return tagged(x.X) && tagged(x.Y)
		}
		return tagged(x.X) || tagged(x.Y)
	}
	return false
}

// probeData reports whether a YAML or JSON file has the mark at its top level.
// What cannot be parsed counts as a stack if it looks like one.
func probeData(data []byte, f form, limit int64) bool {
	if utf16(data) { // so that it is read, and said to be so
		data = bytes.ReplaceAll(data[2:], []byte{0}, nil)
	}
	data = bytes.TrimPrefix(data, bom)
	if !bytes.Contains(data, mark) {
		return false
	}
	if f == formJSON {
		var top map[string]json.RawMessage
		if int64(len(data)) > limit || json.Unmarshal(data, &top) != nil {
			return markedJSON.Match(data)
		}
		_, ok := top["tchain"]
		return ok
	}
	if !markedYAML.Match(data) || int64(len(data)) > limit {
		return markedYAML.Match(data)
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var n yaml.Node
		if err := dec.Decode(&n); err != nil {
			return err.Error() != "EOF"
		}
		if len(n.Content) == 1 && n.Content[0].Kind == yaml.MappingNode {
			for i := 0; i+1 < len(n.Content[0].Content); i += 2 {
				if n.Content[0].Content[i].Value == "tchain" {
					return true
				}
			}
		}
	}
}

// lostData reports whether a YAML or JSON file says at its top level all that a
// stack does, but for the mark.
func lostData(data []byte, f form, limit int64) bool {
	if int64(len(data)) > limit || !bytes.Contains(data, []byte("layers")) || !bytes.Contains(data, []byte("routes")) {
		return false
	}
	data = bytes.TrimPrefix(data, bom)
	var top map[string]any
	var err error
	if f == formJSON {
		err = json.Unmarshal(data, &top)
	} else {
		err = yaml.Unmarshal(data, &top)
	}
	_, layers := top["layers"].(map[string]any)
	_, routes := top["routes"].(map[string]any)
	return err == nil && layers && routes
}
