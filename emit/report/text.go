package report

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/internal/safetext"
)

// narrow is the width under which a column that repeats another is left out.
const narrow = 100

// WriteText writes the report for people, in lines of at most width columns
// where the names allow it; 0 is 120.
func (r *Report) WriteText(w io.Writer, width int) error {
	if width <= 0 {
		width = 120
	}
	out := bufio.NewWriter(w) // it remembers its first error until Flush
	for i := range r.Routes {
		if i > 0 {
			out.WriteString("\n\n")
		}
		for _, line := range r.Routes[i].text(width) {
			out.WriteString(safetext.Clean(line) + "\n")
		}
	}
	return out.Flush()
}

func (r *Route) text(width int) []string {
	out := []string{r.title(), r.summary()}
	if f := r.Main(); f != nil {
		out = append(out, "")
		out = append(out, r.picture(f, width)...)
	}
	for i := range r.Hops {
		out = append(out, "")
		out = append(out, r.Hops[i].text(width)...)
		for _, f := range r.findingsAt(i) {
			out = append(out, f.lines(width)...)
		}
	}
	if stray := r.findingsAt(-1); len(stray) > 0 {
		out = append(out, "")
		for _, f := range stray {
			out = append(out, f.lines(width)...)
		}
	}
	if len(r.Faults) > 0 {
		out = append(out, "", "what "+r.sees()+" sees, from whom and when, if")
		out = append(out, r.matrix(width)...)
	}
	return out
}

func (r *Route) title() string {
	title := r.Route
	if r.Entrance != "" {
		title += " from " + r.Entrance
	}
	return title + "  [" + r.Stack + "]"
}

func (r *Route) summary() string {
	text := strings.Join(r.Path, " → ")
	if r.rate != "" {
		text += ", " + r.rate + " at peak"
	}
	switch {
	case chainTime(r.Worst) == chain.Never:
		return text + "; nothing ends " + r.outermost() + "'s wait"
	case r.unknown != "":
		return text + "; how long " + r.outermost() + " waits at most is not known: " + r.unknown + " is " + chain.WhyInjected
	}
	return text + "; " + r.outermost() + " waits " + r.Worst.String() + " at most" + r.exceptions()
}

// exceptions are the faults that never end although the worst case of the calls,
// which is not about a pool that is exhausted, does.
func (r *Route) exceptions() string {
	first, others := "", 0
	for i := range r.Faults {
		f := &r.Faults[i]
		switch {
		case chainTime(f.Outcome.At) != chain.Never || f.Outcome.Error == chain.NotKnown:
		case first == "":
			first = ", but for ever if " + f.Text
		default:
			others++
		}
	}
	if others > 0 {
		return fmt.Sprintf("%s, and under %d more fault%s", first, others, map[bool]string{true: "s"}[others > 1])
	}
	return first
}

// sees is who has what the outermost layer answers: a person is where it is.
func (r *Route) sees() string {
	if r.person == person {
		return r.outermost()
	}
	return r.person
}

func (r *Route) outermost() string {
	if len(r.Path) > 0 {
		return r.Path[0]
	}
	return "the caller"
}

func (h *Hop) text(width int) []string {
	out := wrap(h.From+" → "+h.To+": "+h.worstText(), width)
	t := &table{right: map[int]bool{0: true}}
	seen := map[string]bool{}
	for _, l := range h.Limits {
		if width < narrow && l.Slack != nil {
			seen[l.Side+l.Setting+l.When] = true
		}
	}
	for _, l := range h.Limits {
		kind, name := l.Kind, l.Name()
		if width < narrow {
			if l.Slack == nil && seen[l.Side+l.Setting+l.When] {
				continue // the second timer of one setting differs only in its kind
			}
			kind = ""
			seen[l.Side+l.Setting+l.When] = l.Setting != ""
		}
		if l.Side == string(chain.Answering) {
			name += " (" + h.To + ")"
		}
		t.add(l.ValueText(), kind, name, l.originText(width), l.Proof, leftText(l.left))
	}
	out = append(out, t.lines("  ")...)
	if h.Pool != nil {
		out = append(out, "  "+h.Pool.Text())
	}
	for _, reason := range h.NotChecked {
		out = append(out, "  not checked: "+reason)
	}
	return out
}

