package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/diff"
	"tchain.dev/tchain/format"
)

var checkLong = `Check reads the stacks under the paths and reports what makes a slow dependency
into an outage: who gives up first under each fault, and what that costs. Each
finding stands at the line that causes it, with the trace that shows it and, where
there is one, a fix that was tried. What could not be known is listed as not
checked.

Formats:
` + formatsHelp() + `
All but text and json name files from the root of the repository on. Files of
--output are written at the end, whole or not at all.
` + stacksFlags + `

Exit codes: 0 clean, 1 findings (see --fail-on), 2 bad usage or a stack that
cannot be read, 3 internal error.`

const checkExample = `  tchain check
  tchain check ./... --format github --output sarif=tchain.sarif
  tchain check stacks/pay.cue --set PAY_TIMEOUT=2s --fail-on error`

type checkCommand struct {
	stacks
	format, color    string
	output, severity []string
	info, notChecked bool
	failOn           string
	judge            judge
	baseline         string
	known            *knownFindings // nil without --baseline
	shared           sharedIgnores
	ref              string
	base             *base // nil without --base
	read             bool  // so far every stack was, to the end
}

func newCheck(r *run) *cobra.Command {
	c := &checkCommand{stacks: stacks{run: r}, shared: sharedIgnores{}}
	cmd := &cobra.Command{
		Use: "check [paths]", Short: "report what is wrong", Long: checkLong, Example: checkExample,
		RunE: func(cmd *cobra.Command, paths []string) error {
			if cmd.Flags().Changed("baseline") {
				var err error
				if c.known, err = readBaseline(c.baseline); err != nil {
					return err
				}
			}
			return c.check(paths, cmd.Flags().Changed("base"))
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.format, "format", format.Formats[0].Name, "form of standard output: "+list(formatNames()))
	f.StringArrayVar(&c.output, "output", nil, "write a file too, as NAME=FILE with the name of a format, and the directories that it needs; may be repeated")
	f.BoolVar(&c.info, "info", false, "show findings of severity info too")
	f.BoolVar(&c.notChecked, "not-checked", false, "list all that was not checked, not only the first few")
	f.StringVar(&c.failOn, "fail-on", check.Warning.String(), "lowest severity that gives exit code 1: error, warning or info")
	f.StringArrayVar(&c.severity, "severity", nil, "severity of a rule, as RULE=LEVEL: error, warning, info or off; may be repeated")
	f.StringVar(&c.baseline, "baseline", "", "file of known findings, which pass; see tchain baseline")
	f.StringVar(&c.ref, "base", "", "only what got worse since a commit, branch or tag fails, and say what moved; where the two have parted counts")
	f.StringVar(&c.color, "color", "auto", "colour: auto (on a terminal, unless NO_COLOR is set), always or never")
	c.addFlags(cmd)
	return cmd
}

func (c *checkCommand) check(paths []string, based bool) error {
	form, ok := format.Named(c.format)
	if !ok {
		return unknown("format", c.format, formatNames())
	}
	if err := oneOf("--color", c.color, "auto", "always", "never"); err != nil {
		return err
	}
	if err := c.judge.read(c.failOn, c.severity); err != nil {
		return err
	}
	outs, err := parseOutputs(c.output, c.run.Stdout, formatNames())
	if err != nil {
		return err
	}
	opt, err := c.options()
	if err != nil {
		return err
	}
	if based {
		if c.base, err = openBase(c.ref, paths, opt, c.judge.severity, c.run.newProgress()); err != nil {
			return err
		}
		defer c.base.place.remove()
	}
	all := c.formatters(form, outs)
	var failed error
	each := func(print func(format.Formatter) error) {
		for _, f := range all {
			if err := print(f); err != nil && c.run.out.err == nil { // that of standard output is told by itself
				failed = first(failed, err)
			}
		}
		c.run.out.Flush()
	}
	seen := newCoverage(paths)
	seen.empty = emptySubmodules(seen.trees)
	c.read = true
	in := inputs{}
	in.add(c.baseline, c.envFile)
	show := func(x *examined) {
		r := c.result(x, opt)
		each(func(f format.Formatter) error { return f.Stack(r) })
	}
	var later []*examined // what is compared as a whole
	work := func(u *compile.Unit) *examined {
		x := judged(u, c.judge.severity, opt.Timeout)
		if c.known == nil && c.base == nil { // else it is not known yet which findings stand
			x.verify(opt, c.judge.severity)
		}
		return x
	}
	sum, err := c.eachWith(paths, opt, work, func(u *compile.Unit, x *examined) {
		seen.add(u)
		if len(outs) > 0 {
			in.addUnit(u)
		}
		c.read = c.read && len(u.Errors) == 0
		c.judge.meet(x.unit.Stack)
		if x.unit.Stack != nil {
			c.shared.add(x)
			if c.known != nil {
				x.stand, x.known = c.known.Split(c.known.name(u.Dir), x.stand, x.unit.Stack.Policy.NotSuppressible)
			}
		}
		if c.base != nil {
			later = append(later, x)
		} else {
			show(x)
		}
	})
	sum.Skipped = append(sum.Skipped, seen.skips()...)
	c.read = c.read && len(sum.Errors) == 0
	var gone []diff.Pair
	if c.base != nil {
		gone = c.base.compare(later)
		c.base.unread(c.run)
		if c.read { // else it may be among what could not be read
			if left := c.base.abandoned(later, sum.Bases); len(left) > 0 {
				sum.Errors = append(sum.Errors, left...)
				c.run.raise(ExitUsage)
			}
		}
	}
	for _, x := range later {
		show(x)
	}
	if err != nil && sum.Units == 0 {
		return err
	}
	// What the stacks have no use for is told with what was found, so that no
	// report of the run looks clean.
	for _, err := range []error{err, c.judge.refusal()} {
		if err != nil {
			sum.Errors = append(sum.Errors, compile.Error{Message: err.Error()})
			c.run.raise(ExitUsage)
		}
	}
	for i := range gone {
		if c.read { // else it may be among what could not be read
			each(func(f format.Formatter) error { return f.Stack(format.Gone(&gone[i])) })
		}
	}
	for _, r := range c.beside(sum, seen, c.read) {
		each(func(f format.Formatter) error { return f.Stack(r) })
	}
	each(func(f format.Formatter) error { return f.Close(sum) })
	if failed != nil {
		return failed
	}
	for _, p := range sum.Policies {
		in.add(p.File)
	}
	if err := in.spare(outs); err != nil {
		return err
	}
	return writeOutputs(outs)
}

// formatters are that of standard output and those of the files. A reader that
// has seen enough of standard output does not keep the files from being written,
// nor the exit code from being right.
func (c *checkCommand) formatters(form format.Format, outs []*output) []format.Formatter {
	opt := format.Options{NotChecked: c.notChecked, Path: fromRoot(), FailOn: c.judge.failOn, Version: version()}
	if c.base != nil {
		opt.Since = c.base.name
	}
	term := c.run.terminal()
	shown := opt
	shown.Color, shown.Width = colored(c.color, term != nil), columns(term)
	all := []format.Formatter{form.New(c.run.out, shown)}
	for _, o := range outs {
		form, _ := format.Named(o.form) // parseOutputs takes no other
		all = append(all, form.New(&o.text, opt))
	}
	return all
}

// result is what a stack comes to, and raises the exit code by it.
func (c *checkCommand) result(x *examined, opt compile.Options) format.Result {
	x.verify(opt, c.judge.severity)
	res := format.Result{Unit: x.unit, Moved: x.moved}
	if len(x.unit.Errors) > 0 {
		c.run.raise(ExitUsage)
		c.read = false
	}
	if x.unit.Stack == nil {
		return res
	}
	for _, f := range x.stand {
		if f.Severity >= c.judge.failOn {
			c.run.raise(ExitFindings)
		}
		if c.hidden(f) {
			res.Hidden++
			continue
		}
		res.Findings = append(res.Findings, f)
	}
	known := slices.DeleteFunc(x.known, c.hidden)
	res.Known = len(known)
	res.Suppressed = append(slices.DeleteFunc(x.suppressed, c.hidden), known...)
	return res
}

func (c *checkCommand) hidden(f check.Finding) bool {
	return f.Severity == check.Info && !c.info && c.judge.failOn != check.Info
}

func formatsHelp() string {
	var out string
	for _, f := range format.Formats {
		out += fmt.Sprintf("  %-10s  %s\n", f.Name, f.Doc)
	}
	return out
}

func formatNames() []string {
	var out []string
	for _, f := range format.Formats {
		out = append(out, f.Name)
	}
	return out
}

// colored decides on colour; see https://no-color.org.
func colored(flag string, terminal bool) bool {
	switch flag {
	case "always":
		return true
	case "never":
		return false
	}
	return terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
