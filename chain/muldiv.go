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

// Need is how many connections of each instance a rate keeps busy for a time:
// tps × d ÷ instances, rounded up. tps is in requests per 1000 s of all
// instances. The largest int if d is Never.
func Need(tps int64, instances int, d time.Duration) int {
	if d == Never {
		return int(^uint(0) >> 1)
	}
	hi, lo := bits.Mul64(uint64(tps), uint64(d))
	by := uint64(max(instances, 1)) * uint64(1000*time.Second)
	if hi >= by {
		return int(^uint(0) >> 1)
	}
	q, rem := bits.Div64(hi, lo, by)
	if rem > 0 {
		q++
	}
	return int(q)
}

// Lasts is how long a number of bytes takes at a rate, rounded down to the
// nanosecond; Never if it does not fit. The rate is in bytes per second, over 0.
func Lasts(bytes, perSecond int64) time.Duration {
	return mulDiv(bytes, int64(time.Second), perSecond)
}
