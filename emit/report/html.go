package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"

	"tchain.dev/tchain/internal/safetext"
)

// The page's parts. They are joined when it is written, so that it is one file.
var (
	//go:embed html/page.html
	pageHTML string
	//go:embed html/page.css
	pageCSS string
	//go:embed html/dom.js
	domJS string
	//go:embed html/chart.js
	chartJS string
	//go:embed html/play.js
	playJS string
	//go:embed html/tables.js
	tablesJS string
	//go:embed html/page.js
	pageJS string
)

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// WriteHTML writes the report as one page. It asks nothing of a network, and says
// so to the browser: only its own script and style are run.
func (r *Report) WriteHTML(w io.Writer, o Options) error {
	link := o.Link
	if link == nil {
		link = func(file string, _ int) string { return "./" + file }
	}
	script := "'use strict';\n" + strings.Join([]string{domJS, chartJS, playJS, tablesJS, pageJS}, "\n")
	return pageTemplate.Execute(w, struct {
		Policy, Title, Count string
		CSS                  template.CSS
		JS                   template.JS
		Data                 pageData
		Routes               []pageEntry
	}{
		Policy: "default-src 'none'; style-src " + digest(pageCSS) + "; script-src " + digest(script) + "; base-uri 'none'; form-action 'none'",
		Title:  r.pageTitle(), Count: r.count(),
		CSS: template.CSS(pageCSS), JS: template.JS(script),
		Data: r.pageData(link), Routes: r.pageEntries(),
	})
}

// digest is how a policy names what it lets run.
func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// pageEntry is a route in the list of the page.
type pageEntry struct {
	Index               int
	Route, Stack, Found string
	First, Then         string
	Severity            string // the worst of what was found, "" if nothing was
}

func (r *Report) pageEntries() []pageEntry {
	var out []pageEntry
	for i := range r.Routes {
		x := &r.Routes[i]
		e := pageEntry{Index: i, Route: x.Route, Stack: safetext.Clean(x.Stack), Severity: x.severity(), Found: x.found()}
		if x.Entrance != "" {
			e.Route += " from " + x.Entrance
		}
		if f := x.Main(); f != nil {
			e.First, e.Then = x.verdict(f)
		}
		e.Route, e.First, e.Then = safetext.Clean(e.Route), safetext.Clean(e.First), safetext.Clean(e.Then)
		out = append(out, e)
	}
	return out
}

// severity is that of the worst finding; findings are warnings and errors.
func (r *Route) severity() string {
	out := ""
	for _, f := range r.Findings {
		if out != "error" {
			out = f.Severity
		}
	}
	return out
}

// found counts the findings: "2 errors, 1 warning".
func (r *Route) found() string {
	n := map[string]int{}
	for _, f := range r.Findings {
		n[f.Severity]++
	}
	var out []string
	for _, s := range []string{"error", "warning"} {
		if n[s] > 0 {
			out = append(out, number(n[s], s))
		}
	}
	return strings.Join(out, ", ")
}

func (r *Report) pageTitle() string {
	if len(r.Routes) == 1 {
		return "tchain: " + safetext.Clean(r.Routes[0].title())
	}
	return "tchain: " + r.count()
}

// count says how much is in the report: "3 routes of 2 stacks".
func (r *Report) count() string {
	stacks := map[string]bool{}
	for i := range r.Routes {
		stacks[r.Routes[i].Stack] = true
	}
	return number(len(r.Routes), "route") + " of " + number(len(stacks), "stack")
}

func number(n int, word string) string {
	if n != 1 {
		word += "s"
	}
	return fmt.Sprintf("%d %s", n, word)
}
