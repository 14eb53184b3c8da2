package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"tchain.dev/tchain/compile"
)

// A git is a repository, asked through the git command.
type git struct {
	root string   // absolute, without links
	env  []string // nil is that of the process
}

// openGit is the repository that holds a directory.
func openGit(dir string) (*git, error) {
	g := &git{root: dir}
	top, err := g.ask("rev-parse", "--show-toplevel")
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, errors.New("the git command is not installed")
	case err != nil || top == "":
		if inside, e := g.ask("rev-parse", "--is-inside-work-tree"); e == nil && inside != "true" {
			return nil, errors.New("the repository has no working tree here, as a bare one has none: git worktree add makes one")
		}
		if err == nil {
			err = errors.New("the repository has no working tree")
		}
		return nil, err
	}
	g.root = filepath.FromSlash(top)
	return g, nil
}

// settings keep git from doing more than it is asked for.
var settings = []string{"-c", "core.sparseCheckout=false", "-c", "core.splitIndex=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.quotePath=false"}

func (g *git) run(env []string, stdin []byte, args ...string) ([]byte, error) {
	cmd := exec.Command("git", append(settings, args...)...)
	cmd.Dir = g.root
	cmd.Env = g.env
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(append(cmd.Env, "GIT_LFS_SKIP_SMUDGE=1", "LC_ALL=C"), env...)
	cmd.Stdin = bytes.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := runChild(cmd)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		line, _, _ := strings.Cut(strings.TrimSpace(errs.String()), "\n")
		if line = strings.TrimPrefix(line, "fatal: "); line == "" {
			line = "git " + args[0] + ": " + exit.String()
		}
		return nil, errors.New(line)
	}
	return out.Bytes(), err
}

// ask is the first line of an answer.
func (g *git) ask(args ...string) (string, error) {
	out, err := g.run(nil, nil, args...)
	line, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimRight(line, "\r"), err
}

// resolve is the object that a name stands for, as a commit or a tree.
func (g *git) resolve(ref, as string) (string, bool) {
	if ref == "" || strings.HasPrefix(ref, "-") {
		return "", false
	}
	id, err := g.ask("rev-parse", "--verify", "--quiet", ref+"^{"+as+"}")
	return id, err == nil && id != ""
}

// noRef is the error for a name that git does not know.
func (g *git) noRef(text, ref string) error {
	names, err := g.run(nil, nil, "for-each-ref", "--format=%(refname:short)")
	if near := compile.Closest(ref, strings.Fields(string(names))); err == nil && near != "" {
		return usagef("%s; did you mean %s?", text, near)
	}
	if _, born := g.resolve("HEAD", "commit"); !born {
		return &usageError{text, "the repository has no commit yet"}
	}
	if shallow, err := g.ask("rev-parse", "--is-shallow-repository"); err == nil && shallow == "true" {
		return &usageError{text, "the clone is shallow: git fetch brings more of it, in GitHub Actions fetch-depth: 0 of actions/checkout"}
	}
	return &usageError{text, "git fetch brings what only another copy of the repository has"}
}

// mergeBase is where the working tree's commit left a ref, or the ref's own
// commit where that is not known.
func (g *git) mergeBase(ref string) (string, error) {
	id, ok := g.resolve(ref, "commit")
	if !ok {
		return "", g.noRef(fmt.Sprintf("--base %q is no commit, branch or tag", ref), ref)
	}
	if base, err := g.ask("merge-base", "HEAD", id); err == nil && base != "" {
		return base, nil
	}
	return id, nil
}

// relative is a path from the root of the repository on, as git writes it; ok is
// false where it is outside.
func (g *git) relative(path string) (rel string, ok bool) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", false
	}
	rel, err = filepath.Rel(g.root, realPath(abs))
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// realPath is a path without links, as far as it exists.
func realPath(abs string) string {
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	if dir := filepath.Dir(abs); dir != abs {
		return filepath.Join(realPath(dir), filepath.Base(abs))
	}
	return abs
}

// bareEnv is the environment without what ties git to one repository, as it is
// in a hook.
func bareEnv() []string {
	var out []string
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		switch name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_NAMESPACE":
		default:
			out = append(out, pair)
		}
	}
	return out
}
