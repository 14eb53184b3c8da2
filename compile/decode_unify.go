package compile

import (
	"fmt"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/errors"
)

// later notes that CUE must check a block when the walk is over.
func (d *decoder) later(w *walk, v cue.Value, path []string) {
	if !w.full {
		return
	}
	def := d.cat.definition(contextOf(v), w.typ.Category, w.typ.Key)
	if def.Exists() {
		d.fill = append(d.fill, filling{def, w.gifted(v, path), path})
	}
}

// unify lets CUE check what the table cannot say. An error at a path that is
// reported already is left out, as are those that follow from it.
func (d *decoder) unify(f filling) {
	errs := errors.Errors(f.def.Unify(f.v).Validate(cue.Concrete(false)))
	for _, e := range errs {
		path := relative(f, userPath(e.Path()))
		if d.reported(path) {
			continue
		}
		format, args := e.Msg()
		message := fmt.Sprintf(format, args...)
		if strings.Contains(message, "empty disjunction") {
			message = "takes none of the forms that are allowed"
			if len(errs) > 1 {
				continue // the branches follow, each with its own reason
			}
		}
		d.failValue(path, "%s: %s", entryName(path), message)
	}
}

// relative is the path of an error in the stack. CUE gives it from the root of
// whichever side of the unification it met first.
func relative(f filling, path []string) []string {
	if len(path) >= len(f.path) && key(path[:len(f.path)]) == key(f.path) {
		return path
	}
	for n := range path {
		if tail := path[n:]; holds(f.v, tail) {
			return below(f.path, tail...)
		}
	}
	return f.path
}

// holds reports whether a value has something at a path; the parts of a list
// are named by their index.
func holds(v cue.Value, path []string) bool {
	for _, name := range path {
		if v = v.LookupPath(cue.MakePath(selector(name))); !v.Exists() {
			return false
		}
	}
	return true
}

func (d *decoder) reported(path []string) bool {
	for n := range path {
		if d.bad[key(path[:n+1])] {
			return true
		}
	}
	return false
}
