package main

import "github.com/spf13/cobra"

const completionLong = `Completion prints a script that completes commands and flags in a shell.`

const completionExample = `  source <(tchain completion bash)
  tchain completion fish > ~/.config/fish/completions/tchain.fish`

var shells = []string{"bash", "fish", "powershell", "zsh"}

func newCompletion(r *run) *cobra.Command {
	return &cobra.Command{
		Use: "completion SHELL", Short: "print a completion script for bash, fish, powershell or zsh",
		Long: completionLong, Example: completionExample, Args: exactly("a shell"), ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(r.out, true)
			case "fish":
				return root.GenFishCompletion(r.out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(r.out)
			case "zsh":
				return root.GenZshCompletion(r.out)
			}
			return unknown("shell", args[0], shells)
		},
	}
}
