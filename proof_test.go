package tchain_test

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/conformance"
	"tchain.dev/tchain/conformance/fault"
)

var provedByConformance = regexp.MustCompile(`(?m)^\s*"?([\w-]+)"?[?!]:.*@proof\(conformance\)`)

// TestWhatIsCalledProvedIsRun holds each setting that is called proved by the
// conformance runs to a scenario that writes it, or that names it as what fires.
func TestWhatIsCalledProvedIsRun(t *testing.T) {
	scenarios := allText(t, "conformance/*.go") + allText(t, "conformance/node/*") + allText(t, "conformance/testdata/*")
	proved := 0
	for _, m := range provedByConformance.FindAllStringSubmatch(allText(t, "schema/*.cue"), -1) {
		proved++
		if strings.Contains(m[0], "@fixed(") {
			continue // nobody writes it
		}
		if !strings.Contains(scenarios, m[1]) {
			t.Errorf("%s is called proved, and no scenario has it", m[1])
		}
	}
	if proved < 45 {
		t.Errorf("only %d settings are proved", proved)
	}
}

// answerFaults are what the fault server does where a call fails so.
var answerFaults = map[chain.Cond]fault.Mode{
	chain.CondRefused: fault.Refuse, chain.CondConnectTimeout: fault.Backlog, chain.CondTLSTimeout: fault.TLSStall,
	chain.CondReset: fault.Reset, chain.CondKilled: fault.HangUp, chain.CondStale: fault.IdleRace,
}

var (
	answersOfType = regexp.MustCompile(`(?m)^(?:#LayerTypes: )?\s*(\w+)\?: #\w+ @title.*`)
	provedAnswers = regexp.MustCompile(`@answers\(([^)]*), proof=conformance(?:, as=(\w+))?\)`)
	answerStatus  = regexp.MustCompile(`([\w-]+)="(\w+)"`)
)

// TestStatusesThatAreCalledProvedAreSeen holds each status that is called proved to
// a run in which the product, or the one that it runs on, answers it to that failure.
func TestStatusesThatAreCalledProvedAreSeen(t *testing.T) {
	seen := map[string]bool{}
	see := func(key string, s conformance.Scenario) {
		if s.Predict.By == key && s.Before > 0 && s.Predict.Attempts == 0 { // an earlier request has ejected all
			seen[strings.Join([]string{key, string(chain.Eject), status(s)}, " ")] = true
		}
		for cond, mode := range answerFaults {
			if s.Predict.By == key && len(s.Upstreams) > 0 && s.Upstreams[0].Mode == mode {
				seen[strings.Join([]string{key, string(cond), status(s)}, " ")] = true
			}
		}
	}
	for _, s := range conformance.NGINXScenarios() {
		see(conformance.NGINX, s)
	}
	for _, s := range conformance.BlockScenarios() {
		see(s.Key, s.Scenario)
	}
	proved := 0
	for _, line := range answersOfType.FindAllStringSubmatch(allText(t, "schema/*.cue"), -1) {
		for _, a := range provedAnswers.FindAllStringSubmatch(line[0], -1) {
			for _, m := range answerStatus.FindAllStringSubmatch(a[1], -1) {
				proved++
				if !seen[strings.Join([]string{cmp.Or(a[2], line[1]), m[1], m[2]}, " ")] {
					t.Errorf("%s is called proved to answer %s to %s, and no run has it", line[1], m[2], m[1])
				}
			}
		}
	}
	if proved < 25 {
		t.Errorf("only %d statuses are proved", proved)
	}
}

func status(s conformance.Scenario) string {
	if s.Predict.Status == 0 {
		return "close"
	}
	return strconv.Itoa(s.Predict.Status)
}

func allText(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err == nil {
			out.Write(text)
		}
	}
	return out.String()
}
