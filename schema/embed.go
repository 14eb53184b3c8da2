// Package schema holds the language and the catalogue: CUE files, one a
// product, embedded. It must hold no code that knows a product.
package schema

import (
	"embed"
	"io/fs"
	"path"
	"slices"
)

// FS is the CUE module tchain.dev/schema@v0.
//
//go:embed *.cue cue.mod/module.cue
var FS embed.FS

// With is the schema and one more file, which can register further types.
func With(name, text string) fs.FS {
	return more{FS, name, text}
}

type more struct {
	embed.FS
	name, text string
}

func (m more) ReadFile(name string) ([]byte, error) {
	if name == m.name {
		return []byte(m.text), nil
	}
	return m.FS.ReadFile(name)
}

func (m more) Glob(pattern string) ([]string, error) {
	names, err := fs.Glob(m.FS, pattern)
	if ok, _ := path.Match(pattern, m.name); ok {
		names = append(names, m.name)
		slices.Sort(names)
	}
	return names, err
}
