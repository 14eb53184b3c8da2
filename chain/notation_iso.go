package chain

import (
	"regexp"
	"strings"
	"time"
)

// iso is a duration of ISO 8601 as Java reads it: "PT1M30S", "P1DT0.5S".
var iso = regexp.MustCompile(`(?i)^P(?:([0-9]+D))?(?:T([0-9]+H)?([0-9]+M)?([0-9]+(?:\.[0-9]{1,9})?S)?)?$`)

// isoParts are the parts of one, one after the other.
var isoParts = Notation{Name: "a duration of ISO 8601", Units: []string{"d", "h", "m", "s"}, Decimals: true, Combine: true, Example: `"PT90S"`}

// fromISO reads one; ok is false where the text is none.
func fromISO(text string) (d time.Duration, ok bool) {
	m := iso.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	d, err := isoParts.Parse(strings.ToLower(strings.Join(m[1:], "")))
	return d, err == nil
}
