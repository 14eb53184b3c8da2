package compile

import (
	"fmt"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

// A socket takes an int of whole milliseconds, 0 of which is no limit.
func TestTimesOfHttpClient5AreThoseThatASocketTakes(t *testing.T) {
	for _, at := range []string{
		"client: requestConfig: responseTimeout", "client: requestConfig: connectTimeout", "manager: socketConfig: soTimeout",
		"manager: connectionConfig: connectTimeout", "manager: connectionConfig: socketTimeout", "manager: tlsConfig: handshakeTimeout",
		"factory: readTimeout", "factory: connectTimeout",
	} {
		name := at[strings.LastIndex(at, " ")+1:]
		for text, want := range map[string]struct{ bound, notice string }{
			"900us": {"never", name + " 900us acts as 0: whole milliseconds count"},
			"600h":  {"+2147483.647s", name + " 600h acts as 2147483647ms: a socket takes an int of milliseconds"},
		} {
			s := resolveText(t, jvmStack(`spring: "6.2.12"`, "httpclient5: "+at+": \""+text+"\"", `{endpoint: scheme: "https", external: {}}`, "GET /"))
			got := map[string]bool{}
			for _, l := range call(t, s, "api", "pay").Layers[0].Limits {
				if l.Origin.Name == name {
					got[chain.Format(l.Bound)] = true
				}
			}
			if len(got) != 1 || !got[want.bound] && !got[strings.TrimPrefix(want.bound, "+")] {
				t.Errorf("%s %s is %v, want %s", at, text, got, want.bound)
			}
			if notices := fmt.Sprint(s.Notices); !strings.Contains(notices, want.notice) {
				t.Errorf("%s %s: %s", at, text, notices)
			}
		}
	}
}

// What Spring Boot binds is a duration, of which each client takes what it can.
func TestAPropertyUnderAMillisecondIsWhatTheClientMakesOfIt(t *testing.T) {
	for _, row := range []struct {
		boot, client, property string
		bound                  string // of the limits that the property sets
		said                   bool
	}{
		{"3.5.7", "httpclient5", "spring.http.client.read-timeout", "never", true},
		{"3.5.9", "httpclient5", "spring.http.client.connect-timeout", "never", true},
		{"3.5.9", "httpUrlConnection", "spring.http.client.read-timeout", "never", true},
		{"4.0.2", "webclient", "spring.http.clients.connect-timeout", "never", true},
		{"4.0.2", "webclient", "spring.http.clients.read-timeout", "never", true},
		{"3.5.9", "jdkHttpClient", "spring.http.client.read-timeout", "500µs", false},
	} {
		s := resolveText(t, jvmStack(`springBoot: "`+row.boot+`"`, row.client+`: properties: "`+row.property+`": "500us"`, "external: {}", "GET /"))
		got := map[string]bool{}
		for _, l := range call(t, s, "api", "pay").Limits() {
			if strings.Contains(l.Origin.Setting, row.property) && l.Kernel { // which ends what nothing else does
				got["never"] = true
			} else if l.Origin.Name == row.property {
				got[chain.Format(l.Bound)] = true
			}
		}
		if len(got) != 1 || !got[row.bound] {
			t.Errorf("Boot %s, %s %s: %v, want %s", row.boot, row.client, row.property, got, row.bound)
		}
		if said := strings.Contains(fmt.Sprint(s.Notices), row.property+" 500us acts as 0: whole milliseconds count"); said != row.said {
			t.Errorf("Boot %s, %s %s: said %v, want %v", row.boot, row.client, row.property, said, row.said)
		}
	}
	s := resolveText(t, jvmStack(`springBoot: "3.5.9"`, `httpclient5: properties: "spring.http.clients.read-timeout": "500us"`, "external: {}", "GET /"))
	if text := fmt.Sprint(s.Notices); strings.Contains(text, "acts as") {
		t.Errorf("of a property that the release does not bind nothing else is said: %s", text)
	}
}

// The forms are those that DurationStyle of Spring Boot 3.5.9 read or refused in a run.
func TestAPropertyIsADurationInTheFormsThatSpringReads(t *testing.T) {
	const property = "spring.http.client.read-timeout"
	for text, want := range map[string]string{
		"PT5S": "5s", "pt5s": "5s", "PT0.5S": "500ms", "PT1M30S": "90s", "P1D": "86400s", "5S": "5s", "5000MS": "5s", "+5s": "5s", "5000": "5s",
		"PT0.0005S": "never", "1.5s": "refused", "5 s": "refused", "0.5ms": "refused", "P1W": "refused",
	} {
		s := resolveText(t, jvmStack(`springBoot: "3.5.9"`, `httpclient5: properties: "`+property+`": "`+text+`"`, "external: {}", "GET /"))
		got := ""
		for _, l := range call(t, s, "api", "pay").Limits() {
			if l.Origin.Name == property && l.Kind == chain.ResponseReadGap {
				got = chain.Shown(l.Bound)
			}
		}
		if strings.Contains(fmt.Sprint(s.Notices), property+" is "+text+", no duration that Spring reads") {
			got = "refused"
		}
		if got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
}
