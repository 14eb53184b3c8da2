package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"cuelang.org/go/cue/parser"
)

// parsed is the time that nothing which reads the stacks of a directory gets
// below: to read their bytes and to parse them, on all cores.
func parsed(dir string) (time.Duration, error) {
	start := time.Now()
	files := make(chan string)
	failed := make(chan error, 1)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for file := range files {
				text, err := os.ReadFile(file)
				if err == nil {
					_, err = parser.ParseFile(file, text)
				}
				if err != nil {
					select {
					case failed <- err:
					default:
					}
				}
			}
		})
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "cue.mod":
			return filepath.SkipDir
		case !d.IsDir():
			files <- path
		}
		return nil
	})
	close(files)
	workers.Wait()
	select {
	case err = <-failed:
	default:
	}
	return time.Since(start), err
}
