package main

import "github.com/spf13/cobra"

const rootLong = `tchain checks that the time budgets of a request's way fit together.

A stack says in CUE, in each product's own setting names, what a request
crosses: browser, balancer, proxy, app, upstream. tchain works out the value in
force for every timer, plays every kind of stall through the chain, and says who
gives up first, when, and what the person sees.

Exit codes: 0 clean, 1 findings, 2 bad usage or a stack that cannot be read,
3 internal error; over many stacks the highest.`

const rootExample = `  tchain init shop && tchain check shop
  tchain check ./...
  tchain explain error-room
  tchain report . | less`

func newRoot(r *run) *cobra.Command {
	root := &cobra.Command{
		Use: "tchain", Short: "check the time budgets of a request's way", Long: rootLong, Example: rootExample,
		SilenceErrors: true, SilenceUsage: true,
		Version:           versionText(),
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.Args = cobra.ArbitraryArgs
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		var names []string
		for _, c := range cmd.Commands() {
			if !c.Hidden {
				names = append(names, c.Name())
			}
		}
		return unknown("command", args[0], names)
	}
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(
		newBaseline(r), newCheck(r), newCompletion(r), newDiff(r), newEmit(r), newExplain(r), newInit(r), newReport(r), newSchema(r), newSettings(r), newVersion(r),
	)
	return root
}
