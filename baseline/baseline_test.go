package baseline

import (
	"fmt"
	"testing"

	"tchain.dev/tchain/check"
)

func finding(rule, setting string, severity check.Severity) check.Finding {
	return check.Finding{Rule: rule, Stack: "shop", Layer: "proxy", Setting: setting, Severity: severity, Message: rule + " at " + setting}
}

// on is a finding on routes.
func on(f check.Finding, routes ...string) check.Finding {
	f.Routes = routes
	return f
}

// calls is a finding on one route for a callee.
func calls(f check.Finding, callee string) check.Finding {
	f.Routes, f.Callee = []string{"GET /a"}, callee
	return f
}

// written is a baseline that was written and read again.
func written(t *testing.T, entries ...Entry) *Baseline {
	t.Helper()
	b, err := Parse("b.json", Encode(entries))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestSplit(t *testing.T) {
	warning, severe := finding("no-limit", "a", check.Warning), finding("no-limit", "a", check.Error)
	for _, tc := range []struct {
		name   string
		known  []Entry
		dir    string
		now    []check.Finding
		gone   string // a directory that is no longer there
		stands int
		fixed  int
	}{
		{"a known finding passes", Of("x", []check.Finding{warning}), "x", []check.Finding{warning}, "", 0, 0},
		{"one that has become more severe stands, and its entry stays", Of("x", []check.Finding{warning}), "x", []check.Finding{severe}, "", 1, 0},
		{"one that has become less severe passes", Of("x", []check.Finding{severe}), "x", []check.Finding{warning}, "", 0, 0},
		{"the same in another directory is new", Of("x", []check.Finding{warning}), "y", []check.Finding{warning}, "", 1, 1},
		{"unless its directory was renamed", Of("x", []check.Finding{warning}), "y", []check.Finding{warning}, "x", 0, 0},
		{"an entry stands for one finding", Of("x", []check.Finding{warning}), "x", []check.Finding{warning, warning}, "", 1, 0},
		{"two stacks of one name in a directory have two entries", append(Of("x", []check.Finding{warning}), Of("x", []check.Finding{warning})...), "x", []check.Finding{warning}, "", 0, 1},
		{"another setting is another finding", Of("x", []check.Finding{warning}), "x", []check.Finding{finding("no-limit", "b", check.Warning)}, "", 1, 1},
		{"one on a further route stands, and its entry stays", Of("x", []check.Finding{on(warning, "GET /a")}), "x", []check.Finding{on(warning, "GET /b", "GET /a")}, "", 1, 0},
		{"one on other routes alone is another finding", Of("x", []check.Finding{on(warning, "GET /a")}), "x", []check.Finding{on(warning, "GET /b")}, "", 1, 1},
		{"one on the same route, for another callee alone, is another finding", Of("x", []check.Finding{calls(warning, "a")}), "x", []check.Finding{calls(warning, "b")}, "", 1, 1},
		{"one for a further callee on the same route stands", Of("x", []check.Finding{calls(warning, "a")}), "x", []check.Finding{calls(warning, "a"), calls(warning, "b")}, "", 1, 0},
		{"one for fewer callees passes, and the others must leave", Of("x", []check.Finding{calls(warning, "a"), calls(warning, "b")}), "x", []check.Finding{calls(warning, "b")}, "", 0, 1},
		{"one on fewer routes passes, and the others must leave", Of("x", []check.Finding{on(warning, "GET /a", "GET /b")}), "x", []check.Finding{on(warning, "GET /b")}, "", 0, 1},
		{"the order of routes is nothing", Of("x", []check.Finding{on(warning, "GET /b", "GET /a")}), "x", []check.Finding{on(warning, "GET /a", "GET /b")}, "", 0, 0},
		{"of two with one cause the second is known when the first is fixed", Of("x", []check.Finding{on(warning, "GET /a"), on(warning, "GET /b")}), "x", []check.Finding{on(warning, "GET /b")}, "", 0, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := written(t, tc.known...)
			b.Gone = func(dir string) bool { return dir == tc.gone }
			stand, known := b.Split(tc.dir, tc.now, nil)
			fixed := b.Fixed(func(string, string) bool { return true })
			fixed = append(fixed, b.Narrowed()...)
			if len(stand) != tc.stands || len(stand)+len(known) != len(tc.now) || len(fixed) != tc.fixed {
				t.Errorf("%d stand, %d known, %d fixed", len(stand), len(known), len(fixed))
			}
		})
	}
}

func TestUpdate(t *testing.T) {
	warning, severe := finding("no-limit", "a", check.Warning), finding("no-limit", "a", check.Error)
	other := finding("ping", "b", check.Warning)
	b := written(t, Of("x", []check.Finding{warning})...)
	kept, added, _ := b.Update("x", []check.Finding{severe, other}, nil, check.Warning, false)
	if added != 0 || len(kept) != 1 || kept[0].Severity != "warning" {
		t.Errorf("pruning accepts %v", kept)
	}
	b = written(t, Of("x", []check.Finding{warning})...)
	kept, added, _ = b.Update("x", []check.Finding{severe, other, finding("implicit", "c", check.Info)}, nil, check.Warning, true)
	if added != 2 || len(kept) != 2 || kept[0].Severity != "error" {
		t.Errorf("%d added: %v", added, kept)
	}
}

