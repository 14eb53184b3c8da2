package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tchain.dev/tchain/chain"
)

func TestFindingsAreOneWhereTheSameIsSaidOfAll(t *testing.T) {
	late := func(route string, d time.Duration) Finding {
		return Finding{
			Severity: Error, Routes: []string{route}, Message: fmt.Sprintf("a ends, and the answer of %s takes %s", nameOf(&chain.Route{Name: route}), byRoute(d)),
			Amount: Amount{D: d, Of: "it takes"},
		}
	}
	first := func(route string, d time.Duration) Finding {
		f := late(route, d)
		f.Message, f.Amount = fmt.Sprintf("b ends at %s", byRoute(d)), Amount{D: d, Of: "at", Low: true}
		return f
	}
	aside := func(f Finding, d time.Duration) Finding {
		f.Aside = Aside{"c works on for", d, ", unheard"}
		return f
	}
	plain := func(message, callee string, sev Severity, routes ...string) Finding {
		return Finding{Severity: sev, Routes: routes, Message: message, Callee: callee}
	}
	unlike := func(f Finding) Finding {
		f.Message += " in 2s"
		return f
	}
	for _, row := range []struct {
		n    string
		in   []Finding
		want []string // message, severity and places
	}{
		{"the same message", []Finding{plain("x", "", Error, "/a"), plain("x", "", Error, "/b"), plain("x", "", Error, "/a")}, []string{"x error /a, /b"}},
		{"another message", []Finding{plain("x", "", Error, "/a"), plain("y", "", Error, "/b")}, []string{"x error /a", "y error /b"}},
		{"another callee", []Finding{plain("x", "p", Error, "/a"), plain("x", "q", Error, "/a")}, []string{"x error /a → p", "x error /a → q"}},
		{"another severity on another route", []Finding{plain("x", "", Error, "/a"), plain("x", "", Warning, "/b")}, []string{"x error /a", "x warning /b"}},
		{"of two severities on one route the worst is told", []Finding{plain("x", "", Warning, "/a"), plain("y", "", Error, "/a"), plain("x", "", Warning, "/b")},
			[]string{"y error /a", "x warning /b"}},
		{"with each callee the worst", []Finding{plain("x", "p", Warning, "/a"), plain("y", "q", Error, "/a")}, []string{"x warning /a → p", "y error /a → q"}},
		{"on no route", []Finding{plain("x", "", Info), plain("y", "", Error)}, []string{"x info ", "y error "}},
		{"a message that names its route", []Finding{plain("x of \x02/a\x03", "", Error, "/a"), plain("x of \x02/b\x03", "", Error, "/b"), plain("x of \x02/c\x03", "", Error, "/c")},
			[]string{"x of /a; the same on 2 other routes error /a, /b, /c"}},
		{"a time without an amount", []Finding{plain("x "+byRoute(3*time.Second), "", Error, "/a"), plain("x "+byRoute(4*time.Second), "", Error, "/b")}, []string{"x 3s error /a", "x 4s error /b"}},
		{"a time that is not of the amount", []Finding{aside(first("/a", time.Second), time.Second), unlike(first("/b", time.Second))}, []string{"b ends at 1s; c works on for 1s, unheard error /a", "b ends at 1s in 2s error /b"}},
		{"the worst speaks, and comes first", []Finding{late("/a", 3*time.Second), late("/b", 5*time.Second)},
			[]string{"a ends, and the answer of /b takes 5s; on 1 other route it takes 3s error /b, /a"}},
		{"and says from where to where the others are", []Finding{late("/a", 5*time.Second), late("/b", 3*time.Second), late("/c", 5*time.Second), late("/d", 4*time.Second)},
			[]string{"a ends, and the answer of /a takes 5s; the same on 1 other route; on 2 other routes it takes 3s to 4s error /a, /b, /c, /d"}},
		{"a smaller amount may be worse", []Finding{first("/a", 3*time.Second), first("/b", 2*time.Second)}, []string{"b ends at 2s; on 1 other route at 3s error /b, /a"}},
		{"of two entrances of a route the worst counts", []Finding{first("/a", 3*time.Second), first("/b", 2*time.Second), first("/b", 4*time.Second)},
			[]string{"b ends at 2s; on 1 other route at 3s error /b, /a"}},
		{"what is so on one route is said of it", []Finding{late("/a", 3*time.Second), aside(late("/b", 3*time.Second), 2*time.Second)},
			[]string{"a ends, and the answer of /a takes 3s; on /b c works on for 2s, unheard; the same on 1 other route error /a, /b"}},
		{"on all", []Finding{aside(plain("x", "", Error, "/a"), time.Second), aside(plain("x", "", Error, "/b"), time.Second)},
			[]string{"x; c works on for 1s, unheard error /a, /b"}},
		{"on some, of different length", []Finding{aside(plain("x", "", Error, "/a"), time.Second), plain("x", "", Error, "/b"), aside(plain("x", "", Error, "/c"), 3*time.Second)},
			[]string{"x; on 2 of 3 routes c works on for up to 3s, unheard error /a, /b, /c"}},
	} {
		var got []string
		for i := range row.in {
			row.in[i].told()
		}
		for _, f := range merged(row.in) {
			got = append(got, f.Message+" "+f.Severity.String()+" "+strings.Join(f.Places(), ", "))
		}
		if d := cmp.Diff(row.want, got); d != "" {
			t.Errorf("%s: %s", row.n, d)
		}
	}
}

func TestAFixClearsItsOwnFindingWhereAnotherOneOfTheSameSettingStays(t *testing.T) {
	at := func(callee, of string, routes ...string) Finding {
		return Finding{Rule: "r", Pos: chain.Range{Line: 1}, Layer: "a", Setting: "a.x", Severity: Error, Callee: callee, Case: of, Routes: routes}
	}
	before := []Finding{at("b", "", "/a"), at("b", "", "/b"), at("c", "", "/a"), at("", "d", "/a"), at("", "e", "/a")}
	for _, row := range []struct {
		n     string
		after []Finding
		want  bool
	}{
		{"nothing is left", nil, true},
		{"what is left is on another route", before[1:2], true},
		{"of another callee", before[2:3], true},
		{"of another layer", before[3:4], true},
		{"it is left on its route, elsewhere in the file", []Finding{{Rule: "r", Pos: chain.Range{Line: 2}, Layer: "a", Setting: "a.x", Severity: Error, Callee: "b", Routes: []string{"/a"}}}, false},
		{"on its route with others", []Finding{at("b", "", "/b", "/a")}, false},
		{"another one comes to a route", []Finding{at("c", "", "/a", "/b")}, false},
	} {
		if _, ok := holds(before[0], before, row.after); ok != row.want {
			t.Errorf("%s: %v", row.n, ok)
		}
	}
	none := Finding{Rule: "r", Severity: Error}
	if _, ok := holds(none, nil, []Finding{none}); ok {
		t.Error("a finding on no route is not gone while it is there")
	}
	if f := (Finding{Routes: []string{"GET /a"}}); !slices.Equal(f.Places(), f.Routes) {
		t.Errorf("%q", f.Places())
	}
}
