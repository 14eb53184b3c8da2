package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tchain.dev/tchain/compile"
)

const settingsLong = `Settings lists the catalogue: without an argument all types, with a type its
settings, each with its default, what it bounds, and the path or the blocks in
which a stack has it where its id does not tell. explain says more of one.
A library of several types, as resilience4j, shows those of all of them.

--defaults is what is in force of each product where nothing is written, and
--page all of it as Markdown. With --types they are of the types that a team
declares in a stack or a package.`

const settingsExample = `  tchain settings
  tchain settings nginx
  tchain settings --defaults
  tchain settings --types ./platform edgeway
  tchain settings --types ./platform --page > platform/settings.md
  tchain explain nginx.proxy_read_timeout`

func newSettings(r *run) *cobra.Command {
	var timeout time.Duration
	c := catalogue{timeout: &timeout}
	var defaults, page bool
	cmd := &cobra.Command{
		Use: "settings [TYPE]", Short: "list the types and settings of the catalogue", Long: settingsLong, Example: settingsExample,
		Args: atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case defaults && page:
				return usagef("--page has the defaults, too; write one of --defaults and --page")
			case page && len(args) > 0:
				return usagef("--page is of all types; leave out %q", args[0])
			}
			if ok, err := c.read(r, cmd); !ok {
				return err
			}
			switch {
			case page:
				return printPage(r.out, c)
			case defaults:
				return listDefaults(r.out, c, args)
			case len(args) == 0:
				return listTypes(r.out, c)
			}
			return listSettings(r.out, c, args[0])
		},
	}
	c.addFlags(cmd)
	addTimeout(cmd.Flags(), &timeout)
	cmd.Flags().BoolVar(&defaults, "defaults", false, "what is in force by default, a row for each product")
	cmd.Flags().BoolVar(&page, "page", false, "defaults, settings and words as one Markdown page")
	return cmd
}

func atMostOne(_ *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usagef("too many arguments: %q", args[1])
	}
	return nil
}

func printPage(w io.Writer, c catalogue) error {
	page, err := settingsPage(c)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, page)
	return err
}

// listDefaults prints the tables of defaults, or the rows of one type.
func listDefaults(w io.Writer, c catalogue, only []string) error {
	tables, err := c.defaults()
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	printed := false
	for _, table := range tables {
		rows := slices.DeleteFunc(slices.Clone(table.Rows), func(r compile.DefaultsRow) bool { return len(only) > 0 && !slices.Contains(c.named(only[0]), r.Type) })
		if len(rows) == 0 {
			continue
		}
		if printed {
			fmt.Fprintln(t)
		}
		printed = true
		fmt.Fprintf(t, "%s\t%s\n", table.Title, strings.Join(table.Columns, "\t"))
		for _, r := range rows {
			fmt.Fprintf(t, "%s\t%s\n", r.Type, strings.Join(r.Cells, "\t"))
		}
	}
	if printed {
		return t.Flush()
	}
	if len(only) > 0 && len(c.named(only[0])) == 0 {
		return unknown("type", only[0], c.typeKeys())
	}
	_, err = fmt.Fprintln(w, "no defaults: all that is known of it is what a team writes")
	return err
}

func listTypes(w io.Writer, c catalogue) error {
	for _, category := range compile.Categories {
		keys := c.keys(category)
		if len(keys) == 0 {
			continue
		}
		if _, err := fmt.Fprintf(w, "%-8s %s\n", category, strings.Join(keys, " ")); err != nil {
			return err
		}
	}
	return nil
}

func listSettings(w io.Writer, c catalogue, key string) error {
	var settings []compile.SettingDoc
	for _, member := range c.named(key) {
		more, err := c.settings(member)
		if err != nil {
			return err
		}
		settings = append(settings, more...)
	}
	if len(settings) == 0 {
		if slices.Contains(c.typeKeys(), key) {
			_, err := fmt.Fprintf(w, "%s has no settings that bound anything\n", key)
			return err
		}
		return unknown("type", key, c.typeKeys())
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	part := func(s compile.SettingDoc) string { return s.Category + " " + s.Type }
	several := slices.ContainsFunc(settings, func(s compile.SettingDoc) bool { return part(s) != part(settings[0]) })
	for i, s := range settings {
		if several && (i == 0 || part(s) != part(settings[i-1])) {
			if i > 0 {
				fmt.Fprintln(t)
			}
			fmt.Fprintf(t, "%s %s: %s\n", s.Category, s.Type, s.Title)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s", s.ID, strings.Join(s.Defaults, "; "), strings.Join(kindsOf(s), ", "), s.Proof)
		if places := placesOf(s); places != "" {
			fmt.Fprint(t, "\t"+places)
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// placesOf says where a stack has a setting, if its id does not say that already:
// "in" the blocks before it, or "as" a path of its own.
func placesOf(s compile.SettingDoc) string {
	name := strings.TrimPrefix(s.ID, s.Type+".")
	if s.Fixed || slices.Equal(s.Paths, []string{name}) {
		return ""
	}
	var blocks []string
	for _, p := range s.Paths {
		block, ok := strings.CutSuffix(p, "."+name)
		if !ok {
			return "as " + strings.Join(s.Paths, ", ")
		}
		blocks = append(blocks, block)
	}
	return "in " + strings.Join(blocks, ", ")
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
