package main

import (
	"fmt"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/compile"
)

// toldErrors are the mistakes that were told, each with the stack that it was
// told of: one in a file that many stacks share is not told for each of them.
type toldErrors map[compile.Error]string

// once leaves, of mistakes that were all told before, only where.
func (t *toldErrors) once(u *compile.Unit) {
	if *t == nil {
		*t = toldErrors{}
	}
	first := ""
	var fresh []compile.Error
	for _, e := range u.Errors {
		if of, ok := (*t)[e]; ok {
			first = of
			continue
		}
		(*t)[e] = u.Dir
		fresh = append(fresh, e)
	}
	if len(fresh) == 0 && first != "" && first != u.Dir {
		e := u.Errors[0].Range
		where := e.File
		if e.Line > 0 {
			where = fmt.Sprintf("%s:%d:%d", e.File, e.Line, max(e.Column, 1))
		}
		fresh = []compile.Error{{Range: chain.Range{File: u.Dir}, Message: fmt.Sprintf("cannot be read, by %s as %s", where, first)}}
	}
	if len(fresh) > 0 {
		u.Errors = fresh
	}
}
