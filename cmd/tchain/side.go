package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/diff"
)

// A side is the stacks of one side of a comparison.
type side struct {
	stacks []diff.Stack
	// broken are directories of stacks that cannot be read, from the root of the
	// side on: nothing is known of what is in them.
	broken map[string]bool
	units  []*compile.Unit // those that are broken
	// files are the stacks' files that lie in their own directories, from root on.
	files map[*chain.Stack][]string
	sum   compile.Summary
	found int
	env   []string // the names in @env of its stacks
}

// A sidePlace is where a side is read from.
type sidePlace struct {
	args []string // nil is a side without any stack
	root string   // absolute; directories are named from here on
	tree *gitTree // nil for the working tree
}

// read reads and judges the stacks of a place.
func (p *sidePlace) read(opt compile.Options, severity map[string]string, shown *progress) *side {
	s := &side{broken: map[string]bool{}, files: map[*chain.Stack][]string{}}
	if len(p.args) == 0 {
		return s
	}
	opt.Found = shown.total
	defer shown.clear()
	work := func(u *compile.Unit) *examined { return judged(u, severity, opt.Timeout) }
	s.sum = compile.EachWith(p.args, opt, work, func(u *compile.Unit, env []string, x *examined) {
		name := u.Dir
		if p.tree != nil {
			name = p.tree.named(name)
		}
		defer shown.next(name)
		s.found++
		s.env = append(s.env, env...)
		dir := below(p.root, u.Dir)
		if len(x.unit.Errors) > 0 || x.unit.Stack == nil {
			s.broken[dir] = true
			s.units = append(s.units, p.rename(x.unit))
			return
		}
		for _, file := range u.Files {
			if file = below(p.root, file); path.Dir(file) == path.Clean(dir) {
				s.files[x.unit.Stack] = append(s.files[x.unit.Stack], file)
			}
		}
		s.stacks = append(s.stacks, p.stack(x, dir))
	})
	if p.tree != nil { // it may have come later
		s.sum.Errors = slices.DeleteFunc(s.sum.Errors, func(e compile.Error) bool { return e.NoStack() })
	}
	for i, e := range s.sum.Errors {
		s.broken[below(p.root, e.Range.File)] = true
		if p.tree != nil {
			s.sum.Errors[i] = p.tree.mistake(e)
		}
	}
	return s
}

func (p *sidePlace) stack(x *examined, dir string) diff.Stack {
	out := diff.Stack{Dir: dir, Stack: x.unit.Stack, Findings: x.stand, Suppressed: x.suppressed}
	if p.tree != nil {
		out.Findings, out.Suppressed = p.tree.findings(x.stand), p.tree.findings(x.suppressed)
		out.Named = p.tree.named
	}
	return out
}

// rename gives the mistakes of a unit the names of the repository.
func (p *sidePlace) rename(u *compile.Unit) *compile.Unit {
	if p.tree == nil {
		return u
	}
	for i, e := range u.Errors {
		u.Errors[i] = p.tree.mistake(e)
	}
	source := map[string][]byte{}
	for file, text := range u.Source {
		source[p.tree.named(file)] = text
	}
	u.Source, u.Dir = source, p.tree.named(u.Dir)
	return u
}

func (t *gitTree) mistake(e compile.Error) compile.Error {
	e.Range = t.rng(e.Range)
	e.Message = "at " + t.name + ": " + t.text(e.Message)
	return e
}

// below is a path from a root on.
func below(root, path string) string {
	abs, err := filepath.Abs(filepath.FromSlash(path))
	if err != nil {
		return path
	}
	for _, at := range []string{abs, realPath(abs)} {
		if rel, err := filepath.Rel(root, at); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(abs)
}

// known are the stacks of s whose directory the other side could read.
func (s *side) known(other *side) []diff.Stack {
	var out []diff.Stack
	for _, x := range s.stacks {
		if !other.broken[x.Dir] {
			out = append(out, x)
		}
	}
	return out
}

// places are where the two sides of a diff are. A name that is a file or a
// directory is that, any other one a commit, branch or tag, alone or with :PATH.
func places(olds, news string) (o, n *sidePlace, err error) {
	o, err = here(olds)
	if err != nil {
		return nil, nil, err
	}
	n, err = here(news)
	if err != nil {
		return nil, nil, err
	}
	if o != nil && n != nil {
		return o, n, nil
	}
	wd, err := os.Getwd()
	if err != nil {
		return nil, nil, err
	}
	g, err := openGit(wd)
	if err != nil {
		missing := olds
		if o != nil {
			missing = news
		}
		return nil, nil, usagef("%s: no such file or directory, and no commit: %v", missing, err)
	}
	if o == nil {
		if o, err = g.there(olds, news, n); err != nil {
			return nil, nil, err
		}
	}
	if n == nil {
		if n, err = g.there(news, olds, o); err != nil {
			o.remove()
			return nil, nil, err
		}
	}
	return o, n, nil
}

// here is a file or a directory; nil where there is none of that name.
func here(arg string) (*sidePlace, error) {
	if arg == "" {
		return nil, usagef("one side is empty; it is a directory, a file, or a commit, branch or tag")
	}
	path := strings.TrimSuffix(strings.TrimSuffix(filepath.ToSlash(arg), "..."), "/")
	if path == "" && strings.HasPrefix(arg, "/") {
		path = "/"
	} else if path == "" {
		path = "."
	}
	info, err := os.Stat(filepath.FromSlash(path))
	if errors.Is(err, os.ErrNotExist) || err != nil && strings.Contains(arg, ":") {
		return nil, nil
	}
	if err != nil {
		return nil, usagef("%s: %v", arg, cause(err))
	}
	abs, err := filepath.Abs(filepath.FromSlash(path))
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return &sidePlace{args: []string{arg}, root: filepath.Dir(abs)}, nil
	}
	return &sidePlace{args: []string{path + "/..."}, root: abs}, nil
}

// there is a place in a commit. Without a path of its own it is that of the other
// side, if that is in the working tree, else the whole tree.
func (g *git) there(arg, otherArg string, other *sidePlace) (*sidePlace, error) {
	ref, path, given := strings.Cut(arg, ":")
	id, ok := g.resolve(ref, "tree")
	if !ok {
		return nil, g.noRef(fmt.Sprintf("%q is no file, directory, commit, branch or tag", arg), ref)
	}
	if !given && other != nil && other.tree == nil {
		rel, inside := g.relative(strings.TrimSuffix(filepath.FromSlash(otherArg), "..."))
		if !inside {
			return nil, usagef("%s is outside of the repository; write %s:PATH", otherArg, ref)
		}
		path = rel
	}
	path = strings.Trim(strings.TrimSuffix(path, "..."), "/")
	t, err := g.checkOut(id, ref)
	if err != nil {
		return nil, err
	}
	at := filepath.Join(t.dir, filepath.FromSlash(path))
	info, err := os.Stat(at)
	switch {
	case err != nil && given || !filepath.IsLocal(filepath.FromSlash(cmp.Or(path, "."))):
		t.remove()
		return nil, usagef("%s is no directory, CUE, YAML or JSON file of %s", path, ref)
	case err != nil: // it came later
		return &sidePlace{root: at, tree: t}, nil
	case !info.IsDir():
		return &sidePlace{args: []string{at}, root: filepath.Dir(at), tree: t}, nil
	}
	return &sidePlace{args: []string{filepath.Join(at, "...")}, root: at, tree: t}, nil
}

func (p *sidePlace) remove() {
	if p != nil && p.tree != nil {
		p.tree.remove()
	}
}
