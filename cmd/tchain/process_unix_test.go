//go:build linux || darwin

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A place is a directory with stacks, in which tchain runs as a process of its own.
type place struct{ dir, exe string }

// newPlace lets another user in, which t.TempDir does not.
func newPlace(t *testing.T, stacks int) place {
	t.Helper()
	dir, err := os.MkdirTemp("", "tchain")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	broken, err := os.ReadFile("../../examples/insurance-broken/stack.cue")
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := place{dir, filepath.Join(dir, "tchain")}
	do := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	do(os.Chmod(dir, 0o755))
	program, err := os.ReadFile(self)
	do(err)
	do(os.WriteFile(p.exe, program, 0o755))
	for i := range stacks {
		at := filepath.Join(dir, fmt.Sprintf("s%02d", i))
		do(os.Mkdir(at, 0o755))
		do(os.WriteFile(filepath.Join(at, "stack.cue"), broken, 0o644))
	}
	return p
}

func (p place) command(args ...string) (*exec.Cmd, *bytes.Buffer) {
	var stderr bytes.Buffer
	cmd := exec.Command(p.exe, args...)
	cmd.Args[0] = "tchain" // testscript.Main tells by it that tchain is meant
	cmd.Dir, cmd.Stderr = p.dir, &stderr
	return cmd, &stderr
}

// files are the names in dir, hidden ones too.
func files(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return strings.Join(out, " ")
}

func TestCtrlCLeavesNoFiles(t *testing.T) {
	p := newPlace(t, 40)
	for _, s := range []struct {
		signal os.Signal
		code   int
	}{{os.Interrupt, 130}, {syscall.SIGTERM, 143}} {
		before := files(t, p.dir)
		cmd, stderr := p.command("check", "./...", "--output", "json=out.json", "--output", "sarif=new/out.sarif")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// Then it has begun; it cannot end, since a pipe does not hold what it prints.
		if _, err := io.ReadFull(out, make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(s.signal); err != nil {
			t.Fatal(err)
		}
		err = cmd.Wait() // an exit code is an error to it; it also ends the reading of stderr
		if code := cmd.ProcessState.ExitCode(); code != s.code || stderr.Len() > 0 {
			t.Errorf("%s: exit %d (%v), stderr %q", s.signal, code, err, stderr)
		}
		if after := files(t, p.dir); after != before {
			t.Errorf("%s: left %s", s.signal, after)
		}
	}
}

// The files of a commit are in a temporary directory, which goes with the process.
func TestCtrlCTakesTheFilesOfACommitAway(t *testing.T) {
	p := newPlace(t, 40)
	r := &runner{t: t, dir: p.dir, env: bareEnv()}
	r.must("git init -q && git add s* && git -c user.name=x -c user.email=x@example.com commit -q -m x")
	for _, args := range [][]string{{"check", "./...", "--base", "HEAD"}, {"diff", "HEAD", "."}} {
		for wait := range 12 { // at any moment of it
			temp := t.TempDir()
			cmd, stderr := p.command(args...)
			cmd.Env = append(bareEnv(), "TMPDIR="+temp)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			for n := 0; files(t, temp) == "" && n < 10_000; n++ {
				time.Sleep(time.Millisecond)
			}
			time.Sleep(time.Duration(wait) * time.Millisecond)
			cmd.Process.Signal(syscall.SIGTERM)
			cmd.Wait()
			if code, left := cmd.ProcessState.ExitCode(), files(t, temp); code != 143 || left != "" || stderr.Len() > 0 {
				t.Errorf("%s: exit %d, left %q, stderr %q", args[0], code, left, stderr)
			}
		}
		// Where there is no room for them, it is said where.
		cmd, stderr := p.command(args...)
		cmd.Env = append(bareEnv(), "TMPDIR=/dev/null")
		cmd.Run()
		if want := "no temporary directory in /dev/null: not a directory\n"; !strings.HasSuffix(stderr.String(), want) || cmd.ProcessState.ExitCode() != ExitUsage {
			t.Errorf("%s: exit %d, stderr %q", args[0], cmd.ProcessState.ExitCode(), stderr)
		}
	}
}

func TestAReaderThatLeavesChangesNothingButWhatIsPrinted(t *testing.T) {
	p := newPlace(t, 2)
	for name, failOn := range map[string]string{"findings": "warning", "none": "info"} {
		args := []string{"check", "./...", "--output", "json=out.json", "--fail-on", failOn}
		want := ExitFindings
		if name == "none" {
			args, want = append(args, "--severity", "no-limit=off", "--severity", "keepalive-race=off", "--severity", "error-room=off", "--severity", "pool-size=off"), ExitClean
		}
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		read.Close()
		cmd, stderr := p.command(args...)
		cmd.Stdout = write
		cmd.Run()
		write.Close()
		if got := cmd.ProcessState.ExitCode(); got != want || stderr.Len() > 0 {
			t.Errorf("%s: exit %d, want %d, stderr %q", name, got, want, stderr)
		}
		text, err := os.ReadFile(filepath.Join(p.dir, "out.json"))
		if err != nil || strings.Contains(string(text), "s01/stack.cue") != (want == ExitFindings) {
			t.Errorf("%s: out.json is %.100q, %v", name, text, err)
		}
	}
}

func TestAFullStandardOutputIsAFailureOverFindings(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	p := newPlace(t, 1)
	cmd, stderr := p.command("check", "./...", "--output", "json=out.json")
	cmd.Stdout = full
	cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != ExitUsage || stderr.String() != "tchain: standard output: no space left on device\n" {
		t.Errorf("exit %d, stderr %q", got, stderr)
	}
}

func TestADirectoryThatTakesNoFilesIsNamed(t *testing.T) {
	p := newPlace(t, 1)
	shut := filepath.Join(p.dir, "shut")
	if err := os.Mkdir(shut, 0o555); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(p.dir, "open"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(p.dir, "open"), 0o777); err != nil {
		t.Fatal(err)
	}
	cmd, stderr := p.command("check", "./...", "--output", "json=open/a.json", "--output", "sarif=shut/b.sarif")
	if os.Getuid() == 0 { // who may write everywhere
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	out, _ := cmd.Output()
	if got := cmd.ProcessState.ExitCode(); got != ExitUsage || stderr.String() != "tchain check: --output: shut/b.sarif: permission denied\n" {
		t.Errorf("exit %d, stderr %q", got, stderr)
	}
	if !strings.Contains(string(out), "4 errors in 1 stack\n") {
		t.Errorf("printed %q", out)
	}
	if left := files(t, shut) + files(t, filepath.Join(p.dir, "open")); left != "" {
		t.Errorf("left %s", left)
	}
}
