package compile

import (
	"strconv"
	"strings"
)

// versionParts are the numbers of a version or a month: "1.29.7" and "2026-11".
// What follows the first part that is no number does not count.
func versionParts(text string) []int {
	var out []int
	for n, rest, ok := nextPart(text); ok; n, rest, ok = nextPart(rest) {
		out = append(out, n)
	}
	return out
}

// nextPart is the first number of a version and what follows it; ok is false
// where none is left.
func nextPart(text string) (n int, rest string, ok bool) {
	text = strings.TrimLeft(text, ".-")
	end := strings.IndexAny(text, ".-")
	if end < 0 {
		end = len(text)
	}
	n, err := strconv.Atoi(text[:end])
	return n, text[end:], err == nil
}

// atLeast reports whether version is since or newer. A version that is written
// more coarsely than since counts as the newest of its line: "1.29" is at least
// "1.29.7". "" is the newest of all.
func atLeast(version, since string) bool {
	if version == "" {
		return true
	}
	for {
		v, versionLeft, ok := nextPart(version)
		s, sinceLeft, both := nextPart(since)
		if !ok || !both {
			return true
		}
		if v != s {
			return v > s
		}
		version, since = versionLeft, sinceLeft
	}
}

// tooCoarse reports whether a written version leaves open on which side of
// boundary it is.
func tooCoarse(version, boundary string) bool {
	v, b := versionParts(version), versionParts(boundary)
	if version == "" || len(v) >= len(b) {
		return false
	}
	for i := range v {
		if v[i] != b[i] {
			return false
		}
	}
	for _, n := range b[len(v):] {
		if n != 0 {
			return true
		}
	}
	return false
}

// isMonth reports whether a boundary is a date, as of a hosted product.
func isMonth(since string) bool {
	year, month, ok := strings.Cut(since, "-")
	return ok && len(year) == 4 && len(month) == 2 && strings.Trim(year+month, "0123456789") == ""
}
