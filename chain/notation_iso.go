package chain

import (
	"regexp"
	"strings"
	"time"
)

// iso is a duration of ISO 8601 as Java reads it: "PT1M30S", "P1DT0.5S", each part with a
// sign of its own.
var iso = regexp.MustCompile(`(?i)^P(?:([-+]?[0-9]+D))?(?:T([-+]?[0-9]+H)?([-+]?[0-9]+M)?([-+]?[0-9]+(?:[.,][0-9]{0,9})?S)?)?$`)

// isoPart is one part of such a duration.
var isoPart = Notation{Name: "a duration of ISO 8601", Units: []string{"d", "h", "m", "s"}, Decimals: true, Signed: true, Plus: true, AnyCase: true, Example: `"PT90S"`}

// fromISO reads one; ok is false where the text is none, or longer than any timer.
func fromISO(text string) (d time.Duration, ok bool) {
	m := iso.FindStringSubmatch(text)
	if m == nil || strings.HasSuffix(strings.ToUpper(text), "T") {
		return 0, false
	}
	for _, part := range m[1:] {
		if part == "" {
			continue
		}
		one, err := isoPart.Parse(strings.ReplaceAll(part, ",", "."))
		if err != nil || one > 0 && d > Never-1-one || one < 0 && d < -Never+1-one {
			return 0, false
		}
		d, ok = d+one, true
	}
	return d, ok
}
