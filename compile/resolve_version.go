package compile

import (
	"regexp"
	"strconv"
	"strings"
)

// versionParts are the numbers of a version or a month: "1.29.7" and "2026-11".
// What follows the first part that is no number does not count.
func versionParts(text string) []int {
	var out []int
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '.' || r == '-' }) {
		n, err := strconv.Atoi(part)
		if err != nil {
			return out
		}
		out = append(out, n)
	}
	return out
}

// atLeast reports whether version is since or newer. A version that is written
// more coarsely than since counts as the newest of its line: "1.29" is at least
// "1.29.7". "" is the newest of all.
func atLeast(version, since string) bool {
	if version == "" {
		return true
	}
	v, s := versionParts(version), versionParts(since)
	for i := range min(len(v), len(s)) {
		if v[i] != s[i] {
			return v[i] > s[i]
		}
	}
	return true
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

var month = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}$`)

// isMonth reports whether a boundary is a date, as of a hosted product.
func isMonth(since string) bool { return month.MatchString(since) }
