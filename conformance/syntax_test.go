package conformance

import (
	"fmt"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

// Texts that NGINX may be given as a time; what it takes, nginx -t says.
var nginxTexts = []string{
	"0", "60", "90s", "500ms", "1m", "1h", "1d", "1w", "1M", "1y", "1m30", "1m30s", "1h30m", "1h 30m", "2s500ms", "1w1d1h1m1s1ms",
	"500ms2s", "30s1m", "1s1s", "1.5s", "off", "-1", "", "s", "60S", "1 s", " 1s", "10000000000000000000s",
}

// Texts that NGINX takes although nobody would write them; the notation does not.
var nginxOdd = []string{"1h  30m", "1s "}

// nginxTime is how NGINX writes a time that it keeps in milliseconds, and
// nginxSeconds one that it keeps in seconds; the catalogue says the same.
var (
	nginxTime    = chain.Notation{Name: "an NGINX time", Units: []string{"w", "d", "h", "m", "s", "ms"}, Bare: "s", Combine: true, Spaces: true, Example: `"90s"`}
	nginxSeconds = chain.Notation{Name: "an NGINX time in seconds", Units: []string{"y", "M", "w", "d", "h", "m", "s"}, Bare: "s", Combine: true, Spaces: true, Example: `"10s"`}
)

func TestNGINXTakesTheTimesThatTheNotationTakes(t *testing.T) {
	for _, tt := range []struct {
		notation chain.Notation
		conf     func(text string) NGINXConf
	}{
		{nginxTime, func(text string) NGINXConf {
			return NGINXConf{Server: fmt.Sprintf("proxy_read_timeout %q;", text)}
		}},
		{nginxSeconds, func(text string) NGINXConf {
			return NGINXConf{Upstream: fmt.Sprintf("upstream api { server 127.0.0.1:1 %q; }", "fail_timeout="+text)}
		}},
	} {
		for _, text := range nginxOdd {
			if _, err := tt.notation.Parse(text); err == nil {
				t.Errorf("%s takes %q", tt.notation.Name, text)
			}
			if err := CheckNGINX(tt.conf(text)); err != nil {
				t.Errorf("%q: nginx says %v", text, err)
			}
		}
		for _, text := range nginxTexts {
			_, ours := tt.notation.Parse(text)
			theirs := CheckNGINX(tt.conf(text))
			if (ours == nil) != (theirs == nil) {
				t.Errorf("%s %q: the notation says %v, nginx says %v", tt.notation.Name, text, ours, theirs)
			}
			if theirs != nil && !strings.Contains(theirs.Error(), "invalid") {
				t.Errorf("%q: nginx says %v", text, theirs)
			}
		}
	}
}
