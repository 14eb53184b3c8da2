package mutation

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
)

// A Runner is one process of a binary of Build. The next run after one that
// ended the process starts another.
type Runner struct {
	Binary string
	Dir    string // of the package
	Args   []string

	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

// Passes runs the tests whose names match, with one mutant, 0 for none, and
// gives what they say. Tests that do not end do not pass.
func (r *Runner) Passes(id int, run string) (passes bool, says string, err error) {
	if r.cmd == nil {
		if err := r.start(); err != nil {
			return false, "", err
		}
	}
	if _, err := fmt.Fprintf(r.in, "%d %s\n", id, run); err != nil {
		return false, "", err
	}
	var text strings.Builder
	for r.out.Scan() {
		if code, ok := strings.CutPrefix(r.out.Text(), "ENDS "); ok {
			return code == "0", text.String(), nil
		}
		fmt.Fprintln(&text, r.out.Text())
	}
	r.Stop() // it panicked, or took too long
	return false, text.String(), nil
}

func (r *Runner) start() (err error) {
	path, err := filepath.Abs(r.Binary)
	if err != nil {
		return err
	}
	r.cmd = exec.Command(path, append([]string{"-test.timeout=2m"}, r.Args...)...)
	r.cmd.Dir = r.Dir
	if r.in, err = r.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	r.cmd.Stderr = r.cmd.Stdout
	r.out = bufio.NewScanner(out)
	r.out.Buffer(nil, 1<<20)
	return r.cmd.Start()
}

// Stop ends the process.
func (r *Runner) Stop() {
	if r.cmd != nil {
		r.in.Close()
		r.cmd.Process.Kill()
		r.cmd.Wait()
		r.cmd = nil
	}
}
