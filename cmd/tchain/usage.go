package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/format"
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

// longestLine is how many runes of a message are shown.
const longestLine = 600

// oneLine is a message as a terminal may have it: what a command line or a file
// brought into it ends no line, moves no cursor, and is not a screen long.
func oneLine(text string) string {
	text = format.Clean(text)
	if rs := []rune(text); len(rs) > longestLine {
		text = string(rs[:longestLine/2]) + " … " + string(rs[len(rs)-longestLine/2:])
	}
	return text
}

// each are the errors that errors.Join put together: they are told in a line each.
func each(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	all := joined.Unwrap()
	if err.Error() != errors.Join(all...).Error() {
		return []error{err} // it says something of its own around them
	}
	var out []error
	for _, e := range all {
		out = append(out, each(e)...)
	}
	return out
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
	var value *pflag.InvalidValueError
	if errors.As(err, &value) {
		flag := value.GetFlag()
		return usagef("flag --%s takes %s, not %q", flag.Name, flagTakes[flag.Value.Type()], value.GetValue())
	}
	return usagef("%s", text)
}

// flagTakes words the types of pflag that have a form.
var flagTakes = map[string]string{
	"bool": "true or false", "duration": "a time, as 30s", "int": "a whole number",
}

// notEmpty is the error for a flag that was given nothing, as --base "$BASE" is
// where BASE is not set: it would be as if the flag were not there.
func notEmpty(cmd *cobra.Command) error {
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && f.Value.Type() == "string" && f.Value.String() == "" {
			err = usagef("flag --%s needs a value", f.Name)
		}
	})
	return err
}

// oneOf checks a flag's value.
func oneOf(what, value string, choices ...string) error {
	if slices.Contains(choices, value) {
		return nil
	}
	return unknown(what, value, choices)
}

// directory is the one argument that a command may have, or the current one.
func directory(args []string) (string, error) {
	switch {
	case len(args) == 0:
		return ".", nil
	case len(args) > 1:
		return "", usagef("too many arguments: %q", args[1])
	}
	return args[0], named(args[0])
}

// named is the error for a path that is empty, as "$DIR" is where DIR is not set.
func named(paths ...string) error {
	if slices.Contains(paths, "") {
		return usagef("a path is empty; the current directory is .")
	}
	return nil
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
