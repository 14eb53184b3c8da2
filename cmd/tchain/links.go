package main

import (
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
)

// linksFrom makes addresses of places in the stacks' files for a page that is
// written to a file, "" for standard output: relative, so that page and stacks
// can be looked at wherever both are.
func linksFrom(page string) func(file string, line int) string {
	dir, err := filepath.Abs(filepath.Dir(page))
	return func(file string, line int) string {
		name := file
		if err == nil {
			if abs, err := filepath.Abs(filepath.FromSlash(file)); err == nil {
				if rel, err := filepath.Rel(dir, abs); err == nil {
					name = filepath.ToSlash(rel)
				}
			}
		}
		parts := strings.Split(name, "/")
		for i := range parts {
			parts[i] = url.PathEscape(parts[i])
		}
		name = strings.Join(parts, "/")
		if !strings.HasPrefix(name, "/") && !strings.HasPrefix(name, ".") {
			name = "./" + name // a name with a colon is no scheme
		}
		if line > 0 {
			name += "#L" + strconv.Itoa(line)
		}
		return name
	}
}
