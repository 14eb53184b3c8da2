// Package regular reads files that somebody names.
package regular

import (
	"errors"
	"io/fs"
	"os"
	"path"
)

// ErrNotRegular is the error for what is neither a regular file nor a directory.
var ErrNotRegular = errors.New("not a regular file")

// Read is the content of a regular file, also through links. What is none, and no
// directory either, is [ErrNotRegular], and never opened: it may never end, as a
// device, or never begin, as a pipe that nobody writes to. Errors are of type
// *[fs.PathError].
func Read(file string) ([]byte, error) {
	if fi, err := os.Stat(file); err == nil && !fi.Mode().IsRegular() && !fi.IsDir() {
		return nil, &fs.PathError{Op: "read", Path: file, Err: ErrNotRegular}
	}
	return os.ReadFile(file)
}

// ReadGiven is Read that also takes a pipe which the process was started with: a
// shell's <(…), by its name /dev/fd/63, or /dev/stdin. Somebody writes to such a one.
func ReadGiven(file string) ([]byte, error) {
	switch dir := path.Dir(path.Clean(file)); {
	case dir == "/dev/fd", dir == "/proc/self/fd", path.Clean(file) == "/dev/stdin":
		if fi, err := os.Stat(file); err == nil && fi.Mode()&fs.ModeNamedPipe != 0 {
			return os.ReadFile(file)
		}
	}
	return Read(file)
}
