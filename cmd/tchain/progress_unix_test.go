//go:build linux || darwin

package main

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// On a real terminal a long run says how far it is, and leaves nothing of that
// behind; where lines cannot be taken away again, or nobody looks, it says nothing.
func TestProgressOnATerminal(t *testing.T) {
	p := newPlace(t, 40)
	for _, c := range []struct {
		name, term string
		terminal   bool
		want       bool
	}{
		{"a terminal", "xterm", true, true},
		{"one that cannot clear a line", "dumb", true, false},
		{"no terminal", "xterm", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd, errs := p.command("check", "./...")
			cmd.Env = append(os.Environ(), "TERM="+c.term)
			stdout, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			said := make(chan string, 1)
			if c.terminal {
				here, there, err := pty.Open()
				if err != nil {
					t.Fatal(err)
				}
				defer here.Close()
				cmd.Stderr = there
				go func() {
					text, _ := io.ReadAll(here) // ends by an error when the other side is closed
					said <- string(text)
				}()
				defer there.Close()
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				there.Close()
			} else if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			// It stands still, since a pipe does not hold what it prints: a long run.
			if _, err := io.ReadFull(stdout, make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
			time.Sleep(progressAfter + progressEvery)
			if text, err := io.ReadAll(stdout); err != nil || !strings.HasSuffix(string(text), "160 errors in 40 stacks\n") {
				t.Errorf("%v, it ends with %.100q", err, text[max(0, len(text)-100):])
			}
			cmd.Wait() // an exit code is an error to it
			text := errs.String()
			if c.terminal {
				text = <-said
			}
			if got := strings.Contains(text, " of 40 stacks  s"); got != c.want {
				t.Errorf("it says %q", text)
			}
			if c.want && !strings.HasSuffix(text, "\r\x1b[K") || !c.want && text != "" {
				t.Errorf("it leaves %q", text)
			}
		})
	}
}
