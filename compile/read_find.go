package compile

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/internal/regular"
)

// defaultMaxBytes is the largest input of one stack unless Options say otherwise.
const defaultMaxBytes = 16 << 20

func (o Options) maxBytes() int64 {
	if o.MaxBytes > 0 {
		return o.MaxBytes
	}
	return defaultMaxBytes
}

// find finds the stacks that args name: files, directories, or `dir/...` for all
// directories below one; no argument is the working directory. Targets come in
// the order of args, below a directory sorted by path, each once. Whether a
// package has routes is known only after reading it, see Summary.settle.
func find(args []string, opt Options) ([]target, Summary) {
	f := &finder{
		dirs: dirs{files: opt.Overlay, limit: opt.maxBytes(), known: map[string]*listing{}, roots: map[string]string{}, policies: map[string]string{}},
		seen: map[string]bool{},
		done: map[string]bool{},
	}
	if len(args) == 0 {
		args = []string{"."}
	}
	var named []string
	for _, arg := range args {
		if f.arg(arg) {
			named = append(named, arg)
		}
	}
	f.namedFiles(named)
	f.skips()
	f.bases()
	f.policies()
	f.unreadPolicies()
	f.sum.Skipped = slices.DeleteFunc(f.sum.Skipped, func(s Skip) bool { // each is told once
		return slices.ContainsFunc(f.sum.Errors, func(e Error) bool { return e.Range.File == s.Path })
	})
	if len(f.targets) == 0 && len(f.sum.Errors) == 0 {
		f.fail(filepath.ToSlash(args[0]), "no stack found; %s has no routes and is only the base of other directories", f.sum.Bases[0])
	}
	return f.targets, f.sum
}

const (
	noStack = "no stack found; a stack is a file that says tchain: \"v1\" at its top level"
	noInput = "directory holds no CUE, YAML or JSON file"
)

// NoStack reports whether nothing is wrong but that a path holds no stack.
func (e Error) NoStack() bool {
	return e.Message == noInput || strings.HasPrefix(e.Message, "no stack found")
}

type finder struct {
	dirs
	targets []target
	sum     Summary
	seen    map[string]bool // targets, by directory and package or file
	done    map[string]bool // directories, each with whether it holds a stack
	trees   []string        // directories that were named with all below them
	walked  []string        // directories below those that were named
}

func (f *finder) fail(path, format string, args ...any) {
	f.sum.Errors = append(f.sum.Errors, Error{chain.Range{File: path}, fmt.Sprintf(format, args...)})
}

// arg takes one argument; it reports whether that is a file, which is left to namedFiles.
func (f *finder) arg(arg string) (file bool) {
	dir, all := arg, false
	if arg == "..." {
		dir, all = ".", true
	} else if d, ok := strings.CutSuffix(filepath.ToSlash(arg), "/..."); ok {
		dir, all = d, true
		if dir == "" {
			dir = "/"
		}
	}
	dir = filepath.Clean(dir)
	abs, err := filepath.Abs(dir)
	if err != nil {
		f.fail(filepath.ToSlash(arg), "%s", plainOS(err))
		return false
	}
	fi, err := os.Stat(abs)
	if _, overlaid := f.files[abs]; overlaid {
		return true
	}
	switch {
	case os.IsNotExist(err):
		f.fail(filepath.ToSlash(arg), "no such file or directory")
	case err != nil:
		f.fail(filepath.ToSlash(arg), "%s", plainOS(err))
	case !fi.IsDir() && all:
		f.fail(filepath.ToSlash(arg), "%s is a file, not a directory", filepath.ToSlash(dir))
	case !fi.IsDir():
		return true
	default:
		f.tree(arg, abs, dir, all)
	}
	return false
}

// tree takes the stacks of a directory that was named, or of all below it. A path
// that holds none must not look as if it had been checked.
func (f *finder) tree(arg, abs, dir string, all bool) {
	if all && f.known[abs] == nil {
		f.ahead(abs)
	}
	l, said := f.list(abs), len(f.sum.Errors)
	holds := f.dir(abs, dir, abs)
	if all {
		f.trees = append(f.trees, abs)
		holds = f.below(abs, dir, abs) || holds
	} else {
		for i := range f.targets {
			f.targets[i].named = f.targets[i].named || f.targets[i].dirAbs() == abs
		}
	}
	f.sum.Skipped = append(f.sum.Skipped, l.other...)
	switch {
	case holds || len(f.sum.Errors) > said:
	case !all && l.seen == 0:
		f.fail(filepath.ToSlash(arg), noInput)
	default:
		f.fail(filepath.ToSlash(arg), "%s", noStack)
	}
}

