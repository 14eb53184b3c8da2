// Package retake measures real time again where a busy machine spoilt it: what a
// product does within its limits it does each time, and a machine that stands still
// for a second is late once. Only tests of real time use it. It must know nothing of
// tchain.
package retake

import (
	"runtime"
	"sync/atomic"
	"testing"
)

// Most is how often a measurement is made before it counts as a failure.
const Most = 3

// Test runs f until it passes, [Most] times at most; of the runs before the last it
// logs what was wrong. What f builds with t.TempDir and t.Cleanup stays until the end
// of the test.
func Test(t testing.TB, f func(t testing.TB)) {
	t.Helper()
	for range Most - 1 {
		if passes(t, f) {
			return
		}
		t.Log("measured again")
	}
	f(t)
}

// Real skips a test that drives real programs through real seconds where only the fast
// ones are run; make test runs it.
func Real(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("drives real programs through real seconds")
	}
}

func passes(t testing.TB, f func(t testing.TB)) bool {
	t.Helper()
	a := &attempt{TB: t}
	done := make(chan struct{})
	go func() { // which FailNow ends, and not the test
		defer close(done)
		f(a)
	}()
	<-done
	return !a.Failed()
}

// An attempt is a test whose failures are notes. What is skipped is so for good.
type attempt struct {
	testing.TB
	failed atomic.Bool
}

func (a *attempt) Fail()        { a.failed.Store(true) }
func (a *attempt) Failed() bool { return a.failed.Load() }
func (a *attempt) FailNow()     { a.Fail(); runtime.Goexit() }

func (a *attempt) Error(args ...any) { a.TB.Helper(); a.Log(args...); a.Fail() }
func (a *attempt) Errorf(format string, args ...any) {
	a.TB.Helper()
	a.Logf(format, args...)
	a.Fail()
}
func (a *attempt) Fatal(args ...any) { a.TB.Helper(); a.Log(args...); a.FailNow() }
func (a *attempt) Fatalf(format string, args ...any) {
	a.TB.Helper()
	a.Logf(format, args...)
	a.FailNow()
}
