package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// The heap may grow to heapGoal between two collections, but by no more than
// most and no less than least percent of what is live: a process that ends
// within seconds need not collect a small heap often, and a large one must not
// grow without need.
const (
	heapGoal = 92 << 20
	most     = 800
	least    = 25
)

// paceCollections sets how much the heap may grow, after each collection anew.
// A GOGC of the user's goes first.
func paceCollections() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(most)
	afterCollection(func() {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		if metrics.Read(live); live[0].Value.Kind() == metrics.KindUint64 {
			debug.SetGCPercent(growth(live[0].Value.Uint64()))
		}
	})
}

// growth is by how many percent a heap may grow.
func growth(live uint64) int {
	live = max(live, 1)
	return int(max(least, min(most, (max(heapGoal, live)-live)*100/live)))
}

// afterCollection calls f each time that the garbage was collected.
func afterCollection(f func()) {
	type mark struct{ _ [16]byte } // as small objects without pointers share memory and are freed together
	var arm func()
	arm = func() {
		runtime.SetFinalizer(new(mark), func(*mark) {
			f()
			arm()
		})
	}
	arm()
}
