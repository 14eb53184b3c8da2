// Package cuestats gives the work counters of the CUE evaluator, which are
// deterministic: as goldens they show a slow-down as a diff, without a clock.
//
// CUE keeps the counters in an internal package and prints them only from its
// own command, so the function is linked by name. Only tests import this; a
// CUE version that renames it fails to link there and nowhere else.
package cuestats

import (
	_ "unsafe" // for go:linkname

	"cuelang.org/go/cue/stats"
)

// Total are the counters of all evaluations of this process so far.
//
//go:linkname Total cuelang.org/go/internal/core/adt.TotalStats
func Total() stats.Counts
