package chain

import (
	"testing"
	"time"
)

func TestADurationOfISO8601IsTakenWhereTheProductDoes(t *testing.T) {
	java := Notation{Name: "a Java duration", Units: []string{"h", "m", "s", "ms"}, Signed: true, ISO: true, Example: `"90s"`}
	for text, want := range map[string]time.Duration{
		"PT5S": 5 * time.Second, "pt1m30s": 90 * time.Second, "P1DT0.5S": 24*time.Hour + 500*time.Millisecond, "-PT1S": -time.Second, "PT2H": 2 * time.Hour, "P2D": 48 * time.Hour, "5s": 5 * time.Second,
		"PT1M-30S": 30 * time.Second, "PT+5S": 5 * time.Second, "PT-5S": -5 * time.Second, "PT5,5S": 5500 * time.Millisecond, "PT0.0005S": 500 * time.Microsecond,
	} {
		if got, err := java.Parse(text); err != nil || got != want {
			t.Errorf("%s is %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"P", "PT", "5S", "PT5", "P5S", "PT1S1M", "PT.5S", "P1Y", "P1DT", "P1W", "PT1.5M", "PT", "+PT5S", "PT106751991167300D"} {
		if d, err := java.Parse(text); err == nil {
			t.Errorf("%s is taken for %v", text, d)
		}
	}
	java.ISO = false
	if _, err := java.Parse("PT5S"); err == nil {
		t.Error("it is taken where the product does not take it")
	}
}

func TestASuffixInAnyCaseAndAPlusAreTakenWhereTheProductDoes(t *testing.T) {
	spring := Notation{Name: "a Spring duration", Units: []string{"s", "ms"}, Bare: "ms", Signed: true, ISO: true, AnyCase: true, Plus: true, Example: `"90s"`}
	for text, want := range map[string]time.Duration{"5S": 5 * time.Second, "5000MS": 5 * time.Second, "+5s": 5 * time.Second, "+5": 5 * time.Millisecond, "+PT5S": 5 * time.Second, "-5S": -5 * time.Second} {
		if got, err := spring.Parse(text); err != nil || got != want {
			t.Errorf("%s is %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"1.5s", "5 s", "++5s", "-+5s", "+-5s", "+", " 5s"} {
		if d, err := spring.Parse(text); err == nil {
			t.Errorf("%s is taken for %v", text, d)
		}
	}
	spring.AnyCase, spring.Plus = false, false
	for _, text := range []string{"5S", "+5s"} {
		if d, err := spring.Parse(text); err == nil {
			t.Errorf("%s is taken for %v", text, d)
		}
	}
}

func TestAZeroNeedsNoUnitWhereTheProductSaysSo(t *testing.T) {
	goes := Notation{Name: "a Go duration", Units: []string{"s", "ms"}, BareZero: true, Signed: true, Plus: true, Example: `"90s"`}
	for _, text := range []string{"0", "-0", "+0"} {
		if d, err := goes.Parse(text); err != nil || d != 0 {
			t.Errorf("%s is %v, %v", text, d, err)
		}
	}
	for _, text := range []string{"5", "00", "0.0"} {
		if d, err := goes.Parse(text); err == nil {
			t.Errorf("%s is taken for %v", text, d)
		}
	}
}
