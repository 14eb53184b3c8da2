package main

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/format"
)

// A catalogue is the types whose settings are shown: the built-in ones, or with
// --types those that a team declares.
type catalogue struct {
	path string // of the team's types; "" is the built-in ones
	team *compile.TeamTypes
	// timeout is how long the team's types may take to be read; nil where none are.
	timeout *time.Duration
}

func (c *catalogue) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.path, "types", "", "the types that a team declares in this file or directory, instead of the built-in ones")
}

// read reads the team's types, if any are asked for. What is wrong with them is
// told on standard error; ok is false then.
func (c *catalogue) read(r *run, cmd *cobra.Command) (ok bool, err error) {
	if !cmd.Flags().Changed("types") {
		if cmd.Flags().Changed("timeout") {
			return false, usagef("--timeout is for what is read, and without --types nothing is")
		}
		return true, nil
	}
	opt, err := timed(*c.timeout)
	if err != nil {
		return false, err
	}
	if c.path == "" {
		return false, usagef("--types needs the path of a file or directory")
	}
	var u *compile.Unit
	if c.team, u = compile.ReadTypes(c.path, opt); c.team != nil {
		return true, nil
	}
	if e := u.Errors[0]; e.Range.Line == 0 {
		return false, usagef("--types %s: %s", c.path, e.Message)
	}
	r.raise(ExitUsage)
	text, _ := format.Named("text")
	return false, text.New(r.Stderr, format.Options{}).Stack(format.Result{Unit: u})
}

func (c catalogue) keys(category string) []string {
	if c.team != nil {
		return c.team.Keys(category)
	}
	return compile.TypeKeys(category)
}

func (c catalogue) settings(key string) ([]compile.SettingDoc, error) {
	if c.team != nil {
		return c.team.Settings(key), nil
	}
	return compile.Settings(key)
}

// sayable are the settings with all else that a stack can say of the types.
func (c catalogue) sayable(key string) ([]compile.SettingDoc, error) {
	if c.team != nil {
		return c.team.Sayable(key), nil
	}
	return compile.Sayable(key)
}

func (c catalogue) defaults() ([]compile.DefaultsTable, error) {
	if c.team != nil {
		return c.team.DefaultsTables()
	}
	return compile.DefaultsTables()
}

// typeKeys are the keys of all types, each once.
func (c catalogue) typeKeys() []string {
	var out []string
	seen := map[string]bool{}
	for _, category := range compile.Categories {
		for _, key := range c.keys(category) {
			if !seen[key] {
				seen[key] = true
				out = append(out, key)
			}
		}
	}
	return out
}

// named are the types that a name stands for: the type itself, or the several
// types of a library, whose keys begin with its name. None is an unknown name.
func (c catalogue) named(name string) []string {
	all := c.typeKeys()
	if slices.Contains(all, name) {
		return []string{name}
	}
	var family []string
	for _, key := range all {
		if rest, ok := strings.CutPrefix(key, name); ok && rest[0] >= 'A' && rest[0] <= 'Z' {
			family = append(family, key)
		}
	}
	if name == "" || len(family) < 2 {
		return nil // one alone would be a guess
	}
	return family
}
