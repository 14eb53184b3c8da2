package main

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/compile"
)

// abandoned are the files of stacks that are gone which are still there, or
// elsewhere, and take part in nothing: with them nobody meant to take a stack away.
// One that has become the base of others does.
func (b *base) abandoned(list []*examined, bases []string) (out []compile.Error) {
	root := b.place.tree.git.root
	kept := map[string]bool{} // directories and files, from the root of the repository on
	for _, dir := range bases {
		kept[b.dir(&compile.Unit{Dir: dir})] = true
	}
	for _, x := range list {
		for _, file := range slices.Concat(x.unit.Files, slices.Collect(maps.Keys(x.unit.Source))) {
			kept[b.dir(&compile.Unit{Dir: file})] = true
		}
	}
	if len(b.gone) == 0 {
		return nil
	}
	moved, left := b.place.tree.git.movedSince(b.id, b.place.tree.temp), b.place.tree.git.leftOut()
	for _, s := range b.gone {
		for _, file := range b.side.files[s.Stack] {
			now, why := file, ""
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(file))); err == nil {
				why = "this file of it is still there and in no stack; make it one again, or delete the file too"
			} else if left[file] {
				why = "git has this file of it and only leaves it out of the working tree; git sparse-checkout add, or git update-index --no-skip-worktree, brings it"
			} else if to := moved[file]; to != "" && !b.inStack(to) {
				now, why = to, fmt.Sprintf("its file %s is here now and in no stack; make it one again, where /... finds it, or delete this file too", file)
			}
			if why == "" || kept[now] || kept[path.Dir(now)] {
				continue
			}
			out = append(out, compile.Error{
				Range:   chain.Range{File: b.place.tree.named(filepath.Join(b.place.root, filepath.FromSlash(now)))},
				Message: fmt.Sprintf("the stack %s is gone since %s, but %s", s.Stack.Name, b.name, why),
			})
		}
	}
	return out
}

// inStack reports whether a file takes part in a stack that a walk finds. It is
// named from the root of the repository on.
func (b *base) inStack(file string) (in bool) {
	if unentered(file) != "" {
		return false
	}
	at := filepath.Join(b.place.tree.git.root, filepath.FromSlash(file))
	sum := compile.Each([]string{filepath.Join(filepath.Dir(at), "...")}, compile.Options{Rules: ruleIDs()}, func(u *compile.Unit) {
		in = in || slices.ContainsFunc(u.Files, func(f string) bool { return below(b.place.tree.git.root, f) == file })
	})
	return in || slices.ContainsFunc(sum.Bases, func(dir string) bool { return below(b.place.tree.git.root, dir) == path.Dir(file) })
}
