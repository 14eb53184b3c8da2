package format

import (
	"strings"
	"unicode/utf8"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/diff"
	"tchain.dev/tchain/emit/report"
)

// limitLines is a table: value, setting, source, slack. The timers of one setting
// that moved alike have one row.
func limitLines(limits []diff.Limit, withSource bool) []string {
	var rows [][4]string
	seen := map[[4]string]int{}
	for i := range limits {
		l := &limits[i]
		row := [4]string{limitValue(l), limitName(l), limitSource(l), limitSlack(l)}
		if !withSource {
			row[2] = ""
		}
		bare := row
		bare[3] = ""
		if n, ok := seen[bare]; ok && (row[3] == "" || rows[n][3] == "" || rows[n][3] == row[3]) {
			if rows[n][3] == "" {
				rows[n][3] = row[3]
			}
			continue
		}
		seen[bare] = len(rows)
		rows = append(rows, row)
	}
	var widths [4]int
	for _, r := range rows {
		for i, cell := range r {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var out []string
	for _, r := range rows {
		line := "        "
		for i, cell := range r {
			if widths[i] > 0 {
				line += cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2)
			}
		}
		out = append(out, strings.TrimRight(line, " "))
	}
	return out
}

func limitValue(l *diff.Limit) string {
	var o, n string
	if l.Old != nil {
		o = l.Old.ValueText()
	}
	if l.New != nil {
		n = l.New.ValueText()
	}
	return change(o, n, "–")
}

func limitName(l *diff.Limit) string {
	var o, n string
	if l.Old != nil {
		o = l.Old.Name()
	}
	if l.New != nil {
		n = l.New.Name()
	}
	switch {
	case o == "":
		o = n
	case n == "":
		n = o
	}
	name := change(o, n, "")
	if l.Side == string(chain.Answering) {
		name += " (answering)"
	}
	return name
}

func limitSource(l *diff.Limit) string {
	var o, n string
	if l.Old != nil {
		o = l.Old.SourceText()
	}
	if l.New != nil {
		n = l.New.SourceText()
	}
	if l.Old != nil && l.New != nil && limitValue(l) == l.New.ValueText() {
		return n // only what is inside of it moved
	}
	return sources(o, n)
}

func limitSlack(l *diff.Limit) string {
	slack := func(x *report.Limit) string {
		if x == nil || x.Slack == nil {
			return ""
		}
		return x.Slack.String()
	}
	o, n := slack(l.Old), slack(l.New)
	if o == "" && n == "" {
		return ""
	}
	return "slack " + change(o, n, "–")
}
