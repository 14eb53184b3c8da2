package main

import (
	"fmt"
	"strings"

	"tchain.dev/tchain/compile"
)

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
