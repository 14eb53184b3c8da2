package compile

import "cuelang.org/go/cue"

// contextOf is the context that a value was built in. CUE deprecates asking for
// it, because values of different contexts may be combined; here it is only the
// key of the definitions that were compiled in it, so that none is compiled twice.
func contextOf(v cue.Value) *cue.Context {
	return v.Context() //lint:ignore SA1019 see above
}
