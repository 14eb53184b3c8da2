package main

import (
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
)

// writing is held while files are replaced.
var writing sync.Mutex

// temporary are directories that go when the process ends, however it ends.
var temporary struct {
	sync.Mutex
	dirs []string
}

func atExit(dir string) {
	temporary.Lock()
	defer temporary.Unlock()
	temporary.dirs = append(temporary.dirs, dir)
}

// removed removes a temporary directory now.
func removed(dir string) {
	temporary.Lock()
	defer temporary.Unlock()
	os.RemoveAll(dir)
	temporary.dirs = slices.DeleteFunc(temporary.dirs, func(d string) bool { return d == dir })
}

// uninterrupted runs what replaces files to its end: Ctrl-C waits for it.
func uninterrupted(write func() error) error {
	writing.Lock()
	defer writing.Unlock()
	return write()
}

// handleSignals ends the process at Ctrl-C with the code that a shell gives, 130,
// and leaves no half-written file. A closed pipe is an error of the write like any
// other, so that it does not take the exit code away. A signal that the caller
// ignores, as nohup does, stays ignored.
func handleSignals() {
	signal.Ignore(syscall.SIGPIPE)
	came := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		if !signal.Ignored(s) {
			signal.Notify(came, s)
		}
	}
	go func() {
		code := 128
		if s, ok := (<-came).(syscall.Signal); ok {
			code += int(s)
		}
		writing.Lock()
		temporary.Lock()
		for _, dir := range temporary.dirs {
			os.RemoveAll(dir)
		}
		os.Exit(code)
	}()
}
