package main

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
)

// sharedIgnores are the suppressions that are for many stacks, those of the
// repository's policy and those on values of files that several stacks use. Only
// all stacks together know whether one covers something.
type sharedIgnores map[ignoreAt]*sharedIgnore

// An ignoreAt is one suppression.
type ignoreAt struct {
	at   chain.Range
	rule string
}

type sharedIgnore struct {
	chain.Ignore
	used   bool
	policy *chain.Policy // of the first stack that met it
	text   []byte        // of the file that it is written in
}

// add takes those that a stack has met.
func (s sharedIgnores) add(x *examined) {
	p := &x.unit.Stack.Policy
	for _, g := range p.Ignore {
		if k := (ignoreAt{g.Place(), g.Rule}); g.Shared && s[k] == nil {
			s[k] = &sharedIgnore{g, false, p, x.unit.Source[g.Place().File]}
		}
	}
	for _, f := range x.suppressed {
		for _, g := range f.CoveredBy {
			if g.Shared {
				s[ignoreAt{g.Place(), g.Rule}].used = true
			}
		}
	}
}

func (s sharedIgnores) used(g chain.Ignore) bool {
	known := s[ignoreAt{g.Place(), g.Rule}]
	return known != nil && known.used
}

// files are those that shared values with a suppression are written in.
func (s sharedIgnores) files() []string {
	names := map[string]bool{}
	for _, g := range s {
		if g.Written.File != "" {
			names[g.Written.File] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// idle are the findings for those of a file that cover nothing, and the policy
// that the stacks are under. That nothing else uses a file is known where all
// of its module was looked at and read.
func (s sharedIgnores) idle(file string, seen *coverage, read bool) (text []byte, out []check.Finding, policy *chain.Policy) {
	// Without a module a file is used from its own directory and those below only.
	root, _, err := moduleRoot(filepath.Dir(filepath.FromSlash(file)))
	if err == nil {
		root, err = filepath.Abs(root)
	}
	all := err == nil && read && seen.tree(root)
	var here []*sharedIgnore
	for _, g := range s {
		if g.Written.File == file {
			here = append(here, g)
		}
	}
	slices.SortFunc(here, func(a, b *sharedIgnore) int {
		x, y := a.Written, b.Written
		return cmp.Or(cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column), cmp.Compare(a.Rule, b.Rule))
	})
	for _, g := range here {
		if f, ok := check.Idle(g.policy, g.Ignore, !all || g.used, today()); ok {
			out = append(out, f)
		}
		text, policy = g.text, g.policy
	}
	return text, out, policy
}
