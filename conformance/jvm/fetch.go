package jvm

import (
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed pom.xml */pom.xml java
var files embed.FS

// Variants are the modules of pom.xml, in order.
func Variants() []string {
	poms, _ := fs.Glob(files, "*/pom.xml")
	for i := range poms {
		poms[i] = path.Dir(poms[i])
	}
	return poms
}

// cached is a directory in the user's cache for what is made from some of the
// embedded files: its name changes with them.
func cached(kind string, patterns ...string) (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, name := range embedded(patterns...) {
		text, err := files.ReadFile(name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%s %d\n%s", name, len(text), text)
	}
	return filepath.Join(base, "tchain", "jvm", fmt.Sprintf("%s-%x", kind, sum.Sum(nil)[:6])), nil
}

func embedded(patterns ...string) []string {
	var out []string
	for _, p := range patterns {
		names, _ := fs.Glob(files, p)
		out = append(out, names...)
	}
	slices.Sort(out)
	return out
}

var (
	poms    = []string{"pom.xml", "*/pom.xml"}
	sources = []string{"java/tchain/*.java"}
)

// made makes a directory in one step: what fill left half done is never seen.
func made(dir string, fill func(tmp string) error) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "making-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := fill(tmp); err != nil {
		return err
	}
	if err := os.Rename(tmp, dir); err != nil && !errors.Is(err, fs.ErrExist) {
		if _, done := os.Stat(dir); done != nil {
			return err
		}
	}
	return nil
}

// lay writes embedded files below dir.
func lay(dir string, names []string) error {
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(to, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// Fetch brings the jars of all variants, if they are not there yet, with Maven,
// and reports whether it did.
func Fetch() (fetched bool, err error) {
	dir, err := cached("lib", poms...)
	if err != nil {
		return false, err
	}
	return fetched, made(dir, func(tmp string) error {
		fetched = true
		if err := lay(tmp, embedded(poms...)); err != nil {
			return err
		}
		mvn := exec.Command("mvn", "-q", "-B", "-ntp", "-f", filepath.Join(tmp, "pom.xml"), "dependency:copy-dependencies", "-Dlib="+filepath.Join(tmp, "lib"))
		out, err := mvn.CombinedOutput()
		if errors.Is(err, exec.ErrNotFound) {
			return errors.New("mvn is missing: run make test")
		}
		if err != nil {
			return fmt.Errorf("mvn: %w\n%s", err, out)
		}
		return nil
	})
}

// Classpath is what stands on the class path of a variant: all of its jars.
func Classpath(variant string) (string, error) {
	dir, err := lib(variant)
	return filepath.Join(dir, "*"), err
}

// lib is the directory of a variant's jars.
func lib(variant string) (string, error) {
	dir, err := cached("lib", poms...)
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, "lib", variant)
	if _, err := os.Stat(dir); err != nil {
		return "", fmt.Errorf("the jars of %s are missing: run make test", variant)
	}
	return dir, nil
}

// compiled is the directory of the driver's classes, which are compiled against
// the newest release that still has every setter, and fit all variants.
func compiled() (string, error) {
	dir, err := cached("classes", append(slices.Clone(poms), sources...)...)
	if err != nil {
		return "", err
	}
	return dir, made(dir, func(tmp string) error {
		jars, err := lib("boot35")
		if err != nil {
			return err
		}
		javac, err := JDK("javac")
		if err != nil {
			return err
		}
		src, err := os.MkdirTemp("", "tchain-jvm-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(src)
		if err := lay(src, embedded(sources...)); err != nil {
			return err
		}
		args := []string{"--release", "17", "-nowarn", "-proc:none", "-d", tmp, "-cp", filepath.Join(jars, "*")}
		for _, name := range embedded(sources...) {
			args = append(args, filepath.Join(src, filepath.FromSlash(name)))
		}
		if out, err := exec.Command(javac, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("javac: %w\n%s", err, out)
		}
		return nil
	})
}

// JDK is the path of a program of the JDK.
func JDK(program string) (string, error) {
	if home := os.Getenv("JAVA_HOME"); home != "" {
		return filepath.Join(home, "bin", program), nil
	}
	found, err := exec.LookPath(program)
	if err != nil {
		return "", fmt.Errorf("%s is missing: run make test", program)
	}
	return found, nil
}

// hosts is the text of a hosts file with the names in Hosts.
func hosts() string {
	var b strings.Builder
	b.WriteString("127.0.0.1 localhost\n")
	for n, name := range Hosts {
		b.WriteString(strings.Repeat("127.0.0.1 "+name+"\n", n))
	}
	return b.String()
}
