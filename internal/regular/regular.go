// Package regular reads files that somebody names.
package regular

import (
	"errors"
	"io/fs"
	"os"
)

// ErrNotRegular is the error for what is neither a regular file nor a directory.
var ErrNotRegular = errors.New("not a regular file")

// Read is the content of a regular file, also through links. What is none, and no
// directory either, is [ErrNotRegular], and never opened: it may never end, as a
// device, or never begin, as a pipe that nobody writes to. Errors are of type
// *[fs.PathError].
func Read(path string) ([]byte, error) {
	if fi, err := os.Stat(path); err == nil && !fi.Mode().IsRegular() && !fi.IsDir() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: ErrNotRegular}
	}
	return os.ReadFile(path)
}
