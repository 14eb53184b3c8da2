package compile

import (
	"path/filepath"
)

// A form is the language that a stack is written in.
type form int

const (
	formCUE form = iota
	formYAML
	formJSON
)

// A target is a stack that was found and not yet read.
type target struct {
	dir      string   // as given or found, with forward slashes
	pkg      string   // CUE package name; "" without a package clause and for data files
	form     form     //
	files    []string // absolute, the outermost directory first; all that take part but imports
	own      []string // those of files that lie in dir, or were named
	root     string   // absolute directory that holds cue.mod; "" if there is none
	top      string   // absolute directory up to which files of the package are taken
	policies []string // absolute; the files of policies that it is under, the nearest first
	base     bool     // another target builds on this directory
	named    bool     // the command line names it, not only a directory above it
}

// formOf is the form of a file by its extension; ok is false for any other file.
func formOf(path string) (f form, ok bool) {
	switch filepath.Ext(path) {
	case ".cue":
		return formCUE, true
	case ".yaml", ".yml":
		return formYAML, true
	case ".json":
		return formJSON, true
	}
	return 0, false
}

// policy is the file of the policy that the target is under; "" without one.
func (t target) policy() string {
	if len(t.policies) == 0 {
		return ""
	}
	return t.policies[0]
}

// label is what a person calls the target: the directory of a package, or the file.
func (t target) label() string {
	if t.pkg != "" || len(t.own) != 1 {
		return t.dir
	}
	return shown(t.own[0])
}

// onlyBase reports whether a source with mistakes is nothing but the base of
// others: it may be incomplete by itself, and any other mistake in its files is
// one of those that build on it, too.
func (sum *Summary) onlyBase(s *source) bool {
	if s == nil || !s.target.base || s.target.named {
		return false
	}
	sum.Bases = append(sum.Bases, s.target.dir)
	return true
}

// settle reports whether the source is a stack. A package without routes is
// none: it is counted as the base of others or as skipped. One that could not be
// evaluated, that was named, or that has layers is meant as a stack, so that its
// mistakes are reported.
func (sum *Summary) settle(s *source) bool {
	if s.isStack() {
		sum.Units++
		return true
	}
	if s.target.base {
		sum.Bases = append(sum.Bases, s.target.dir)
	} else {
		sum.Skipped = append(sum.Skipped, Skip{Path: s.target.label(), Reason: "has no routes"})
	}
	return false
}

func (s *source) isStack() bool {
	if s.left != nil {
		return s.left.stack
	}
	return s.has("routes") || !s.target.base && (s.target.named || s.has("layers") || !s.value.Exists() || s.value.Err() != nil)
}
