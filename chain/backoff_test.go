package chain

import (
	"testing"
	"time"
)

func TestAWaitGrowsFromItsFirstOne(t *testing.T) {
	second := Value{D: time.Second}
	for _, tt := range []struct {
		name string
		r    Retry
		cond Cond
		want []time.Duration // before attempt 2, 3, …
	}{
		{"without a multiplier all are the same", Retry{Interval: second}, CondTimeout, []time.Duration{time.Second, time.Second}},
		{"it grows up to the longest", Retry{Interval: second, Multiplier: 2000, MaxInterval: 3 * time.Second}, CondTimeout, []time.Duration{time.Second, 2 * time.Second, 3 * time.Second}},
		{"the first repeat may come at once", Retry{Interval: second, Multiplier: 2000, FirstAtOnce: true}, CondTimeout, []time.Duration{0, 2 * time.Second, 4 * time.Second}},
		{"it may wait after some failures only", Retry{Interval: second, WaitOn: []Cond{CondRefused}}, CondTimeout, []time.Duration{0, 0}},
		{"and does after those", Retry{Interval: second, WaitOn: []Cond{CondRefused}}, CondRefused, []time.Duration{time.Second, time.Second}},
	} {
		for i, want := range tt.want {
			if got := tt.r.after(tt.cond, i+2); got != want {
				t.Errorf("%s: before attempt %d it waits %v, want %v", tt.name, i+2, got, want)
			}
		}
	}
}

func TestTheLongestThatJitterCanDrawIsCalledThat(t *testing.T) {
	for jitter, want := range map[bool]string{false: "back-off", true: "back-off (the longest that jitter can draw)"} {
		longest, all := backoffs(&Retry{Interval: Value{D: time.Second}, Multiplier: 2000, Jitter: jitter}, 3)
		for _, sum := range []Sum{longest, all} {
			for _, term := range sum.Terms {
				if term.Label != want {
					t.Errorf("with jitter %v a wait of %v is called %q, want %q", jitter, term.D, term.Label, want)
				}
			}
		}
	}
}
