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
	m := &merger{at: map[string]int{}, routes: map[string]bool{}}
	for _, f := range []Finding{
		at("GET /a", "b", Warning), at("GET /a", "c", Error), at("GET /a", "b", Warning), at("GET /b", "c", Warning), at("GET /b", "", Warning),
	} {
		m.add(f)
	}
	if len(m.out) != 1 || m.out[0].Severity != Error || !slices.Equal(m.out[0].Routes, []string{"GET /a", "GET /b"}) {
		t.Fatalf("%+v", m.out)
	}
	if got, want := m.out[0].Places(), []string{"GET /a → b", "GET /a → c", "GET /b → c", "GET /b"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if f := (Finding{Routes: []string{"GET /a"}}); !slices.Equal(f.Places(), f.Routes) {
		t.Errorf("%q", f.Places())
	}
}
