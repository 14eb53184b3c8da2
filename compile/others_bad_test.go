package compile

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
)

func init() {
	fuzzed = append(fuzzed, "a PHP-FPM time", "a PostgreSQL time", "a duration of a service config", "a number of seconds")
}

func FuzzCatalogueFPMTime(f *testing.F)      { fuzzNotation(f, "a PHP-FPM time") }
func FuzzCataloguePostgresTime(f *testing.F) { fuzzNotation(f, "a PostgreSQL time") }
func FuzzCatalogueGRPCDuration(f *testing.F) { fuzzNotation(f, "a duration of a service config") }
func FuzzCatalogueNumber(f *testing.F)       { fuzzNotation(f, "a number of seconds") }

func TestAPodIsWrittenAsInItsSpecification(t *testing.T) {
	stack := func(pod string) string {
		return othersStack(`api: {app: {server: custom: {}, clients: pay: custom: {}}, kubernetes: `+pod+`}`, `pay: external: {}`)
	}
	if _, errs := othersEach(t, stack(`{terminationGracePeriodSeconds: 60, lifecycle: preStop: sleep: seconds: 35, livenessProbe: {httpGet: path: "/health", timeoutSeconds: 1, periodSeconds: 10}}`)); len(errs) > 0 {
		t.Errorf("not clean:\n%s", shownErrors(errs))
	}
	_, errs := othersEach(t, stack(`livenessProbe: timeoutSeconds: "1s"`))
	if got := shownErrors(errs); !strings.HasSuffix(got, "5:103: timeoutSeconds is a whole number of seconds; write 1\n") {
		t.Errorf("got %s", got)
	}
	typ, err := testCatalogue().typ("facts", "layer")
	if err != nil {
		t.Fatal(err)
	}
	pod := typ.Root.child("kubernetes")
	for name, want := range map[string]string{"periodSeconds": "10", "timeoutSeconds": "1", "failureThreshold": "3", "successThreshold": "1", "initialDelaySeconds": "0"} {
		if f := pod.child("livenessProbe").child(name); len(f.Defaults) != 1 || f.Defaults[0].Value != want || f.DocURL == "" {
			t.Errorf("%s: %+v", name, f)
		}
	}
	if f := pod.child("terminationGracePeriodSeconds"); f.Defaults[0].Value != "30" {
		t.Errorf("%+v", f)
	}
}

func TestTheRuntimeSaysTheVersionOfWhatItBrings(t *testing.T) {
	s, errs := othersEach(t, othersStack(`api: app: {runtime: dotnet: "5", server: custom: {}, clients: pay: dotnetHttpClient: {}}`, `pay: external: {}`))
	if len(errs) > 0 {
		t.Fatal(shownErrors(errs))
	}
	if c := call(t, s, "api", "pay"); c.Product != "dotnetHttpClient 5" || c.Idle[0].Bound != 2*time.Minute {
		t.Errorf("%s keeps %+v", c.Product, c.Idle)
	}
}

func TestWhatAServerAnnouncesReplacesTheTimeOfItsCaller(t *testing.T) {
	for announced, want := range map[string]string{`"30s"`: "28s announced by pay, less 2s", `"2s"`: "", "false": "4s "} {
		s, errs := othersEach(t, othersStack(`api: app: {server: custom: {}, clients: pay: undici: {}}`, `pay: {endpoint: announcesKeepAlive: `+announced+`, external: {}}`))
		if len(errs) > 0 {
			t.Fatal(shownErrors(errs))
		}
		got := ""
		for _, l := range call(t, s, "api", "pay").Idle {
			got = chain.Format(l.Bound) + " " + l.Origin.Note
		}
		if got != want {
			t.Errorf("%s: %q, want %q", announced, got, want)
		}
	}
}

