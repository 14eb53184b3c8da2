package emit

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteDir writes all files into dir, or none: on an error the directory is as
// it was, with no temporary file left. A file that already has its content is
// not touched. Files of other names stay.
func WriteDir(dir string, files []File) error {
	if err := checkNames(files); err != nil {
		return err
	}
	at := make([]File, 0, len(files))
	for _, f := range files {
		at = append(at, File{filepath.Join(dir, filepath.FromSlash(f.Name)), f.Content})
	}
	return WriteAll(at)
}

// WriteAll is WriteDir for files whose names are paths of the system.
func WriteAll(files []File) (err error) {
	var u undo
	defer func() {
		if err != nil {
			err = errors.Join(err, u.rollBack())
		}
	}()
	var staged []stagedFile
	for _, f := range files {
		path := f.Name
		mode, same, err := present(path, f.Content)
		if err != nil {
			return about(path, err)
		}
		if same {
			continue
		}
		if err := u.mkdirAll(filepath.Dir(path)); err != nil {
			return about(path, err)
		}
		tmp, err := u.stage(path, f.Content, mode)
		if err != nil {
			return about(path, err)
		}
		staged = append(staged, stagedFile{tmp, path})
	}
	for _, s := range staged {
		if err := u.replace(s.tmp, s.path); err != nil {
			return about(s.path, err)
		}
	}
	return u.commit()
}

// about names the file that was to be written, and not the temporary one at
// which it failed.
func about(path string, err error) error {
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		err = at.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}

type stagedFile struct{ tmp, path string }

// present looks at what is at path: the mode that a replacement gets, and
// whether it has the content already.
func present(path string, content []byte) (mode fs.FileMode, same bool, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0o644, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	if !info.Mode().IsRegular() {
		return 0, false, errors.New("is not a regular file")
	}
	have, err := os.ReadFile(path)
	return info.Mode().Perm(), err == nil && bytes.Equal(have, content), err
}

// An undo knows how to take back what has been done so far.
type undo struct {
	steps   []func() error // last one first
	backups []string
}

func (u *undo) rollBack() error {
	var errs []error
	for i := len(u.steps) - 1; i >= 0; i-- {
		errs = append(errs, u.steps[i]())
	}
	u.steps = nil
	return errors.Join(errs...)
}

// mkdirAll makes dir and what is missing above it.
func (u *undo) mkdirAll(dir string) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := u.mkdirAll(filepath.Dir(dir)); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	u.steps = append(u.steps, func() error { return os.Remove(dir) })
	return nil
}

// stage writes content beside path under a temporary name.
func (u *undo) stage(path string, content []byte, mode fs.FileMode) (string, error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".tchain-*")
	if err != nil {
		return "", err
	}
	u.steps = append(u.steps, func() error { return removeIfThere(f.Name()) })
	_, err = f.Write(content)
	return f.Name(), errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
}

// replace moves tmp to path and keeps what was there until commit.
func (u *undo) replace(tmp, path string) error {
	backup := tmp + ".old"
	switch err := os.Rename(path, backup); {
	case err == nil:
		u.backups = append(u.backups, backup)
		u.steps = append(u.steps, func() error { return os.Rename(backup, path) })
	case errors.Is(err, fs.ErrNotExist):
		u.steps = append(u.steps, func() error { return removeIfThere(path) })
	default:
		return err
	}
	return os.Rename(tmp, path)
}

// commit drops the old files; from here on nothing is taken back.
func (u *undo) commit() error {
	u.steps = nil
	var errs []error
	for _, b := range u.backups {
		errs = append(errs, os.Remove(b))
	}
	return errors.Join(errs...)
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
