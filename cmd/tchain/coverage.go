package main

import (
	"path/filepath"
	"slices"
	"strings"

	"tchain.dev/tchain/compile"
)

// A coverage is what a run looked at: directories that were named, trees, and
// the stacks of files that were named.
type coverage struct {
	dirs, trees []string        // absolute
	empty       []string        // directories below trees of which nothing is there; absolute
	stacks      map[string]bool // directory and name
}

func newCoverage(paths []string) *coverage {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	c := &coverage{stacks: map[string]bool{}}
	for _, p := range paths {
		dir, tree := strings.CutSuffix(filepath.ToSlash(p), "...")
		abs, err := filepath.Abs(filepath.FromSlash(dir))
		switch {
		case err != nil:
		case tree:
			c.trees = append(c.trees, abs)
		default:
			c.dirs = append(c.dirs, abs)
		}
	}
	return c
}

func (c *coverage) add(u *compile.Unit) {
	if abs, err := filepath.Abs(filepath.FromSlash(u.Dir)); err == nil && u.Stack != nil {
		c.stacks[abs+"\n"+u.Stack.Name] = true
	}
}

// met reports whether a stack was found in a directory. dir is absolute.
func (c *coverage) met(dir, stack string) bool { return c.stacks[dir+"\n"+stack] }

// metIn reports whether any stack was found in a directory. dir is absolute.
func (c *coverage) metIn(dir string) bool {
	for key := range c.stacks {
		if strings.HasPrefix(key, dir+"\n") {
			return true
		}
	}
	return false
}

// tree reports whether all that is below a directory was looked at.
func (c *coverage) tree(dir string) bool {
	return c.inTree(dir) && !slices.ContainsFunc(c.empty, func(e string) bool { return compile.Within(e, dir) })
}

func (c *coverage) inTree(dir string) bool {
	around := func(d string) bool { return compile.Within(dir, d) }
	return slices.ContainsFunc(c.trees, around) && !slices.ContainsFunc(c.empty, around)
}

// holds reports whether a stack in a directory was looked for. dir is absolute.
func (c *coverage) holds(dir, stack string) bool {
	for _, d := range c.dirs {
		if dir == d {
			return true
		}
	}
	return c.inTree(dir) || c.met(dir, stack)
}
