package main

import (
	"maps"
	"os"
	"os/exec"
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

// makeTemporary makes a directory that is known from its first moment on.
func makeTemporary() (string, error) {
	temporary.Lock()
	defer temporary.Unlock()
	dir, err := os.MkdirTemp("", "tchain-")
	if err == nil {
		temporary.dirs = append(temporary.dirs, dir)
	}
	return dir, err
}

// children are the processes that run for this one, and may write into temporary
// directories. When this one ends they are ended first and no other begins.
var children struct {
	sync.Mutex
	ended   bool
	running map[*exec.Cmd]chan struct{} // closed when the process is gone
}

// runChild runs a process to its end.
func runChild(cmd *exec.Cmd) error {
	children.Lock()
	if children.ended {
		children.Unlock()
		select {} // until the process is gone
	}
	gone := make(chan struct{})
	err := cmd.Start()
	if err == nil {
		if children.running == nil {
			children.running = map[*exec.Cmd]chan struct{}{}
		}
		children.running[cmd] = gone
	}
	children.Unlock()
	if err != nil {
		return err
	}
	err = cmd.Wait()
	children.Lock()
	delete(children.running, cmd)
	ended := children.ended
	children.Unlock()
	close(gone)
	if ended {
		select {} // it was killed, and that is nobody's mistake
	}
	return err
}

func endChildren() {
	children.Lock()
	children.ended = true
	running := maps.Clone(children.running)
	children.Unlock()
	for cmd, gone := range running {
		cmd.Process.Kill()
		<-gone
	}
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
		endChildren()
		temporary.Lock()
		for _, dir := range temporary.dirs {
			os.RemoveAll(dir)
		}
		os.Exit(code)
	}()
}
