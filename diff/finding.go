package diff

import (
	"fmt"
	"slices"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/emit/report"
)

// A Finding is a finding before and after.
type Finding struct {
	Change Kind   `json:"change"`
	Why    string `json:"why"` // what is worse about a worse one, who accepts one that is gone; else ""
	Old    *Found `json:"old"`
	New    *Found `json:"new"`

	// Index is that of the new finding in its stack, −1 where it is gone.
	Index int `json:"-"`
}

// Counts reports whether the change is to blame for the finding.
func (f Finding) Counts() bool { return f.Change == New || f.Change == Worse }

// A Found is a finding of one side.
type Found struct {
	Rule     string   `json:"rule"`
	Severity string   `json:"severity"`
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Column   int      `json:"column"`
	Routes   []string `json:"routes"`
	Layer    string   `json:"layer"`
	Setting  string   `json:"setting"`
	Message  string   `json:"message"`
}

func found(f *check.Finding) *Found {
	if f == nil {
		return nil
	}
	return &Found{f.Rule, f.Severity.String(), f.Pos.File, f.Pos.Line, f.Pos.Column, append([]string{}, f.Routes...), f.Layer, f.Setting, f.Message}
}

// findings compares by cause. Of several with one cause those with the same
// message belong together first.
func findings(oldStack, newStack *Stack, before, after []report.Route) []Finding {
	o, n := measured(before), measured(after)
	var olds, news, accepted, was []check.Finding
	if oldStack != nil {
		olds, was = oldStack.Findings, oldStack.Suppressed
	}
	if newStack != nil {
		news, accepted = newStack.Findings, newStack.Suppressed
	}
	var out []Finding
	add := func(a, b *check.Finding, index int) {
		f := Finding{Change: kind(a, b), Old: found(a), New: found(b), Index: index}
		switch f.Change {
		case Gone:
			if g := suppressedIn(accepted, a); g != nil {
				f.Why = "accepted now: " + g.Reason
			}
		case New:
			if g := suppressedIn(was, b); g != nil {
				f.Why = "was accepted: " + g.Reason
			}
		case Changed:
			if f.Why = worse(a, b, o, n); f.Why != "" {
				f.Change = Worse
			} else if a.Message == b.Message && a.Severity == b.Severity {
				return
			}
		}
		out = append(out, f)
	}
	var left, come []check.Finding
	var index []int
	for _, p := range paired(olds, news, func(f *check.Finding) string { return cause(f) + "\x00" + f.Message }) {
		a, b := at(olds, p[0]), at(news, p[1])
		switch {
		case a == nil:
			come, index = append(come, *b), append(index, p[1])
		case b == nil:
			left = append(left, *a)
		default:
			add(a, b, p[1])
		}
	}
	for _, p := range paired(left, come, cause) {
		i := -1
		if p[1] >= 0 {
			i = index[p[1]]
		}
		add(at(left, p[0]), at(come, p[1]), i)
	}
	slices.SortStableFunc(out, func(a, b Finding) int { return rank(a.Change) - rank(b.Change) })
	return out
}

func cause(f *check.Finding) string { return f.Rule + "\x00" + f.Layer + "\x00" + f.Setting }

// suppressedIn is the suppression of a finding of the same cause; nil if there is none.
func suppressedIn(list []check.Finding, f *check.Finding) *chain.Ignore {
	for i := range list {
		if cause(&list[i]) == cause(f) {
			return list[i].Suppressed
		}
	}
	return nil
}

func rank(k Kind) int { return slices.Index([]Kind{New, Worse, Changed, Gone}, k) }

// worse says what the change made worse about a finding that stood before; "" is
// nothing that could be measured.
func worse(a, b *check.Finding, o, n measures) string {
	if b.Severity > a.Severity {
		return "was " + a.Severity.String()
	}
	if more := Further(a.Places(), b.Places()); more != "" {
		return more
	}
	for _, r := range b.Routes {
		k := measure{r, b.Setting}
		if was, ok := o.slack[k]; ok {
			if is, ok := n.slack[k]; ok && is < was {
				return fmt.Sprintf("slack %s → %s", was, is)
			}
		}
		if was, ok := o.lack[k]; ok {
			if is, ok := n.lack[k]; ok && is > was {
				return fmt.Sprintf("%d connections short → %d", max(was, 0), is)
			}
		}
	}
	return ""
}

// Further says on which routes, and calls of them, a finding is that it was not on;
// "" is on none.
func Further(was, is []string) string {
	more := slices.DeleteFunc(slices.Clone(is), func(r string) bool { return slices.Contains(was, r) })
	if len(more) == 0 {
		return ""
	}
	return "now on " + strings.Join(more, ", ") + " too"
}

// A measure is a setting on a route.
type measure struct{ route, setting string }

// measures are the numbers that tell better from worse.
type measures struct {
	slack map[measure]report.Duration // the smallest
	lack  map[measure]int             // connections needed − those of the pool
}

func measured(routes []report.Route) measures {
	m := measures{map[measure]report.Duration{}, map[measure]int{}}
	for _, r := range routes {
		for _, h := range r.Hops {
			for _, l := range h.Limits {
				k := measure{r.Route, l.Setting}
				if was, ok := m.slack[k]; l.Slack != nil && l.Setting != "" && (!ok || *l.Slack < was) {
					m.slack[k] = *l.Slack
				}
			}
			if p := h.Pool; p != nil && p.Need != nil && p.Setting != "" {
				k := measure{r.Route, p.Setting}
				m.lack[k] = max(m.lack[k], *p.Need-p.Size)
			}
		}
	}
	return m
}

// Never is for readers of a Span.
const Never = report.Duration(chain.Never)
