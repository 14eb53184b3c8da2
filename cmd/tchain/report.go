package main

import (
	"github.com/spf13/cobra"

	"tchain.dev/tchain/emit/report"
)

const reportLong = `Report prints, for every route, each call with every timer in force on it: the
value, where it comes from, whether it was proved by a run of the product, and its
slack to what is inside of it. Then, for every fault at every place, what the
person sees, from whom and when.
` + stacksFlags

const reportExample = `  tchain report
  tchain report ./... --format json | jq '.routes[].worst'`

type reportCommand struct {
	stacks
	format string
	width  int
}

func newReport(r *run) *cobra.Command {
	c := &reportCommand{stacks: stacks{run: r}}
	cmd := &cobra.Command{
		Use: "report [paths]", Short: "print every timer in force and what each fault does", Long: reportLong, Example: reportExample,
		RunE: func(cmd *cobra.Command, paths []string) error {
			if c.width <= 0 && cmd.Flags().Changed("width") {
				return usagef("--width %d is no number of columns", c.width)
			}
			return c.report(paths)
		},
	}
	cmd.Flags().StringVar(&c.format, "format", "text", "form of the output: text or json")
	cmd.Flags().IntVar(&c.width, "width", 0, "columns to print for; without it those of the terminal, else 120")
	c.addFlags(cmd)
	return cmd
}

func (c *reportCommand) report(paths []string) error {
	if err := oneOf("format", c.format, "text", "json"); err != nil {
		return err
	}
	units, ok, err := c.all(paths)
	if err != nil || !ok && len(units) == 0 {
		return err
	}
	rep := report.New()
	for _, u := range units {
		rep.Add(u.Stack)
	}
	if c.format == "json" {
		return rep.WriteJSON(c.run.out)
	}
	width := c.width
	if width == 0 {
		width = columns(c.run.terminal())
	}
	return rep.WriteText(c.run.out, width)
}
