package chain

import (
	"math/bits"
	"time"
)

// mulDiv is a × b ÷ c without overflow in between; Never if the result does not
// fit. All are positive.
func mulDiv(a, b, c int64) time.Duration {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi >= uint64(c) {
		return Never
	}
	q, _ := bits.Div64(hi, lo, uint64(c))
	if q >= uint64(Never) {
		return Never
	}
	return time.Duration(q)
}

// Lasts is how long a number of bytes takes at a rate, in whole milliseconds,
// the last one begun: no rate is known to the nanosecond, and nobody reads it.
// Never if it does not fit. The rate is in bytes per second, over 0.
func Lasts(bytes, perSecond int64) time.Duration {
	exact := mulDiv(bytes, int64(time.Second), perSecond)
	if whole := exact.Truncate(time.Millisecond); whole != exact && exact != Never {
		return Add(whole, time.Millisecond)
	}
	return exact
}
