package targets

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"tchain.dev/tchain/emit"
)

// %NAME is a value, which one row at a time gives at run time only.
const runTimeStack = `layers: {
	web: browser: fetch: signal: timeout: %WEB
	api: {instances: 1, app: {
		runtime: springBoot: "3.5.9"
		server: tomcat: {connectionTimeout: %SERVER}
		deadline: {total: %TOTAL, perCall: %CALL, reserve: %RESERVE, enforced: true}
		clients: {
			price: httpclient5: {
				manager: {maxConnTotal: 20, maxConnPerRoute: 20, connectionConfig: connectTimeout: "1s"}
				client: {requestConfig: {responseTimeout: %CLIENT, connectionRequestTimeout: "1s", connectionKeepAlive: "30s"}, disableAutomaticRetries: true}
				properties: "spring.http.client.connect-timeout": %PROPERTY
			}
			db: hikari: connectionTimeout: %DB
		}
		calls: [{price: {}}, {db: {}}]
	}}
	price: external: idleKeepalive: "600s"
	db: mysql: {}
}
routes: "GET /": path: ["web", "api"]
`

var runTimeValues = map[string]string{"WEB": "60000", "SERVER": `"20s"`, "TOTAL": `"30s"`, "CALL": `"9s"`, "RESERVE": `"1s"`,
	"CLIENT": `"5s"`, "PROPERTY": `"1s"`, "DB": "2000"}

// What is given at run time and not known here is no value: no target writes "no limit"
// for it, or leaves it out without a word.
func TestAValueThatComesAtRunTimeIsRefused(t *testing.T) {
	const price = "api.app.clients.price.httpclient5"
	clients := []string{"go", "node", "prometheus", "spring"}
	for _, row := range []struct {
		at, says string
		refuse   []string // the targets; the others write their files
	}{
		{"WEB", "web.browser.fetch.signal.timeout", []string{"node", "prometheus"}},
		{"SERVER", "api.app.server.tomcat.connectionTimeout", []string{"prometheus", "spring"}},
		{"TOTAL", "api.app.deadline.total", clients},
		{"CALL", "api.app.deadline.perCall", clients},
		{"RESERVE", "api.app.deadline.reserve", clients},
		{"CLIENT", price + ".client.requestConfig.responseTimeout", clients},
		{"PROPERTY", price + " spring.http.client.connect-timeout", clients},
		{"DB", "api.app.clients.db.hikari.connectionTimeout", []string{"prometheus"}},
	} {
		t.Run(row.at, func(t *testing.T) {
			text := runTimeStack
			for name, v := range runTimeValues {
				if name == row.at {
					v = "_ @env(" + name + ")"
				}
				text = strings.ReplaceAll(text, "%"+name, v)
			}
			s, errs := read(t, text)
			if errs != nil {
				t.Fatal(errs)
			}
			alone, errs := read(t, strings.Replace(text, `path: ["web", "api"]`, `path: ["api"]`, 1))
			if errs != nil {
				t.Fatal(errs)
			}
			for _, name := range []string{"go", "node", "prometheus", "spring"} {
				target, _ := Named(name)
				stack := s
				if name == "node" && row.at != "WEB" { // beside a browser it writes no Java app
					stack = alone
				}
				_, _, err := target.Emit(stack, emit.Options{})
				if nothing := new(emit.Refusal); errors.As(err, &nothing) && nothing.Nothing {
					t.Fatal(err)
				}
				want := row.says + ": cannot be written by tchain emit " + name + ": its value comes at run time and is not known here"
				switch refused := slices.Contains(row.refuse, name); {
				case refused && (err == nil || err.Error() != want):
					t.Errorf("%s: %v\nwant %s", name, err, want)
				case !refused && err != nil:
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
}
