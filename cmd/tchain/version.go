package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

const versionLong = `Version prints the version of tchain, of the Go that built it, and of the CUE that
it reads stacks with.`

const versionExample = `  tchain version`

func newVersion(r *run) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "print the version", Long: versionLong, Example: versionExample, Args: exactly(),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(r.out, versionText())
			return err
		},
	}
}

// version is tchain's own.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

func versionText() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "tchain (unknown version)"
	}
	text := "tchain " + version() + ", built with " + info.GoVersion
	for _, dep := range info.Deps {
		if dep.Path == "cuelang.org/go" {
			text += ", CUE " + dep.Version
		}
	}
	return text
}
