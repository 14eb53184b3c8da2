package conformance

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/internal/retake"
)

func TestGo(t *testing.T) { runBlocks(t, GoScenarios(), driveGo) }

func driveGo(s BlockScenario) (Result, error) {
	if s.Side == "serve" {
		return driveGoServer(s)
	}
	return driveGoClient(s)
}

// runBlocks has tchain foretell every scenario, runs it, and compares.
func runBlocks(t *testing.T, all []BlockScenario, drive func(BlockScenario) (Result, error)) {
	routes, err := blockRoutes(t.TempDir(), all)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range all {
		t.Run(s.Product+" "+s.Name, func(t *testing.T) {
			t.Parallel()
			p, fails, ok := foretold(s, routes[i])
			p.FirstByteMS = s.Predict.FirstByteMS
			agrees := ok && p == s.Predict && fails == s.Fails
			switch {
			case !agrees && s.Unmodelled == "":
				t.Errorf("tchain says %v (%+v) %s, the scenario %v (%+v) %s", p, p, fails, s.Predict, s.Predict, s.Fails)
			case agrees && s.Unmodelled != "":
				t.Error("the model knows this now: remove Unmodelled")
			}
			var r Result
			var err error
			var differences []string
			for range retake.Most {
				if r, err = drive(s); err != nil {
					t.Fatalf("%s: %v", s.Product, err)
				}
				t.Logf("%s %s: %v; end %d ms, seen %+v, %v %s", r.Product, r.Version, r.Prediction, r.ElapsedMS, r.Seen, r.Native, r.Error)
				if differences = s.compare(r); differences == nil {
					break
				}
			}
			record(s.Scenario, r.Version, differences)
			for _, line := range differences {
				t.Errorf("%s %s: %s: %s", r.Product, r.Version, s.Name, line)
			}
		})
	}
}

func TestNoBlockIsFasterThanItsProductIsExact(t *testing.T) {
	for _, s := range BlockScenarios() {
		tol, ok := Tolerances[s.Product]
		if !ok {
			t.Errorf("%s has no tolerance", s.Product)
		}
		var block any
		if err := json.Unmarshal(s.Block, &block); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
		unit := time.Millisecond
		if pythonVersion(s.Key) != "" || s.Key == apacheKey || s.Key == rubyKey || s.Key == pumaKey {
			unit = time.Second
		}
		for _, d := range timersIn(block, "", unit) {
			if d > 0 && d < tol.MinGap {
				t.Errorf("%s: %s: %v is below %v", s.Product, s.Name, d, tol.MinGap)
			}
		}
	}
}

// timersIn are the times of a block: texts with a unit, and numbers of a timeout
// in the product's unit.
func timersIn(v any, key string, unit time.Duration) []time.Duration {
	var out []time.Duration
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v {
			out = append(out, timersIn(inner, k, unit)...)
		}
	case string:
		if d, err := time.ParseDuration(v); err == nil {
			out = append(out, d)
		}
	case float64:
		if strings.HasSuffix(strings.ToLower(key), "timeout") {
			out = append(out, time.Duration(v*float64(unit)))
		}
	}
	return out
}

func TestAFailingRunSaysWhatItIs(t *testing.T) {
	s := callRun("x", `{}`, silent, callRuns(0, 1))
	s.Fails = FailsTimeout
	got := s.compare(Result{Prediction: s.Predict, Product: goKey, Error: "EOF", Native: map[string]string{"fails": FailsBroken}})
	if len(got) != 1 || got[0] != "fails: predicted timeout, observed broken (EOF)" {
		t.Errorf("it says %q", got)
	}
}
