package conformance

import (
	"encoding/json"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/conformance/jvm"
)

func TestNoTwoTimesOfAJVMScenarioAreTakenForEachOther(t *testing.T) {
	text := regexp.MustCompile(`"([0-9.]+(?:ms|s))"|Millis": ([0-9]+)`)
	for _, s := range JVMScenarios() {
		if !json.Valid([]byte(s.Settings)) {
			t.Errorf("%s: the settings are no JSON: %s", s.Name, s.Settings)
		}
		var times []time.Duration
		for _, m := range text.FindAllStringSubmatch(s.Settings, -1) {
			if m[2] != "" {
				m[1] = m[2] + "ms"
			}
			d, err := time.ParseDuration(m[1])
			if err != nil {
				t.Errorf("%s: %v", s.Name, err)
			}
			times = append(times, d)
		}
		slices.Sort(times)
		for i := 1; i < len(times); i++ {
			// A delay before an attempt is part of a sum and may be small.
			if gap := times[i] - times[i-1]; gap != 0 && gap < 450*time.Millisecond && !strings.Contains(s.Settings, "retryWhen") {
				t.Errorf("%s: %v and %v are too near", s.Name, times[i-1], times[i])
			}
		}
	}
}

func TestJVMScenariosHaveNamesOfTheirOwnAndKnownVariants(t *testing.T) {
	seen, variants := map[string]bool{}, jvm.Variants()
	for _, s := range JVMRows() {
		key := s.Product + " " + s.Name
		if seen[key] {
			t.Errorf("%s stands twice", key)
		}
		seen[key] = true
		if _, ok := Tolerances[s.Product]; !ok {
			t.Errorf("%s has no tolerance", s.Product)
		}
	}
	for _, s := range JVMScenarios() {
		for variant := range s.Differs {
			if !slices.Contains(s.On, variant) {
				t.Errorf("%s is not run on %s", s.Name, variant)
			}
		}
		for _, variant := range s.On {
			if !slices.Contains(variants, variant) {
				t.Errorf("%s is run on %s, which is no variant", s.Name, variant)
			}
		}
	}
}

func TestAJVMPredictionReadsAsASentence(t *testing.T) {
	for want, p := range map[string]JVMPrediction{
		"SocketTimeoutException at 500ms by manager.socketConfig.soTimeout, 1 attempt": hcRead(hcSO, 500),
		"200 and then SocketTimeoutException at 500ms, 1 attempt":                      jvmFails("SocketTimeoutException", JVMPrediction{Status: 200, ElapsedMS: 500}),
		"503 at 1s, 2 attempts":                {Status: 503, Attempts: 2, ElapsedMS: 1000},
		"200 at once, 1 attempt, 1 connection": {Status: 200, Attempts: 1, Connections: 1},
		"nothing comes, without end":           jvmNoEndUnder,
	} {
		if got := p.String(); got != want {
			t.Errorf("it reads %q, want %q", got, want)
		}
	}
}

func TestAMissingJDKOrJarIsAnErrorThatSaysWhatToDo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("JAVA_HOME", "")
	if _, err := jvm.Start(boot35); err == nil || !strings.HasSuffix(err.Error(), "run make test") {
		t.Errorf("without a JDK: %v", err)
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if _, err := jvm.Start(boot35); err == nil || !strings.HasSuffix(err.Error(), "run make test") {
		t.Errorf("without the jars: %v", err)
	}
	if _, err := jvm.Fetch(); err == nil || !strings.HasSuffix(err.Error(), "run make test") {
		t.Errorf("without Maven: %v", err)
	}
	if _, err := exec.LookPath("mvn"); err == nil {
		t.Error("the path was not taken away")
	}
}

func TestCompareJVMSaysWhereTheTwoDiffer(t *testing.T) {
	s := JVMScenario{Product: "httpclient5", Server: silent}
	p := hcRead(hcRT, 500)
	for _, tt := range []struct {
		name   string
		change func(r *JVMResult)
		says   string // "" is agreement
	}{
		{"the same", func(r *JVMResult) {}, ""},
		{"690 ms late", func(r *JVMResult) { r.ElapsedMS = 1190 }, ""},
		{"800 ms late", func(r *JVMResult) { r.ElapsedMS = 1300 }, "elapsed"},
		{"40 ms early", func(r *JVMResult) { r.ElapsedMS = 460 }, "elapsed"},
		{"another attempt", func(r *JVMResult) { r.Seen.Requests = 2 }, "attempts: predicted 1, observed 2"},
		{"another phase", func(r *JVMResult) { r.Message = "x: Connect timed out" }, "phase"},
		{"another exception", func(r *JVMResult) { r.Errors = []string{"ReadTimeoutException"} }, "error"},
		{"a header before", func(r *JVMResult) { r.Status = 200 }, "status"},
		{"no run", func(r *JVMResult) { r.Failed = "x" }, "it was not run"},
	} {
		r := JVMResult{Result: jvm.Result{Errors: []string{"ResourceAccessException", "SocketTimeoutException"}, Message: "x: Read timed out", ElapsedMS: 510}}
		r.Seen.Requests = 1
		tt.change(&r)
		got := strings.Join(compareJVM(s, p, r), "; ")
		if (got == "") != (tt.says == "") || !strings.Contains(got, tt.says) {
			t.Errorf("%s: compare says %q", tt.name, got)
		}
	}
}
