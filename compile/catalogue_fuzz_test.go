package compile

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
)

// notations are all that the schema has, by name, with a text that each takes.
func notations(t testing.TB) map[string]*chain.Notation {
	out := map[string]*chain.Notation{}
	for _, typ := range everyType(t) {
		everyField(typ, func(f *Field) {
			if f.Notation != nil {
				out[f.Notation.Name] = f.Notation
			}
		})
	}
	return out
}

// roundTrip checks that what a notation parses it can write, in its own form,
// with the same meaning. A notation may lack the unit for what it can parse,
// as 1.5ns; then it must say so and not write something else.
func roundTrip(t *testing.T, n *chain.Notation, text string) {
	d, err := n.Parse(text)
	if err != nil {
		return
	}
	if d < 0 && !n.Signed {
		t.Fatalf("%s: %q is %s", n.Name, text, d)
	}
	back, err := n.Format(d)
	if err != nil {
		return
	}
	again, err := n.Parse(back)
	if err != nil || again != d {
		t.Fatalf("%s: %q is %d, written %q, read %d, %v", n.Name, text, d, back, again, err)
	}
}

func fuzzNotation(f *testing.F, name string) {
	n := notations(f)[name]
	if n == nil {
		f.Fatalf("no notation %q; there are %v", name, slices.Sorted(maps.Keys(notations(f))))
	}
	for _, seed := range []string{"90s", "1.5s", "1m30s", "1m 30s", "90", "0", "-1s", "", "1h1ms", "99999999999w", "1y2M", "+5s", "1 s", "0x10s", ".5s", "5µs"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { roundTrip(t, n, text) })
}

func FuzzCatalogueDuration(f *testing.F)         { fuzzNotation(f, "a duration") }
func FuzzCatalogueSeconds(f *testing.F)          { fuzzNotation(f, "a whole number of seconds") }
func FuzzCatalogueMilliseconds(f *testing.F)     { fuzzNotation(f, "a whole number of milliseconds") }
func FuzzCatalogueNGINXTime(f *testing.F)        { fuzzNotation(f, "an NGINX time") }
func FuzzCatalogueNGINXSeconds(f *testing.F)     { fuzzNotation(f, "an NGINX time in seconds") }
func FuzzCatalogueGoDuration(f *testing.F)       { fuzzNotation(f, "a Go duration") }
func FuzzCatalogueJavaTime(f *testing.F)         { fuzzNotation(f, "milliseconds or a duration") }
func FuzzCatalogueJavaMilliseconds(f *testing.F) { fuzzNotation(f, "milliseconds, negative ones too") }
func FuzzCatalogueTimeValue(f *testing.F)        { fuzzNotation(f, "a duration, negative ones too") }
func FuzzCatalogueSpringDuration(f *testing.F)   { fuzzNotation(f, "a Spring duration") }
func FuzzCatalogueJavaDuration(f *testing.F)     { fuzzNotation(f, "a Java duration") }
func FuzzCatalogueJavaProperty(f *testing.F)     { fuzzNotation(f, "a Java duration of a property") }
func FuzzCatalogueSpringSeconds(f *testing.F)    { fuzzNotation(f, "a Spring duration in seconds") }

// Each notation has a fuzz target above.
var fuzzed = []string{
	"milliseconds or a duration", "milliseconds, negative ones too",
	"a Go duration", "a Spring duration", "a Spring duration in seconds", "a Java duration", "a Java duration of a property", "a duration", "a duration, negative ones too", "a whole number of milliseconds",
	"a whole number of seconds", "an NGINX time", "an NGINX time in seconds",
}

func TestCatalogueNotationsAreAllFuzzed(t *testing.T) {
	for name := range notations(t) {
		if !slices.Contains(fuzzed, name) {
			t.Errorf("%q has no fuzz target", name)
		}
	}
}

func TestCatalogueNotationsWriteWhatTheyRead(t *testing.T) {
	for _, n := range notations(t) {
		for _, d := range []time.Duration{0, time.Second, 90 * time.Second, time.Hour, 36 * time.Hour, 1500 * time.Millisecond, time.Millisecond} {
			text, err := n.Format(d)
			if err != nil {
				continue
			}
			if got, err := n.Parse(text); err != nil || got != d {
				t.Errorf("%s: %s is written %q and read %s, %v", n.Name, d, text, got, err)
			}
		}
		if _, err := n.Parse(asRead(n.Example)); err != nil {
			t.Errorf("%s: its own example: %v", n.Name, err)
		}
	}
}

// asRead is an example, which is CUE, as a notation gets it.
func asRead(s string) string { return strings.NewReplacer(`"`, "", "_", "").Replace(s) }
