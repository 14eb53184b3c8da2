package check

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

// sumText is a sum with its terms: "128s = 3s proxy_connect_timeout + 125s proxy_read_timeout".
func sumText(s chain.Sum) string {
	if s.Total == chain.Never {
		return "never"
	}
	if len(s.Terms) == 0 {
		return chain.Shown(s.Total)
	}
	parts := make([]string, 0, len(s.Terms))
	for _, t := range s.Terms {
		n := ""
		if t.N > 1 {
			n = strconv.Itoa(t.N) + " × "
		}
		parts = append(parts, n+chain.Shown(t.D)+" "+t.Label)
	}
	return chain.Shown(s.Total) + " = " + strings.Join(parts, " + ")
}

// ofProduct names whose setting it is, without the version; "" if it is a team's word.
func ofProduct(o chain.Origin) string {
	product, _, _ := strings.Cut(o.Product, " ")
	if product == "" || o.Doc == "" {
		return ""
	}
	return " of " + product
}

// known says what stands behind a value: "[nginx 1.28.0: proved]".
func known(o chain.Origin) string {
	how := "sourced"
	switch {
	case o.Proved:
		how = "proved"
	case o.Doc == "":
		how = "declared" // by a team, of a type of its own
	}
	product := o.Product
	if product == "" {
		return ""
	}
	if o.Source == chain.Default {
		how = "default, " + how
	}
	return "  [" + product + ": " + how + "]"
}

// answers reports whether an outcome is an answer that is no error.
func answers(o chain.Outcome) bool { return o.Error == "" && o.Status < 400 }

// had is what the outermost layer has got when a route ends in an error: "has had
// 504 from proxy", "has had an error from api", "has given up".
func had(o chain.Outcome, root *chain.Node) string {
	from := ""
	if o.From != nil && o.From != root {
		from = " from " + o.From.Layer
	}
	switch {
	case o.Status != 0 && o.Cut:
		return fmt.Sprintf("has had %d%s, %s,", o.Status, from, chain.CutText(o.Status))
	case o.Status != 0:
		return fmt.Sprintf("has had %d%s", o.Status, from)
	case o.Error == "gives up":
		return "has given up"
	}
	return "has had an error" + from
}

// fires is what a node does when a limit of its own ends a call.
func fires(l chain.Limit) string {
	switch l.Fires {
	case chain.FiresClose:
		return "closes the connection"
	case chain.FiresKill:
		return "kills the worker"
	case chain.FiresCut:
		return "cuts the response"
	}
	if _, err := strconv.Atoi(string(l.Fires)); err == nil {
		return "answers " + string(l.Fires)
	}
	return "gives up"
}

// provided is what the way in which a limit ends something rests on, behind a message;
// "" where nothing is open.
func provided(l chain.Limit) string {
	if l.If == "" {
		return ""
	}
	return "; it does so if " + l.If
}

// setting is how a message names a value: its name and what it is.
func setting(o chain.Origin, value string) string {
	switch o.Source {
	case chain.Default:
		return fmt.Sprintf("%s (%s by default)", o.Name, value)
	case chain.Fixed:
		return fmt.Sprintf("%s (%s, fixed)", o.Name, value)
	}
	return fmt.Sprintf("%s %s", o.Name, value)
}

// perSecond is a rate in requests per second: "3/s", "0.5/s".
func perSecond(tps int64) string {
	whole, rest := tps/1000, tps%1000
	if rest == 0 {
		return fmt.Sprintf("%d/s", whole)
	}
	return strings.TrimRight(fmt.Sprintf("%d.%03d", whole, rest), "0") + "/s"
}

// loadsText is what some routes keep open with the arithmetic: "10/s × 9s", "20/s of 2
// routes ÷ 2 instances × 9s", "(10/s × 9s + 5 open at once) ÷ 2 instances". among is
// what each part is divided by, or "".
func loadsText(loads []chain.Load, routes int, among string) string {
	if len(loads) == 1 {
		of := ""
		if routes > 1 {
			of = " of " + plural(routes, "route")
		}
		if l := loads[0]; l.Open == 0 {
			return perSecond(l.TPS) + of + among + " × " + chain.Shown(l.Held)
		}
		return fmt.Sprintf("%d open at once%s%s", loads[0].Open, of, among)
	}
	parts := make([]string, 0, len(loads))
	for _, l := range loads {
		parts = append(parts, loadsText([]chain.Load{l}, 1, ""))
	}
	if among == "" {
		return strings.Join(parts, " + ")
	}
	return "(" + strings.Join(parts, " + ") + ")" + among
}

// plural is "1 instance", "6 instances".
func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return chain.CountText(n) + " " + word + "s"
}

// upTo is how often at most: "up to 3 times".
func upTo(n int) string {
	if n == chain.Endless {
		return "without end"
	}
	return "up to " + often(n)
}

// endsAt is when something does.
func endsAt(at time.Duration) string {
	if at == chain.Never {
		return "never ends"
	}
	return "ends at " + byRoute(at)
}

// often is a number of times, or that they have no end.
func often(n int) string {
	if n == chain.Endless {
		return "without end"
	}
	return plural(n, "time")
}
