package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tchain.dev/tchain/compile"
)

const settingsLong = `Settings lists the catalogue: without an argument all types, with a type its
settings, each with its default and what it bounds. explain says more of one.`

const settingsExample = `  tchain settings
  tchain settings nginx
  tchain explain nginx.proxy_read_timeout`

func newSettings(r *run) *cobra.Command {
	return &cobra.Command{
		Use: "settings [TYPE]", Short: "list the types and settings of the catalogue", Long: settingsLong, Example: settingsExample,
		Args: atMostOne,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listTypes(r.out)
			}
			return listSettings(r.out, args[0])
		},
	}
}

func atMostOne(_ *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usagef("too many arguments: %q", args[1])
	}
	return nil
}

func listTypes(w io.Writer) error {
	for _, category := range compile.Categories {
		if _, err := fmt.Fprintf(w, "%-8s %s\n", category, strings.Join(compile.TypeKeys(category), " ")); err != nil {
			return err
		}
	}
	return nil
}

func listSettings(w io.Writer, key string) error {
	settings, err := compile.Settings(key)
	if err != nil {
		return err
	}
	if len(settings) == 0 {
		for _, k := range typeKeys() {
			if k == key {
				_, err := fmt.Fprintf(w, "%s has no settings that bound anything\n", key)
				return err
			}
		}
		return unknown("type", key, typeKeys())
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	several := slices.ContainsFunc(settings, func(s compile.SettingDoc) bool { return s.Category != settings[0].Category })
	category := ""
	for _, s := range settings {
		if several && s.Category != category {
			if category != "" {
				fmt.Fprintln(t)
			}
			category = s.Category
			fmt.Fprintf(t, "%s %s: %s\n", category, s.Type, s.Title)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", s.ID, strings.Join(s.Defaults, "; "), strings.Join(kindsOf(s), ", "), s.Proof)
	}
	return t.Flush()
}

// kindsOf are the kinds of what a setting bounds, each once.
func kindsOf(s compile.SettingDoc) []string {
	var out []string
	for _, b := range s.Bounds {
		kind, _, _ := strings.Cut(b, ":")
		kind, _, _ = strings.Cut(kind, ";")
		if !slices.Contains(out, kind) {
			out = append(out, kind)
		}
	}
	return out
}
