package main

import (
	"os"
	"strings"
	"testing"
)

func TestTheCueThatIsMeasuredIsTheOneThatIsBuiltIn(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(mod)) {
		f := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "require "))
		if len(f) > 1 && f[0] == "cuelang.org/go" {
			if f[1] != cueVersion {
				t.Errorf("go.mod has cue %s, the measurement %s", f[1], cueVersion)
			}
			return
		}
	}
	t.Error("go.mod does not name cuelang.org/go")
}
