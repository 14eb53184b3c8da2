package compile

import (
	"path/filepath"
)

// namedFiles takes the files that were named themselves. As with `cue vet`, CUE
// files of one package and directory make one stack, and nothing is taken along.
func (f *finder) namedFiles(args []string) {
	at := map[string]int{} // index in f.targets of a package's target
	for _, arg := range args {
		path, err := filepath.Abs(arg)
		if err != nil {
			f.fail(filepath.ToSlash(arg), "%s", plainOS(err))
			continue
		}
		name, dir := filepath.ToSlash(arg), filepath.Dir(filepath.Clean(arg))
		form, ok := formOf(path)
		if !ok {
			f.fail(name, "not a CUE, YAML or JSON file")
			continue
		}
		data, err := f.files.read(path)
		if err != nil {
			f.fail(name, "%s", plainOS(err))
			continue
		}
		t := f.file(path, dir)
		t.named = true
		if form != formCUE {
			switch {
			case probeData(data, form, f.limit):
				f.take(t)
			case lostData(data, form, f.limit):
				f.unmarked(path)
			default:
				f.fail(name, "%s", noStack)
			}
			continue
		}
		p := probeCUE(data, f.limit)
		if p.foreign != "" {
			f.fail(name, "cannot be read: %s", p.foreign)
			continue
		}
		if p.out {
			f.fail(name, "file is excluded by a build attribute")
			continue
		}
		key := filepath.Dir(path) + "\n" + p.pkg
		if i, ok := at[key]; ok && p.pkg != "" {
			f.targets[i].files = append(f.targets[i].files, path)
			f.targets[i].own = f.targets[i].files
			continue
		}
		if !p.marked && (p.pkg == "" || !f.marks(args, filepath.Dir(path), p.pkg)) {
			f.notNamed(name, path, p.pkg)
			continue
		}
		t.pkg = p.pkg
		before := len(f.targets)
		if f.take(t); len(f.targets) > before && p.pkg != "" {
			at[key] = before
		}
	}
}

// notNamed says why a CUE file that was named is no stack.
func (f *finder) notNamed(name, path, pkg string) {
	dir := filepath.Dir(path)
	t := f.file(path, dir)
	t.pkg = pkg
	whole := false
	if f.list(dir).pkgs[pkg] != nil {
		_, whole = f.pack(dir, pkg, dir)
	}
	if whole {
		f.fail(name, "is a part of package %s, whose other files are not taken along; name the directory: %s", pkg, filepath.ToSlash(filepath.Dir(filepath.Clean(name))))
	} else if !f.astray(t) {
		f.fail(name, "%s", noStack)
	}
}

// marks reports whether a later named file of the same package has the mark.
func (f *finder) marks(args []string, dir, pkg string) bool {
	for _, arg := range args {
		path, err := filepath.Abs(arg)
		if err != nil || filepath.Dir(path) != dir || filepath.Ext(path) != ".cue" {
			continue
		}
		if data, err := f.files.read(path); err == nil {
			if p := probeCUE(data, f.limit); p.pkg == pkg && p.marked {
				return true
			}
		}
	}
	return false
}

// bases marks the directories that others build on, and takes out those of them
// that have no routes even at first sight: they are often not complete alone.
func (f *finder) bases() {
	builds := map[string]bool{} // directory and package
	for _, t := range f.targets {
		if t.pkg == "" {
			continue
		}
		own := filepath.Dir(t.own[0])
		for _, path := range t.files {
			if dir := filepath.Dir(path); dir != own {
				builds[dir+"\n"+t.pkg] = true
			}
		}
	}
	kept := f.targets[:0]
	for _, t := range f.targets {
		if t.pkg != "" {
			t.base = builds[filepath.Dir(t.own[0])+"\n"+t.pkg]
		}
		if t.base && !f.hasRoutes(t) {
			f.sum.Bases = append(f.sum.Bases, t.dir)
			continue
		}
		if child := f.child(t); child != "" && !f.hasRoutes(t) {
			f.fail(t.dir, "has no routes and is only the base of other directories, as %s; name %s/...", child, t.dir)
			continue
		}
		kept = append(kept, t)
	}
	f.targets = kept
}

// child is a directory that builds on a package that was named without it.
func (f *finder) child(t target) string {
	if t.pkg == "" || !t.named || t.base {
		return ""
	}
	for _, sub := range f.list(t.dirAbs()).subs {
		if !SkipDir(sub) && f.list(filepath.Join(t.dirAbs(), sub)).pkgs[t.pkg] != nil {
			return filepath.ToSlash(filepath.Join(t.dir, sub))
		}
	}
	return ""
}

func (f *finder) hasRoutes(t target) bool {
	for _, path := range t.files {
		l := f.list(filepath.Dir(path))
		if p := l.pkgs[t.pkg]; p != nil && p.routes {
			return true
		}
	}
	return false
}
