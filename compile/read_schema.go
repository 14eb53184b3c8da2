package compile

import (
	"bytes"
	"cmp"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/load"
	"cuelang.org/go/cue/parser"

	"tchain.dev/tchain/schema"
)

const (
	schemaPath = "tchain.dev/schema"
	schemaFile = "/" + schemaPath + "/schema.cue" // in positions; no file of a user's is called so
)

// isSchema reports whether an import path names the schema, of any major version.
func (s *source) isSchema(path string) bool {
	path, _, _ = strings.Cut(path, ":")
	path, _, _ = strings.Cut(path, "@")
	return s.r.schema != nil && path == schemaPath
}

// openSchema is the schema as stacks see it when they import it: every
// definition stands for any value. What the schema demands is checked block by
// block afterwards, with one line per mistake; here it would only cost time, hide
// mistakes behind each other, and mix its own attributes with the user's.
func (r *reader) openSchema() []byte {
	if r.schema == fs.FS(schema.FS) {
		return builtinOpen()
	}
	r.open.Do(func() { r.openText = opened(r.schema) })
	return r.openText
}

// builtinOpen is made once for a process: each fix that is tried reads anew. It
// is made of the text alone, as the index of the catalogue is, since parsing all
// of the schema takes longer than all else that is done for one stack.
var builtinOpen = sync.OnceValue(func() []byte {
	names := map[string]string{}
	files, _ := fs.Glob(schema.FS, "*.cue")
	for _, name := range files {
		data, _ := fs.ReadFile(schema.FS, name)
		for line := range bytes.Lines(data) {
			if m := topField.FindSubmatch(line); m != nil {
				names[string(m[1])] = cmp.Or(string(m[2]), "_")
			}
		}
	}
	return openText(names)
})

// topField is a field at the top of a file of the built-in schema, with its
// value if that is a literal.
var topField = regexp.MustCompile(`^([#_A-Za-z]\w*): *("[^"\\]*"|\d+)?`)

func opened(fsys fs.FS) []byte {
	names := map[string]string{}
	files, _ := fs.Glob(fsys, "*.cue")
	for _, name := range files {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			continue
		}
		f, err := parser.ParseFile(name, data)
		if err != nil {
			continue
		}
		for _, d := range f.Decls {
			if x, ok := d.(*ast.Field); ok {
				if name, isIdent, err := ast.LabelName(x.Label); err == nil && isIdent {
					names[name] = openValue(x)
				}
			}
		}
	}
	return openText(names)
}

func openText(names map[string]string) []byte {
	var b bytes.Buffer
	b.WriteString("package schema\n")
	for _, name := range slices.Sorted(maps.Keys(names)) {
		b.WriteString(name + ": " + names[name] + "\n")
	}
	return b.Bytes()
}

func openValue(f *ast.Field) string {
	if lit, ok := f.Value.(*ast.BasicLit); ok && !strings.Contains(lit.Value, "\n") {
		return lit.Value
	}
	return "_"
}

// overlaySchema answers the import for cue/load, also where an older schema was
// written into the module.
func (r *reader) overlaySchema(root string, over map[string]load.Source) {
	dir := filepath.Join(root, "cue.mod", "pkg", filepath.FromSlash(schemaPath))
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".cue") {
			over[filepath.Join(dir, e.Name())] = load.FromString("package schema\n")
		}
	}
	over[filepath.Join(dir, "schema.cue")] = load.FromBytes(r.openSchema())
}

// fromSchema reports whether a file name of a position is the schema's.
func fromSchema(path string) bool {
	return strings.Contains(filepath.ToSlash(path), "/"+schemaPath+"/")
}
