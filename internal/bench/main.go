// Command bench measures what README and docs/performance.md quote: tchain
// against cue of the same version on the same files, and tchain against itself
// at another size. All figures are ratios within one run on one machine; the
// seconds beside them are only for a feeling.
//
//	go run ./internal/bench [-stacks 2000] [-routes 5000] [-keep DIR]
//
// It builds both programs, writes the stacks, and needs the Go module proxy once.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// cueVersion is that of go.mod, which a test holds it to.
const cueVersion = "v0.17.1"

func main() {
	stacks := flag.Int("stacks", 2000, "stacks of the fleet; it is measured at this size and at twice it")
	routes := flag.Int("routes", 5000, "routes of the one large stack; it is measured at this size and at a tenth")
	keep := flag.String("keep", "", "directory for the stacks, which stay there; empty is one that is removed")
	flag.Parse()
	if err := measure(*stacks, *routes, *keep); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func measure(stacks, routes int, dir string) error {
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "tchain-bench"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	b := &bench{dir: dir, tchain: filepath.Join(dir, "bin", "tchain"), cue: filepath.Join(dir, "bin", "cue")}
	if err := b.build(); err != nil {
		return err
	}
	fmt.Printf("%-62s %-14s %s\n", "figure", "aim", "measured")
	for _, figures := range []func() error{
		b.oneStack,
		func() error { return b.fleet(stacks) },
		func() error { return b.written(stacks) },
		func() error { return b.manyRoutes(routes) },
		b.model,
	} {
		if err := figures(); err != nil {
			return err
		}
	}
	return nil
}

// A bench is what is compared, and where.
type bench struct {
	dir, tchain, cue string
}

func (b *bench) build() error {
	bin := filepath.Dir(b.tchain)
	for _, args := range [][]string{
		{"build", "-trimpath", "-o", b.tchain, "./cmd/tchain"},
		{"install", "cuelang.org/go/cmd/cue@" + cueVersion},
	} {
		cmd := exec.Command("go", args...)
		cmd.Env = append(os.Environ(), "GOBIN="+bin)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("go %v: %v\n%s", args, err, out)
		}
	}
	return nil
}

func figure(what, aim, format string, args ...any) {
	fmt.Printf("%-62s %-14s %s\n", what, aim, fmt.Sprintf(format, args...))
}
