package check

import "tchain.dev/tchain/chain"

// explainReserve says of a reserve that a finding's worst case counts and its trace does
// not why the two differ: an app whose call fails before its deadline is spent answers
// at once.
func explainReserve(f *Finding) {
	if f.Trace == nil {
		return
	}
	for i := range f.Related {
		if r := &f.Related[i]; r.Term.Reserve && failsAtOnce(f.Trace, r.Pos) {
			r.Message = "reserve, of which this fault takes nothing: the deadline is not spent when the call fails"
		}
	}
}

// failsAtOnce reports whether the app whose reserve is written at a place has its own
// error in a trace at the very time at which its call fails.
func failsAtOnce(t *chain.Trace, reserve chain.Range) bool {
	for i, failed := range t.Events {
		if failed.Kind != chain.EvTimeout && failed.Kind != chain.EvFailed || failed.Node.Deadline.Reserve.Origin.Pos != reserve {
			continue
		}
		for _, e := range t.Events[i+1:] {
			if own := e.Kind == chain.EvAnswers || e.Kind == chain.EvUndelivered; own && e.Node == failed.Node && e.At == failed.At {
				return true
			}
		}
	}
	return false
}
