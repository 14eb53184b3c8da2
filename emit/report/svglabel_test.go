package report

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestALabelIsFoldedAndNeverCut(t *testing.T) {
	for _, tc := range []struct {
		name, words string
		most        int
		want        []string
	}{
		{"it fits", "web", 20, []string{"web"}},
		{"at a space", "unknown: proxy_read_timeout is injected", 24, []string{"unknown:", "proxy_read_timeout is", "injected"}},
		{"behind the sign of a name", "content-delivery-network-of-vendor", 20, []string{"content-delivery-", "network-of-vendor"}},
		{"where there is none", strings.Repeat("a", 25), 10, []string{strings.Repeat("a", 10), strings.Repeat("a", 10), strings.Repeat("a", 5)}},
		{"in letters, not bytes", strings.Repeat("ü", 11), 10, []string{strings.Repeat("ü", 10), "ü"}},
		{"nothing", "", 10, []string{""}},
	} {
		got := folded(tc.words, tc.most)
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q", tc.name, got)
		}
		for _, line := range got {
			if utf8.RuneCountInString(line) > tc.most {
				t.Errorf("%s: %q is too long", tc.name, line)
			}
		}
	}
}

func TestALongNameHasAllItsLettersInThePicture(t *testing.T) {
	s := shop()
	s.Routes[0].Root.Layer = "the-program-of-a-person-with-a-very-long-name-and-more"
	rep := New()
	rep.Add(s)
	var b strings.Builder
	if err := rep.Routes[0].WriteSVG(&b, rep.Routes[0].Main()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">the-program-of-a-<", ">person-with-a-very-<", ">long-name-and-more<"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
}

func TestLongTimesAreSaidInHours(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 300 * time.Millisecond: "300ms", 95 * time.Second: "95s", 299 * time.Second: "299s", 5 * time.Minute: "5m", 450 * time.Second: "7m30s", time.Hour: "1h",
		3700 * time.Second: "1h1m40s", 24 * time.Hour: "24h", 300*time.Second + time.Millisecond: "300.001s", -10 * time.Minute: "-600s",
	} {
		if got := Duration(d).String(); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
		if got, _ := Duration(10 * time.Minute).MarshalText(); string(got) != "600s" {
			t.Errorf("JSON has %s", got)
		}
	}
}
