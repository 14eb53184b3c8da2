package check

import (
	"slices"
	"testing"

	"tchain.dev/tchain/chain"
)

func TestAFindingKeepsEachRouteWithEachCallee(t *testing.T) {
	at := func(route, callee string, severity Severity) Finding {
		return Finding{Rule: "r", Pos: chain.Range{Line: 1}, Layer: "a", Setting: "a.x", Routes: []string{route}, Callee: callee, Severity: severity}
	}
	m := &merger{at: map[string][]int{}, routes: map[string]bool{}}
	for _, f := range []Finding{
		at("GET /a", "b", Warning), at("GET /a", "c", Error), at("GET /a", "b", Warning), at("GET /b", "c", Warning), at("GET /b", "", Warning),
	} {
		m.add(f)
	}
	if len(m.out) != 2 || m.out[0].Severity != Error || m.out[1].Severity != Warning {
		t.Fatalf("%+v", m.out)
	}
	for i, want := range [][]string{{"GET /a → b", "GET /a → c"}, {"GET /b → c", "GET /b"}} {
		if got := m.out[i].Places(); !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
	}
	if f := (Finding{Routes: []string{"GET /a"}}); !slices.Equal(f.Places(), f.Routes) {
		t.Errorf("%q", f.Places())
	}
}
