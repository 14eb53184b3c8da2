package main

import (
	"os"

	"github.com/spf13/cobra"

	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/format"
)

const checkLong = `Check reads the stacks under the paths and reports what makes a slow dependency
into an outage: who gives up first under each fault, and what that costs. Each
finding stands at the line that causes it, with the trace that shows it and, where
there is one, a fix that was tried. What could not be known is listed as not
checked.
` + stacksFlags + `

Exit codes: 0 clean, 1 findings (see --fail-on), 2 bad usage or a stack that
cannot be read, 3 internal error.`

const checkExample = `  tchain check
  tchain check ./... --format json
  tchain check stacks/pay.cue --set PAY_TIMEOUT=2s --fail-on error`

type checkCommand struct {
	stacks
	format, color, failOn string
	info, notChecked      bool
}

func newCheck(r *run) *cobra.Command {
	c := &checkCommand{stacks: stacks{run: r}}
	cmd := &cobra.Command{
		Use: "check [paths]", Short: "report what is wrong", Long: checkLong, Example: checkExample,
		RunE: func(_ *cobra.Command, paths []string) error { return c.check(paths) },
	}
	f := cmd.Flags()
	f.StringVar(&c.format, "format", format.Formats[0].Name, "form of the output: "+list(formatNames()))
	f.BoolVar(&c.info, "info", false, "show findings of severity info too")
	f.BoolVar(&c.notChecked, "not-checked", false, "list all that was not checked, not only the first few")
	f.StringVar(&c.failOn, "fail-on", check.Warning.String(), "lowest severity that gives exit code 1: error, warning or info")
	f.StringVar(&c.color, "color", "auto", "colour: auto (on a terminal, unless NO_COLOR is set), always or never")
	c.addFlags(cmd)
	return cmd
}

func (c *checkCommand) check(paths []string) error {
	form, ok := format.Named(c.format)
	if !ok {
		return unknown("format", c.format, formatNames())
	}
	if err := oneOf("--color", c.color, "auto", "always", "never"); err != nil {
		return err
	}
	if err := oneOf("--fail-on", c.failOn, "error", "warning", "info"); err != nil {
		return err
	}
	failOn, _ := check.ParseSeverity(c.failOn)
	opt, err := c.options()
	if err != nil {
		return err
	}
	term := c.run.terminal()
	out := form.New(c.run.out, format.Options{Color: colored(c.color, term != nil), Width: columns(term), NotChecked: c.notChecked})
	var failed error
	sum, err := c.each(paths, opt, func(u *compile.Unit) {
		if failed == nil {
			failed = out.Stack(c.result(u, opt, failOn))
		}
		if failed == nil {
			failed = c.run.out.Flush()
		}
	})
	if failed != nil || err != nil && sum.Units == 0 {
		return first(failed, err)
	}
	return first(out.Close(sum), err)
}

// result checks one stack and raises the exit code by what it finds.
func (c *checkCommand) result(u *compile.Unit, opt compile.Options, failOn check.Severity) format.Result {
	res := format.Result{Unit: u}
	if u.Stack == nil {
		return res
	}
	for _, f := range findings(u, opt) {
		if f.Severity >= failOn {
			c.run.raise(ExitFindings)
		}
		if f.Severity == check.Info && !c.info && failOn != check.Info {
			res.Hidden++
			continue
		}
		res.Findings = append(res.Findings, f)
	}
	return res
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
