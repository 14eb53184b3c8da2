package compile

import (
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

func TestHowOftenHttpClientLooksForIdleConnectionsDependsOnTheRelease(t *testing.T) {
	for _, row := range []struct{ version, client, timer, value, why string }{
		{"5.5.2", `evictIdleConnections: "30s"`, "close idle", "30s", "can live for 60s"},
		{"5.6.1", `evictIdleConnections: "30s"`, "close idle", "3s", "a tenth"},
		{"5.6.1", `evictIdleConnections: "5s"`, "close idle", "1s", "at least 1s"},
		{"5.5.2", `evictExpiredConnections: true`, "close idle", "5s", "every 5s"},
		{"5.6.1", `evictExpiredConnections: true`, "close idle", "60s", "every 60s"},
		{"5.6", `evictExpiredConnections: true`, "close idle", "never", "fails when the client is built"},
		{"5.5.2", `evictIdleConnections: "30s", connectionManagerShared: true`, "close idle", "never", "no evictor"},
		{"5.5.2", `requestConfig: responseTimeout: "5s"`, "wait before a repeat", "1s", "without bound"},
		// Rows 76 and 77 of the facts: what a Retry-After of 2 s comes to.
		{"5.1.4", `requestConfig: responseTimeout: "1500ms"`, "wait before a repeat", "1s", "up to the response timeout, 1.5s: after a longer one there is no repeat"},
		{"5.5", `requestConfig: responseTimeout: "1500ms"`, "wait before a repeat", "1s", "up to the response timeout, 1.5s: after a longer one there is no repeat"},
		{"5.5.1", `requestConfig: responseTimeout: "1500ms"`, "wait before a repeat", "1s", "without bound"},
		{"5.5", `requestConfig: responseTimeout: "5s"`, "wait before a repeat", "1s", "up to the response timeout, 5s: after a longer one there is no repeat"},
		{"5.5", ``, "wait before a repeat", "1s", "without bound"},
		{"5.0.4", `requestConfig: responseTimeout: "5s"`, "wait before a repeat", "1s", "without bound"},
		{"5.5.2", `requestConfig: responseTimeout: "300ms"`, "wait before a repeat", "never", "no repeat: the wait of 1s is longer than the response timeout, 1s > 300ms"},
	} {
		s := resolveText(t, `package s
tchain: "v1"
name: "s"
layers: {
	api: app: clients: up: httpclient5: {version: "`+row.version+`", client: {`+row.client+`}}
	up: external: {}
}
routes: "GET /": path: ["api", "up"]
`)
		found := false
		for _, d := range call(t, s, "api", "up").Derivations {
			if strings.HasPrefix(d.Timer, row.timer) {
				found = true
				if chain.Format(d.Value) != row.value || !strings.Contains(d.Why, row.why) {
					t.Errorf("%s, %s: %s because %s", row.version, row.client, chain.Format(d.Value), d.Why)
				}
			}
		}
		if !found {
			t.Errorf("%s, %s: nothing is said of %q", row.version, row.client, row.timer)
		}
	}
}

func TestAnEvictorThatCannotWorkIsNoted(t *testing.T) {
	for _, row := range []struct{ n, version, client, want string }{
		{"alone it cannot be built in 5.6", "5.6", `evictExpiredConnections: true`, "rejected: client.evictExpiredConnections: alone it fails when the client is built, with a NullPointerException in 5.6; 5.6.1 takes it\n"},
		{"it can in the next", "5.6.1", `evictExpiredConnections: true`, ""},
		{"and with an idle time", "5.6", `evictExpiredConnections: true, evictIdleConnections: "30s"`, ""},
		{"a shared manager has none", "5.5.2", `evictIdleConnections: "30s", connectionManagerShared: true`, "ignored-value: client.evictIdleConnections 30s has no effect: a shared manager has no evictor\n"},
		{"of either kind", "5.6", `evictExpiredConnections: true, connectionManagerShared: true`, "ignored-value: client.evictExpiredConnections true has no effect: a shared manager has no evictor\n"},
	} {
		s := resolveText(t, called(``, "http", "", `{version: "`+row.version+`", client: {`+row.client+`}}`, `"/x": {}`))
		if told := notices(s); told != row.want {
			t.Errorf("%s: %q, want %q", row.n, told, row.want)
		}
	}
}

func TestTheEvictorEndsHowLongAnIdleConnectionIsUsedAgain(t *testing.T) {
	for _, row := range []struct{ n, version, client, want string }{
		{"it looks once in the time", "5.5.2", `evictIdleConnections: "20s"`, "40s"},
		{"in a tenth of it since 5.6", "5.6.4", `evictIdleConnections: "40s"`, "44s"},
		{"at least a second apart", "5.6.4", `evictIdleConnections: "5s"`, "6s"},
		{"a keep-alive that is shorter ends it before", "5.5.2", `evictIdleConnections: "20s", requestConfig: connectionKeepAlive: "30s"`, "30s"},
		{"a shared manager has none", "5.5.2", `evictIdleConnections: "20s", connectionManagerShared: true`, "180s"},
		{"one for expired connections looks at their keep-alive", "5.5.2", `evictExpiredConnections: true`, "180s"},
	} {
		s := resolveText(t, called(``, "http", "", `{version: "`+row.version+`", client: {`+row.client+`}}`, `"/x": {}`))
		if got := chain.Format(call(t, s, "api", "up").Idle[0].Bound); got != row.want {
			t.Errorf("%s: %s, want %s", row.n, got, row.want)
		}
	}
}
