package main

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/internal/regular"
)

// A gitTree is the files of a commit in a temporary directory. The working tree
// and the index are not touched.
type gitTree struct {
	git  *git
	dir  string // absolute, stands for the root of the repository
	name string // as people call it: "origin/main"
	// absent are submodules that are not checked out.
	absent []string

	temp string
}

// checkOut makes the tree of a commit or tree object; remove ends it.
func (g *git) checkOut(id, name string) (t *gitTree, err error) {
	temp, err := makeTemporary()
	if err != nil { // the name is another one each time
		return nil, fmt.Errorf("no temporary directory in %s: %w", os.TempDir(), cause(err))
	}
	t = &gitTree{git: g, dir: filepath.Join(realPath(temp), "tree"), name: name, temp: temp}
	if err := t.fill(g, id, t.dir, ""); err != nil {
		t.remove()
		return nil, err
	}
	return t, nil
}

func (t *gitTree) remove() { removed(t.temp) }

// fill writes the files of a tree into dir, those of submodules too.
func (t *gitTree) fill(g *git, id, dir, prefix string) error {
	// Directories above a stack are searched up to the one that holds .git.
	var index string
	if err := uninterrupted(func() error {
		if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o777); err != nil {
			return err
		}
		file, err := os.CreateTemp(t.temp, "index-*")
		if err != nil {
			return err
		}
		file.Close()
		index = file.Name()
		return os.Remove(index) // git takes an empty file for a broken index
	}); err != nil {
		return err
	}
	env := []string{"GIT_INDEX_FILE=" + index}
	if _, err := g.run(env, nil, "read-tree", id); err != nil {
		return err
	}
	list, err := g.run(env, nil, "ls-files", "-z", "--stage")
	if err != nil {
		return err
	}
	var all, wanted []string
	for _, line := range strings.Split(string(list), "\x00") {
		stat, name, ok := strings.Cut(line, "\t")
		mode, rest, _ := strings.Cut(stat, " ")
		switch {
		case !ok:
		case mode == "160000":
			commit, _, _ := strings.Cut(rest, " ")
			if err := t.submodule(g, commit, name, dir, prefix); err != nil {
				return err
			}
		default:
			all = append(all, name)
			if mode == "120000" || isInput(name) {
				wanted = append(wanted, name)
			}
		}
	}
	if err := write(g, env, wanted, dir); err != nil {
		return err
	}
	return write(g, env, embedded(all, wanted, dir), dir)
}

func write(g *git, env, names []string, dir string) error {
	if len(names) == 0 {
		return nil
	}
	_, err := g.run(env, []byte(strings.Join(names, "\x00")+"\x00"), "checkout-index", "-f", "-z", "--stdin", "--prefix="+filepath.ToSlash(dir)+"/")
	return err
}

// isInput reports whether a file can be a part of a stack. A repository may hold
// much else that need not be written.
func isInput(name string) bool {
	switch path.Ext(name) {
	case ".cue", ".yaml", ".yml", ".json":
		return true
	}
	return strings.HasPrefix(name, "cue.mod/") || strings.Contains(name, "/cue.mod/")
}

// embedded are the files beside and below CUE files that embed others.
func embedded(all, wanted []string, dir string) []string {
	var dirs []string
	for _, name := range wanted {
		if path.Ext(name) != ".cue" {
			continue
		}
		text, err := regular.Read(filepath.Join(dir, filepath.FromSlash(name)))
		if err == nil && bytes.Contains(text, []byte("@extern(embed)")) {
			dirs = append(dirs, path.Dir(name)+"/")
		}
	}
	var out []string
	for _, name := range all {
		for _, d := range dirs {
			if !isInput(name) && (d == "./" || strings.HasPrefix(name, d)) {
				out = append(out, name)
				break
			}
		}
	}
	return out
}

// submodule fills in a submodule from its copy in the working tree.
func (t *gitTree) submodule(g *git, commit, name, dir, prefix string) error {
	at := filepath.Join(g.root, filepath.FromSlash(name))
	if _, err := os.Lstat(filepath.Join(at, ".git")); err != nil {
		t.absent = append(t.absent, prefix+name)
		return nil
	}
	sub := &git{root: at, env: bareEnv()}
	id, ok := sub.resolve(commit, "tree")
	if !ok {
		return usagef("at %s the submodule %s is at %s, which is not here; git submodule update or git fetch in it brings it", t.name, prefix+name, commit[:min(len(commit), 10)])
	}
	return t.fill(sub, id, filepath.Join(dir, filepath.FromSlash(name)), prefix+name+"/")
}

// args are the paths of a command in the tree. all says that each is there.
func (t *gitTree) args(paths []string) (out []string, all bool, err error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	all = true
	for _, p := range paths {
		dir, tree := strings.CutSuffix(filepath.ToSlash(p), "...")
		if dir == "" {
			dir = "."
		}
		rel, ok := t.git.relative(filepath.FromSlash(dir))
		if !ok {
			return nil, false, usagef("%s is outside of the repository", p)
		}
		at := filepath.Join(t.dir, filepath.FromSlash(rel))
		if _, err := os.Stat(at); err != nil {
			all = false
			continue
		}
		if tree {
			at = filepath.Join(at, "...")
		}
		out = append(out, at)
	}
	return out, all, nil
}

// named is the name of a file of the tree as the repository has it.
func (t *gitTree) named(file string) string {
	abs, err := filepath.Abs(filepath.FromSlash(file))
	if err != nil || file == "" {
		return file
	}
	rel, err := filepath.Rel(t.dir, abs)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return file
	}
	name := filepath.Join(t.git.root, rel)
	if wd, err := os.Getwd(); err == nil {
		if near, err := filepath.Rel(realPath(wd), name); err == nil && near != ".." && !strings.HasPrefix(near, ".."+string(filepath.Separator)) {
			name = near
		}
	}
	return filepath.ToSlash(name)
}

// text is a message with the names of the repository.
func (t *gitTree) text(s string) string {
	return strings.ReplaceAll(s, filepath.ToSlash(t.dir)+"/", "")
}

// findings are findings with the names of the repository.
func (t *gitTree) findings(list []check.Finding) []check.Finding {
	for i := range list {
		f := &list[i]
		f.Pos = t.rng(f.Pos)
		f.Message = t.text(f.Message)
		f.Related = append([]check.Related(nil), f.Related...)
		for n := range f.Related {
			f.Related[n].Pos = t.rng(f.Related[n].Pos)
		}
	}
	return list
}

func (t *gitTree) rng(r chain.Range) chain.Range {
	r.File = t.named(r.File)
	return r
}

// absence says which submodules a tree lacks; "" is none.
func (t *gitTree) absence() string {
	if len(t.absent) == 0 {
		return ""
	}
	return fmt.Sprintf("at %s the submodule %s is not checked out; git submodule update --init brings it", t.name, strings.Join(t.absent, ", "))
}
