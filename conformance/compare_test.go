package conformance

import (
	"strings"
	"testing"
	"time"
)

func TestCompareSaysWhereTheTwoDiffer(t *testing.T) {
	p := Prediction{Status: 504, By: NGINX, Setting: "proxy_read_timeout", Attempts: 2, ElapsedMS: 4000}
	for _, tt := range []struct {
		name   string
		change func(p *Prediction, r *Result)
		says   string // "" is agreement
	}{
		{"the same", func(p *Prediction, r *Result) {}, ""},
		{"300 ms early", func(p *Prediction, r *Result) { r.ElapsedMS = 3700 }, ""},
		{"301 ms early", func(p *Prediction, r *Result) { r.ElapsedMS = 3699 }, "elapsed"},
		{"900 ms late", func(p *Prediction, r *Result) { r.ElapsedMS = 4900 }, ""},
		{"901 ms late", func(p *Prediction, r *Result) { r.ElapsedMS = 4901 }, "elapsed"},
		{"another status", func(p *Prediction, r *Result) { r.Status = 502 }, "status: predicted 504, observed 502"},
		{"another writer", func(p *Prediction, r *Result) { r.By = Upstream }, "written by"},
		{"another setting", func(p *Prediction, r *Result) { r.Setting = "" }, "setting"},
		{"fewer attempts", func(p *Prediction, r *Result) { r.Attempts = 1 }, "attempts"},
		{"a cut", func(p *Prediction, r *Result) { r.Cut = true }, "cut"},
		{"no end", func(p *Prediction, r *Result) { r.Running, r.ElapsedMS = true, 9000 }, "running"},
		{"a first byte that was not predicted", func(p *Prediction, r *Result) { r.FirstByteMS = 100 }, ""},
		{"a first byte that comes late", func(p *Prediction, r *Result) { p.FirstByteMS, r.FirstByteMS = AtOnce, 2000 }, "first byte"},
		{"a first byte that does not come", func(p *Prediction, r *Result) { p.FirstByteMS, r.FirstByteMS = AtOnce, NoByte }, "first byte"},
		{"a first byte that should not come", func(p *Prediction, r *Result) { p.FirstByteMS, r.FirstByteMS = NoByte, 10 }, "first byte"},
	} {
		p, r := p, Result{Prediction: p, Product: NGINX}
		tt.change(&p, &r)
		got := compare(p, r)
		if tt.says == "" && got != nil || tt.says != "" && (len(got) != 1 || !strings.Contains(got[0], tt.says)) {
			t.Errorf("%s: compare says %q", tt.name, got)
		}
	}
}

func TestNoScenarioIsFasterThanItsProductIsExact(t *testing.T) {
	for _, s := range Scenarios() {
		tol, ok := Tolerances[s.Product]
		if !ok {
			t.Errorf("%s has no tolerance", s.Product)
		}
		for _, key := range sortedKeys(s.Settings) {
			if !strings.HasSuffix(key, "_timeout") {
				continue
			}
			d, err := nginxTime.Parse(strings.Trim(s.Settings[key], `"`))
			if err != nil || d != 0 && d < tol.MinGap {
				t.Errorf("%s: %s %s is below %v (%v)", s.Name, key, s.Settings[key], tol.MinGap, err)
			}
		}
		for _, u := range s.Upstreams {
			if time.Duration(u.IntervalMS)*time.Millisecond > tol.MinGap-tol.Early-time.Second {
				t.Errorf("%s: an interval of %d ms is too near to a gap of %v", s.Name, u.IntervalMS, tol.MinGap)
			}
		}
	}
}

func TestScenariosHaveNamesOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Scenarios() {
		if key := s.Product + " " + s.Name; seen[key] {
			t.Errorf("%s stands twice", key)
		} else {
			seen[key] = true
		}
	}
}
