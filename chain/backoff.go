package chain

import "time"

// Drawn says of the waits of a policy with jitter that they are the longest it can come
// to; "" of any other.
func (r *Retry) Drawn() string {
	if !r.Jitter {
		return ""
	}
	return "the longest that jitter can draw"
}

// drawn is Drawn in brackets, behind a word.
func (r *Retry) drawn() string {
	if text := r.Drawn(); text != "" {
		return " (" + text + ")"
	}
	return ""
}

// Backoff is the longest wait before attempt n, counted from 2; Never where it
// does not fit.
func (r *Retry) Backoff(n int) time.Duration {
	if r.FirstAtOnce && n == 2 {
		return 0
	}
	d := r.atMost(r.Interval.D)
	for i := 2; i < n; i++ {
		next := r.grown(d)
		if next == d { // it grows no more, however many there are
			break
		}
		d = next
	}
	return d
}

// grown is the wait after one of d.
func (r *Retry) grown(d time.Duration) time.Duration {
	if d <= 0 || d == Never || r.Multiplier <= 0 || r.Multiplier == 1000 {
		return d
	}
	return r.atMost(mulDiv(int64(d), int64(r.Multiplier), 1000))
}

func (r *Retry) atMost(d time.Duration) time.Duration {
	if r.MaxInterval > 0 && d > r.MaxInterval {
		return r.MaxInterval
	}
	return d
}

// A wait is one that is taken N times in a row.
type wait struct {
	n int
	d time.Duration
}

// waits are the waits before all attempts up to a number of them, in their order.
// There are as many as the wait grows, and then one for all that are left.
func (r *Retry) waits(attempts int) []wait {
	var out []wait
	n, d := 2, r.atMost(r.Interval.D)
	if r.FirstAtOnce && attempts >= n {
		out = append(out, wait{1, 0})
		n, d = n+1, r.grown(d)
	}
	for n <= attempts {
		next := r.grown(d)
		if next == d {
			return append(out, wait{attempts - n + 1, d})
		}
		out = append(out, wait{1, d})
		n, d = n+1, next
	}
	return out
}

// waitsFrom are the waits before one attempt and all after it up to a number of
// them, where they fail by cond.
func (r *Retry) waitsFrom(cond Cond, first, attempts int) []wait {
	if !r.Waits(cond) {
		return []wait{{attempts - first + 1, 0}}
	}
	all := r.waits(attempts)
	for skip := first - 2; skip > 0; all = all[1:] {
		if all[0].n > skip {
			all[0].n -= skip
			break
		}
		skip -= all[0].n
	}
	return all
}

// Backoffs are all waits before a number of attempts together, in their longest
// form; Never where they do not fit.
func (r *Retry) Backoffs(attempts int) time.Duration { return together(r.waits(attempts)) }

func together(waits []wait) time.Duration {
	var all time.Duration
	for _, w := range waits {
		all = Add(all, Times(w.n, w.d))
	}
	return all
}

// mostTerms is how many waits a sum tells one by one.
const mostTerms = 16

// backoffs are the longest wait between attempts, and all of them together.
func backoffs(retry *Retry, attempts int) (longest, all Sum) {
	term := func(d time.Duration) Sum {
		if d <= 0 {
			return Sum{}
		}
		return Sum{Total: d, Terms: []Term{{D: d, Label: "back-off" + retry.drawn(), Origin: retry.Interval.Origin}}}
	}
	waits := retry.waits(attempts)
	for _, w := range waits {
		if w.d > longest.Total {
			longest = term(w.d)
		}
	}
	for i, w := range waits {
		if i == mostTerms {
			return longest, plus(all, term(together(waits[i:])))
		}
		all = plus(all, times(w.n, term(w.d)))
	}
	return longest, all
}
