package main

import (
	"fmt"
	"strings"

	"tchain.dev/tchain/compile"
)

const settingsHead = `# Settings

Every setting that the catalogue knows, with the default that holds when it is not written. *Proved*: a run of the product
showed it, in ` + "`" + `conformance/` + "`" + ` or when the fact was taken; *sourced*: its documentation says so; *declared*: a team says it.
` + "`" + `tchain explain TYPE.SETTING` + "`" + ` prints one, ` + "`" + `tchain settings --defaults` + "`" + ` the first tables.

`

const defaultsHead = `## Defaults by product

What is in force where nothing is written, in the newest release, towards one plain HTTP callee. A product leads to its settings.

- **none**: nothing bounds it, as the setting is off or there is none.
- **–**: there is nothing such (no pool can run out, no connection is kept), or the documentation of a hosted product does not tell.
- **(kernel)**: Linux gives up on connecting. **(flow)**: a connection without a byte either way.
- *repeats* come after the first attempt; *if stale*: only on a kept connection that turns out to be closed.
- *0 means*: what a written zero, or null, does to the settings of the row. *at-once* fires without waiting, *default* is the
  default, *invalid* is not taken.

`

// settingsPage is the catalogue as a page: what a person keeps open, then every
// setting in a table, then in words.
func settingsPage(c catalogue) (string, error) {
	tables, err := c.defaults()
	if err != nil {
		return "", err
	}
	var sections, words strings.Builder
	titles := map[string]string{}
	for _, category := range compile.Categories {
		for _, key := range c.keys(category) {
			settings, err := c.settings(key)
			if err != nil {
				return "", err
			}
			table, text := "", ""
			for _, s := range settings {
				if s.Category == category {
					table += settingRow(s)
					text += settingWords(s)
				}
			}
			if table == "" {
				continue
			}
			title := fmt.Sprintf("%s: `%s`", upperFirst(category), key)
			titles[category+" "+key] = title
			sections.WriteString("## " + title + "\n\n| setting | default | 0 means | bounds | known |\n|---|---|---|---|---|\n" + table + "\n")
			words.WriteString("## In words: " + title + "\n\n" + text + "\n")
		}
	}
	head := settingsHead
	if len(tables) > 0 {
		head += defaultsHead
	}
	for _, t := range tables {
		head += defaultsMarkdown(t, titles)
	}
	boot := ""
	if c.path == "" {
		boot = bootPage()
	}
	return head + sections.String() + boot + words.String(), nil
}

// defaultsMarkdown is a table of defaults whose rows lead to the sections.
func defaultsMarkdown(t compile.DefaultsTable, titles map[string]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n| | %s |\n|%s\n", t.Title, strings.Join(t.Columns, " | "), strings.Repeat("---|", len(t.Columns)+1))
	for _, r := range t.Rows {
		name := "`" + r.Type + "`"
		if title := titles[t.Category+" "+r.Type]; title != "" {
			name = fmt.Sprintf("[%s](#%s)", name, anchor(title))
		}
		fmt.Fprintf(&b, "| %s | %s |\n", name, strings.Join(r.Cells, " | "))
	}
	return b.String() + "\n"
}

// anchor is what Markdown readers call a heading of letters, spaces, colons and backquotes.
func anchor(title string) string {
	return strings.NewReplacer(" ", "-", ":", "", "`", "").Replace(strings.ToLower(title))
}

func settingRow(s compile.SettingDoc) string {
	_, name, _ := strings.Cut(s.ID, ".")
	def := strings.Join(s.Defaults, "; ")
	if s.Fixed {
		def += " (fixed)"
	}
	zero, _, _ := strings.Cut(strings.TrimPrefix(s.Zero, "0 is "), ";")
	known := s.Proof
	if s.Source != "" {
		known = "[" + s.Proof + "](" + s.Source + ")"
	}
	return fmt.Sprintf("| `%s` | %s | %s | %s | %s |\n", name, cell(def), cell(zero), strings.Join(kindsOf(s), ", "), known)
}

func cell(s string) string { return strings.ReplaceAll(s, "|", "\\|") }

func settingWords(s compile.SettingDoc) string {
	text := "- **" + s.ID + "**: " + s.Doc
	if s.Range != "" {
		text += " Takes " + s.Range + "."
	}
	if s.Scope != "" {
		text += " Scope: " + s.Scope + "."
	}
	for _, b := range s.Bounds {
		text += " *" + b + ".*"
	}
	return text + "\n"
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
