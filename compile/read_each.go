package compile

import (
	"runtime"
	"sync"
)

// each reads targets with Options.Workers workers and hands each to fn in the
// order of targets, one at a time. The source is nil where nothing could be
// read; it must not be kept, which is what keeps the memory flat.
func (r *reader) each(targets []target, fn func(*source, []Error)) {
	eachOf(r, targets, func(s *source, errs []Error) func() {
		return func() { fn(s, errs) }
	}, func(call func()) { call() })
}

// eachOf is each with the work on a source done in parallel: work runs in the
// worker that read the source, out gets the results in the order of targets, one
// at a time. After an evaluation that took all memory no further target is read.
func eachOf[T any](r *reader, targets []target, work func(*source, []Error) T, out func(T)) {
	workers := r.opt.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var (
		mu   sync.Mutex
		turn = sync.NewCond(&mu)
		next int // target to be taken
		now  int // target whose turn it is
		wg   sync.WaitGroup
	)
	run := func() {
		defer wg.Done()
		w := &worker{r: r}
		for {
			mu.Lock()
			i := next
			if i >= len(targets) || r.halted.Load() {
				mu.Unlock()
				return
			}
			next++
			mu.Unlock()
			s, errs := w.read(targets[i])
			if r.halted.Load() && s == nil && len(errs) > 0 && i+1 < len(targets) {
				errs[0].Message += "; the stacks after it were not read"
			}
			result := work(s, errs)
			mu.Lock()
			for now != i {
				turn.Wait()
			}
			mu.Unlock()
			// A context serves one goroutine: out may still use the source, so the
			// worker reads on only when it is done.
			out(result)
			mu.Lock()
			now++
			turn.Broadcast()
			mu.Unlock()
		}
	}
	for range max(1, min(workers, len(targets))) {
		wg.Add(1)
		go run()
	}
	wg.Wait()
}
