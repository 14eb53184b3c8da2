package compile

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// SkipDir reports whether `dir/...` passes over directories of a name, which can
// still be named themselves.
func SkipDir(name string) bool {
	switch name {
	case "node_modules", "cue.mod", "vendor", "testdata":
		return true
	}
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}

// skips are the files below that could be stacks and are a part of none.
func (f *finder) skips() {
	used := map[string]bool{}
	for _, t := range f.targets {
		for _, path := range t.files {
			used[path] = true
		}
	}
	seen := map[string]bool{}
	for _, dir := range f.walked {
		if seen[dir] {
			continue
		}
		seen[dir] = true
		l := f.list(dir)
		for _, pkg := range slices.Sorted(maps.Keys(l.pkgs)) {
			for _, path := range l.pkgs[pkg].files {
				if !used[path] {
					f.sum.Skipped = append(f.sum.Skipped, Skip{Path: shown(path), Reason: unmarked})
				}
			}
		}
		f.sum.Skipped = append(f.sum.Skipped, l.other...)
	}
	f.unfollowed()
}

// unfollowed are the links to directories in the trees of the run that lead to
// where it did not look.
func (f *finder) unfollowed() {
	var links []string
	for _, dir := range slices.Concat(f.trees, f.walked) {
		links = append(links, f.list(dir).links...)
	}
	if len(links) == 0 {
		return
	}
	looked := map[string]bool{}
	for dir := range f.done {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			looked[real] = true
		}
	}
	slices.Sort(links)
	for _, link := range slices.Compact(links) {
		if real, err := filepath.EvalSymlinks(link); err != nil || !looked[real] {
			f.sum.Skipped = append(f.sum.Skipped, Skip{Path: shown(link), Dir: true, Reason: "is a link to a directory, which /... does not follow; to check it, name where it leads to"})
		}
	}
}
