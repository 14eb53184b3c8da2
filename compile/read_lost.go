package compile

import (
	"bytes"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/parser"

	"tchain.dev/tchain/chain"
)

// lost are mistakes by which CUE files of a directory that are meant as a stack,
// or as a part of one, would be passed over: their package is not that of the
// base above them, or the mark is missing. stacks are the packages that are found.
func (f *finder) lost(abs, top string, stacks []target) (found bool) {
	l := f.list(abs)
	for _, pkg := range slices.Sorted(maps.Keys(l.pkgs)) {
		if slices.ContainsFunc(stacks, func(t target) bool { return t.pkg == pkg }) {
			continue
		}
		t, _ := f.pack(abs, pkg, top)
		found = f.astray(t) || found
	}
	for _, path := range l.bare {
		t := f.file(path, abs)
		_, t.top = f.root(abs, top)
		found = f.astray(t) || found
	}
	for _, path := range l.unmarked {
		f.unmarked(path)
		found = true
	}
	return found
}

const noMark = "says layers and routes but not tchain: \"v1\""

// unmarked tells a YAML or JSON file that is a stack but for the mark.
func (f *finder) unmarked(path string) {
	data, _ := f.files.read(path)
	form, _ := formOf(path)
	text := bytes.TrimPrefix(data, bom)
	at := -1
	for name, x := range fieldsOf(outermost(text, form)) {
		off := len(data) - len(text) + x.Pos().Offset()
		switch {
		case Closest(name, []string{string(mark)}) != "":
			f.sum.Errors = append(f.sum.Errors, f.mistake(path, off, misspelt(name)))
			return
		case at < 0 && (name == "layers" || name == "routes"):
			at = off
		}
	}
	if at < 0 { // YAML that CUE has no form of
		f.fail(shown(path), "%s", noMark)
		return
	}
	f.sum.Errors = append(f.sum.Errors, f.mistake(path, at, noMark))
}

// misspelt is the mistake of a stack whose mark has another name.
func misspelt(name string) string {
	return fmt.Sprintf("says layers and routes and %s, but not tchain: \"v1\"; did you mean tchain?", name)
}

// astray reports whether a target without a mark is meant as a stack, and says why it is none.
func (f *finder) astray(t target) bool {
	at := func(path string, off int, message string) bool {
		if e := f.mistake(path, off, message); !slices.Contains(f.sum.Errors, e) { // a base is looked at for each that builds on it
			f.sum.Errors = append(f.sum.Errors, e)
		}
		return true
	}
	own := f.first(t.own, func(p probed) bool { return p.layers.is || p.chains.is })
	if own == "" {
		path, off, message := f.overlay(t)
		if path != "" && t.pkg != "" && t.root != "" {
			u := unread{f.mistake(path, off, message), t.dirAbs()}
			if !slices.Contains(f.sum.unread, u) {
				f.sum.unread = append(f.sum.unread, u)
			}
			return false
		}
		return path != "" && at(path, off, message)
	}
	whole := f.first(t.files, func(p probed) bool { return p.layers.is }) != "" &&
		f.first(t.files, func(p probed) bool { return p.chains.is }) != ""
	if typo := f.first(t.files, func(p probed) bool { return p.near.is }); whole && typo != "" {
		near := f.probe(typo).near
		return at(typo, near.at, misspelt(near.name))
	}
	field := f.probe(own).layers
	if !field.is {
		field = f.probe(own).chains
	}
	if base, pkg := f.baseOf(t); base != "" {
		return at(own, field.at, fmt.Sprintf("%s makes this a part of a stack, but the file %s, and the base %s is of package %s; write package %s", field.name, t.isOf(), shown(base), pkg, pkg))
	}
	return whole && at(own, field.at, noMark)
}

// mistake is an error at an offset of a file.
func (f *finder) mistake(path string, off int, message string) Error {
	r := chain.Range{File: shown(path)}
	if data, err := f.files.read(path); err == nil {
		r = newText(r.File, data).rng(span{off, off})
	}
	return Error{r, message}
}

func (t target) isOf() string {
	if t.pkg == "" {
		return "has no package line"
	}
	return "is of package " + t.pkg
}

// overlay is the place in a target's files that shows it to be meant as a part of
// the base above it, by fields that the base has; "" if there is none. One without
// layers and routes can be a file of anything, so all of its fields have to be the
// base's, in a directory that has nothing else to give to it, or its package has to
// be misspelt. Beside what is of the base's package they have to be hidden or
// definitions: no other software writes those.
func (f *finder) overlay(t target) (path string, off int, message string) {
	base, pkg := f.baseOf(t)
	if base == "" {
		return "", 0, ""
	}
	misspelt := t.pkg != "" && Closest(t.pkg, []string{pkg}) != ""
	beside := f.list(t.dirAbs()).pkgs[pkg] != nil && !misspelt
	has := map[string]bool{}
	for _, up := range above(t.dirAbs(), t.top) {
		if p := f.list(up).pkgs[pkg]; p != nil {
			for _, file := range p.files {
				for name := range f.fieldsIn(file) {
					has[name] = true
				}
			}
		}
	}
	shared, others := "", false
	for _, file := range t.own {
		for name, x := range f.fieldsIn(file) {
			switch {
			case !has[name] || beside && !inPackage(name):
				others = true
			case shared == "":
				path, off, shared = file, x.Pos().Offset(), name
			}
		}
	}
	if shared == "" || others && !misspelt {
		return "", 0, ""
	}
	return path, off, fmt.Sprintf("%s is a field of the base %s, which is of package %s, but the file %s; write package %s", shared, shown(base), pkg, t.isOf(), pkg)
}

// inPackage reports whether a field is seen in its package alone, or is a definition.
func inPackage(name string) bool {
	return strings.HasPrefix(name, "_") || strings.HasPrefix(name, "#")
}

// fieldsIn are the fields at the top level of a CUE file, none if it cannot be parsed.
func (f *finder) fieldsIn(path string) iter.Seq2[string, *ast.Field] {
	data, err := f.files.read(path)
	if err != nil || int64(len(data)) > f.limit || tooDeep(data) >= 0 {
		return fieldsOf(nil)
	}
	file, err := parser.ParseFile(path, data)
	if err != nil {
		return fieldsOf(nil)
	}
	return fieldsOf(file.Decls)
}

// baseOf is a file of the nearest package at or above the target that has the
// mark and is meant to be built upon, with its name; "" if there is none.
func (f *finder) baseOf(t target) (file, pkg string) {
	dir := t.dirAbs()
	ups := append(above(dir, t.top), dir)
	for _, up := range slices.Backward(ups) {
		l := f.list(up)
		for _, name := range slices.Sorted(maps.Keys(l.pkgs)) {
			p := l.pkgs[name]
			if name != t.pkg && p.marked && (up != dir && !p.routes || up == filepath.Dir(dir) || f.builtOn(up, name)) {
				return f.first(p.files, func(p probed) bool { return p.marked }), name
			}
		}
	}
	return "", ""
}

// builtOn reports whether a directory below one has files of its package.
func (f *finder) builtOn(dir, pkg string) bool {
	return slices.ContainsFunc(f.list(dir).subs, func(sub string) bool {
		return !SkipDir(sub) && f.list(filepath.Join(dir, sub)).pkgs[pkg] != nil
	})
}

func (f *finder) probe(path string) probed { return f.list(filepath.Dir(path)).probes[path] }

// first is the first of some files whose outside is as wanted; "" if none is.
func (f *finder) first(files []string, wanted func(probed) bool) string {
	for _, path := range files {
		if wanted(f.probe(path)) {
			return path
		}
	}
	return ""
}
