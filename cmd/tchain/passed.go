package main

import (
	"path/filepath"
	"slices"
	"strings"

	"tchain.dev/tchain/compile"
)

// passed are the directories below the trees that no walk enters by their name,
// each with the first file in it that is a stack by its mark and that the run did
// not meet. Only what git has or would take is looked at: what it ignores, as most
// of node_modules, is nobody's to check. Both are absolute.
func (c *coverage) passed() map[string]string {
	out := map[string]string{}
	for _, tree := range c.trees {
		g := &git{root: tree, env: bareEnv()}
		list, err := g.run(nil, nil, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
		if err != nil { // no git, or no repository
			continue
		}
		for name := range strings.SplitSeq(string(list), "\x00") {
			dir := unentered(name)
			if dir == "" || !isInput(name) {
				continue
			}
			dir, file := filepath.Join(tree, filepath.FromSlash(dir)), filepath.Join(tree, filepath.FromSlash(name))
			if out[dir] == "" && !c.metIn(filepath.Dir(file)) && compile.HasMark(file) {
				out[dir] = file
			}
		}
	}
	return out
}

// unentered is the outermost directory of a file's name that no walk enters; ""
// where there is none, or where it holds what CUE has brought.
func unentered(name string) string {
	parts := strings.Split(name, "/")
	dirs := parts[:len(parts)-1]
	at := slices.IndexFunc(dirs, compile.SkipDir)
	if at < 0 || slices.Contains(dirs, "cue.mod") {
		return ""
	}
	return strings.Join(dirs[:at+1], "/")
}
