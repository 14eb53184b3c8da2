package main

import (
	"os"
	"path/filepath"
	"strings"
)

// movedSince are the files that the working tree has under another name than a
// commit, by their old name, as far as git finds them alike. Files that git does
// not know yet take part; the index is not touched. Both names are from the root
// of the repository on.
func (g *git) movedSince(id, temp string) map[string]string {
	out := map[string]string{}
	env, ok := g.indexWithNew(filepath.Join(temp, "index-moved"))
	if !ok {
		env = nil // then those that git knows
	}
	list, err := g.run(env, nil, "diff", "--no-ext-diff", "--no-textconv", "--find-renames", "--diff-filter=R", "-l0", "--name-status", "-z", id)
	if err != nil {
		return out
	}
	fields := strings.Split(string(list), "\x00")
	for i := 0; i+2 < len(fields); i += 3 { // the status, the old name, the new one
		out[fields[i+1]] = fields[i+2]
	}
	return out
}

// indexWithNew writes a copy of the index that also names the files that git does
// not know and does not ignore.
func (g *git) indexWithNew(file string) (env []string, ok bool) {
	at, err := g.ask("rev-parse", "--git-path", "index")
	if err != nil {
		return nil, false
	}
	if !filepath.IsAbs(at) {
		at = filepath.Join(g.root, at)
	}
	text, err := os.ReadFile(at)
	if err != nil || uninterrupted(func() error { return os.WriteFile(file, text, 0o666) }) != nil {
		return nil, false
	}
	env = []string{"GIT_INDEX_FILE=" + file}
	_, err = g.run(env, nil, "add", "--intent-to-add", "--ignore-errors", ".")
	return env, err == nil
}

// leftOut are the files that git has and does not put into the working tree, by
// git sparse-checkout or a flag in the index.
func (g *git) leftOut() map[string]bool {
	out := map[string]bool{}
	list, err := g.run(nil, nil, "ls-files", "-t", "-z")
	if err != nil {
		return out
	}
	for line := range strings.SplitSeq(string(list), "\x00") {
		if name, ok := strings.CutPrefix(line, "S "); ok {
			out[name] = true
		}
	}
	return out
}
