package compile

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/internal/regular"
)

// A cuePackage is the files of one package in one directory, with what they say.
type cuePackage struct {
	files  []string // absolute, sorted
	marked bool
	routes bool
}

// A listing is what one directory holds, without its subdirectories' content.
type listing struct {
	pkgs  map[string]*cuePackage // by package name; not the files without one
	loose []string               // stacks of one file: without a package clause, YAML and JSON
	subs  []string               // names of subdirectories, sorted
	links []string               // absolute, of links to directories, sorted
	// bare are CUE files without a package clause and without the mark, unmarked
	// the YAML and JSON files that say all that a stack does but the mark.
	bare, unmarked []string
	probes         map[string]probed // by path, of CUE files
	policies       map[string]int    // by path, of files without the mark that hold one: where, as an offset
	other          []Skip            // files that could be stacks and are not
	bad            []Error           // files that cannot be read
	odd            []string          // CUE files by their name, which are no regular files
	seen           int               // CUE, YAML and JSON files
	err            error
}

// dirs reads directories, each once.
type dirs struct {
	files content
	limit int64
	known map[string]*listing
	roots map[string]string
	// policies are the files of policies by the directory that is under them.
	policies map[string]string
}

// list reads a directory, given as an absolute path.
func (d *dirs) list(dir string) *listing {
	l, ok := d.known[dir]
	if !ok {
		l = d.read(dir)
		d.known[dir] = l
	}
	return l
}

// ahead reads a directory and all below it that a walk enters, several at the same
// time, so that list has them.
func (d *dirs) ahead(dir string) {
	var mu sync.Mutex
	var all sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var walk func(string)
	walk = func(dir string) {
		slots <- struct{}{}
		l := d.read(dir)
		<-slots
		mu.Lock()
		d.known[dir] = l
		mu.Unlock()
		for _, sub := range l.subs {
			if !SkipDir(sub) {
				all.Go(func() { walk(filepath.Join(dir, sub)) })
			}
		}
	}
	walk(dir)
	all.Wait()
}

func (d *dirs) read(dir string) *listing {
	l := &listing{pkgs: map[string]*cuePackage{}, probes: map[string]probed{}, policies: map[string]int{}}
	entries, err := os.ReadDir(dir)
	l.err = err
	names := []string{}
	for _, e := range entries {
		if e.IsDir() {
			l.subs = append(l.subs, e.Name())
			continue
		}
		if e.Type()&os.ModeSymlink != 0 {
			if fi, err := os.Stat(filepath.Join(dir, e.Name())); err == nil && fi.IsDir() {
				if !SkipDir(e.Name()) {
					l.links = append(l.links, filepath.Join(dir, e.Name()))
				}
				continue
			}
		}
		names = append(names, e.Name())
	}
	for path := range d.files {
		if filepath.Dir(path) == dir && !slices.Contains(names, filepath.Base(path)) {
			names, l.err = append(names, filepath.Base(path)), nil
		}
	}
	slices.Sort(names)
	for _, name := range names {
		d.add(l, filepath.Join(dir, name))
	}
	return l
}

// add looks at one file of a listing.
func (d *dirs) add(l *listing, path string) {
	f, ok := formOf(path)
	name := filepath.Base(path)
	if !ok || strings.HasPrefix(name, ".") {
		return
	}
	l.seen++
	skip := func(why string) { l.other = append(l.other, Skip{Path: shown(path), Reason: why}) }
	if f == formCUE && strings.HasPrefix(name, "_") {
		skip("begins with an underscore, which CUE passes over")
		return
	}
	data, err := d.files.read(path)
	switch {
	case errors.Is(err, regular.ErrNotRegular) && f == formCUE:
		l.odd = append(l.odd, path)
	case errors.Is(err, regular.ErrNotRegular):
		skip("is " + plainOS(err))
	case err != nil && f != formCUE && leadsNowhere(path): // repositories are full of them
		skip("is a link that leads nowhere")
	case err != nil:
		l.bad = append(l.bad, Error{chain.Range{File: shown(path)}, "cannot be read: " + plainOS(err)})
	case f != formCUE:
		switch {
		case probeData(data, f, d.limit):
			l.loose = append(l.loose, path)
		case lostData(data, f, d.limit):
			l.unmarked = append(l.unmarked, path)
		default:
			skip(unmarked)
			d.addPolicy(l, path, data, f)
		}
	default:
		p := probeCUE(data, d.limit)
		d.addCUE(l, path, p, skip)
		if _, part := l.probes[path]; part && !p.marked {
			d.addPolicy(l, path, data, f)
		}
	}
}

func (d *dirs) addPolicy(l *listing, path string, data []byte, f form) {
	if at, ok := policyIn(data, f, d.limit); ok {
		l.policies[path] = at
	}
}

// leadsNowhere reports whether a file is a link to one that is not there.
func leadsNowhere(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		return false
	}
	_, err = os.Stat(path)
	return err != nil && !errors.Is(err, os.ErrPermission)
}

const unmarked = "has no tchain: at its top level"

func (d *dirs) addCUE(l *listing, path string, p probed, skip func(string)) {
	switch name := filepath.Base(path); {
	case p.out:
		skip("is excluded by a build attribute")
	case strings.HasSuffix(name, "_test.cue") || strings.HasSuffix(name, "_tool.cue"):
		skip("is a test or tool file of CUE")
	case p.foreign != "":
		l.bad = append(l.bad, Error{chain.Range{File: shown(path)}, "cannot be read: " + p.foreign})
	case p.pkg == "" && p.marked:
		l.loose = append(l.loose, path)
	case p.pkg == "":
		l.bare, l.probes[path] = append(l.bare, path), p
		skip(unmarked)
	default:
		if l.pkgs[p.pkg] == nil {
			l.pkgs[p.pkg] = &cuePackage{}
		}
		c := l.pkgs[p.pkg]
		c.files, l.probes[path] = append(c.files, path), p
		c.marked = c.marked || p.marked
		c.routes = c.routes || p.routes
	}
}

// root is the directory that holds cue.mod, "" if there is none, and the
// outermost directory from which files of a package are taken: that one, else
// the repository's, else top.
func (d *dirs) root(dir, top string) (root, outer string) {
	for up := dir; ; up = filepath.Dir(up) {
		if exists(filepath.Join(up, "cue.mod")) {
			return up, up
		}
		if outer == "" && exists(filepath.Join(up, ".git")) {
			outer = up
		}
		if up == filepath.Dir(up) {
			break
		}
	}
	if outer == "" {
		outer = top
	}
	return "", outer
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

// plainOS is an operating system error without the name of the call and the file.
func plainOS(err error) string {
	if pe, ok := err.(*os.PathError); ok {
		err = pe.Err
	}
	return err.Error()
}

// above are the directories from outer down to dir, dir left out.
func above(dir, outer string) []string {
	var out []string
	for dir != outer && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
		out = append(out, dir)
	}
	slices.Reverse(out)
	return out
}
