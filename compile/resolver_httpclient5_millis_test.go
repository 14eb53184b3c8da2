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
