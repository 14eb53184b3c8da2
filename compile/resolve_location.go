package compile

import (
	"slices"
	"strings"
)

// A location is the request path of a route, which keys of blocks are laid
// against.
type location struct {
	path   string
	prefix bool // the route covers what is below the path, too
}

// literal is the path up to the first wildcard.
func (l location) literal() string {
	before, _, _ := strings.Cut(l.path, "{")
	return before
}

// match is the key whose block holds for the request path: "= /x" for exactly
// this path, else the longest prefix. A key that is a regular expression, and
// one that holds for a part of the route only, is noted as not checked.
func (e *effective) match(keys []string) (best string, ok bool) {
	longest := -1
	for _, key := range keys {
		sign, rest := "", key
		if i := strings.IndexByte(key, ' '); i > 0 && strings.Trim(key[:i], "=^~*") == "" {
			sign, rest = key[:i], strings.TrimSpace(key[i:])
		}
		switch {
		case sign == "~" || sign == "~*":
			e.leaveOpen(key)
		case sign == "=":
			if rest == e.location.path && !e.location.prefix {
				return key, true
			}
			if strings.HasPrefix(rest, e.location.literal()) && (e.location.prefix || rest != e.location.path && e.location.literal() != e.location.path) {
				e.leaveOpen(key)
			}
		case strings.HasPrefix(e.location.literal(), rest):
			if len(rest) > longest {
				best, longest, ok = key, len(rest), true
			}
		case strings.HasPrefix(rest, e.location.literal()) && (e.location.prefix || e.location.literal() != e.location.path):
			e.leaveOpen(key)
		}
	}
	return best, ok
}

func (e *effective) leaveOpen(key string) {
	if !slices.Contains(e.unmatched, key) {
		e.unmatched = append(e.unmatched, key)
	}
}
