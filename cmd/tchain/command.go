package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"
)

// A Command is the whole command line as a value, with its three streams.
type Command struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// Main runs the command line and gives the exit code.
func (c Command) Main(args []string) (code int) {
	out := &stdout{w: bufio.NewWriter(c.Stdout)}
	run := &run{Command: c, out: out}
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(c.Stderr, "tchain: internal error: %v\n%s", p, debug.Stack())
			code = ExitInternal
		}
	}()
	root := newRoot(run)
	prof := &profile{}
	prof.addFlags(root)
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := notEmpty(cmd); err != nil {
			return err
		}
		return prof.start()
	}
	root.SetArgs(args)
	root.SetIn(c.Stdin)
	root.SetOut(out)
	root.SetErr(c.Stderr)
	cmd, err := root.ExecuteC()
	err = errors.Join(err, prof.stop())
	return c.exitCode(cmd, err, run.code, out)
}

// exitCode reports what went wrong, once, and turns it into the code.
func (c Command) exitCode(cmd *cobra.Command, err error, code int, out *stdout) int {
	out.Flush()
	if out.err != nil {
		if !closedPipe(out.err) { // whoever reads a pipe and closes it has seen enough
			fmt.Fprintf(c.Stderr, "tchain: standard output: %v\n", cause(out.err))
			code = max(code, ExitUsage)
		}
		if errors.Is(err, out.err) {
			err = nil // told
		}
	}
	if err == nil {
		return code
	}
	for _, e := range each(err) {
		fmt.Fprintf(c.Stderr, "%s: %s\n", cmd.CommandPath(), oneLine(e.Error()))
	}
	var usage *usageError
	if errors.As(err, &usage) {
		hint := usage.hint
		if hint == "" {
			hint = "run '" + cmd.CommandPath() + " --help' for usage"
		}
		fmt.Fprintln(c.Stderr, hint)
	}
	return max(code, ExitUsage)
}

func closedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// cause is an error of the output without the name that Go gives to the stream.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// A run is one invocation: what the commands share.
type run struct {
	Command
	out  *stdout
	code int
}

// raise makes the exit code at least code.
func (r *run) raise(code int) { r.code = max(r.code, code) }

// terminal is standard output if it is one, else nil.
func (r *run) terminal() *os.File { return asTerminal(r.Stdout) }

// asTerminal is a stream that is a terminal, else nil.
func asTerminal(stream io.Writer) *os.File {
	f, ok := stream.(*os.File)
	if !ok {
		return nil
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	return f
}

// A stdout buffers standard output and keeps its first error, after which it
// takes nothing more.
type stdout struct {
	w   *bufio.Writer
	err error
}

func (s *stdout) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(p)
	s.err = err
	return n, err
}

// Flush writes what is buffered.
func (s *stdout) Flush() error {
	if s.err == nil {
		s.err = s.w.Flush()
	}
	return s.err
}
