// Package mutation breaks the conditions of a package one by one and asks
// whether a test of it then fails.
//
// All mutants are compiled into one test binary: in a copy of the source, which
// lies over the real one only for the build, each condition becomes one that a
// number breaks. The binary reads that number and runs its tests, again and again,
// so that a mutant costs no more than the tests themselves.
package mutation

import (
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed *.txt
var texts embed.FS

// A Mutant is one condition with one way to break it.
type Mutant struct {
	ID      int
	File    string
	Line    int
	Func    string // "heldAgainst", "demand.add"
	Was, Is string // of the source
}

// Name says what is broken without the line, which moves.
func (m Mutant) Name() string { return m.Func + ": " + m.Was + " → " + m.Is }

func (m Mutant) String() string { return fmt.Sprintf("%s:%d %s", m.File, m.Line, m.Name()) }

// Build compiles the tests of the package in a folder, with all mutants of some
// of its files, into a binary in another folder. The package has no TestMain of its own.
func Build(dir, into string, files []string) (binary string, mutants []Mutant, err error) {
	over := overlay{dir: dir, into: into, files: map[string]string{}}
	pkg := ""
	for _, name := range files {
		src, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return "", nil, err
		}
		text, of, more, err := Instrument(name, src, len(mutants)+1)
		if err != nil {
			return "", nil, err
		}
		pkg, mutants = of, append(mutants, more...)
		if err := over.lay(name, text); err != nil {
			return "", nil, err
		}
	}
	for _, name := range []string{"hooks.go", "server_test.go"} {
		text, err := texts.ReadFile(name + ".txt")
		if err != nil {
			return "", nil, err
		}
		if err := over.lay("mutant_"+name, []byte(strings.Replace(string(text), "PACKAGE", pkg, 1))); err != nil {
			return "", nil, err
		}
	}
	binary = filepath.Join(into, "mutants.test")
	return binary, mutants, over.build(binary)
}

// An overlay is what lies over the files of a folder for one build.
type overlay struct {
	dir, into string
	files     map[string]string
}

func (o overlay) lay(name string, text []byte) error {
	path, err := filepath.Abs(filepath.Join(o.dir, name))
	if err != nil {
		return err
	}
	o.files[path] = filepath.Join(o.into, name)
	return os.WriteFile(o.files[path], text, 0o644)
}

func (o overlay) build(binary string) error {
	list := filepath.Join(o.into, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": o.files})
	if err != nil {
		return err
	}
	if err := os.WriteFile(list, text, 0o644); err != nil {
		return err
	}
	cmd := exec.Command("go", "test", "-c", "-vet=off", "-overlay", list, "-o", binary, ".")
	cmd.Dir = o.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v\n%s", err, out)
	}
	return nil
}
