package nginx

import (
	"net/url"
	"regexp"
	"strings"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// A pattern is a route's path, segment by segment.
type pattern struct {
	segs   []string // "" is any one segment
	prefix bool     // it covers everything below, and ends in a slash
	slash  bool     // it ends in a slash and covers nothing below
	// asRegex writes a literal prefix as a regular expression, where another
	// one would win over it.
	asRegex bool
}

// readPath reads a path as ServeMux does: {id} is one segment, {rest...} is everything
// below, and so is a slash at the end, unless the route says that it is no prefix.
func readPath(r *chain.Route, c *collector) pattern {
	path := strings.TrimPrefix(r.Pathname, "/")
	p := pattern{prefix: r.Prefix, slash: !r.Prefix && strings.HasSuffix(r.Pathname, "/")}
	if p.prefix && strings.HasSuffix(path, "...}") {
		path = path[:strings.LastIndexByte(path, '{')]
	}
	path = strings.TrimSuffix(path, "/")
	if path == "" {
		return p
	}
	for seg := range strings.SplitSeq(path, "/") {
		if strings.HasPrefix(seg, "{") && strings.HasSuffix(seg, "}") {
			p.segs = append(p.segs, "")
			continue
		}
		plain, err := url.PathUnescape(seg)
		if err != nil || strings.ContainsAny(plain, "/\n\r\x00") {
			c.Refuse(&emit.Refusal{Target: "nginx", Value: r.Name, Why: "NGINX compares decoded paths, in which " + seg + " is no single segment"})
		}
		p.segs = append(p.segs, plain)
	}
	return p
}

func (p pattern) regex() bool {
	for _, s := range p.segs {
		if s == "" {
			return true
		}
	}
	return p.asRegex
}

// match is what follows `location`.
func (p pattern) match() string {
	var b strings.Builder
	for _, s := range p.segs {
		switch {
		case s == "":
			b.WriteString("/[^/]+")
		case p.regex():
			b.WriteString("/" + regexp.QuoteMeta(s))
		default:
			b.WriteString("/" + s)
		}
	}
	if p.prefix || p.slash || len(p.segs) == 0 {
		b.WriteString("/")
	}
	switch text := b.String(); {
	case p.regex() && p.prefix:
		return "~ " + quote("^"+text)
	case p.regex():
		return "~ " + quote("^"+text+"$")
	case p.prefix:
		return quote(text)
	default:
		return "= " + quote(text)
	}
}

// quote makes one word of a path for nginx.conf, which leaves a backslash alone
// unless it stands before a quote or another backslash.
func quote(s string) string {
	if !strings.ContainsAny(s, " \t{};\"'#") && !strings.Contains(s, `\\`) {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// key sorts more specific patterns first: a text before any text before anything below.
func (p pattern) key() string {
	var b strings.Builder
	for _, s := range p.segs {
		if s == "" {
			b.WriteByte('1')
		} else {
			b.WriteByte('0')
		}
	}
	if p.prefix {
		b.WriteByte('2')
	}
	return b.String()
}

// covers reports whether the pattern matches all that q matches.
func (p pattern) covers(q pattern) bool {
	switch {
	case len(q.segs) < len(p.segs):
		return false
	case !p.prefix && (q.prefix || q.slash != p.slash || len(q.segs) != len(p.segs)):
		return false
	case p.prefix && len(q.segs) == len(p.segs) && !q.prefix && !q.slash:
		return false
	}
	for i, s := range p.segs {
		if s != "" && s != q.segs[i] {
			return false
		}
	}
	return true
}

// loses reports whether a prefix location would lose requests to the regular
// expression q, which is no part of what it covers.
func (p pattern) loses(q pattern) bool {
	if !p.prefix || p.regex() || !q.regex() {
		return false
	}
	if !q.prefix && len(q.segs) < len(p.segs) {
		return false
	}
	covers := len(q.segs) >= len(p.segs)
	for i := range min(len(p.segs), len(q.segs)) {
		if q.segs[i] != "" && q.segs[i] != p.segs[i] {
			return false
		}
		covers = covers && q.segs[i] == p.segs[i]
	}
	return !covers
}
