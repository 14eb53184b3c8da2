package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
)

func rulesIndex() string {
	var b strings.Builder
	b.WriteString("# The rules\n\nSeverity follows consequence: an *error* is something that a person sees under a listed fault, a *warning* depends on a\nfact that is not declared, an *info* is good to know (`--info`). Clean is no error and no warning.\n\n| rule | at most | what it finds |\n|---|---|---|\n")
	for _, r := range check.Rules {
		fmt.Fprintf(&b, "| [%s](%s.md) | %s | %s |\n", r.ID, r.ID, r.Severity, r.Title)
	}
	return b.String()
}

// settingsPage is the whole catalogue: a table of defaults by product that a
// person can keep open, then every setting in words.
func settingsPage() (string, error) {
	var b, words strings.Builder
	b.WriteString("# Settings\n\nEvery setting that the catalogue knows, with the default that holds when it is not written. *Proved*: a run of the product\nshowed it, in `conformance/` or when the fact was taken; *sourced*: its documentation says so;\n*declared*: it is what a team says of its own system. `tchain explain TYPE.SETTING` prints one.\n\n")
	for _, category := range compile.Categories {
		for _, key := range compile.TypeKeys(category) {
			settings, err := compile.Settings(key)
			if err != nil {
				return "", err
			}
			table, text := "", ""
			for _, s := range settings {
				if s.Category != category {
					continue
				}
				table += settingRow(s)
				text += settingWords(s)
			}
			if table == "" {
				continue
			}
			title := fmt.Sprintf("## %s: `%s`\n\n", upperFirst(category), key)
			b.WriteString(title + "| setting | default | 0 means | bounds | known |\n|---|---|---|---|---|\n" + table + "\n")
			words.WriteString(strings.Replace(title, "## ", "## In words: ", 1) + text + "\n")
		}
	}
	return b.String() + bootPage() + words.String(), nil
}

// bootPage is what Spring Boot's properties become, and what its releases bring.
func bootPage() string {
	var b strings.Builder
	b.WriteString("## Spring Boot's properties of HTTP clients\n\nWhat is written by hand at the setting that a property becomes wins over it.\n\n| property | becomes | in Spring Boot | known |\n|---|---|---|---|\n")
	for _, p := range compile.Properties() {
		for _, s := range p.Sets {
			fmt.Fprintf(&b, "| `%s` | `%s.%s` | %s | [sourced](%s) |\n", p.Name, s.Client, s.Setting, s.Releases, p.Source)
		}
	}
	b.WriteString("\n## What Spring Boot brings\n\n| Spring Boot | Spring | HttpClient 5 | Tomcat |\n|---|---|---|---|\n")
	for _, r := range compile.BootReleases() {
		fmt.Fprintf(&b, "| %s to %s | %s | %s | %s |\n", r.From, r.Last, r.Spring, r.HTTPClient5, r.Tomcat)
	}
	return b.String() + "\n"
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

// A conformanceRow is one row of conformance/testdata/last-run.json.
type conformanceRow struct {
	Product, Version, Scenario, Predicted, Observed string
	OK                                              bool
}

// conformancePage is the last run of the real products, as a table.
func conformancePage(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../conformance/testdata/last-run.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []conformanceRow
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Conformance\n\nWhat the real products did under each fault, beside what tchain's trace of the same settings says: %d runs. A row says *agrees*\nif outcome, attempts, who ended it and the time are as predicted, within the tolerances of `conformance/tolerance.go`.\n", len(rows))
	product := ""
	for _, r := range rows {
		if r.Product != product {
			product = r.Product
			fmt.Fprintf(&b, "\n## %s %s\n\n| scenario | predicted | observed |\n|---|---|---|\n", r.Product, r.Version)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(r.Scenario), cell(r.Predicted), cell(r.Observed))
	}
	return b.String()
}
