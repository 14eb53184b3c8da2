package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"tchain.dev/tchain/internal/safetext"
)

// WriteMarkdown writes the report for a pull request: who gives up first, a table
// of the calls, what was found, and diagrams that GitHub and GitLab draw.
func (r *Report) WriteMarkdown(w io.Writer) error {
	out := bufio.NewWriter(w) // it remembers its first error until Flush
	for i := range r.Routes {
		if i > 0 {
			out.WriteString("\n")
		}
		r.Routes[i].markdown(out)
	}
	return out.Flush()
}

func (r *Route) markdown(w *bufio.Writer) {
	md, code := safetext.Markdown, safetext.MarkdownCode
	fmt.Fprintf(w, "### %s\n\n", code(r.title()))
	f := r.Main()
	if f != nil {
		first, then := r.verdict(f)
		fmt.Fprintf(w, "When %s: **%s**; **%s**.\n\n", md(f.Text), md(first), md(then))
	}
	fmt.Fprintf(w, "%s\n\n", md(r.summary()))
	w.WriteString("| who waits | for | limit | set by | from | room for an error | left |\n|---|---|--:|---|---|--:|--:|\n")
	for i := range r.Hops {
		h := &r.Hops[i]
		limit, room, left := h.Wait.Limit.String(), "–", "–"
		if h.Wait.name == "" {
			limit = "**" + md(h.Wait.Why) + "**"
		}
		if h.Wait.Left != nil {
			room, left = h.Wait.Room.String(), h.Wait.Left.String()
			if *h.Wait.Left <= 0 {
				left = "**" + left + "**"
			}
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s |\n", md(h.From), md(h.To), limit, codeOr(h.Wait.name), codeOr(h.Wait.source), room, left)
	}
	for _, x := range r.Findings {
		fmt.Fprintf(w, "\n- **%s** %s %s", x.Severity, code(x.Rule), md(x.Message))
		if x.Line > 0 {
			fmt.Fprintf(w, " (%s)", code(fmt.Sprintf("%s:%d", x.File, x.Line)))
		}
		for _, fix := range x.Fixes {
			fmt.Fprintf(w, "\n  - fix: %s", md(fix))
		}
	}
	if len(r.Findings) > 0 {
		w.WriteString("\n")
	}
	if f != nil {
		r.gantt(w, f)
		r.sequence(w, f)
		r.markdownMatrix(w)
	}
}

func codeOr(s string) string {
	if s == "" {
		return "–"
	}
	return safetext.MarkdownCode(s)
}

// markdownMatrix is fault × place, folded.
func (r *Route) markdownMatrix(w *bufio.Writer) {
	fmt.Fprintf(w, "\n<details><summary>What %s sees, from whom and when, under each fault</summary>\n\n", safetext.HTML(r.sees()))
	for i, row := range r.grid().rows {
		for _, cell := range row {
			w.WriteString("| " + safetext.Markdown(cell) + " ")
		}
		w.WriteString("|\n")
		if i == 0 {
			w.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
	w.WriteString("\n</details>\n")
}
