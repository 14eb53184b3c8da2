package main

import (
	"runtime"
	"testing"
	"time"
)

func TestASmallHeapMayGrowMoreThanALargeOne(t *testing.T) {
	for live, want := range map[uint64]int{0: 800, 1 << 20: 800, 10 << 20: 800, 18 << 20: 411, 23 << 20: 300, 46 << 20: 100, 104 << 20: 25, 1 << 30: 25} {
		if got := growth(live); got != want {
			t.Errorf("%d MB live: %d %%, want %d %%", live>>20, got, want)
		}
	}
}

func TestTheGrowthIsSetAfterEachCollection(t *testing.T) {
	came := make(chan bool, 10)
	afterCollection(func() { came <- true })
	for i := range 2 {
		runtime.GC()
		select {
		case <-came:
		case <-time.After(10 * time.Second):
			t.Fatalf("nothing after collection %d", i+1)
		}
	}
}
