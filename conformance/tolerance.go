package conformance

import "time"

// A Tolerance is how exact a product is, and how exact a run of it can be on a
// machine that does other work too.
type Tolerance struct {
	Early, Late time.Duration // how far from the prediction an end may be
	// MinGap is the smallest value of a timer at which Early is small beside it:
	// a scenario uses no smaller one, except zero.
	MinGap time.Duration
	Why    string
}

// Tolerances is the one table of them, by product.
var Tolerances = map[string]Tolerance{
	NGINX: {
		Early:  300 * time.Millisecond,
		Late:   900 * time.Millisecond,
		MinGap: 2 * time.Second,
		Why:    "a timer re-armed to within 300 ms of its old end is left as it was",
	},
}
