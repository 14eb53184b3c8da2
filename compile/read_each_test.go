package compile

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestEachHandsOutInOrder(t *testing.T) {
	t.Chdir(t.TempDir())
	for i := range 150 {
		writeStack(t, fmt.Sprintf("s%03d", i), 1+(i%7)*3)
	}
	targets, _ := find([]string{"./..."}, Options{})
	if len(targets) != 150 {
		t.Fatalf("found %d stacks, want 150", len(targets))
	}
	for _, workers := range []int{1, 4} {
		r := &reader{opt: Options{Workers: workers}}
		n := 0
		eachOf(r, targets, func(s *source, errs []Error) string {
			if len(errs) > 0 {
				t.Error(lines(errs))
				return ""
			}
			v, _ := s.lookup([]string{"name"})
			name, _ := v.String()
			return name + pointed(s, s.at("layers", "l0", "nginx", "server", "proxy_read_timeout"))
		}, func(got string) {
			if want := fmt.Sprintf(`s%03ds%03d/stack.cue:4:56 "90s"`, n, n); got != want {
				t.Errorf("with %d workers: stack %d is %s, want %s", workers, n, got, want)
			}
			n++
		})
		if n != len(targets) {
			t.Errorf("with %d workers: %d stacks, want %d", workers, n, len(targets))
		}
	}
}

func TestAStackThatTakesLongKeepsNoOtherWorkerFromReading(t *testing.T) {
	t.Chdir(t.TempDir())
	for i := range 4 {
		writeStack(t, fmt.Sprintf("s%d", i), 1)
	}
	targets, _ := find([]string{"./..."}, Options{})
	others := make(chan bool, len(targets))
	eachOf(&reader{opt: Options{Workers: 2}}, targets, func(s *source, _ []Error) string {
		if s.target.dir != "s0" {
			others <- true
			return s.target.dir
		}
		for range len(targets) - 1 {
			select {
			case <-others:
			case <-time.After(10 * time.Second):
				t.Error("the other stacks wait for the first one")
				return s.target.dir
			}
		}
		return s.target.dir
	}, func(string) {})
}

func TestNoWorkerIsFarAheadOfWhatWasHandedOut(t *testing.T) {
	var halted atomic.Bool
	h := handing[int]{out: func(int) {}, made: map[int]int{}, ahead: 2}
	h.moved.L = &h.mu
	for want := range 2 {
		if i, ok := h.take(9, halted.Load); !ok || i != want {
			t.Fatalf("took %d, want %d", i, want)
		}
	}
	took := make(chan int)
	go func() {
		i, _ := h.take(9, halted.Load)
		took <- i
	}()
	h.hand(1, 1)
	select {
	case i := <-took:
		t.Fatalf("took %d while 0 is not handed out", i)
	case <-time.After(20 * time.Millisecond):
	}
	h.hand(0, 0)
	if i := <-took; i != 2 {
		t.Errorf("took %d, want 2", i)
	}
}

// writeStack writes a stack of n layers to a directory.
func writeStack(t *testing.T, dir string, n int) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/stack.cue", []byte(stackText(dir, n)), 0o666); err != nil {
		t.Fatal(err)
	}
}

func stackText(name string, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\ntchain: \"v1\"\nname: %q\n", name, name)
	for i := range n {
		fmt.Fprintf(&b, "layers: l%d: nginx: server: {proxy_read_timeout:        \"90s\", proxy_connect_timeout: \"3s\", keepalive_timeout: \"150s\"}\n", i)
		fmt.Fprintf(&b, "layers: a%d: {instances: 6, app: {runtime: {springBoot: \"3.5.9\"}, deadline: {total: \"110s\", enforced: true}}}\n", i)
		fmt.Fprintf(&b, "routes: \"GET /v1/r%d\": {path: [\"l%d\", \"a%d\"], tps: 3}\n", i, i, i)
	}
	return b.String()
}

func TestMemoryStaysFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 500 stacks")
	}
	t.Chdir(t.TempDir())
	for i := range 500 {
		writeStack(t, fmt.Sprintf("s%03d", i), 5)
	}
	targets, _ := find([]string{"./..."}, Options{})
	r := &reader{opt: Options{Workers: 1}}
	n, early := 0, uint64(0)
	eachOf(r, targets, func(s *source, errs []Error) bool {
		if len(errs) > 0 {
			t.Error(lines(errs))
		}
		s.at("layers", "l0", "nginx")
		return true
	}, func(bool) {
		if n++; n == contextUses {
			runtime.GC()
			early = heapBytes()
		}
	})
	runtime.GC()
	if late := heapBytes(); late > 2*early+16<<20 {
		t.Errorf("heap is %d bytes after 500 stacks, %d after %d", late, early, contextUses)
	} else {
		t.Logf("heap is %d bytes after 500 stacks, %d after %d", late, early, contextUses)
	}
}

// TestReadingIsLinear counts allocations, which no other work on the machine
// changes: four times the text may take hardly more than four times as many.
func TestReadingIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a megabyte")
	}
	quarter, whole := readMallocs(t, 950), readMallocs(t, 3800)
	if t.Logf("%d and %d allocations", quarter, whole); whole > 9*quarter/2 {
		t.Errorf("a text four times as long takes %d allocations, and not about four times %d", whole, quarter)
	}
}

func readMallocs(t *testing.T, layers int) uint64 {
	text := stackText("big", layers)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s := mustRead(t, "a.cue", text)
	s.at("layers", "l17", "nginx", "server", "proxy_read_timeout")
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}
