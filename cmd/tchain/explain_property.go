package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"tchain.dev/tchain/compile"
)

// app is the type whose settings are explained by their names alone, too.
const app = "app"

// explainOwn explains what an app says of itself: one setting or all of a block, by
// its name in the app, as deadline or deadline.total; said is false if there is none.
func explainOwn(w io.Writer, name string) (said bool, err error) {
	settings, err := compile.Sayable(app)
	if err != nil {
		return false, err
	}
	for _, s := range settings {
		own := strings.TrimPrefix(s.ID, app+".")
		last := own[strings.LastIndex(own, ".")+1:]
		if s.ID != app+"."+name && !strings.HasPrefix(own, name+".") && last != name && s.ID != name {
			continue
		}
		if said {
			fmt.Fprintln(w)
		}
		said = true
		if _, err := io.WriteString(w, settingText(s)); err != nil {
			return true, err
		}
		if last == "springBoot" {
			if err := bootReleases(w); err != nil {
				return true, err
			}
		}
	}
	return said, nil
}

// bootReleases is the table of what each release of Spring Boot brings.
func bootReleases(w io.Writer) error {
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  Spring Boot\tSpring\tHttpClient 5\tTomcat")
	for _, r := range compile.BootReleases() {
		boot := r.From
		if r.Last != r.From {
			boot += " to " + r.Last
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", boot, r.Spring, r.HTTPClient5, r.Tomcat)
	}
	return t.Flush()
}

// explainProperty explains a property of Spring Boot's, or all that begin so.
func explainProperty(w io.Writer, name string) error {
	if p, ok := compile.Property(name); ok {
		_, err := io.WriteString(w, propertyText(p))
		return err
	}
	var names []string
	said := false
	for _, p := range compile.Properties() {
		names = append(names, p.Name)
		if !strings.HasPrefix(p.Name, strings.TrimSuffix(strings.TrimSuffix(name, "*"), ".")+".") {
			continue
		}
		if said {
			fmt.Fprintln(w)
		}
		said = true
		if _, err := io.WriteString(w, propertyText(p)); err != nil {
			return err
		}
	}
	if !said {
		return unknown("property", name, names)
	}
	return nil
}

// propertyText says what a property becomes, by client and by release.
func propertyText(p compile.PropertyDoc) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: a property of Spring Boot, bound %s\n\n%s\n\n", p.Name, p.Bound, p.Doc)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, s := range p.Sets {
		fmt.Fprintf(t, "  sets\t%s.%s\t%s\n", s.Client, s.Setting, s.Releases)
	}
	t.Flush() // a strings.Builder takes everything
	for i, over := range p.Loses {
		fmt.Fprintf(&b, "  %s %s\n", [2]string{"loses to", "and to"}[min(i, 1)], over)
	}
	clients := []string{}
	for _, s := range p.Sets {
		if !slices.Contains(clients, s.Client) {
			clients = append(clients, s.Client)
		}
	}
	fmt.Fprintf(&b, "  written  clients: NAME: %s: properties: %q: …\n", strings.Join(clients, "|"), p.Name)
	fmt.Fprintf(&b, "  takes    5000 (ms), \"5s\" (ns us ms s m h d, in any case), \"PT5S\" (ISO 8601)\n")
	fmt.Fprintf(&b, "  known    sourced\n  source   %s\n", p.Source)
	return b.String()
}
