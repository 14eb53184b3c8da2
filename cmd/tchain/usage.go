package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tchain.dev/tchain/compile"
)

// A usageError is a command line that cannot be run: one line, and a hint.
type usageError struct {
	message string
	hint    string // "" points to the command's help
}

func (e *usageError) Error() string { return e.message }

func usagef(format string, args ...any) error {
	return &usageError{message: fmt.Sprintf(format, args...)}
}

// unknown is the error for a word that is none of the choices, with the choice
// that was probably meant, or all of them where they are few.
func unknown(what, word string, choices []string) error {
	text := fmt.Sprintf("unknown %s %q", what, word)
	if near := compile.Closest(word, choices); near != "" {
		return usagef("%s; did you mean %s?", text, near)
	}
	if len(choices) <= 8 {
		return usagef("%s; it is one of %s", text, strings.Join(choices, ", "))
	}
	return usagef("%s", text)
}

// flagError words the errors of pflag as the others are.
func flagError(cmd *cobra.Command, err error) error {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "unknown flag: --"); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		if near := compile.Closest(name, names); near != "" {
			return usagef("unknown flag --%s; did you mean --%s?", name, near)
		}
		return usagef("unknown flag --%s", name)
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: "); ok {
		return usagef("flag %s needs a value", name)
	}
	return usagef("%s", text)
}

// oneOf checks a flag's value.
func oneOf(what, value string, choices ...string) error {
	if slices.Contains(choices, value) {
		return nil
	}
	return unknown(what, value, choices)
}

// exactly takes n arguments, which are called names.
func exactly(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return usagef("%s is missing", names[len(args)])
		case len(args) > len(names):
			return usagef("too many arguments: %q", args[len(names)])
		}
		return nil
	}
}
