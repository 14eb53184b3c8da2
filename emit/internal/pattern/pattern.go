// Package pattern says which requests a route's pattern matches in the words that
// proxies with rules have: an exact path, a prefix, a regular expression.
package pattern

import (
	"cmp"
	"net/http"
	"regexp"
	"strings"

	"tchain.dev/tchain/emit"
)

// Form is how a path is matched.
type Form string

// The forms of a match.
const (
	Exact  Form = "exact"
	Prefix Form = "prefix"
	Regex  Form = "regex" // of the whole path
)

// A Pattern is what a rule of a proxy matches.
type Pattern struct {
	Form   Form
	Value  string
	Method string // "" is any
	path   string // as the route has it
	rank   int    // exact paths go first, then those with parameters, then prefixes
}

// Of is how a proxy knows the requests of a route. Behind an app it is all: the app
// chooses the path of its own calls, which the stack does not tell.
func Of(h emit.Hop, target string, c *emit.Collector) Pattern {
	if h.Inside {
		return Pattern{Form: Prefix, Value: "/", rank: 3}
	}
	path := h.Route.Pathname
	prefix := h.Route.Prefix
	if prefix && strings.HasSuffix(path, "...}") {
		path = path[:strings.LastIndexByte(path, '{')]
	}
	p := Pattern{Form: Exact, Value: path, Method: h.Route.Method, path: path}
	var text strings.Builder
	parameters := false
	for i, seg := range strings.Split(path, "/") {
		if i > 0 {
			text.WriteString("/")
		}
		if strings.HasPrefix(seg, "{") && strings.HasSuffix(seg, "}") {
			parameters = true
			text.WriteString("[^/]+")
		} else {
			text.WriteString(regexp.QuoteMeta(seg))
		}
	}
	if strings.ContainsAny(path, "\"\\\n ") {
		c.Refuse(&emit.Refusal{Target: target, Value: h.Route.Name, Why: "its path needs quoting"})
	}
	switch {
	case parameters && prefix:
		p.rank, p.Form, p.Value = 2, Regex, text.String()+".*"
	case parameters:
		p.rank, p.Form, p.Value = 1, Regex, text.String()
	case prefix:
		p.rank, p.Form = 2, Prefix
	}
	return p
}

// Methods are those of the requests, for a regular expression: ServeMux takes HEAD, too,
// where a route is for GET. More specific routes of HEAD alone go first.
func (p Pattern) Methods() string {
	if p.Method == http.MethodGet {
		return http.MethodGet + "|" + http.MethodHead
	}
	return p.Method
}

// Same reports whether both match the same requests.
func (p Pattern) Same(q Pattern) bool {
	return p.Form == q.Form && p.Value == q.Value && p.Method == q.Method
}

// Compare puts the more specific pattern first, so that a proxy which takes the first
// rule that matches chooses as ServeMux would.
func Compare(a, b Pattern) int {
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(strings.Count(b.path, "/"), strings.Count(a.path, "/")),
		cmp.Compare(len(b.path), len(a.path)), -cmp.Compare(len(a.Method), len(b.Method)))
}
