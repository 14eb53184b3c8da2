package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tchain.dev/tchain/check"
	"tchain.dev/tchain/diff"
	"tchain.dev/tchain/format"
)

const diffLong = `Diff compares what is in force, not text: for every route and call the timers
before and after with where they are from, worst cases and slack, pools and what
they need, what each fault comes to, and which findings are new and gone. A file
that was only moved or reformatted differs in nothing.

OLD and NEW are directories with all below, files, or commits, branches and tags of
the repository, alone or as REF:PATH. A commit alone is compared at the path of the
other side. A name that is both is the file; REF: is the commit.

Exit codes: 0 no finding is new or worse, 1 one is (see --fail-on), 2 bad usage or a
stack that cannot be read, 3 internal error.`

const diffExample = `  tchain diff main .
  tchain diff v1.4.0 v1.5.0 --format markdown
  tchain diff stacks/stage stacks/prod
  tchain diff main:stacks/pay.cue stacks/pay.cue`

type diffCommand struct {
	stacks
	format, color, failOn string
	severity              []string
	judge                 judge
}

func newDiff(r *run) *cobra.Command {
	c := &diffCommand{stacks: stacks{run: r}}
	cmd := &cobra.Command{
		Use: "diff OLD NEW", Short: "compare what is in force in two versions", Long: diffLong, Example: diffExample,
		Args: exactly("OLD", "NEW"),
		RunE: func(_ *cobra.Command, args []string) error { return c.diff(args[0], args[1]) },
	}
	f := cmd.Flags()
	f.StringVar(&c.format, "format", format.DiffFormats[0].Name, "form of the output: "+list(diffFormats()))
	f.StringVar(&c.failOn, "fail-on", check.Warning.String(), "lowest severity of a new finding that gives exit code 1: error, warning or info")
	f.StringArrayVar(&c.severity, "severity", nil, "severity of a rule, as RULE=LEVEL: error, warning, info or off; may be repeated")
	f.StringVar(&c.color, "color", "auto", "colour: auto (on a terminal, unless NO_COLOR is set), always or never")
	c.addFlags(cmd)
	return cmd
}

func diffFormats() []string {
	var out []string
	for _, f := range format.DiffFormats {
		out = append(out, f.Name)
	}
	return out
}

func (c *diffCommand) diff(olds, news string) error {
	var write func(*diff.Diff) error
	for _, f := range format.DiffFormats {
		if f.Name == c.format {
			opt := format.Options{Path: fromRoot(), Color: colored(c.color, c.run.terminal() != nil)}
			write = func(d *diff.Diff) error { return f.Write(c.run.out, d, opt) }
		}
	}
	if write == nil {
		return unknown("format", c.format, diffFormats())
	}
	if err := oneOf("--color", c.color, "auto", "always", "never"); err != nil {
		return err
	}
	if err := c.judge.read(c.failOn, c.severity); err != nil {
		return err
	}
	opt, err := c.options()
	if err != nil {
		return err
	}
	op, np, err := places(olds, news)
	if err != nil {
		return err
	}
	defer op.remove()
	defer np.remove()
	o, n := op.read(opt, c.judge.severity, c.run.newProgress()), np.read(opt, c.judge.severity, c.run.newProgress())
	for _, x := range []struct {
		*side
		*sidePlace
	}{{o, op}, {n, np}} {
		if err := c.unread(x.side, x.sidePlace); err != nil {
			return err
		}
	}
	if c.run.code != ExitClean && (o.found == 0 || n.found == 0) {
		return nil // of a side that cannot be read nothing is known
	}
	if n.found == 0 && c.run.code == ExitClean {
		where := news
		if o.found == 0 {
			where = olds + " or " + news
		}
		return &usageError{"no stack in " + where, `a stack is a CUE, YAML or JSON file that says tchain: "v1" and has routes`}
	}
	if c.run.code == ExitClean {
		if err := c.unused(append(o.env, n.env...)); err != nil {
			return err
		}
	}
	for _, x := range n.stacks {
		c.judge.meet(x.Stack)
	}
	d := diff.Compare(olds, news, o.known(n), n.known(o))
	for _, p := range d.Stacks {
		if s := format.DiffSeverity(p.Findings); s >= c.judge.failOn {
			c.run.raise(ExitFindings)
		}
	}
	return first(write(d), c.judge.refusal())
}

// unread tells what could not be read of a side. That a commit has no stacks is no
// mistake there: they may have come later.
func (c *diffCommand) unread(s *side, p *sidePlace) error {
	if len(s.units) == 0 && len(s.sum.Errors) == 0 {
		return nil
	}
	c.run.raise(ExitUsage)
	if p.tree != nil && p.tree.absence() != "" {
		fmt.Fprintf(c.run.Stderr, "%s: %s\n", "tchain diff", p.tree.absence())
	}
	return c.tell(s.units, s.sum)
}
