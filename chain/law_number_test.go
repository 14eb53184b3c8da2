package chain

import (
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func drawTime(t *rapid.T, name string) time.Duration {
	switch rapid.IntRange(0, 9).Draw(t, "size of "+name) {
	case 0:
		return Never
	case 1:
		return 0
	case 2:
		return Never - time.Duration(rapid.IntRange(1, 9).Draw(t, name))
	case 3, 4, 5:
		return time.Duration(rapid.Int64Range(0, int64(Never)).Draw(t, name))
	}
	return time.Duration(rapid.Int64Range(0, int64(300*time.Hour)).Draw(t, name))
}

// saturated is a whole number as a time: Never if it does not fit.
func saturated(n *big.Int) time.Duration {
	if n.Cmp(big.NewInt(int64(Never))) >= 0 {
		return Never
	}
	return time.Duration(n.Int64())
}

func bigOf(d time.Duration) *big.Int { return big.NewInt(int64(d)) }

func TestSumsAndProductsOfTimesAreThoseOfWholeNumbersUntilTheyDoNotFit(t *testing.T) {
	repeat(t, 5000, func(t *rapid.T) {
		a, b, c := drawTime(t, "a"), drawTime(t, "b"), drawTime(t, "c")
		n := rapid.IntRange(-1, 100000).Draw(t, "n")
		if got, want := Add(a, b), saturated(new(big.Int).Add(bigOf(a), bigOf(b))); got != want {
			t.Fatalf("%d + %d is %d, not %d", a, b, want, got)
		}
		if Add(a, b) != Add(b, a) || Add(Add(a, b), c) != Add(a, Add(b, c)) || Add(a, 0) != a || Add(a, Never) != Never {
			t.Fatalf("Add is no sum for %d, %d, %d", a, b, c)
		}
		want := saturated(new(big.Int).Mul(big.NewInt(int64(max(n, 0))), bigOf(a)))
		if got := Times(n, a); got != want {
			t.Fatalf("%d × %d is %d, not %d", n, a, want, got)
		}
		if n > 0 && Times(n+1, a) != Add(Times(n, a), a) {
			t.Fatalf("(%d+1) × %d is not one more", n, a)
		}
	})
}

func TestAFormattedTimeReadsBackAsTheSameTime(t *testing.T) {
	repeat(t, 5000, func(t *rapid.T) {
		d := drawTime(t, "d")
		if d != Never && rapid.Bool().Draw(t, "negative") {
			d = -d
		}
		text := Format(d)
		if d == Never {
			if text != "never" {
				t.Fatal(text)
			}
			return
		}
		back, err := time.ParseDuration(text)
		if err != nil || back != d {
			t.Fatalf("%d is written %q and read as %d (%v)", d, text, back, err)
		}
	})
}

func TestTheNeededConnectionsFitAndOneFewerDoesNot(t *testing.T) {
	repeat(t, 5000, func(t *rapid.T) {
		tps := rapid.Int64Range(0, 1e12).Draw(t, "tps")
		instances := rapid.IntRange(0, 5000).Draw(t, "instances")
		d := time.Duration(rapid.Int64Range(0, int64(2000*time.Hour)).Draw(t, "d"))
		n := needOf(tps, instances, d)
		busy := new(big.Int).Mul(big.NewInt(tps), bigOf(d)) // in requests × ns per 1000 s
		room := func(n int) *big.Int {
			each := new(big.Int).Mul(big.NewInt(int64(max(instances, 1))), bigOf(1000*time.Second))
			return each.Mul(each, big.NewInt(int64(n)))
		}
		if room(n).Cmp(busy) < 0 {
			t.Fatalf("%d connections are too few for %d requests in 1000 s of %s on %d instances", n, tps, Format(d), instances)
		}
		if n > 0 && room(n-1).Cmp(busy) >= 0 {
			t.Fatalf("%d connections are one too many for %d requests in 1000 s of %s on %d instances", n, tps, Format(d), instances)
		}
		if tps > 0 && Exhaust(n, tps, instances) < d {
			t.Fatalf("%d connections last only %s of %s", n, Format(Exhaust(n, tps, instances)), Format(d))
		}
		if tps > 0 && n > 0 && Exhaust(n-1, tps, instances) >= d {
			t.Fatalf("%d connections last %s too", n-1, Format(d))
		}
	})
}

func TestAPoolLastsItsConnectionsOverTheRate(t *testing.T) {
	repeat(t, 5000, func(t *rapid.T) {
		n := rapid.IntRange(0, 1<<40).Draw(t, "n")
		tps := rapid.Int64Range(0, 1e15).Draw(t, "tps")
		instances := rapid.IntRange(0, 1<<20).Draw(t, "instances")
		got := Exhaust(n, tps, instances)
		if tps == 0 {
			if got != Never {
				t.Fatalf("a pool that nobody uses lasts %s", Format(got))
			}
			return
		}
		want := new(big.Int).Mul(big.NewInt(int64(n)), big.NewInt(int64(max(instances, 1))))
		want.Mul(want, bigOf(1000*time.Second)).Div(want, big.NewInt(tps))
		if got != saturated(want) {
			t.Fatalf("%d connections on %d instances at %d in 1000 s last %s, not %d", n, instances, tps, want, got)
		}
	})
}

func TestTheNeedOfAnEndlessCallIsEveryConnectionThereIs(t *testing.T) {
	if got := needOf(1, 1, Never); got != int(^uint(0)>>1) {
		t.Errorf("Need is %d", got)
	}
	if got := needOf(1<<62, 1, Never-1); got != int(^uint(0)>>1) {
		t.Errorf("Need is %d", got)
	}
}

func needOf(tps int64, instances int, d time.Duration) int {
	b := Busy{Instances: instances}
	b.Add(tps, d)
	return b.Need()
}

func TestBytesLastWholeMillisecondsTheLastOneBegun(t *testing.T) {
	for _, row := range []struct {
		says             string
		bytes, perSecond int64
		want             time.Duration
	}{
		{"what comes out even stays so", 100_000_000, 1_000_000, 100 * time.Second},
		{"a third of a second is rounded up", 1, 3, 334 * time.Millisecond},
		{"one byte at a high rate takes a millisecond", 1, 1 << 20, time.Millisecond},
		{"nothing takes no time", 0, 3, 0},
		{"what does not fit never ends", 1 << 62, 1, Never},
	} {
		if got := Lasts(row.bytes, row.perSecond); got != row.want {
			t.Errorf("%s: %s, want %s", row.says, Format(got), Format(row.want))
		}
	}
}