func TestUpdateOfRoutes(t *testing.T) {
	warning := finding("no-limit", "a", check.Warning)
	for _, tc := range []struct {
		name  string
		now   check.Finding
		add   bool
		added int
		want  string // routes of the only entry, "none" without one
	}{
		{"what is fixed leaves", on(warning, "GET /a"), false, 0, "[GET /a]"},
		{"pruning accepts no route", on(warning, "GET /a", "GET /c"), false, 0, "[GET /a]"},
		{"writing does", on(warning, "GET /a", "GET /c"), true, 1, "[GET /a GET /c]"},
		{"an entry of which nothing is left goes", on(warning, "GET /c"), false, 0, "none"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := written(t, Of("x", []check.Finding{on(warning, "GET /a", "GET /b")})...)
			kept, added, _ := b.Update("x", []check.Finding{tc.now}, nil, check.Warning, tc.add)
			got := "none"
			if len(kept) > 0 {
				got = fmt.Sprint(kept[0].Routes)
			}
			if got != tc.want || added != tc.added {
				t.Errorf("%s, %d added", got, added)
			}
		})
	}
}

func TestAnEntryWithoutAFindingSaysWhatItIs(t *testing.T) {
	limit := on(finding("no-limit", "a", check.Warning), "GET /a")
	twice := append(Of("x", []check.Finding{limit}), Of("x", []check.Finding{limit})...)
	edited := Of("x", []check.Finding{limit})
	edited[0].Fingerprint = "0123456789abcdef"
	for _, tc := range []struct {
		name  string
		known []Entry
		now   []check.Finding
		gone  bool
		want  string
	}{
		{"its finding is gone", Of("x", []check.Finding{limit}), nil, false, " is fixed and must leave the baseline"},
		{"and is another one, which says something else", Of("x", []check.Finding{limit}), []check.Finding{on(finding("no-limit", "b", check.Warning), "GET /a")}, false, " is fixed and must leave the baseline"},
		{"its stack is gone", Of("x", []check.Finding{limit}), nil, true, ", which is gone, must leave the baseline"},
		{"it was copied", twice, []check.Finding{limit}, false, " has more entries in the baseline than findings, and this one must leave it"},
		{"its fingerprint was changed", edited, []check.Finding{limit}, false, " is still found, but has not the fingerprint of this entry, which must leave the baseline"},
		{"and its finding is gone", edited, nil, false, " is fixed and must leave the baseline"},
	} {
		b := written(t, tc.known...)
		b.Split("x", tc.now, nil)
		fixed := b.Fixed(func(string, string) bool { return true })
		if len(fixed) != 1 {
			t.Errorf("%s: %d must leave", tc.name, len(fixed))
			continue
		}
		if got, want := fixed[0].Finding(tc.gone).Message, "no-limit of stack shop"+tc.want+": no-limit at a"; got != want {
			t.Errorf("%s: %s", tc.name, got)
		}
	}
}

func TestARuleThatMustStandIsNotInABaseline(t *testing.T) {
	ping, limit := finding("ping", "b", check.Warning), on(finding("no-limit", "a", check.Warning), "GET /a")
	before := func() *Baseline {
		return written(t, Of("x", []check.Finding{ping, on(limit, "GET /a", "GET /b")})...)
	}
	must := []string{"no-limit"}
	b := before()
	stand, known := b.Split("x", []check.Finding{ping, limit}, must)
	if len(stand) != 1 || stand[0].Rule != "no-limit" || len(known) != 1 {
		t.Errorf("%v stand, %v are known", stand, known)
	}
	refused := b.Refused()
	if len(refused) != 1 || refused[0].Rule != "no-limit" || len(b.Narrowed()) != 0 || len(b.Fixed(func(string, string) bool { return true })) != 0 {
		t.Errorf("refused %v, narrowed %v", refused, b.Narrowed())
	}
	if got, want := refused[0].MustStand().Message, "no-limit of stack shop is not suppressible and must leave the baseline: no-limit at a"; got != want {
		t.Error(got)
	}
	info := finding("no-limit", "c", check.Info)
	for _, add := range []bool{false, true} {
		kept, added, n := before().Update("x", []check.Finding{ping, limit, finding("no-limit", "d", check.Error), info}, must, check.Warning, add)
		if len(kept) != 1 || kept[0].Rule != "ping" || added != 0 || n != 2 {
			t.Errorf("add %v: kept %v, %d added, %d refused", add, kept, added, n)
		}
	}
}

func TestTheFileDoesNotDependOnTheOrderOfFindings(t *testing.T) {
	a := Of("x", []check.Finding{finding("ping", "b", check.Warning), finding("no-limit", "a", check.Warning)})
	b := []Entry{a[1], a[0]}
	if string(Encode(a)) != string(Encode(b)) {
		t.Error("it does")
	}
}

func FuzzParse(f *testing.F) {
	f.Add(Encode(Of("x", []check.Finding{finding("ping", "b", check.Warning)})))
	f.Add([]byte("{\"schemaVersion\": 1, \"findings\": [{\"fingerprint\": \"\\u00e4\"},]}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		b, err := Parse("b.json", text)
		if err != nil {
			return
		}
		again, err := Parse("b.json", Encode(b.Entries))
		if err != nil || len(again.Entries) != len(b.Entries) {
			t.Errorf("%v: %q", err, text)
		}
	})
}
