package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
)

// failing is a standard output that takes nothing.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestWriteErrors(t *testing.T) {
	for _, tc := range []struct {
		name string
		err  error
		code int
		text string
	}{
		{"a closed pipe ends quietly", &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}, ExitClean, ""},
		{"so does one in the process", io.ErrClosedPipe, ExitClean, ""},
		{"a full disk is reported", &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}, ExitUsage, "tchain: standard output: no space left on device\n"},
		{"any other error is reported", errors.New("broken"), ExitUsage, "tchain: standard output: broken\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var stderr bytes.Buffer
			code := Command{strings.NewReader(""), failing{tc.err}, &stderr}.Main([]string{"completion", "bash"})
			if code != tc.code || stderr.String() != tc.text {
				t.Errorf("exit %d, stderr %q", code, stderr.String())
			}
		})
	}
}

type panicking struct{}

func (panicking) Write([]byte) (int, error) { panic("a defect") }

func TestADefectIsExitThree(t *testing.T) {
	var stderr bytes.Buffer
	code := Command{strings.NewReader(""), panicking{}, &stderr}.Main([]string{"completion", "bash"})
	if code != ExitInternal || !strings.HasPrefix(stderr.String(), "tchain: internal error: a defect\n") {
		t.Errorf("exit %d, stderr %q", code, stderr.String())
	}
}

func TestEveryCommandHasHelpAndAnExample(t *testing.T) {
	root := newRoot(&run{out: &stdout{}})
	all := root.Commands()
	for i := 0; i < len(all); i++ {
		cmd := all[i]
		all = append(all, cmd.Commands()...)
		if cmd.Name() == "help" {
			continue
		}
		if cmd.Example == "" || cmd.Long == "" || cmd.Short == "" {
			t.Errorf("%s has no example or no help", cmd.CommandPath())
		}
		if !strings.Contains(cmd.Example, cmd.CommandPath()) {
			t.Errorf("the example of %s does not show it", cmd.CommandPath())
		}
	}
}

func TestColour(t *testing.T) {
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	if !colored("auto", true) || colored("auto", false) || !colored("always", false) || colored("never", true) {
		t.Error("the flag or the terminal is not minded")
	}
	t.Setenv("NO_COLOR", "1")
	if colored("auto", true) {
		t.Error("NO_COLOR is not minded")
	}
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "dumb")
	if colored("auto", true) {
		t.Error("a dumb terminal gets colour")
	}
}
