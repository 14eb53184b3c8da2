package aside

import (
	"runtime"
	"sync"
	"testing"
)

func TestAGoroutineIsUsedAgain(t *testing.T) {
	const works = 1000
	used := map[string]bool{}
	for range works {
		name := make(chan string)
		Go(func() {
			head := make([]byte, len("goroutine 123456789"))
			name <- string(head[:runtime.Stack(head, false)])
		})
		used[<-name] = true
		runtime.Gosched() // it becomes idle
	}
	if len(used) > works/2 {
		t.Errorf("%d goroutines for %d works, one after the other", len(used), works)
	}
}

func TestWorkThatWaitsKeepsNoOtherFromRunning(t *testing.T) {
	first := make(chan bool)
	var all sync.WaitGroup
	for i := range 100 {
		all.Add(1)
		Go(func() {
			defer all.Done()
			if i < 99 {
				<-first
			} else {
				close(first)
			}
		})
	}
	all.Wait()
}
