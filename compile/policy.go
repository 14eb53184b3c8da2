package compile

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"tchain.dev/tchain/chain"
)

// policyName is the file that holds a repository's policy: CUE with a `policy:`
// and no `tchain:` mark, for every stack in its directory and below.
const policyName = "tchain.cue"

// policyFile is the nearest file of a policy at or above a directory, up to the
// root of the repository, else of the module or to the working directory; "" if
// there is none.
func (d *dirs) policyFile(dir, top string) string {
	if found, ok := d.policies[dir]; ok {
		return found
	}
	found := ""
	path := filepath.Join(dir, policyName)
	if data, err := d.files.read(path); err == nil && !probeCUE(data, d.limit).marked {
		found = path
	} else {
		found = d.policyAbove(dir, top)
	}
	d.policies[dir] = found
	return found
}

// policyAbove is the nearest file of a policy above a directory, as policyFile.
func (d *dirs) policyAbove(dir, top string) string {
	up := filepath.Dir(dir)
	if up == dir || exists(filepath.Join(dir, ".git")) || !Within(up, top) && !d.inRepository(up) && !d.atWork(up) {
		return ""
	}
	return d.policyFile(up, top)
}

func (d *dirs) inRepository(dir string) bool {
	for up := dir; ; up = filepath.Dir(up) {
		if exists(filepath.Join(up, ".git")) {
			return true
		}
		if up == filepath.Dir(up) {
			return false
		}
	}
}

// atWork reports whether a directory is the working directory or below it.
func (d *dirs) atWork(dir string) bool {
	wd, err := os.Getwd()
	return err == nil && Within(dir, wd)
}

// Within reports whether a path is a directory or below it. Both are absolute.
func Within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// policies gives every target the policy of its repository. A policy that is in
// the stack's own package is a part of the stack.
func (f *finder) policies() {
	used := map[string]bool{}
	for i := range f.targets {
		t := &f.targets[i]
		for path := f.policyFile(t.dirAbs(), t.top); path != ""; path = f.policyAbove(filepath.Dir(path), t.top) {
			if !slices.Contains(t.files, path) {
				t.policies = append(t.policies, path)
			}
		}
		used[shown(t.policy())] = true
	}
	f.sum.Skipped = slices.DeleteFunc(f.sum.Skipped, func(s Skip) bool { return used[s.Path] })
}

// A policies is those of a run, each read once.
type policies struct {
	mu    sync.Mutex
	known map[string]*policy
}

type policy struct {
	chain.Policy
	text []byte
	errs []Error
	near bool // a stack is under it, and not only by what has to stand
}

// policy reads the policy of a target; nil if it has none.
func (r *reader) policy(t target, cat *catalogue) *policy {
	r.policies.mu.Lock()
	defer r.policies.mu.Unlock()
	if r.policies.known == nil {
		r.policies.known = map[string]*policy{}
	}
	var p *policy
	for _, path := range slices.Backward(t.policies) {
		over := p
		p = r.policies.known[path]
		if p == nil {
			p = r.policyIn(path, over, cat)
			r.policies.known[path] = p
		}
	}
	if p != nil {
		p.near = true
	}
	return p
}

// policyIn reads a file of a policy that another one may be over, whose rules that
// have to stand it cannot let go.
func (r *reader) policyIn(path string, over *policy, cat *catalogue) *policy {
	p := &policy{}
	p.text, _ = r.files().read(path)
	root, top := (&dirs{roots: map[string]string{}}).root(filepath.Dir(path), filepath.Dir(path))
	src, errs := r.read(target{dir: shown(filepath.Dir(path)), pkg: "tchain", files: []string{path}, own: []string{path}, root: root, top: top})
	p.errs = errs
	if src != nil && len(errs) == 0 && src.value.Exists() {
		var d *Decoded
		d, p.errs = decodePolicy(src, cat)
		p.errs = append(p.errs, over.refuse(d)...)
		p.Policy = d.Policy
	}
	for i := range p.Ignore {
		p.Ignore[i].Shared = true
	}
	if over != nil {
		p.stand(&over.Policy)
	}
	return p
}

// stand adds the rules that have to stand by the policy over p, at its severity
// where p gives none that is permitted.
func (p *policy) stand(over *chain.Policy) {
	for _, rule := range over.NotSuppressible {
		if p.Severity == nil {
			p.Severity = map[string]string{}
		}
		if p.Severity[rule] != "error" {
			delete(p.Severity, rule)
			if level, ok := over.Severity[rule]; ok {
				p.Severity[rule] = level
			}
		}
		if !slices.Contains(p.NotSuppressible, rule) {
			p.NotSuppressible = append(p.NotSuppressible, rule)
		}
	}
}

// decodePolicy decodes a file that holds nothing but a policy.
func decodePolicy(src *source, cat *catalogue) (*Decoded, []Error) {
	d := newDecoder(src, cat)
	d.lost = true // names of layers are those of any stack
	fields, _ := members(src.value, nil)
	has := false
	for _, m := range fields {
		if m.name == "policy" {
			has = true
			d.policy(m)
		} else {
			d.failLabel(m.path, `unknown field %q in a policy; write policy: {…}, or tchain: "v1" to make it a stack`, m.name)
		}
	}
	if !has && len(d.errs) == 0 {
		d.failAt(src.at(), "there is no policy in it; write policy: {…}")
	}
	d.attributesOf(func(a attr, _ bool) {
		d.failAt(a.Range, `@tchain stands on a value of a stack; in a policy write ignore: [{rule: "…", reason: "…"}]`)
	})
	return d.out, d.errors()
}

// under is a stack's own policy over that of the repository.
func (p *policy) under(own chain.Policy) chain.Policy {
	if p == nil {
		return own
	}
	if own.ErrorRoom == 0 {
		own.ErrorRoom = p.ErrorRoom
	}
	if own.PoolAgainst == "" {
		own.PoolAgainst = p.PoolAgainst
	}
	severity := maps.Clone(p.Severity)
	if severity == nil {
		severity = map[string]string{}
	}
	maps.Copy(severity, own.Severity)
	own.Severity = severity
	own.Ignore = slices.Concat(own.Ignore, p.Ignore)
	own.NotSuppressible = slices.Concat(own.NotSuppressible, p.NotSuppressible)
	return own
}

// refuse is what a stack, or a nearer policy, may not say under the policy of its repository: a rule
// that must stand is neither switched off nor graded down.
func (p *policy) refuse(d *Decoded) []Error {
	if p == nil {
		return nil
	}
	var out []Error
	for _, rule := range slices.Sorted(maps.Keys(d.graded)) {
		if level := d.Policy.Severity[rule]; level != "error" && slices.Contains(p.NotSuppressible, rule) {
			out = append(out, Error{Range: d.graded[rule], Message: fmt.Sprintf("severity %q of %s: the policy of the repository says that the rule is not suppressible", level, rule)})
		}
	}
	return out
}

// tell says what the policies of a run are and what is wrong with them, in the
// order of their files.
func (p *policies) tell(sum *Summary) {
	for _, path := range slices.Sorted(maps.Keys(p.known)) {
		x := p.known[path]
		sum.Errors = append(sum.Errors, x.errs...)
		if x.near {
			sum.Policies = append(sum.Policies, Policy{x.Policy, shown(path), x.text})
		}
	}
}
