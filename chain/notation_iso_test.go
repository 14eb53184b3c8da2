package chain

import (
	"testing"
	"time"
)

func TestADurationOfISO8601IsTakenWhereTheProductDoes(t *testing.T) {
	java := Notation{Name: "a Java duration", Units: []string{"h", "m", "s", "ms"}, Signed: true, ISO: true, Example: `"90s"`}
	for text, want := range map[string]time.Duration{
		"PT5S": 5 * time.Second, "pt1m30s": 90 * time.Second, "P1DT0.5S": 24*time.Hour + 500*time.Millisecond, "-PT1S": -time.Second, "PT2H": 2 * time.Hour, "P2D": 48 * time.Hour, "5s": 5 * time.Second,
	} {
		if got, err := java.Parse(text); err != nil || got != want {
			t.Errorf("%s is %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"P", "PT", "5S", "PT5", "P5S", "PT1S1M", "PT.5S", "P1Y"} {
		if d, err := java.Parse(text); err == nil {
			t.Errorf("%s is taken for %v", text, d)
		}
	}
	java.ISO = false
	if _, err := java.Parse("PT5S"); err == nil {
		t.Error("it is taken where the product does not take it")
	}
}
