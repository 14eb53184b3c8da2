package chain

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Never is the bound of a timer that does not fire, and the time of something
// that does not happen.
const Never = time.Duration(math.MaxInt64)

// Add is a + b, where Never stays Never and a sum that does not fit is Never.
func Add(a, b time.Duration) time.Duration {
	if a == Never || b == Never || a > Never-b {
		return Never
	}
	return a + b
}

// Times is n × d, where Never stays Never and a product that does not fit is Never.
func Times(n int, d time.Duration) time.Duration {
	switch {
	case n <= 0 || d == 0:
		return 0
	case d == Never || d > Never/time.Duration(n):
		return Never
	}
	return time.Duration(n) * d
}

// Format writes a duration as a Go duration string in one unit, the largest
// that loses nothing below a minute: "95s", "1.5s", "300ms", "never". Seconds
// are not folded into minutes, because the settings it is laid beside are in
// seconds.
func Format(d time.Duration) string {
	neg := ""
	if d == Never {
		return "never"
	}
	if d < 0 {
		neg, d = "-", -d
	}
	switch {
	case d == 0:
		return "0s"
	case d < time.Microsecond:
		return neg + decimal(d, time.Nanosecond, 0) + "ns"
	case d < time.Millisecond:
		return neg + decimal(d, time.Microsecond, 3) + "µs"
	case d < time.Second:
		return neg + decimal(d, time.Millisecond, 6) + "ms"
	}
	return neg + decimal(d, time.Second, 9) + "s"
}

// Shown is Format for people: at most three decimals, the nearest. What is counted on with,
// written into a file or into a field of JSON is never rounded.
func Shown(d time.Duration) string {
	unit := time.Second
	switch {
	case d == Never || d > -time.Microsecond && d < time.Microsecond:
		return Format(d)
	case d > -time.Millisecond && d < time.Millisecond:
		unit = time.Microsecond
	case d > -time.Second && d < time.Second:
		unit = time.Millisecond
	}
	return Format(d.Round(unit / 1000))
}

func decimal(d, unit time.Duration, digits int) string {
	whole := strconv.FormatInt(int64(d/unit), 10)
	rest := int64(d % unit)
	if rest == 0 {
		return whole
	}
	frac := strconv.FormatInt(rest, 10)
	frac = strings.Repeat("0", digits-len(frac)) + frac
	return whole + "." + strings.TrimRight(frac, "0")
}
