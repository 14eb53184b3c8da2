package diff

import (
	"testing"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/emit/report"
)

func stack(dir, name string) Stack { return Stack{Dir: dir, Stack: &chain.Stack{Name: name}} }

func TestMatch(t *testing.T) {
	for _, tc := range []struct {
		name       string
		olds, news []Stack
		want       string // per pair the directories, "-" for none
	}{
		{"by directory and name", []Stack{stack("a", "x"), stack("b", "x")}, []Stack{stack("b", "x"), stack("a", "x")}, "b b, a a"},
		{"a renamed directory", []Stack{stack("a", "x")}, []Stack{stack("b", "x"), stack("c", "y")}, "a b, - c"},
		{"a renamed stack", []Stack{stack("a", "x"), stack("b", "z")}, []Stack{stack("a", "y"), stack("b", "z")}, "a a, b b"},
		{"two of one name are not told apart by it", []Stack{stack("dev", "x"), stack("prod", "x")}, []Stack{stack("stage", "x")}, "- stage, dev -, prod -"},
		{"a renamed directory above several of one name", []Stack{stack("pay/dev", "x"), stack("pay/prod", "x")}, []Stack{stack("geld/prod", "x"), stack("geld/dev", "x"), stack("geld/test", "x")},
			"pay/prod geld/prod, pay/dev geld/dev, - geld/test"},
		{"one further up", []Stack{stack("t/a/dev", "x"), stack("t/a/prod", "x"), stack("t/b/dev", "x")}, []Stack{stack("u/v/a/dev", "x"), stack("u/v/a/prod", "x"), stack("u/v/b/dev", "x")},
			"t/a/dev u/v/a/dev, t/a/prod u/v/a/prod, t/b/dev u/v/b/dev"},
		{"no common end of several", []Stack{stack("a/s", "x"), stack("b/s", "x")}, []Stack{stack("c/s", "x"), stack("d/s", "x")}, "- c/s, - d/s, a/s -, b/s -"},
		{"one on each side belong together", []Stack{stack("a", "x")}, []Stack{stack("b", "y")}, "a b"},
		{"two files of one name in a directory keep their order", []Stack{stack("a", "x"), stack("a", "x")}, []Stack{stack("a", "x"), stack("a", "x")}, "a a, a a"},
		{"another stack was moved to where one was removed", []Stack{stack("old", "old"), stack("prod", "prod")}, []Stack{stack("old", "prod")}, "prod old, old -"},
		{"two stacks changed places", []Stack{stack("a", "x"), stack("b", "y")}, []Stack{stack("a", "y"), stack("b", "x")}, "b a, a b"},
		{"several of two names changed places", []Stack{stack("pay/dev", "pay"), stack("pay/prod", "pay"), stack("stock/dev", "stock"), stack("stock/prod", "stock")},
			[]Stack{stack("pay/dev", "stock"), stack("pay/prod", "stock"), stack("stock/dev", "pay"), stack("stock/prod", "pay")},
			"stock/dev pay/dev, stock/prod pay/prod, pay/dev stock/dev, pay/prod stock/prod"},
		{"and one of each has gone", []Stack{stack("pay/dev", "pay"), stack("pay/prod", "pay"), stack("stock/dev", "stock"), stack("stock/prod", "stock")},
			[]Stack{stack("pay/dev", "stock"), stack("stock/prod", "pay")},
			"stock/dev pay/dev, pay/prod stock/prod, pay/dev -, stock/prod -"},
		{"renamed stacks of one name keep their directories", []Stack{stack("a/s", "x"), stack("b/s", "x")}, []Stack{stack("a/s", "y"), stack("b/s", "y")}, "a/s a/s, b/s b/s"},
		{"nothing at all", nil, nil, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := ""
			dir := func(s *Stack) string {
				if s == nil {
					return "-"
				}
				return s.Dir
			}
			for i, m := range Match(tc.olds, tc.news) {
				if i > 0 {
					got += ", "
				}
				got += dir(m.Old) + " " + dir(m.New)
			}
			if got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

func found1(severity check.Severity, message string, routes ...string) check.Finding {
	return check.Finding{Rule: "error-room", Layer: "proxy", Setting: "proxy.x", Severity: severity, Message: message, Routes: routes}
}

// calls is found1 on one route for a callee.
func calls(callee string) check.Finding {
	f := found1(check.Error, "m", "GET /a")
	f.Callee = callee
	return f
}

// measuredAt is a report in which the setting of found1 has a slack and a pool of 44.
func measuredAt(slack time.Duration, need int) []report.Route {
	d := report.Duration(slack)
	return []report.Route{{Route: "GET /a", Hops: []report.Hop{{
		Limits: []report.Limit{{Setting: "proxy.x", Slack: &d}}, Pool: &report.Pool{Setting: "proxy.x", Size: 44, Need: &need},
	}}}}
}

func TestFindings(t *testing.T) {
	same := measuredAt(-time.Second, 50)
	for _, tc := range []struct {
		name          string
		olds, news    []check.Finding
		accepted      []check.Finding
		before, after []report.Route
		want          string // change and why of each
	}{
		{"nothing moved", []check.Finding{found1(check.Error, "m", "GET /a")}, []check.Finding{found1(check.Error, "m", "GET /a")}, nil, same, same, ""},
		{"new", nil, []check.Finding{found1(check.Error, "m")}, nil, nil, same, "new;"},
		{"gone", []check.Finding{found1(check.Error, "m")}, nil, nil, same, same, "gone;"},
		{"gone since it is accepted", []check.Finding{found1(check.Error, "m")}, nil, []check.Finding{{Rule: "error-room", Layer: "proxy", Setting: "proxy.x", Suppressed: &chain.Ignore{Reason: "so be it"}}}, same, same, "gone accepted now: so be it;"},
		{"more severe", []check.Finding{found1(check.Warning, "m")}, []check.Finding{found1(check.Error, "m")}, nil, same, same, "worse was warning;"},
		{"less severe", []check.Finding{found1(check.Error, "m")}, []check.Finding{found1(check.Warning, "m")}, nil, same, same, "changed;"},
		{"on a further route", []check.Finding{found1(check.Error, "m", "GET /a")}, []check.Finding{found1(check.Error, "m", "GET /a", "GET /b")}, nil, same, same, "worse now on GET /b too;"},
		{"for a further callee", []check.Finding{calls("a")}, []check.Finding{calls("a"), calls("b")}, nil, same, same, "new;"},
		{"with less slack", []check.Finding{found1(check.Error, "m", "GET /a")}, []check.Finding{found1(check.Error, "n", "GET /a")}, nil, same, measuredAt(-3*time.Second, 50), "worse slack -1s → -3s;"},
		{"with more slack", []check.Finding{found1(check.Error, "m", "GET /a")}, []check.Finding{found1(check.Error, "n", "GET /a")}, nil, same, measuredAt(0, 50), "changed;"},
		{"with a pool that lacks more", []check.Finding{found1(check.Error, "m", "GET /a")}, []check.Finding{found1(check.Error, "n", "GET /a")}, nil, same, measuredAt(-time.Second, 60), "worse 6 connections short → 16;"},
		{"of two with one cause the one that stays is known", []check.Finding{found1(check.Error, "m"), found1(check.Error, "n")}, []check.Finding{found1(check.Error, "n")}, nil, same, same, "gone;"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o, n := &Stack{Findings: tc.olds}, &Stack{Findings: tc.news, Suppressed: tc.accepted}
			got := ""
			for _, f := range findings(o, n, tc.before, tc.after) {
				got += string(f.Change)
				if f.Why != "" {
					got += " " + f.Why
				}
				got += ";"
			}
			if got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	l := func(setting string, value time.Duration, line int) report.Limit {
		return report.Limit{Kind: "connect", Side: "call", Setting: setting, Value: report.Duration(value), Line: line}
	}
	for _, tc := range []struct {
		name       string
		olds, news []report.Limit
		want       []Kind
	}{
		{"another line is no change", []report.Limit{l("a", 1, 3)}, []report.Limit{l("a", 1, 9)}, nil},
		{"another setting with the same value is none", []report.Limit{l("a", 1, 3)}, []report.Limit{l("b", 1, 3)}, nil},
		{"another setting decides", []report.Limit{l("a", 1, 3)}, []report.Limit{l("b", 2, 3)}, []Kind{Changed}},
		{"one more", []report.Limit{l("a", 1, 3)}, []report.Limit{l("a", 1, 3), l("b", 2, 3)}, []Kind{New}},
		{"one less", []report.Limit{l("a", 1, 3), l("b", 2, 3)}, []report.Limit{l("b", 2, 3)}, []Kind{Gone}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := limits(tc.olds, tc.news)
			if len(got) != len(tc.want) {
				t.Fatalf("got %v", got)
			}
			for i, k := range tc.want {
				if got[i].Change != k {
					t.Errorf("got %s, want %s", got[i].Change, k)
				}
			}
		})
	}
}

// Whatever a stack is, it does not differ from itself.
func TestAStackDoesNotDifferFromItself(t *testing.T) {
	s := stack("a", "x")
	s.Findings = []check.Finding{found1(check.Error, "m", "GET /a"), found1(check.Error, "m", "GET /a")}
	if d := Compare("o", "n", []Stack{s}, []Stack{s}); len(d.Stacks) != 0 || d.Compared != 1 {
		t.Errorf("%+v", d)
	}
}
