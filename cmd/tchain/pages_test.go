package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"tchain.dev/tchain/check"
)

func rulesIndex() string {
	var b strings.Builder
	b.WriteString("# The rules\n\nSeverity follows consequence: an *error* is something that a person sees under a listed fault, a *warning* depends on a\nfact that is not declared, an *info* is good to know (`--info`). Clean is no error and no warning.\n\n| rule | at most | what it finds |\n|---|---|---|\n")
	for _, r := range check.Rules {
		fmt.Fprintf(&b, "| [%s](%s.md) | %s | %s |\n", r.ID, r.ID, r.Severity, r.Title)
	}
	return b.String()
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