// below takes the stacks of all directories below one; holds says that there is one.
func (f *finder) below(abs, dir, top string) (holds bool) {
	for _, sub := range f.list(abs).subs {
		if !SkipDir(sub) {
			f.walked = append(f.walked, filepath.Join(abs, sub))
			holds = f.dir(filepath.Join(abs, sub), filepath.Join(dir, sub), top) || holds
			holds = f.below(filepath.Join(abs, sub), filepath.Join(dir, sub), top) || holds
		}
	}
	return holds
}

// dir takes the stacks of one directory: abs is its absolute name, dir the one
// to show, and top the argument that led here. holds says that there is one.
func (f *finder) dir(abs, dir, top string) (holds bool) {
	if holds, seen := f.done[abs]; seen {
		return holds
	}
	l := f.list(abs)
	if l.err != nil {
		f.done[abs] = true // and said to be wrong
		f.fail(filepath.ToSlash(dir), "%s", plainOS(l.err))
		return true
	}
	f.sum.Errors = append(f.sum.Errors, l.bad...)
	for _, path := range l.odd {
		if abs == top {
			f.fail(shown(path), "%s", regular.ErrNotRegular)
		} else {
			f.sum.Skipped = append(f.sum.Skipped, Skip{Path: shown(path), Reason: "is " + regular.ErrNotRegular.Error()})
		}
	}
	var stacks []target
	for _, pkg := range slices.Sorted(maps.Keys(l.pkgs)) {
		if t, ok := f.pack(abs, pkg, top); ok {
			t.dir = filepath.ToSlash(dir)
			stacks = append(stacks, t)
		}
	}
	if len(stacks) > 1 {
		f.fail(filepath.ToSlash(dir), "directory holds stacks of two packages, %s and %s; give each a directory of its own", stacks[0].pkg, stacks[1].pkg)
		stacks, holds = nil, true // which was said
	} else if f.lost(abs, top, stacks) {
		holds = true // which was said
	} else if len(stacks) == 0 && abs == top {
		for _, pkg := range slices.Sorted(maps.Keys(l.pkgs)) {
			for _, path := range l.pkgs[pkg].files {
				f.sum.Skipped = append(f.sum.Skipped, Skip{Path: shown(path), Reason: unmarked})
			}
		}
	}
	for _, path := range l.loose {
		stacks = append(stacks, f.file(path, dir))
	}
	for _, t := range stacks {
		f.take(t)
	}
	f.done[abs] = holds || len(stacks) > 0
	return f.done[abs]
}

// pack is the stack that a package of a directory makes together with the files
// of the same package above it; ok is false if none of them has the mark.
func (f *finder) pack(abs, pkg, top string) (t target, ok bool) {
	t = target{pkg: pkg, own: f.list(abs).pkgs[pkg].files}
	t.root, t.top = f.root(abs, top)
	ok = f.list(abs).pkgs[pkg].marked
	for _, up := range above(abs, t.top) {
		if p := f.list(up).pkgs[pkg]; p != nil {
			t.files = append(t.files, p.files...)
			ok = ok || p.marked
		}
	}
	t.files = append(t.files, t.own...)
	return t, ok
}

// file is the stack that one file makes alone.
func (f *finder) file(path, dir string) target {
	form, _ := formOf(path)
	root, top := f.root(filepath.Dir(path), filepath.Dir(path))
	return target{dir: filepath.ToSlash(dir), form: form, files: []string{path}, own: []string{path}, root: root, top: top}
}

// take adds a target unless it is there already.
func (f *finder) take(t target) {
	key := strings.Join(t.files, "\n")
	if !f.seen[key] {
		f.seen[key] = true
		f.targets = append(f.targets, t)
		return
	}
	for i := range f.targets {
		if strings.Join(f.targets[i].files, "\n") == key {
			f.targets[i].named = f.targets[i].named || t.named
		}
	}
}
