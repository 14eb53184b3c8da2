// Package repeatable makes property tests draw the same on every run, so that a
// change is refused for what it does and not for the day's luck. A test imports
// it for its effect. It must know nothing of tchain.
//
// -rapid.seed=0 draws anew each time; make explore does so at length.
package repeatable

import (
	"flag"

	_ "pgregory.net/rapid" // declares the flag
)

func init() {
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err) // rapid has renamed its flag
	}
}
