package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"tchain.dev/tchain/baseline"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/internal/regular"
)

const baselineFile = "tchain-baseline.json"

const baselineLong = `A baseline is a file of findings that are accepted for now. With it, check passes
over them and fails by new ones, by known ones that have become more severe or are
on a further route, and by entries whose finding is gone, from one of its routes or
as a whole: these have to leave the file.`

const baselineWriteLong = `Write puts every finding that fails a check into the baseline, and takes out what
is fixed. With --prune it only takes out. Entries of stacks that are not under the
paths stay. Nothing is written while a stack cannot be read.
` + stacksFlags

const baselineWriteExample = `  tchain baseline write ./...
  tchain baseline write ./... --baseline ci/known.json --prune
  tchain check ./... --baseline tchain-baseline.json`

func newBaseline(r *run) *cobra.Command {
	cmd := &cobra.Command{
		Use: "baseline", Short: "accept the findings of today, to fail by new ones", Long: baselineLong, Example: baselineWriteExample,
	}
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		return unknown("command", args[0], []string{"write"})
	}
	cmd.AddCommand(newBaselineWrite(r))
	return cmd
}

type baselineCommand struct {
	stacks
	file     string
	prune    bool
	failOn   string
	severity []string
	judge    judge
}

func newBaselineWrite(r *run) *cobra.Command {
	c := &baselineCommand{stacks: stacks{run: r}}
	cmd := &cobra.Command{
		Use: "write [paths]", Short: "write the baseline", Long: baselineWriteLong, Example: baselineWriteExample,
		RunE: func(_ *cobra.Command, paths []string) error { return c.write(paths) },
	}
	f := cmd.Flags()
	f.StringVar(&c.file, "baseline", baselineFile, "the file")
	f.BoolVar(&c.prune, "prune", false, "add nothing, only take out what is fixed")
	f.StringVar(&c.failOn, "fail-on", check.Warning.String(), "lowest severity that is kept: error, warning or info")
	f.StringArrayVar(&c.severity, "severity", nil, "severity of a rule, as RULE=LEVEL: error, warning, info or off; may be repeated")
	c.addFlags(cmd)
	return cmd
}

func (c *baselineCommand) write(paths []string) error {
	if err := c.judge.read(c.failOn, c.severity); err != nil {
		return err
	}
	had, err := readBaseline(c.file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !c.prune:
		had = &knownFindings{Baseline: baseline.New(c.file, nil), dir: absDir(c.file)}
	case err != nil:
		return err
	}
	opt, err := c.options()
	if err != nil {
		return err
	}
	seen := newCoverage(paths)
	seen.empty = emptySubmodules(seen.trees)
	var entries []baseline.Entry
	var broken []*compile.Unit
	added, refused := 0, 0
	sum, err := c.eachJudged(paths, opt, c.judge.severity, func(u *compile.Unit, x *examined) {
		if len(u.Errors) > 0 || u.Stack == nil {
			broken = append(broken, u)
			return
		}
		seen.add(u)
		if x.unit.Stack == nil {
			c.run.raise(ExitUsage)
			broken = append(broken, x.unit)
			return
		}
		c.judge.meet(u.Stack)
		now, n, no := had.Update(had.name(u.Dir), x.stand, u.Stack.Policy.NotSuppressible, c.judge.failOn, !c.prune)
		entries, added, refused = append(entries, now...), added+n, refused+no
	})
	if err != nil {
		return err
	}
	if len(broken) > 0 || len(sum.Errors) > 0 {
		return first(c.tell(broken, sum), fmt.Errorf("nothing is written to %s", c.file))
	}
	if err := c.judge.refusal(); err != nil {
		return err
	}
	gone := len(had.Fixed(had.looked(seen))) + len(had.Refused())
	entries = append(entries, had.Others(had.looked(seen))...)
	file := emit.File{Name: throughLinks(c.file), Content: baseline.Encode(entries)}
	if err := uninterrupted(func() error { return emit.WriteAll([]emit.File{file}) }); err != nil {
		return fmt.Errorf("--baseline: %w", err)
	}
	more := ""
	if n := len(had.Narrowed()); n > 0 {
		more = fmt.Sprintf(", %d on fewer routes", n)
	}
	if refused > 0 {
		more += fmt.Sprintf("; %d not suppressible, which no baseline covers", refused)
	}
	fmt.Fprintf(c.run.out, "%s: %s, %d added, %d taken out%s\n", oneLine(c.file), count(len(entries), "finding"), added, gone, more)
	return nil
}

// knownFindings is a baseline whose entries name directories from that of its
// file on.
type knownFindings struct {
	*baseline.Baseline
	dir  string // absolute
	text []byte
}

func readBaseline(file string) (*knownFindings, error) {
	text, err := regular.Read(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w", &missingBaseline{usageError{"--baseline " + file + ": no such file", "tchain baseline write makes it"}})
	}
	if err != nil {
		return nil, usagef("--baseline %s: %v", file, cause(err))
	}
	b, err := baseline.Parse(filepath.ToSlash(file), text)
	if err != nil {
		return nil, usagef("--baseline: %v", err)
	}
	k := &knownFindings{Baseline: b, dir: absDir(file), text: text}
	b.Gone = func(dir string) bool {
		_, err := os.Stat(k.at(dir))
		return errors.Is(err, fs.ErrNotExist)
	}
	return k, nil
}

// A missingBaseline is bad usage for all but the command that makes the file.
type missingBaseline struct{ usageError }

func (e *missingBaseline) Unwrap() []error { return []error{&e.usageError, fs.ErrNotExist} }

func absDir(file string) string {
	abs, err := filepath.Abs(file)
	if err != nil {
		return filepath.Dir(file)
	}
	return filepath.Dir(abs)
}

// name is a directory as entries name it, at the way back.
func (k *knownFindings) name(dir string) string {
	abs, err := filepath.Abs(filepath.FromSlash(dir))
	if err != nil {
		return dir
	}
	rel, err := filepath.Rel(k.dir, abs)
	if err != nil { // another volume
		return filepath.ToSlash(abs)
	}
	return filepath.ToSlash(rel)
}

func (k *knownFindings) at(name string) string {
	dir := filepath.FromSlash(name)
	if filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(k.dir, dir)
}

func (k *knownFindings) looked(c *coverage) func(dir, stack string) bool {
	return func(dir, stack string) bool { return c.holds(k.at(dir), stack) }
}
