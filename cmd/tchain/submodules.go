package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tchain.dev/tchain/compile"
)

// emptySubmodules are the submodules below trees of which nothing is there, so
// that no stack in them is seen. Without git, or outside of a repository, there
// are none.
func emptySubmodules(trees []string) []string {
	var out []string
	for _, tree := range trees {
		out = append(out, gitlinks(tree)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// gitlinks are the directories of submodules that are not checked out, where a
// walk through dir would have entered them.
func gitlinks(dir string) (absent []string) {
	g := &git{root: dir, env: bareEnv()}
	list, err := g.run(nil, nil, "ls-files", "-z", "--stage")
	if err != nil {
		return nil
	}
	for line := range strings.SplitSeq(string(list), "\x00") {
		stat, name, ok := strings.Cut(line, "\t")
		if !ok || !strings.HasPrefix(stat, "160000 ") || slices.ContainsFunc(strings.Split(name, "/"), compile.SkipDir) {
			continue
		}
		at := filepath.Join(dir, filepath.FromSlash(name))
		if _, err := os.Lstat(filepath.Join(at, ".git")); err != nil {
			absent = append(absent, at)
		} else {
			absent = append(absent, gitlinks(at)...)
		}
	}
	return absent
}

// skips are the directories below the trees of a run that hold stacks or may do so,
// and that it did not look into.
func (c *coverage) skips() []compile.Skip {
	wd, err := os.Getwd()
	if err != nil {
		return nil
	}
	var out []compile.Skip
	for _, dir := range c.empty {
		out = append(out, compile.Skip{
			Path: below(wd, dir), Dir: true,
			Reason: "is a submodule that is not checked out; git submodule update --init --recursive brings it",
		})
	}
	passed := c.passed()
	for _, dir := range slices.Sorted(maps.Keys(passed)) {
		out = append(out, compile.Skip{
			Path: below(wd, dir), Dir: true,
			Reason: fmt.Sprintf("is no directory that /... enters, and holds the stack %s; to check it, name its directory", below(wd, passed[dir])),
		})
	}
	return out
}
