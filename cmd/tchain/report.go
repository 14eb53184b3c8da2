package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/emit/report"
	"tchain.dev/tchain/format"
)

var reportLong = `Report shows, for every route, who gives up first and what the person then sees;
each call with every timer in force on it: the value, where it comes from, whether
it was proved by a run of the product, and its slack to what is inside of it; what
check finds there; and for every fault at every place, what comes of it.

Formats:
` + reportFormatsHelp() + `
Files of --output are written at the end, whole or not at all; links in them lead
from where they are to the files of the stack.
` + stacksFlags

const reportExample = `  tchain report
  tchain report ./... --output html=report.html
  tchain report --route 'GET /price' --format svg > price.svg
  tchain report ./... --format json | jq '.routes[].worst'`

type reportCommand struct {
	stacks
	format string
	output []string
	routes []string
	width  int
}

func newReport(r *run) *cobra.Command {
	c := &reportCommand{stacks: stacks{run: r}}
	cmd := &cobra.Command{
		Use: "report [paths]", Short: "show every timer in force and what each fault does", Long: reportLong, Example: reportExample,
		RunE: func(cmd *cobra.Command, paths []string) error {
			if c.width <= 0 && cmd.Flags().Changed("width") {
				return usagef("--width %d is no number of columns", c.width)
			}
			return c.report(paths)
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.format, "format", report.Formats[0].Name, "form of standard output: "+list(report.FormatNames()))
	f.StringArrayVar(&c.output, "output", nil, "write a file too, as NAME=FILE with the name of a format, and the directories that it needs; may be repeated")
	f.StringArrayVar(&c.routes, "route", nil, "only this route, as written in the stack; may be repeated")
	f.IntVar(&c.width, "width", 0, "columns to print for; without it COLUMNS or those of the terminal, else 120")
	c.addFlags(cmd)
	return cmd
}

func (c *reportCommand) report(paths []string) error {
	if err := oneOf("format", c.format, report.FormatNames()...); err != nil {
		return err
	}
	outs, err := parseOutputs(c.output, c.run.Stdout, report.FormatNames())
	if err != nil {
		return err
	}
	opt, err := c.options()
	if err != nil {
		return err
	}
	rep := report.New()
	sealed := report.Sealed(c.format)
	for _, o := range outs {
		sealed = sealed && report.Sealed(o.form)
	}
	if read, err := c.collect(rep, paths, opt, sealed); err != nil || !read {
		return err
	}
	if err := c.narrow(rep); err != nil {
		return err
	}
	width := c.width
	if width == 0 {
		width = reportColumns(c.run.terminal())
	}
	for _, o := range outs {
		if err := writeReport(rep, &o.text, o.form, report.Options{Link: linksFrom(o.path)}); err != nil {
			return fmt.Errorf("--output %s: %w", o.flag, err)
		}
	}
	if err := writeReport(rep, c.run.out, c.format, report.Options{Width: width, Link: linksFrom("")}); err != nil {
		return err
	}
	return writeOutputs(outs)
}

// collect adds the routes of all stacks that can be read, and tells of the others;
// read is false where there are only others.
func (c *reportCommand) collect(rep *report.Report, paths []string, opt compile.Options, sealed bool) (read bool, err error) {
	var broken []*compile.Unit
	work := func(u *compile.Unit) *examined {
		if !sealed {
			return laidOut(u, opt, report.RoutesOf)
		}
		x := laidOut(u, opt, report.ToSeal)
		report.Seal(x.routes)
		return x
	}
	sum, err := c.eachWith(paths, opt, work, func(_ *compile.Unit, x *examined) {
		if len(x.unit.Errors) > 0 {
			c.run.raise(ExitUsage)
			broken = append(broken, x.unit)
		}
		rep.Routes = append(rep.Routes, x.routes...)
	})
	if err != nil || len(broken) == 0 && len(sum.Errors) == 0 {
		return true, err
	}
	return len(rep.Routes) > 0, c.tell(broken, sum)
}

// laidOut is a stack's routes with what check finds on them, in the place of the
// stack, which a report of many does not hold. Of one whose check takes longer than
// --timeout there are none.
func laidOut(u *compile.Unit, opt compile.Options, routesOf func(*chain.Stack) []report.Route) *examined {
	x := judged(u, nil, opt.Timeout)
	x.verify(opt, nil)
	if x.unit.Stack == nil {
		return x
	}
	x.routes = routesOf(x.unit.Stack)
	for _, f := range x.stand {
		if f.Severity == check.Info {
			continue
		}
		found := report.Finding{
			Rule: f.Rule, Severity: f.Severity.String(), Layer: f.Layer, Setting: f.Setting, Message: f.Message,
			File: f.Pos.File, Line: f.Pos.Line, Fixes: []string{},
		}
		for _, fix := range f.Fixes {
			found.Fixes = append(found.Fixes, format.FixText(fix, f.Pos.File))
		}
		report.Find(x.routes, f.Routes, found)
	}
	return &examined{unit: &compile.Unit{Dir: u.Dir}, routes: x.routes}
}

// narrow leaves the routes that were asked for.
func (c *reportCommand) narrow(rep *report.Report) error {
	if len(c.routes) == 0 {
		return nil
	}
	var names []string
	for _, r := range rep.Routes {
		names = append(names, r.Route)
	}
	for _, asked := range c.routes {
		if !slices.Contains(names, asked) {
			return unknown("route", asked, names)
		}
	}
	rep.Routes = slices.DeleteFunc(rep.Routes, func(r report.Route) bool { return !slices.Contains(c.routes, r.Route) })
	return nil
}

// writeReport words a question that only another command line answers as one.
func writeReport(rep *report.Report, w io.Writer, form string, opt report.Options) error {
	err := rep.Write(w, form, opt)
	if errors.Is(err, report.ErrOneRoute) {
		return usagef("%s; choose with --route", err)
	}
	return err
}

func reportFormatsHelp() string {
	var out string
	for _, f := range report.Formats {
		out += fmt.Sprintf("  %-10s  %s\n", f.Name, f.Doc)
	}
	return out
}
