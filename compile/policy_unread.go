package compile

import (
	"bytes"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"slices"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/parser"
	cueyaml "cuelang.org/go/encoding/yaml"
)

// An unread is a mistake by which a file is a part of no stack, unless one imports
// the package in dir, which is known when all are read. Without dir none can.
type unread struct {
	Error
	dir string
}

// unreadPolicies finds policies that are not in force because of where they are,
// in the directories of the run and in those above its stacks. A policy that is
// out of force makes no other noise: what it says must stand would go by.
func (f *finder) unreadPolicies() {
	used := map[string]bool{}
	for _, t := range f.targets {
		used[t.policy()] = true
		for _, path := range t.files {
			used[path] = true
		}
	}
	wrong := len(f.sum.Errors) > 0
	near := maps.Clone(f.done)
	for dir := range f.dirs.policies {
		near[dir] = true
	}
	for _, dir := range slices.Sorted(maps.Keys(near)) {
		l := f.list(dir)
		_, looked := f.done[dir]
		for _, path := range slices.Sorted(maps.Keys(l.policies)) {
			root, _ := f.root(dir, dir)
			imported := root != "" && f.list(dir).probes[path].pkg != ""
			if used[path] || imported && !looked {
				continue
			}
			u := unread{}
			if imported {
				u.dir = dir
			}
			u.Error = f.mistake(path, l.policies[path], "")
			switch {
			case filepath.Ext(path) != ".cue":
				u.Message = fmt.Sprintf("this policy is not in force: one is read from CUE alone, from a file named %s or from the stack's own", policyName)
			case filepath.Base(path) != policyName:
				u.Message = fmt.Sprintf("this policy is not in force: one is read from a file named %s, or from a stack's own package; name the file so, or give it the package of the stack", policyName)
			case slices.ContainsFunc(f.targets, func(t target) bool { return Within(t.dirAbs(), dir) }):
				f.sum.Skipped = slices.DeleteFunc(f.sum.Skipped, func(s Skip) bool { return s.Path == shown(path) })
				f.sum.Skipped = append(f.sum.Skipped, Skip{Path: shown(path), Reason: "is a policy, but each stack below has a nearer one: only its notSuppressible holds"})
				continue
			case wrong: // by which stacks that are there were not found
				continue
			default:
				u.Message = "this policy is not in force: no stack is in its directory or below; move it to where they are, or delete it"
			}
			f.sum.unread = append(f.sum.unread, u)
		}
	}
}

// tellUnread adds what no stack reads to the mistakes. imports are
// the directories of all packages that the stacks import; sure says that all of
// them are known.
func (sum *Summary) tellUnread(imports map[string]bool, sure bool) {
	for _, u := range sum.unread {
		if u.dir == "" || sure && !imports[u.dir] {
			sum.Errors = append(sum.Errors, u.Error)
			sum.Skipped = slices.DeleteFunc(sum.Skipped, func(s Skip) bool { return s.Path == u.Range.File })
		}
	}
}

// policyWords are the fields of a policy.
var policyWords = [][]byte{[]byte("errorRoom"), []byte("poolAgainst"), []byte("notSuppressible"), []byte("severity"), []byte("ignore")}

// policyIn is where in a file something stands that can only be a policy, as an
// offset. Other software has policies too.
func policyIn(data []byte, f form, limit int64) (at int, ok bool) {
	has := func(word []byte) bool { return bytes.Contains(data, word) }
	if !has([]byte("policy")) || !slices.ContainsFunc(policyWords, has) || int64(len(data)) > limit || tooDeep(data) >= 0 {
		return 0, false
	}
	text := bytes.TrimPrefix(data, bom)
	for name, x := range fieldsOf(outermost(text, f)) {
		if name == "policy" && isPolicy(x.Value) {
			return len(data) - len(text) + x.Pos().Offset(), true
		}
	}
	return 0, false
}

// outermost is the declarations of a file; nil if it cannot be parsed.
func outermost(text []byte, f form) []ast.Decl {
	var file *ast.File
	var err error
	if f == formYAML {
		file, err = cueyaml.Extract("", text)
	} else { // JSON is CUE
		file, err = parser.ParseFile("", text)
	}
	if err != nil {
		return nil
	}
	if len(file.Decls) == 1 { // the form of a mapping in braces
		if x, ok := file.Decls[0].(*ast.EmbedDecl); ok {
			return declsOf(x.Expr)
		}
	}
	return file.Decls
}

func declsOf(x ast.Expr) []ast.Decl {
	if s, ok := x.(*ast.StructLit); ok {
		return s.Elts
	}
	return nil
}

// fieldsOf are the fields among declarations that have a name, by it.
func fieldsOf(decls []ast.Decl) iter.Seq2[string, *ast.Field] {
	return func(yield func(string, *ast.Field) bool) {
		for _, d := range decls {
			x, ok := d.(*ast.Field)
			if !ok {
				continue
			}
			if name, _, err := ast.LabelName(x.Label); err == nil && !yield(name, x) {
				return
			}
		}
	}
}

// isPolicy reports whether a value has a field of a policy in its form: the names
// severity and ignore alone are anybody's.
func isPolicy(v ast.Expr) bool {
	for name, x := range fieldsOf(declsOf(v)) {
		switch name {
		case "errorRoom", "poolAgainst", "notSuppressible":
			return true
		case "severity":
			for _, rule := range fieldsOf(declsOf(x.Value)) {
				if lit, ok := rule.Value.(*ast.BasicLit); ok && slices.Contains(levels, lit.Value) {
					return true
				}
			}
		case "ignore":
			list, ok := x.Value.(*ast.ListLit)
			if ok && slices.ContainsFunc(list.Elts, isIgnore) {
				return true
			}
		}
	}
	return false
}

var levels = []string{`"error"`, `"warning"`, `"info"`, `"off"`}

func isIgnore(v ast.Expr) bool {
	rule, reason := false, false
	for name := range fieldsOf(declsOf(v)) {
		rule, reason = rule || name == "rule", reason || name == "reason"
	}
	return rule && reason
}
