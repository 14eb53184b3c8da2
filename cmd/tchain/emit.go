package main

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/targets"
)

const emitLong = `Emit writes what was checked as the files of a product. Without --out they go to
standard output, with a line "# file: NAME" before each if there are several.

With --check nothing is written: the files under --out are compared with what
would be, and a difference gives exit code 1.
` + stacksFlags

const emitExample = `  tchain emit nginx . --out conf.d
  tchain emit nginx . --out conf.d --check
  tchain emit go examples/insurance --route 'GET /v1/affiliation/health-insurance'`

type emitCommand struct {
	stacks
	out   string
	check bool
	opt   emit.Options
}

func newEmit(r *run) *cobra.Command {
	c := &emitCommand{stacks: stacks{run: r}}
	long := emitLong + "\n\nTargets:\n"
	for _, t := range targets.All {
		long += fmt.Sprintf("  %-10s %s\n", t.Name, t.Title)
	}
	cmd := &cobra.Command{
		Use: "emit TARGET [paths]", Short: "write the files of a product", Long: long, Example: emitExample,
		RunE:              func(_ *cobra.Command, args []string) error { return c.emit(args) },
		ValidArgsFunction: completeTarget,
	}
	f := cmd.Flags()
	f.StringVar(&c.out, "out", "", "directory to write to; it is made if it is missing")
	f.BoolVar(&c.check, "check", false, "write nothing; report files under --out that differ")
	f.StringArrayVar(&c.opt.Routes, "route", nil, "only this route, as written in the stack; may be repeated")
	f.StringVar(&c.opt.Package, "package", "", "package of emitted Go or Java code")
	c.addFlags(cmd)
	return cmd
}

// completeTarget offers the targets for the first word, then directories.
func completeTarget(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	var out []string
	for _, t := range targets.All {
		out = append(out, t.Name+"\t"+t.Title)
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

func (c *emitCommand) emit(args []string) error {
	if len(args) == 0 {
		return usagef("a target is missing; it is one of %s", list(targetNames()))
	}
	target, ok := targets.Named(args[0])
	if !ok {
		return unknown("target", args[0], targetNames())
	}
	if c.opt.Package != "" && !target.Packages {
		return usagef("--package is for Go and Java code; %s has no packages", target.Name)
	}
	if c.check && c.out == "" {
		return usagef("--check needs --out, the directory to compare with")
	}
	units, ok, err := c.all(args[1:])
	if err != nil || !ok {
		return err // nothing is written from half of the input
	}
	var files []emit.File
	from, defines := owners{}, owners{}
	var nothing []error
	var skipped strings.Builder
	for _, u := range units {
		made, warnings, err := target.Emit(u.Stack, c.opt)
		if no := (*emit.Refusal)(nil); errors.As(err, &no) && no.Nothing {
			nothing = append(nothing, err)
			fmt.Fprintf(&skipped, "note: %s is left out: %s\n", u.Dir, no.Why)
			continue
		}
		if err != nil {
			return err
		}
		for _, w := range warnings {
			fmt.Fprintf(c.run.Stderr, "warning: %s\n", w)
		}
		for _, f := range made {
			if other, ok := from.taken(f.Name, u.Dir); ok {
				remedy := "write each to a directory of its own"
				if strings.HasPrefix(f.Name, u.Stack.Name+".") {
					remedy = "give one of the stacks another name, or each a directory of its own"
				}
				return fmt.Errorf("%s and %s would both write %s; %s", other, u.Dir, f.Name, remedy)
			}
		}
		if target.Names != nil {
			for _, name := range target.Names(u.Stack, c.opt) {
				if other, ok := defines.taken(name, u.Dir); ok {
					fmt.Fprintf(c.run.Stderr, "warning: %s and %s both define %s: one %s cannot take the files of both\n", other, u.Dir, name, target.Name)
				}
			}
		}
		files = append(files, made...)
	}
	if len(nothing) > 0 && len(nothing) == len(units) {
		return errors.Join(nothing...)
	}
	fmt.Fprint(c.run.Stderr, skipped.String())
	emit.SortFiles(files)
	switch {
	case c.check:
		return c.compare(files)
	case c.out != "":
		return uninterrupted(func() error { return emit.WriteDir(c.out, files) })
	}
	return c.print(files)
}

// owners are the directories of stacks by what each is the first to have.
type owners map[string]string

// taken is the other stack that has the name already.
func (o owners) taken(name, dir string) (other string, ok bool) {
	other, ok = o[name]
	if !ok {
		o[name] = dir
	}
	return other, ok && other != dir
}

func (c *emitCommand) compare(files []emit.File) error {
	differences, err := emit.CheckDir(c.out, files)
	for _, d := range differences {
		c.run.raise(ExitFindings)
		d.Name = path.Join(filepath.ToSlash(c.out), d.Name)
		fmt.Fprintln(c.run.out, d)
	}
	return err
}

func (c *emitCommand) print(files []emit.File) error {
	for i, f := range files {
		if len(files) > 1 {
			if i > 0 {
				fmt.Fprintln(c.run.out)
			}
			fmt.Fprintf(c.run.out, "# file: %s\n", f.Name)
		}
		if _, err := c.run.out.Write(f.Content); err != nil {
			return err
		}
	}
	return nil
}
