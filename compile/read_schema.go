package compile

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/load"
	"cuelang.org/go/cue/parser"
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
	r.open.Do(func() {
		names := map[string]string{}
		files, _ := fs.Glob(r.schema, "*.cue")
		for _, name := range files {
			data, err := fs.ReadFile(r.schema, name)
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
		sorted := make([]string, 0, len(names))
		for name := range names {
			sorted = append(sorted, name)
		}
		sort.Strings(sorted)
		var b bytes.Buffer
		b.WriteString("package schema\n")
		for _, name := range sorted {
			b.WriteString(name + ": " + names[name] + "\n")
		}
		r.openText = b.Bytes()
	})
	return r.openText
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
