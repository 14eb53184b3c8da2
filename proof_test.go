package tchain_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
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
