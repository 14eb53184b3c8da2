//go:build unix

package compile

import (
	"fmt"
	"syscall"
	"testing"
)

func TestNothingButRegularFilesIsOpened(t *testing.T) {
	inDir(t, "-- a.cue --\ntchain: \"v1\"\nroutes: {}\n-- sub/b.cue --\ntchain: \"v1\"\nroutes: {}\n-- only/README --\n")
	for _, name := range []string{"f.cue", "f.yaml", "sub/f.cue", "only/f.cue"} {
		if err := syscall.Mkfifo(name, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		args string
		want string
	}{
		{"f.cue", "0 [f.cue: not a regular file] []"},
		{"f.yaml", "0 [f.yaml: not a regular file] []"},
		{".", "1 [f.cue: not a regular file] [{f.yaml is not a regular file false}]"},
		{"./...", "2 [f.cue: not a regular file] [{sub/f.cue is not a regular file false} {f.yaml is not a regular file false}]"},
		{"sub", "1 [sub/f.cue: not a regular file] []"},
		{"only", "0 [only/f.cue: not a regular file] []"},
	} {
		targets, sum := find([]string{tt.args}, Options{})
		if tt.args == "./..." { // which goes into only as well
			sum.Skipped = sum.Skipped[1:]
		}
		if got := fmt.Sprint(len(targets), " ", lines(sum.Errors), " ", sum.Skipped); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.args, got, tt.want)
		}
	}
}
