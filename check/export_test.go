package check

import (
	"context"

	"tchain.dev/tchain/chain"
)

// RunApart is Run that judges each route anew, also one that is like another.
func RunApart(s *chain.Stack) []Finding {
	m := newMemo()
	m.apart = true
	stand, _, _ := run(context.Background(), s, "", m) // which never ends
	return stand
}
