package compile

import (
	"runtime"
	"sync"
)

// waiting is how many results a worker may be ahead of the one that is handed out
// next: a stack that takes long keeps no other worker from reading, and still the
// memory is flat.
const waiting = 4

// eachOf reads targets with Options.Workers workers. work runs in the worker that
// read the source, for several at the same time; the source is nil where nothing
// could be read, and must not be kept, which is what keeps the memory flat. out
// gets the results in the order of targets, one at a time. After an evaluation that
// took all memory no further target is read.
func eachOf[T any](r *reader, targets []target, work func(*source, []Error) T, out func(T)) {
	workers := r.opt.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = max(1, min(workers, len(targets)))
	h := handing[T]{out: out, made: map[int]T{}, ahead: workers * waiting}
	h.moved.L = &h.mu
	run := func() {
		w := &worker{r: r}
		for {
			i, ok := h.take(len(targets), r.halted.Load)
			if !ok {
				return
			}
			s, errs := w.read(targets[i])
			if r.halted.Load() && s == nil && len(errs) > 0 && i+1 < len(targets) {
				errs[0].Message += "; the stacks after it were not read"
			}
			h.hand(i, work(s, errs))
		}
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(run)
	}
	wg.Wait()
}

// A handing brings what several workers make into order.
type handing[T any] struct {
	out   func(T)
	ahead int // how many may be taken beyond the next to go out

	mu    sync.Mutex
	moved sync.Cond
	next  int       // to be taken
	now   int       // the next to go out
	made  map[int]T // and waiting
	busy  bool      // one is going out
}

// take is the next of n that nobody has taken, once it is not too far ahead; ok
// is false when none is left or all have to stop.
func (h *handing[T]) take(n int, stop func() bool) (i int, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for h.next < n && h.next-h.now >= h.ahead {
		h.moved.Wait()
	}
	if h.next >= n || stop() {
		return 0, false
	}
	h.next++
	return h.next - 1, true
}

// hand gives out all that are due, where no other worker is about to.
func (h *handing[T]) hand(i int, made T) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.made[i] = made
	for !h.busy {
		due, ok := h.made[h.now]
		if !ok {
			return
		}
		delete(h.made, h.now)
		h.busy = true
		h.mu.Unlock()
		h.out(due)
		h.mu.Lock()
		h.now, h.busy = h.now+1, false
		h.moved.Broadcast()
	}
}
