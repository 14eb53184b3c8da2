package compile

import (
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

func TestAShadowedValueNamesTheRoutesOnWhichItsWinnerIsAsLong(t *testing.T) {
	const (
		both  = `client: requestConfig: responseTimeout: "5s", factory: readTimeout: "5000ms"`
		short = `, context: "/a": responseTimeout: "300ms"`
		a, c  = `context."/a".responseTimeout 300ms`, `factory.readTimeout 5000ms`
	)
	for _, row := range []struct{ n, spring, release, via, client, routes, want string }{
		{"beside one on which it is shorter", "6.2.19", "5.5.2", "", both + short, `{"/a": {}, "/c": {}}`,
			"client.requestConfig.responseTimeout 5s is never in force; " + a + " wins on /a, " + c + " on /c"},
		{"where they come first", "6.2.19", "5.5.2", "", both + short, `{"/c": {}, "/a": {}}`,
			"client.requestConfig.responseTimeout 5s is never in force; " + c + " wins on /c, " + a + " on /a"},
		{"where it is not known how long it is", "6.2.19", "5.5.2", "", `client: requestConfig: responseTimeout: "5s", factory: readTimeout: string @env(READ)` + short, `{"/a": {}, "/c": {}}`,
			"client.requestConfig.responseTimeout 5s is never in force; " + a + " wins on /a, factory.readTimeout on /c"},
		{"with a reason that holds on all", "6.2.19", "5.5.2", "squid", `manager: tlsConfig: handshakeTimeout: "5s", client: requestConfig: responseTimeout: "5s"` + short, `{"/a": {}, "/c": {}}`,
			"manager.tlsConfig.handshakeTimeout 5s is never in force; " + a + " wins on /a, client.requestConfig.responseTimeout 5s on /c: since 5.5.1 the handshake through a CONNECT tunnel does not use it"},
		{"without one that holds on some", "6.2.6", "5.3.1", "", `client: requestConfig: responseTimeout: "2s", factory: readTimeout: "2s"` + short, `{"/a": {}, "/c": {}}`,
			"factory.readTimeout 2s is never in force; " + a + " wins on /a, client.requestConfig.responseTimeout 2s on /c"},
		{"but none where it is so everywhere", "6.2.19", "5.5.2", "", both, `{"/a": {}, "/c": {}}`, ""},
	} {
		s := resolveText(t, called(`spring: "`+row.spring+`"`, "https", row.via, `{version: "`+row.release+`", `+row.client+`}`, row.routes))
		told := ""
		for _, n := range s.Notices {
			if n.Kind == chain.NoticeShadowed && strings.HasPrefix(row.want, entrance(n.Origin)) {
				told = n.Message
			} else if row.want == "" || n.Kind == noticeBeaten {
				t.Errorf("%s: it says %s: %s", row.n, n.Kind, n.Message)
			}
		}
		if told != row.want {
			t.Errorf("%s: it says\n%s, want\n%s", row.n, told, row.want)
		}
	}
}
