package emit

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"tchain.dev/tchain/internal/regular"
)

// A Difference is a file on disk that is not what would be emitted now.
type Difference struct {
	Name string // as in File
	Line int    // the first line that differs, from 1; 0 if the file is missing
}

// String says what is wrong with the file.
func (d Difference) String() string {
	if d.Line == 0 {
		return d.Name + " is missing"
	}
	return fmt.Sprintf("%s differs from line %d on", d.Name, d.Line)
}

// CheckDir compares files with what is in dir, in the order of files. It
// changes nothing and looks at no other file.
func CheckDir(dir string, files []File) ([]Difference, error) {
	if err := checkNames(files); err != nil {
		return nil, err
	}
	var out []Difference
	for _, f := range files {
		have, err := regular.Read(filepath.Join(dir, filepath.FromSlash(f.Name)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			out = append(out, Difference{Name: f.Name})
		case err != nil:
			return nil, err
		case !bytes.Equal(have, f.Content):
			out = append(out, Difference{Name: f.Name, Line: firstDifferent(have, f.Content)})
		}
	}
	return out, nil
}

func firstDifferent(a, b []byte) int {
	line := 1
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '\n' {
			line++
		}
	}
	return line
}

func checkNames(files []File) error {
	seen := map[string]bool{}
	for _, f := range files {
		switch {
		case !filepath.IsLocal(filepath.FromSlash(f.Name)):
			return fmt.Errorf("file name %q leaves the output directory", f.Name)
		case seen[f.Name]:
			return fmt.Errorf("file name %q is used twice", f.Name)
		}
		seen[f.Name] = true
	}
	return nil
}
