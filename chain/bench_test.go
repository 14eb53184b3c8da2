package chain

import (
	"testing"
	"time"
)

func BenchmarkPlay(b *testing.B) {
	r := insurance()
	faults := Faults(r)
	b.ReportAllocs()
	plays := 0
	for b.Loop() {
		for _, f := range faults {
			Play(r, f)
		}
		plays += len(faults)
	}
	b.ReportMetric(float64(plays)/b.Elapsed().Seconds(), "plays/s")
}

func BenchmarkWorst(b *testing.B) {
	r := insurance()
	nodes := r.Nodes()
	b.ReportAllocs()
	evaluations := 0
	for b.Loop() {
		for _, n := range nodes {
			Worst(r, n)
		}
		evaluations += len(nodes)
	}
	b.ReportMetric(float64(evaluations)/b.Elapsed().Seconds(), "worsts/s")
}

// scaled is the insurance route with every time of it so many times longer: its
// longest limit, of 160 s, is then 1000 h.
func scaled(factor time.Duration) *Route {
	r := insurance()
	for _, bound := range bounds(r) {
		*bound *= factor
	}
	for _, n := range r.Nodes() {
		n.Deadline.Reserve.D *= factor
		n.Work.P99.D *= factor
	}
	return r
}

func TestAllocationsOfAPlayDoNotGrowWithTheDuration(t *testing.T) {
	short, long := scaled(1), scaled(1000*time.Hour/(160*time.Second))
	few, many := Faults(short), Faults(long)
	for i := range few {
		a := testing.AllocsPerRun(10, func() { Play(short, few[i]) })
		b := testing.AllocsPerRun(10, func() { Play(long, many[i]) })
		if a != b {
			t.Errorf("%s: %v allocations at 160s, %v at 1000h", faultName(few[i]), a, b)
		}
	}
	for i, n := range short.Nodes() {
		a := testing.AllocsPerRun(10, func() { Worst(short, n) })
		b := testing.AllocsPerRun(10, func() { Worst(long, long.Nodes()[i]) })
		c := testing.AllocsPerRun(10, func() { long.Nodes() })
		if a != b-c {
			t.Errorf("worst of %s: %v allocations at 160s, %v at 1000h", n.Layer, a, b-c)
		}
	}
}
