package chain

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// A Notation is how a product writes durations. It is data from the catalogue:
// the products differ in the units they take, in what a bare number means, and
// in whether decimals or several units may be written.
type Notation struct {
	Name     string   // as the catalogue calls it, for messages: "NGINX time"
	Units    []string // suffixes that are taken, largest first
	Bare     string   // the unit of a bare number; "" where one is not taken
	BareZero bool     // "0" without a unit is taken
	Number   bool     // written as a number, not as a string
	Decimals bool     // "1.5s"
	Combine  bool     // "1h30m", from the largest unit to the smallest
	AnyOrder bool     // "30m1h" and "1m1m" as well
	Spaces   bool     // "1h 30m"
	ISO      bool     // "PT1M30S" as well
	AnyCase  bool     // "5S" as well
	Signed   bool     // a negative duration is taken
	Plus     bool     // "+5s" as well
	Replaced bool     // a text that is none is taken as well, and replaced by the product
	Example  string   // "90s"
}

// unitSizes are the units that a Notation may name.
var unitSizes = map[string]time.Duration{
	"ns": time.Nanosecond, "us": time.Microsecond, "µs": time.Microsecond, "ms": time.Millisecond,
	"s": time.Second, "m": time.Minute, "min": time.Minute, "mi": time.Minute, "h": time.Hour, "d": 24 * time.Hour, "w": 7 * 24 * time.Hour,
	"M": 30 * 24 * time.Hour, "y": 365 * 24 * time.Hour,
}

// Parse reads a duration. The error says what is wrong with the text and names
// a form that is right; it does not repeat the name of the setting.
func (n Notation) Parse(text string) (time.Duration, error) {
	s, neg := text, false
	if n.Signed && strings.HasPrefix(s, "-") {
		s, neg = s[1:], true
	}
	if n.Plus && !neg {
		s = strings.TrimPrefix(s, "+")
	}
	if s == "" {
		return 0, n.bad(text, "is empty")
	}
	if strings.HasPrefix(s, "-") {
		return 0, n.bad(text, "is negative")
	}
	if n.AnyCase {
		s = strings.ToLower(s)
	}
	if n.BareZero && s == "0" {
		return 0, nil
	}
	total, ok := n.short(s)
	if !ok && n.ISO {
		total, ok = fromISO(s)
	}
	if ok {
		if neg {
			total = -total
		}
		return total, nil
	}
	sum, last := new(big.Rat), -1
	for i := 0; s != ""; i++ {
		if i > 0 && n.Spaces {
			s = strings.TrimPrefix(s, " ")
		}
		num := s[:len(s)-len(strings.TrimLeft(s, "0123456789"))]
		s = s[len(num):]
		if strings.HasPrefix(s, ".") {
			frac := s[1 : 1+len(s[1:])-len(strings.TrimLeft(s[1:], "0123456789"))]
			if !n.Decimals {
				return 0, n.bad(text, "has decimals, which are not taken here")
			}
			num, s = num+"."+frac, s[1+len(frac):]
		}
		if num == "" || num == "." {
			return 0, n.bad(text, "is not a duration")
		}
		if i > 0 && !n.Combine {
			return 0, n.bad(text, "is not a duration")
		}
		unit, rank := n.unit(s)
		s = s[len(unit):]
		switch {
		case unit == "" && s == "" && n.Bare != "":
			unit = n.Bare
			rank = n.rank(unit)
		case unit == "" && s == "":
			return 0, n.bad(text, "has no unit")
		case unit == "":
			return 0, n.bad(text, "is not a duration")
		}
		if rank <= last && i > 0 && !n.AnyOrder {
			return 0, n.bad(text, "has its units in the wrong order")
		}
		last = rank
		v, ok := new(big.Rat).SetString(strings.TrimSuffix(num, "."))
		if !ok {
			return 0, n.bad(text, "is not a duration")
		}
		sum.Add(sum, v.Mul(v, new(big.Rat).SetInt64(int64(unitSizes[unit]))))
	}
	ns := new(big.Int).Quo(sum.Num(), sum.Denom())
	if !ns.IsInt64() || time.Duration(ns.Int64()) == Never {
		return 0, n.bad(text, "is longer than any timer")
	}
	d := time.Duration(ns.Int64())
	if neg {
		d = -d
	}
	return d, nil
}

// short is a whole number with at most one unit, which nearly every duration
// is; ok is false for any other text, and for a number too long to be sure of.
func (n Notation) short(s string) (d time.Duration, ok bool) {
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	unit := s[digits:]
	if unit == "" {
		unit = n.Bare
	} else if !n.has(unit) {
		return 0, false
	}
	count, err := strconv.ParseInt(s[:digits], 10, 32)
	size := unitSizes[unit]
	if err != nil || size == 0 || time.Duration(count) > (Never-1)/size {
		return 0, false
	}
	return time.Duration(count) * size, true
}

func (n Notation) unit(s string) (unit string, rank int) {
	for i, u := range n.Units {
		if strings.HasPrefix(s, u) && len(u) > len(unit) {
			unit, rank = u, i
		}
	}
	return unit, rank
}

func (n Notation) rank(unit string) int {
	for i, u := range n.Units {
		if u == unit {
			return i
		}
	}
	return len(n.Units)
}

func (n Notation) bad(text, what string) error {
	return fmt.Errorf("%q %s; %s looks like %s", text, what, n.Name, n.Example)
}

// Format writes d in the notation, exactly; an error if the notation cannot say it.
func (n Notation) Format(d time.Duration) (string, error) {
	if d < 0 && !n.Signed {
		return "", fmt.Errorf("%s cannot be negative", n.Name)
	}
	unit := n.Bare
	for _, u := range []string{"s", "ms", "us", "ns"} {
		if d%unitSizes[u] == 0 && (u == n.Bare || n.has(u)) {
			unit = u
			break
		}
	}
	if n.Bare != "" && d%unitSizes[n.Bare] == 0 && len(n.Units) == 0 {
		unit = n.Bare
	}
	if unit == "" || d%unitSizes[unit] != 0 {
		return "", fmt.Errorf("%s cannot say %s", n.Name, Format(d))
	}
	text := fmt.Sprint(int64(d / unitSizes[unit]))
	if n.has(unit) {
		text += unit
	}
	return text, nil
}

func (n Notation) has(unit string) bool {
	for _, u := range n.Units {
		if u == unit {
			return true
		}
	}
	return false
}

// Step is the smallest difference that a person would write at the size of d:
// a second from one second on, else a millisecond, and never finer than the
// notation's own unit.
func (n Notation) Step(d time.Duration) time.Duration {
	step := time.Millisecond
	if d >= time.Second {
		step = time.Second
	}
	if len(n.Units) == 0 && n.Bare != "" && unitSizes[n.Bare] > step {
		step = unitSizes[n.Bare]
	}
	return step
}
