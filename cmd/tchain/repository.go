package main

import (
	"os"
	"path/filepath"
	"strings"
)

// fromRoot gives the names of files as a code host knows them: from the root of
// the repository on, or from the working directory where that is in none. What is
// outside has its whole name. nil leaves names as they are.
func fromRoot() func(string) string {
	wd, err := os.Getwd()
	if err != nil {
		return nil
	}
	root := repository(wd)
	return func(file string) string {
		abs := filepath.FromSlash(file)
		if !filepath.IsAbs(abs) {
			abs = filepath.Join(wd, abs)
		}
		rel, err := filepath.Rel(root, abs)
		if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return filepath.ToSlash(abs)
		}
		return filepath.ToSlash(rel)
	}
}

// repository is the directory at or above dir that holds .git, or dir.
func repository(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}
