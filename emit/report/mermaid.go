package report

import (
	"bufio"
	"fmt"
	"strings"
	"time"

	"tchain.dev/tchain/internal/safetext"
)

// gantt draws the waits on one axis. Its time has milliseconds, which is finer
// than anything that can be seen in it.
func (r *Route) gantt(w *bufio.Writer, f *Fault) {
	axis := r.scale(f)
	format := "%s s" // seconds, as everywhere else
	if chainTime(axis.max) < 5*time.Second {
		format = "%s.%L s"
	}
	fmt.Fprintf(w, "\n```mermaid\ngantt\n  accTitle: %s\n  accDescr: %s\n  dateFormat x\n  axisFormat %s\n  todayMarker off\n", mermaid(r.title()), mermaid(r.description(f)), format)
	for i := range r.Hops {
		h, wait := &r.Hops[i], r.wait(i, f)
		fmt.Fprintf(w, "  section %s\n", mermaid(h.From))
		note := "waits for " + h.To + ", " + wait.limitText()
		for _, s := range wait.segments() {
			tag, words := ganttTags[s.part], note
			if s.part != partWork {
				words = s.part.words()
			}
			if s.to > axis.max {
				tag = "crit, "
			}
			fmt.Fprintf(w, "  %s :%s%d, %d\n", mermaid(words), tag, inMillis(s.from), max(inMillis(min(s.to, axis.max)), inMillis(s.from)+1))
		}
		if g := f.first(); g != nil && g.hop == i {
			fmt.Fprintf(w, "  %[1]s :milestone, crit, %[2]d, %[2]d\n", mermaid(g.Layer+" gives up first, at "+g.At.String()), inMillis(g.At))
		}
	}
	w.WriteString("```\n")
}

var ganttTags = [...]string{partWork: "active, ", partRoom: "", partLeft: "done, ", partLate: "crit, "}

func inMillis(d Duration) int64 { return chainTime(d).Milliseconds() }

// sequence draws the trace: who asked whom, and who did what at which time.
func (r *Route) sequence(w *bufio.Writer, f *Fault) {
	w.WriteString("\n```mermaid\nsequenceDiagram\n")
	ids := map[string]string{}
	for i := range r.Hops {
		for _, name := range []string{r.Hops[i].From, r.Hops[i].To} {
			if ids[name] == "" {
				ids[name] = fmt.Sprintf("p%d", len(ids))
				fmt.Fprintf(w, "  participant %s as %s\n", ids[name], mermaid(name))
			}
		}
	}
	for _, s := range f.spans {
		h := r.Hops[s.hop]
		fmt.Fprintf(w, "  %s->>%s: %s\n", ids[h.From], ids[h.To], s.from)
	}
	fmt.Fprintf(w, "  Note over %s: %s\n", ids[f.To], mermaid(f.does()))
	for _, l := range f.lines {
		if l.Way() {
			continue
		}
		fmt.Fprintf(w, "  Note over %s: %s\n", or(ids[l.Who], "p0"), mermaid(Duration(l.At).String()+"  "+l.What))
	}
	w.WriteString("```\n")
}

// mermaid is text that means nothing to Mermaid: every sign that could is written
// as its number.
func mermaid(s string) string {
	var b strings.Builder
	for _, r := range safetext.Clean(s) {
		switch {
		case r > 0x7f, r >= '0' && r <= '9', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', strings.ContainsRune(" .,/_()'=+-", r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}
