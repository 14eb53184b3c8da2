package compile

import (
	"io/fs"
	"maps"
	"path"
	"time"

	"tchain.dev/tchain/schema"
)

// Each finds the stacks that args name, as `go build` takes packages, reads and
// resolves each, and hands it to fn, one at a time and in a fixed order. No
// argument is the working directory; "dir/..." is all directories below one.
// The summary says what else was seen.
func Each(args []string, opt Options, fn func(*Unit)) Summary {
	return EachEnv(args, opt, func(u *Unit, _ []string) { fn(u) })
}

// EachEnv is Each that also hands out the names that each stack has in @env and
// @from, which are what Options.Set can fill in.
func EachEnv(args []string, opt Options, fn func(u *Unit, names []string)) Summary {
	return EachWith(args, opt, func(*Unit) any { return nil }, func(u *Unit, names []string, _ any) { fn(u, names) })
}

// EachWith is EachEnv with work that needs no order: work is called for several
// units at the same time, each as soon as it is read, and fn gets what it made. A
// unit of which the summary says that it is no stack has been worked on too.
func EachWith[T any](args []string, opt Options, work func(*Unit) T, fn func(u *Unit, names []string, made T)) Summary {
	targets, sum := find(args, opt)
	if opt.Found != nil {
		n := len(targets)
		for _, t := range targets {
			if t.base && !t.named {
				n-- // at most a stack beside those that build on it
			}
		}
		opt.Found(n)
	}
	cat, fsys := builtinFor(opt)
	r := &reader{opt: opt, schema: fsys}
	type result struct {
		unit *Unit
		src  *source // nil where nothing could be read
		made T
	}
	imports, known := map[string]bool{}, 0 // of how many stacks
	eachOf(r, targets, func(src *source, errs []Error) result {
		u := unit(r, src, errs, cat)
		if src != nil {
			u.Took = time.Since(src.began)
			src.letGo()
		}
		return result{u, src, work(u)}
	}, func(res result) {
		if res.src != nil && res.src.imports != nil {
			maps.Copy(imports, res.src.imports)
			known++
		}
		switch {
		case res.src == nil || len(res.unit.Errors) > 0 && !res.src.read():
			if sum.onlyBase(res.src) {
				return
			}
			sum.Units++
		case len(res.unit.Errors) > 0 && sum.onlyBase(res.src), !sum.settle(res.src):
			return
		}
		var names []string
		if res.src != nil {
			names = res.src.env
		}
		fn(res.unit, names, res.made)
	})
	r.policies.tell(&sum)
	sum.tellUnread(imports, known == len(targets))
	return sum
}

// Again reads a unit of a run once more: the same files, with those of Options.Overlay
// in place of what they hold. Nothing is looked for, so that it costs the same
// wherever the stack lies.
func Again(u *Unit, opt Options) *Unit {
	cat, fsys := builtinFor(opt)
	r := &reader{opt: opt, schema: fsys}
	src, errs := r.read(u.target)
	again := unit(r, src, errs, cat)
	if src != nil {
		again.Took = time.Since(src.began)
	}
	return again
}

// builtinFor is the language and the catalogue of a run, with the files that it is read from.
func builtinFor(opt Options) (*catalogue, fs.FS) {
	if opt.Schema != nil {
		return newCatalogue(opt.Schema), opt.Schema
	}
	return builtin(), schema.FS
}

// unit makes of a source what can be made of it: with errors in the input
// nothing is resolved, since what is in force is then not known.
func unit(r *reader, src *source, errs []Error, cat *catalogue) *Unit {
	u := &Unit{Errors: errs}
	if src == nil {
		for _, e := range errs {
			u.Dir = path.Dir(e.Range.File)
		}
		return u
	}
	if src.value.Exists() {
		d, more := decode(src, cat)
		u.Errors = append(u.Errors, more...)
		if len(u.Errors) == 0 {
			shared := r.policy(src.target, cat)
			u.Errors = shared.refuse(d)
			d.Policy = shared.under(d.Policy)
			d.Dir = src.target.dir
			if len(u.Errors) == 0 {
				u.Stack, u.Errors = resolve(d, src.place)
			}
		}
	}
	src.fill(u)
	return u
}
