package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/emit"
)

// An output is a file in one format. It is written when all has been checked.
type output struct {
	flag string // as given: "sarif=tchain.sarif"
	path string // where links lead to, so that writing replaces no link
	form string // the format's name
	text bytes.Buffer
}

// parseOutputs reads the values of --output for the formats of those names.
// stdout may not be one of the files.
func parseOutputs(flags []string, stdout io.Writer, names []string) ([]*output, error) {
	var out []*output
	seen := map[string]string{}
	for _, flag := range flags {
		name, file, ok := strings.Cut(flag, "=")
		if !ok || name == "" || file == "" {
			return nil, usagef("--output %q is not NAME=FILE", flag)
		}
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("--output %s: %w", flag, unknown("format", name, names))
		}
		if file == "-" {
			return nil, usagef("--output %s: standard output is for --format", flag)
		}
		o := &output{flag: flag, path: throughLinks(file), form: name}
		id := identity(o.path)
		if first, ok := seen[id]; ok {
			return nil, usagef("--output %s and --output %s are one file", first, flag)
		}
		for _, other := range out {
			if at := identity(other.path); compile.Within(id, at) || compile.Within(at, id) {
				return nil, usagef("--output %s and --output %s: one is a directory of the other", other.flag, flag)
			}
		}
		seen[id] = flag
		if info, err := os.Stat(o.path); err == nil && info.IsDir() {
			return nil, usagef("--output %s: %s is a directory", flag, file)
		} else if err == nil && isStream(info, stdout) {
			return nil, usagef("--output %s: %s is standard output, which is for --format", flag, file)
		}
		out = append(out, o)
	}
	return out, nil
}

// An inputs is the files that a run has read.
type inputs map[string]bool

func (in inputs) add(files ...string) {
	for _, file := range files {
		if file != "" {
			in[identity(throughLinks(filepath.FromSlash(file)))] = true
		}
	}
}

func (in inputs) addUnit(u *compile.Unit) {
	in.add(u.Files...)
	for file := range u.Source {
		in.add(file)
	}
}

// spare is the error for an output that would take the place of what was read.
func (in inputs) spare(outs []*output) error {
	for _, o := range outs {
		if in[identity(o.path)] {
			return usagef("--output %s: the run reads %s, and nothing is written over it", o.flag, o.path)
		}
	}
	return nil
}

// throughLinks is the file that a link leads to, or the name itself.
func throughLinks(file string) string {
	if info, err := os.Lstat(file); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return file
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		return real
	}
	return file
}

// identity is one name for all names of a file, also of one that is not there yet.
func identity(file string) string {
	abs, err := filepath.Abs(file)
	if err != nil {
		return file
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(abs)); err == nil {
		return filepath.Join(dir, filepath.Base(abs))
	}
	return abs
}

// isStream reports whether a file is what stream writes to. A device, such as a
// terminal or /dev/null, takes both.
func isStream(info fs.FileInfo, stream io.Writer) bool {
	f, ok := stream.(*os.File)
	if !ok || info.Mode()&fs.ModeCharDevice != 0 {
		return false
	}
	other, err := f.Stat()
	return err == nil && os.SameFile(info, other)
}

// writeOutputs writes all files or none. What is no regular file, a pipe or a
// device, cannot be replaced as a whole and comes after them.
func writeOutputs(outs []*output) error {
	var files []emit.File
	var streams []*output
	for _, o := range outs {
		if info, err := os.Stat(o.path); err == nil && !info.Mode().IsRegular() {
			streams = append(streams, o)
		} else {
			files = append(files, emit.File{Name: o.path, Content: o.text.Bytes()})
		}
	}
	if err := uninterrupted(func() error { return emit.WriteAll(files) }); err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	for _, o := range streams {
		if err := o.stream(); err != nil {
			return fmt.Errorf("--output %s: %w", o.flag, cause(err))
		}
	}
	return nil
}

func (o *output) stream() error {
	f, err := os.OpenFile(o.path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(o.text.Bytes())
	return first(err, f.Close())
}
