package compile

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/internal/aside"
)

const (
	defaultTimeout = 30 * time.Second
	defaultHeap    = 2 << 30
	heapEvery      = 50 * time.Millisecond
)

// guarded runs work and gives up when it takes too long or fills the memory:
// CUE cannot be interrupted from inside, so the goroutine is left behind and
// the process is expected to end soon. why is empty if work came to its end; a
// panic in it becomes a why too.
func guarded[T any](r *reader, work func() T) (got T, why string) {
	timeout, limit := r.opt.Timeout, r.heap
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	if limit == 0 {
		limit = defaultHeap
	}
	type end struct {
		got T
		why string
	}
	late := fmt.Sprintf("evaluation did not end within %s; look for a comprehension or a reference that feeds itself, or raise the timeout", chain.Format(timeout))
	began := time.Now()
	done := make(chan end, 1)
	aside.Go(func() {
		var e end
		defer func() {
			if p := recover(); p != nil {
				e.why = fmt.Sprintf("internal: CUE panicked: %s", firstLine(fmt.Sprint(p)))
			}
			done <- e
		}()
		e.got = work()
	})
	deadline := time.NewTimer(timeout)
	defer deadline.Stop()
	tick := time.NewTicker(heapEvery)
	defer tick.Stop()
	base := heapBytes()
	for {
		select {
		case e := <-done:
			if time.Since(began) >= timeout { // both have come, in one moment
				return got, late
			}
			return e.got, e.why
		case <-deadline.C:
			return got, late
		case <-tick.C:
			if heapBytes() < base+limit {
				continue
			}
			// Much of it may be garbage that was not collected yet.
			if runtime.GC(); heapBytes() >= base+limit {
				r.halted.Store(true)
				return got, fmt.Sprintf("evaluation took more than %s of memory; look for a comprehension that multiplies values", bytesText(int64(limit)))
			}
		}
	}
}

// heapBytes is what live objects and garbage not yet collected take.
func heapBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}
