package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/diff"
	"tchain.dev/tchain/emit/report"
)

// An examined is a stack with what was found in it.
type examined struct {
	unit              *compile.Unit
	budget            budget
	stand, suppressed []check.Finding
	known             []check.Finding // those that pass, by a base or a baseline
	verified          bool            // their fixes were tried
	moved             *diff.Pair
	routes            []report.Route // as a report has them
}

// A base is the stacks as they were at the commit that a change is compared with.
type base struct {
	name  string
	id    string // of the commit
	place *sidePlace
	side  *side
	asked *coverage // the paths of the run, in the tree of the base
	widen func()    // reads what may have been renamed, too; nil once that is done
	here  func(dir string) map[string]bool
	gone  []diff.Stack
}

// openBase reads the stacks of where the working tree left a commit, branch or tag.
func openBase(ref string, paths []string, opt compile.Options, severity map[string]string, shown *progress) (*base, error) {
	wd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	g, err := openGit(wd)
	if err != nil {
		return nil, usagef("--base %s: %v", ref, err)
	}
	id, err := g.mergeBase(ref)
	if err != nil {
		return nil, err
	}
	name := ref
	if own, _ := g.resolve(ref, "commit"); own != id {
		name += " at " + id[:min(len(id), 10)]
	}
	t, err := g.checkOut(id, name)
	if err != nil {
		return nil, fmt.Errorf("--base %s: %w", ref, err)
	}
	b := &base{name: name, id: id, place: &sidePlace{root: t.dir, tree: t}}
	args, all, err := t.args(paths)
	if err != nil {
		t.remove()
		return nil, err
	}
	b.asked = newCoverage(args)
	b.widen = func() {
		b.place.args = []string{filepath.Join(t.dir, "...")} // it may have had another name
		b.side = b.place.read(opt, severity, shown)
		b.widen = nil
	}
	b.here = func(dir string) map[string]bool {
		names := map[string]bool{}
		quiet := opt
		quiet.Found = nil
		compile.Each([]string{filepath.Join(g.root, filepath.FromSlash(dir))}, quiet, func(u *compile.Unit) {
			if u.Stack != nil {
				names[u.Stack.Name] = true
			}
		})
		return names
	}
	if all {
		b.place.args = args
		b.side = b.place.read(opt, severity, shown)
	} else {
		b.widen()
	}
	return b, nil
}

// renamed leaves, of all stacks of the base, those under its paths and those that
// can be what the paths name now: their directory is no longer there, or holds no
// stack of their name while one has come under the paths.
func (b *base) renamed(came func(name string) bool) {
	there := func(dir string) bool {
		_, err := os.Stat(filepath.Join(b.place.tree.git.root, filepath.FromSlash(dir)))
		return err == nil
	}
	b.side.stacks = slices.DeleteFunc(b.side.stacks, func(s diff.Stack) bool {
		return there(s.Dir) && !b.looked(s.Dir, s.Stack.Name) && !(came(s.Stack.Name) && !b.here(s.Dir)[s.Stack.Name])
	})
	b.side.units = slices.DeleteFunc(b.side.units, func(u *compile.Unit) bool {
		dir := below(b.place.tree.git.root, u.Dir)
		return there(dir) && !b.looked(dir, "")
	})
}

// dir is the directory of a stack from the root of the repository on; that of a
// link is where it leads to.
func (b *base) dir(u *compile.Unit) string {
	if abs, err := filepath.Abs(filepath.FromSlash(u.Dir)); err == nil {
		return below(b.place.tree.git.root, realPath(abs))
	}
	return u.Dir
}

// looked reports whether the paths of the run would have met a stack of the base.
func (b *base) looked(dir, stack string) bool {
	return b.asked.holds(filepath.Join(b.place.root, filepath.FromSlash(dir)), stack)
}

// compare leaves only what the change made worse, and says what moved. gone are the
// stacks that the base has and the run would have met.
func (b *base) compare(list []*examined) (gone []diff.Pair) {
	var news []diff.Stack
	at := map[*chain.Stack]*examined{}
	for _, x := range list {
		if x.unit.Stack == nil {
			continue
		}
		at[x.unit.Stack] = x
		news = append(news, diff.Stack{
			Dir: b.dir(x.unit), Stack: x.unit.Stack, Findings: slices.Concat(x.stand, x.known), Suppressed: x.suppressed,
		})
	}
	// Under the paths of the run stands what did not stand there at the base.
	stood := map[string]bool{}
	for _, o := range b.side.stacks {
		stood[o.Stack.Name] = stood[o.Stack.Name] || b.looked(o.Dir, o.Stack.Name)
	}
	came := func(name string) bool {
		return !stood[name] && slices.ContainsFunc(news, func(n diff.Stack) bool { return n.Stack.Name == name })
	}
	if b.widen != nil && slices.ContainsFunc(news, func(n diff.Stack) bool { return came(n.Stack.Name) }) {
		b.widen()
	}
	if b.widen == nil {
		b.renamed(came)
	}
	for _, m := range diff.Match(b.side.stacks, news) {
		if m.New == nil && !b.looked(m.Old.Dir, m.Old.Stack.Name) || m.Old == nil && b.side.broken[m.New.Dir] {
			continue
		}
		p, differs := diff.PairOf(m.Old, m.New)
		if m.New == nil {
			gone, b.gone = append(gone, p), append(b.gone, *m.Old)
			continue
		}
		x := at[m.New.Stack]
		if differs {
			x.moved = &p
		}
		if m.Old != nil {
			x.blame(&p, b.name)
		}
	}
	return gone
}

// blame leaves the findings for which the change is to blame. That one is known in
// the baseline does not cover that it has got worse.
func (x *examined) blame(p *diff.Pair, name string) {
	why := map[int]string{}
	counts, worse := map[int]bool{}, map[int]bool{}
	for _, f := range p.Findings {
		if f.Counts() {
			counts[f.Index], why[f.Index] = true, f.Why
			worse[f.Index] = f.Change == diff.Worse
		}
	}
	var stand, known []check.Finding
	of := slices.Concat(x.stand, x.known) // which the indices are of
	for i, f := range of {
		if i >= len(x.stand) {
			if !worse[i] {
				known = append(known, f)
				continue
			}
			f.Suppressed = nil
		}
		if !counts[i] {
			f.Suppressed = &chain.Ignore{Rule: f.Rule, Reason: "was there at " + name}
			known = append(known, f)
			continue
		}
		if why[i] != "" {
			f.Related = append(f.Related[:len(f.Related):len(f.Related)], check.Related{Message: "worse than at " + name + ": " + why[i]})
		}
		stand = append(stand, f)
	}
	x.stand, x.known = stand, known
}

// unread says which stacks have nothing to be compared with.
func (b *base) unread(run *run) {
	if text := b.place.tree.absence(); text != "" && len(b.side.units) > 0 {
		fmt.Fprintln(run.Stderr, "note: "+text)
	}
	note := func(e compile.Error, dir, then string) {
		where := cmp.Or(e.Range.File, dir)
		if e.Range.Line > 0 {
			where = fmt.Sprintf("%s:%d:%d", where, e.Range.Line, max(e.Range.Column, 1))
		}
		fmt.Fprintln(run.Stderr, "note: "+oneLine(where+": "+e.Message+then))
	}
	for _, u := range b.side.units {
		note(u.Errors[0], u.Dir, "; all findings of "+u.Dir+" count")
	}
	for _, e := range b.side.sum.Errors { // a policy, or a directory as a whole
		note(e, ".", "")
	}
}