// worstText is the callee's worst end as a sum.
func (h *Hop) worstText() string {
	switch {
	case chainTime(h.Worst) == chain.Never:
		return h.To + " never ends by itself"
	case h.unknown != "":
		return "when " + h.To + " ends is not known: " + h.unknown + " is " + chain.WhyInjected
	}
	text := h.To + " ends by " + h.Worst.String()
	if sum := h.SumText(); sum != "" {
		text += " = " + sum
	}
	return text
}

// SumText is what the worst case is made of: "3s connect + 2 × 10s read"; "" where
// it never ends.
func (h *Hop) SumText() string {
	var terms []string
	for _, t := range h.Sum {
		term := t.Value.String() + " " + t.Label
		if t.N > 1 {
			term = strconv.Itoa(t.N) + " × " + term
		}
		terms = append(terms, term)
	}
	return strings.Join(terms, " + ")
}

// wrap breaks a sum before its signs.
func wrap(text string, width int) []string {
	var out []string
	for utf8.RuneCountInString(text) > width {
		head := string([]rune(text)[:width])
		i := max(strings.LastIndex(head, " + "), strings.LastIndex(head, " = "))
		if i <= 0 {
			break
		}
		out = append(out, text[:i])
		text = "   " + text[i:]
	}
	return append(out, text)
}

func (l *Limit) originText(width int) string {
	file := l.File
	if width < narrow {
		file = path.Base(file)
	}
	return or(sourceText(chain.Source(l.Origin), file, l.Line, l.Product), l.Why)
}

// SourceText says where the value is from: "stack.cue:15", "default of nginx 1.28.0".
func (l *Limit) SourceText() string { return l.originText(narrow) }

// Name is the last word of the setting, or the kind where no setting decides; with
// the connections that have it, where not all have.
func (l *Limit) Name() string {
	name := or(l.name, l.Kind)
	if l.When != "" {
		name += " " + l.When
	}
	return name
}

// SourceText says where a value is from.
func SourceText(o chain.Origin) string {
	return sourceText(o.Source, o.Pos.File, o.Pos.Line, o.Product)
}

func sourceText(s chain.Source, file string, line int, product string) string {
	switch s {
	case chain.Written:
		return fmt.Sprintf("%s:%d", file, line)
	case chain.Default:
		return strings.TrimSpace("default of " + product)
	case chain.Fixed:
		return strings.TrimSpace("fixed by " + product)
	}
	return string(s)
}

// Name is the last word of the setting that decides the size.
func (p *Pool) Name() string { return p.name }

// Text is the pool in words: "pool of 50 (maxTotal), needs 45", or "pool of 50
// (maxTotal), needs 60 over 3 routes, 45 for this one".
func (p *Pool) Text() string {
	text := "pool of " + strconv.Itoa(p.Size)
	if p.name != "" {
		text += " (" + p.name + ")"
	}
	switch several := len(p.Routes) > 1; {
	case several && p.NeedOfAll != nil:
		text += fmt.Sprintf(", needs %d over %d routes", *p.NeedOfAll, len(p.Routes))
		if p.Need != nil {
			text += fmt.Sprintf(", %d for this one", *p.Need)
		}
	case p.Need != nil && several:
		text += fmt.Sprintf(", needs %d for this route; nothing ends the read on another one", *p.Need)
	case p.Need != nil:
		text += ", needs " + strconv.Itoa(*p.Need)
	case p.NeedOfAll != nil && !several && len(p.Routes) > 0:
		text += fmt.Sprintf(", needs %d for all routes", *p.NeedOfAll)
	}
	return text
}

// most is the need to lay beside the size: that of all routes, where it is known.
func (p *Pool) most() *int {
	if p.NeedOfAll != nil {
		return p.NeedOfAll
	}
	return p.Need
}

// RateText is a rate in requests per 1000 s as a number per second.
func RateText(tps int64) string {
	if tps == 0 {
		return ""
	}
	return strconv.FormatFloat(float64(tps)/1000, 'f', -1, 64) + "/s"
}

// ValueText is the value, or that only run time knows it.
func (l Limit) ValueText() string {
	switch l.Why {
	case chain.WhyInjected:
		return "unknown"
	case chain.EventOnly:
		return "event only"
	}
	return l.Value.String()
}