func TestABadValueOfOtherProductsIsAnsweredWhereItStands(t *testing.T) {
	for _, c := range []struct{ where, part, want string }{
		{"server", `gunicorn: timeout: "30s"`, `5:39: timeout is a whole number of seconds; write 30`},
		{"server", `gunicorn: "keep-alive": 75`, `5:30: gunicorn has no setting "keep-alive"; write keepalive`},
		{"server", `uvicorn: timeout_keep_alive: -1`, `5:49: timeout_keep_alive is -1; it cannot be negative`},
		{"server", `puma: threads: 5`, `5:35: threads is 5; it takes a block: threads: {…}`},
		{"server", `uwsgi: http_keepalive: 60`, `5:27: uwsgi has no setting "http_keepalive"; write http-keepalive`},
		{"server", `phpFpm: request_terminate_timeout: "30sec"`, `5:55: request_terminate_timeout "30sec" is not a duration; a PHP-FPM time looks like "30s"`},
		{"server", `lambda: timeout: 1.5`, `5:37: timeout is a whole number of seconds; 1.5 is not whole`},
		{"server", `grpcGo: KeepaliveParams: Time: 10`, `5:51: Time 10 has no unit; a Go duration looks like "90s"`},
		{"client", `undici: headersTimeout: "300s"`, `5:70: headersTimeout is a whole number of milliseconds; write 300000`},
		{"client", `axios: adapter: "htp"`, `5:62: adapter takes "http", "fetch" or "xhr", not "htp"; did you mean "http"?`},
		{"client", `requests: timeout: "5"`, `5:65: timeout is a number of seconds; write 5`},
		{"client", `urllib3: Timeout: total: "5"`, `5:71: total is a number of seconds; write 5`},
		{"client", `httpx: read: -0.5`, `5:59: read "-0.5" is negative; a number of seconds looks like 2.5`},
		{"client", `aiohttp: timeout: sock_conect: 3`, `5:64: unknown setting "sock_conect" in aiohttp timeout; did you mean sock_connect?`},
		{"client", `got: retry: limit: null`, `5:65: limit takes a whole number, not null`},
		{"client", `dotnetHttpClient: Timeout: 100`, `5:73: Timeout 100 has no unit; a duration looks like "90s"`},
		{"client", `netHttpRuby: max_retries: -1`, `5:72: max_retries is -1; it must be at least 0`},
		{"client", `reqwest: timeout: 30`, `5:64: timeout 30 has no unit; a duration looks like "90s"`},
		{"client", `pgx: maxConns: 20`, `5:51: pgx has no setting "maxConns"; write MaxConns`},
		{"client", `gohttp: DefaultTransport: IdleConnTimeout: 5`, `5:89: IdleConnTimeout 5 has no unit; a Go duration looks like "90s"`},
		{"client", `gohttp: DefaultTransport: IdleConnTimeout: 0.5`, `5:89: IdleConnTimeout 0.5 has no unit; a Go duration looks like "90s"`},
		{"client", `goRedis: ReadTimeout: 5`, `5:68: ReadTimeout 5 has no unit; a Go duration looks like "90s"`},
		{"client", `grpcGo: defaultServiceConfig: methodConfig: retryPolicy: initialBackoff: "10ms"`, `5:119: initialBackoff "10ms" is not a duration; a duration of a service config looks like "0.5s"`},
		{"client", `{wrap: [{retryablehttp: RetryMax: -1}], gohttp: {}}`, `5:80: RetryMax is -1; it must be at least 0`},
		{"store", `postgres: statement_timeout: "2m"`, `6:35: statement_timeout "2m" is not a duration; a PostgreSQL time looks like "30s"`},
		{"store", `mysql: wait_timeout: "8h"`, `6:27: wait_timeout is a whole number of seconds; write 28800`},
		{"store", `redis: tcp_keepalive: 60`, `6:13: redis has no setting "tcp_keepalive"; write tcp-keepalive`},
	} {
		app, pay := `api: app: {server: custom: {}, clients: pay: custom: {}}`, `pay: external: {}`
		switch c.where {
		case "server":
			app = `api: app: {server: ` + c.part + `, clients: pay: custom: {}}`
		case "client":
			app = `api: app: {server: custom: {}, clients: pay: ` + c.part + `}`
		default:
			pay = `pay: ` + c.part
		}
		_, errs := othersEach(t, othersStack(app, pay))
		var got []string
		for _, e := range errs {
			got = append(got, fmt.Sprintf("%d:%d: %s", e.Range.Line, e.Range.Column, e.Message))
		}
		if text := strings.Join(got, "\n"); text != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.part, text, c.want)
		}
	}
}

func TestOfTwoClientsToOneLayerItIsSaidWhichCounts(t *testing.T) {
	for clients, want := range map[string]string{
		`{a: {to: "pay", custom: {}}, b: {to: "pay", gohttp: {}}}`:                            "pay is called by a or by b: a is looked at, since no step of calls names one",
		`{pay: custom: {}, pay2: {to: "pay", gohttp: {}}}`:                                    "pay is called by pay or by pay2: pay is looked at, since no step of calls names one",
		`{a: {to: "pay", custom: {}}, b: {to: "pay", gohttp: {}}}, calls: [{a: {}}, {b: {}}]`: "",
		`{pay: custom: {}, other: {to: "db", gohttp: {}}}`:                                    "",
		`{pay: hikari: {pgjdbc: {}, connectorj: {}}}`:                                         "pgjdbc and connectorj are both written: a pool has one driver, and the limits of both are counted",
	} {
		s, errs := othersEach(t, othersStack(`api: app: {server: custom: {}, clients: `+clients+`}`, `pay: external: {}`+"\n\tdb: external: {}"))
		if len(errs) > 0 {
			t.Fatal(shownErrors(errs))
		}
		if got := reasons(s.Routes[0]); want == "" && strings.Contains(got, "looked at, since") || !strings.Contains(got, want) {
			t.Errorf("%s: not checked is\n%s, want %q", clients, got, want)
		}
	}
}
