package compile

import "strings"

// A pathPattern is a request path as a route writes it: segments, some of them
// wildcards, and whether it covers what is below, too.
type pathPattern struct {
	segments []string
	below    bool // it ends in a slash or in {name...}
}

// patternOf reads a path; ok is false for what is none.
func patternOf(path string) (p pathPattern, ok bool) {
	rest, ok := strings.CutPrefix(path, "/")
	if !ok {
		return pathPattern{}, false
	}
	p.segments = strings.Split(rest, "/")
	switch last := len(p.segments) - 1; {
	case p.segments[last] == "{$}":
		p.segments[last] = ""
	case p.segments[last] == "" || strings.HasSuffix(p.segments[last], "...}"):
		p.segments, p.below = p.segments[:last], true
	}
	return p, true
}

func isWildcard(segment string) bool { return strings.HasPrefix(segment, "{") }

// covers reports whether every path of the other is one of p's.
func (p pathPattern) covers(other pathPattern) bool {
	n := len(p.segments)
	switch {
	case !p.below && (other.below || len(other.segments) != n):
		return false
	case len(other.segments) < n, p.below && !other.below && len(other.segments) == n:
		return false
	}
	for i, s := range p.segments {
		if o := other.segments[i]; s != o && (!isWildcard(s) || o == "") {
			return false
		}
	}
	return true
}

// meets reports whether some path is one of both.
func (p pathPattern) meets(other pathPattern) bool {
	for i := range min(len(p.segments), len(other.segments)) {
		s, o := p.segments[i], other.segments[i]
		if s != o && !(isWildcard(s) && o != "") && !(isWildcard(o) && s != "") {
			return false
		}
	}
	more := len(p.segments) - len(other.segments)
	switch {
	case p.below && other.below:
		return true
	case p.below:
		return more < 0
	case other.below:
		return more > 0
	}
	return more == 0
}

// under reports whether a key, a path as a route writes it, holds for all of the
// location or for a part of it only.
func (l location) under(key string) (whole, part bool) {
	k, ok := patternOf(key)
	at, isPath := patternOf(l.path)
	if !ok || !isPath {
		return false, false
	}
	at.below = at.below || l.prefix
	whole = k.covers(at)
	return whole, !whole && k.meets(at)
}

// closest is the most specific of the keys that hold for all of the location, as
// a server picks its handler.
func (l location) closest(keys []string) (best string, ok bool) {
	var chosen pathPattern
	for _, key := range keys {
		if whole, _ := l.under(key); !whole {
			continue
		}
		if p, _ := patternOf(key); !ok || chosen.covers(p) {
			best, chosen, ok = key, p, true
		}
	}
	return best, ok
}
