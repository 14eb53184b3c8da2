package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"tchain.dev/tchain/emit"
)

const schemaLong = `Schema makes the language known to other CUE tools.`

const schemaExample = `  tchain schema vendor`

func newSchema(r *run) *cobra.Command {
	cmd := &cobra.Command{
		Use: "schema", Short: "make the language known to other CUE tools", Long: schemaLong, Example: schemaExample,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknown("command", args[0], []string{"vendor"})
			}
			return cmd.Help()
		},
	}
	cmd.AddCommand(newSchemaVendor(r))
	return cmd
}

const vendorLong = `Vendor copies the schema to where cue finds it without a registry, under cue.mod/pkg,
and writes tchain_schema.cue beside the stack. After that cue vet and editors find a
typo at every level of the stack, offline. tchain itself needs neither.

A cue.mod further up is used; if there is none, one is made in the directory.
Run it again after an update of tchain. A stack with types of its own cannot be
described this way: cue would refuse them.`

const vendorExample = `  tchain schema vendor
  tchain schema vendor stacks/pay && cue vet ./stacks/pay`

func newSchemaVendor(r *run) *cobra.Command {
	return &cobra.Command{
		Use: "vendor [dir]", Short: "let cue vet and editors check stacks", Long: vendorLong, Example: vendorExample,
		RunE: func(_ *cobra.Command, args []string) error {
			dir, err := directory(args)
			if err != nil {
				return err
			}
			return r.vendor(dir)
		},
	}
}

func (r *run) vendor(dir string) error {
	pkg, err := stackPackage(dir)
	if err != nil {
		return err
	}
	v, err := newVendoring(dir, pkg)
	if err != nil {
		return err
	}
	if err := removeStale(v.root, v.files); err != nil {
		return err
	}
	if err := uninterrupted(func() error { return emit.WriteDir(v.root, v.files) }); err != nil {
		return err
	}
	shown := filepath.ToSlash(filepath.Join(dir, sidecarName))
	if v.module {
		fmt.Fprintf(r.out, "made %s\n", filepath.ToSlash(filepath.Join(v.root, "cue.mod/module.cue")))
	}
	_, err = fmt.Fprintf(r.out, "wrote the schema to %s\nwrote %s\n", filepath.ToSlash(filepath.Join(v.root, vendorDir)), shown)
	return err
}

// A vendoring is what lets other tools check the stack in a directory.
type vendoring struct {
	root   string // of the module
	rel    string // the stack's directory below it
	module bool   // a module is made
	files  []emit.File
}

func newVendoring(dir, pkg string) (*vendoring, error) {
	root, has, err := moduleRoot(dir)
	if err != nil {
		return nil, err
	}
	rel, err := relative(root, dir)
	if err != nil {
		return nil, err
	}
	v := &vendoring{root: root, rel: rel, module: !has, files: vendored()}
	if v.module {
		v.files = append(v.files, emit.File{Name: "cue.mod/module.cue", Content: moduleFile(pkg)})
	}
	v.files = append(v.files, emit.File{Name: path.Join(rel, sidecarName), Content: sidecar(pkg)})
	return v, nil
}

func relative(root, dir string) (string, error) {
	r, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	d, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(r, d)
	return filepath.ToSlash(rel), err
}

// moduleRoot is the directory of the nearest cue.mod, from dir upward; dir and
// false if there is none.
func moduleRoot(dir string) (root string, has bool, err error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", false, err
	}
	for at, up := abs, dir; ; at, up = filepath.Dir(at), filepath.Join(up, "..") {
		if _, err := os.Stat(filepath.Join(at, "cue.mod", "module.cue")); err == nil {
			return up, true, nil
		}
		if filepath.Dir(at) == at {
			return dir, false, nil
		}
	}
}

// removeStale deletes vendored files of an earlier schema, which would still
// be part of its package.
func removeStale(root string, files []emit.File) error {
	keep := map[string]bool{}
	for _, f := range files {
		keep[path.Base(f.Name)] = strings.HasPrefix(f.Name, vendorDir+"/") || keep[path.Base(f.Name)]
	}
	old, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(vendorDir), "*.cue"))
	if err != nil {
		return err
	}
	for _, name := range old {
		if !keep[filepath.Base(name)] {
			if err := os.Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}
