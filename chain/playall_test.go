package chain

import (
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func TestPlayAllTellsWhatPlayTells(t *testing.T) {
	repeat(t, 300, func(t *rapid.T) {
		r := randomRoute(t, false)
		all := PlayAll(r)
		for i, f := range Faults(r) {
			if one := Play(r, f); !reflect.DeepEqual(one, all[i]) {
				t.Fatalf("%s: %s\nbut alone %s", faultName(f), brief(all[i]), brief(one))
			}
		}
	})
}

// appsInARow is a route through so many apps.
func appsInARow(n int) *Route {
	hops := []hop{web(Never)}
	for i := range n {
		a := app(httpClient(1))
		a.node.Layer = fmt.Sprintf("app%d", i)
		hops = append(hops, a)
	}
	return way("GET", append(hops, external(0))...)
}

// A chain twice as long has twice as many faults, and a request goes twice as far.
func TestAllocationsOfAllPlaysGrowWithTheFaultsAndTheWay(t *testing.T) {
	short, long := appsInARow(15), appsInARow(30)
	a := testing.AllocsPerRun(5, func() { PlayAll(short) })
	b := testing.AllocsPerRun(5, func() { PlayAll(long) })
	if b > 4*a {
		t.Errorf("%v allocations for 15 apps, %v for 30", a, b)
	}
}
