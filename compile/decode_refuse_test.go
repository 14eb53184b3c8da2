package compile

import "testing"

func TestWhatTheProductRefusesIsRefused(t *testing.T) {
	const up = `layers: proxy: nginx: upstream: api: server: `
	runDecodeCases(t, []decodeCase{
		{"a misspelt condition", `layers: proxy: nginx: server: proxy_next_upstream: "error timeot"`, `2:52: proxy_next_upstream does not know "timeot"; did you mean timeout?`},
		{"a misspelt condition in a list", `layers: proxy: nginx: server: proxy_next_upstream: ["error", "timeot"]`, `2:62: proxy_next_upstream does not know "timeot"; did you mean timeout?`},
		{"a condition that is like none", `layers: proxy: nginx: server: proxy_next_upstream: "xyzzy"`, `2:52: proxy_next_upstream does not know "xyzzy"; it takes error, timeout, invalid_header, http_500, http_502, http_503, http_504, http_403, http_404, http_429, non_idempotent and off`},
		{"conditions with commas", `layers: e2: envoy: route: retry_policy: retry_on: "5xx,reset"`, ""},

		{"a word that is no address", up + `["!!"]`, `2:47: server "!!" is no address; it is a host, "host:port" or "unix:/path"`},
		{"a number for an address", up + `["a:1", 5]`, `2:54: server has 5 in its list; an address is a text`},
		{"an empty address", up + `["a:1", ""]`, `2:54: server has an empty address`},
		{"a port that is too large", up + `["a:99999"]`, `2:47: server "a:99999" has the port "99999"; it is a number from 1 to 65535`},
		{"port 0", up + `["a:0"]`, `2:47: server "a:0" has the port "0"; it is a number from 1 to 65535`},
		{"an address with a scheme", up + `["http://a:1"]`, `2:47: server "http://a:1" has a scheme; write "a:1"`},
		{"an IPv6 address without brackets", up + `["::1"]`, `2:47: server "::1" is an IPv6 address without brackets; write "[::1]"`},
		{"an IPv4 address that is none", up + `["300.1.1.1:80"]`, `2:47: server "300.1.1.1:80" is no address; it is a host, "host:port" or "unix:/path"`},
		{"a misspelt word", up + `["a:1 dwon"]`, `2:47: unknown parameter "dwon" of an address; did you mean down?`},
		{"a misspelt parameter", up + `["a:1 max_fail=3"]`, `2:47: unknown parameter "max_fail=3" of an address; did you mean max_fails?`},
		{"a parameter without its value", up + `["a:1 weight"]`, `2:47: weight has no value; write weight=…`},
		{"max_fails that is no number", up + `["a:1 max_fails=x"]`, `2:47: max_fails takes a whole number, not "x"`},
		{"max_fails that is negative", up + `["a:1 max_fails=-1"]`, `2:47: max_fails is -1; it must be at least 0`},
		{"fail_timeout that is no time", up + `["a:1", "b:1 fail_timeout=3x"]`, `2:54: fail_timeout "3x" is not a duration; an NGINX time in seconds looks like "10s"`},
		{"weight that is no number", up + `["a:1 weight=x"]`, `2:47: weight takes a whole number, not "x"`},
		{"a misspelt field", up + `[{adress: "a:1"}]`, `2:48: unknown field "adress" in server; did you mean address?`},
		{"an address in a field", up + `[{address: "a:x"}]`, `2:57: address "a:x" has the port "x"; it is a number from 1 to 65535`},
		{"a number in a field", up + `[{address: "a:1", max_fails: -1}]`, `2:75: max_fails is -1; it must be at least 0`},
		{"a word in a field", up + `[{address: "a:1", down: 1}]`, `2:70: down takes true or false, not 1`},
		{"everything that is an address", up + `["a", "a.b_c-d:65535 resolve service=http", "[::1]:80 backup", "[::1]", "unix:/run/a.sock", "10.0.0.1:80 weight=2 max_conns=3 max_fails=0 fail_timeout=1m slow_start=30s down", {}, {address: "a:1", max_fails: 3, down: true}]`, ""},
		{"a name of the product's own in the second block that has the setting", `layers: {pay: external: {}, api: app: clients: pay: webclient: operators: [{retryWhen: backoff: {attempts: 3, maxAttempts: 3, minBackoff: "1s"}}]}`, `2:111: webclient has no setting "maxAttempts"; write webclient: operators: <name>: retryWhen: backoff: attempts`},
		{"addresses in a syntax of their own", `layers: h2: haproxy: backend: api: server: ["a:80 maxconn 50 check", "b:99999 x"]`, `2:70: server "b:99999" has the port "99999"; it is a number from 1 to 65535`},

		{"an expression that is not closed", `layers: proxy: nginx: location: "~ [": proxy_read_timeout: "5s"`, `2:33: location "~ [" is no regular expression: missing closing ]`},
		{"an expression in either case that repeats nothing", `layers: proxy: nginx: location: "~* *a": proxy_read_timeout: "5s"`, `2:33: location "~* *a" is no regular expression: missing argument to repetition operator`},
		{"an expression of Perl's", `layers: proxy: nginx: location: "~ ^/(?!api)[a-z]+\\.php$": proxy_read_timeout: "5s"`, ""},
		{"a prefix with a bracket", `layers: proxy: nginx: location: "/[": proxy_read_timeout: "5s"`, ""},
	})
}

func TestAnAddressThatIsDownIsDownHoweverItIsWritten(t *testing.T) {
	d := decodeClean(t, `layers: proxy: nginx: upstream: api: server: ["a:1", {address: "b:1", down: true}, {address: "c:1", backup: false}]`, nil)
	if got, want := valueAt(t, d, "proxy.nginx.upstream.api.server").Text, "a:1 b:1 down c:1"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestARouteSpeaksOfWhatTheAppHas(t *testing.T) {
	const at = `routes: "GET /": at: api: app: `
	runDecodeCases(t, []decodeCase{
		{"a misspelt client", at + `clients: atuh: gohttp: {}`, `2:41: api has no client atuh; did you mean auth?`},
		{"a client that is like none", at + `clients: foo: gohttp: {}`, `2:41: api has no client foo; it has auth`},
		{"a server that is not there", at + `server: gohttp: {}`, `2:32: api has no server that could differ on one route; add it to the layer`},
		{"calls in the wrong place", at + `calls: [{auth: {}}]`, `2:32: the calls of one route stand in the route; write calls: api: […]`},
		{"what a client calls", at + `clients: auth: to: "edge"`, `2:47: to holds for the whole client and cannot differ on one route`},
		{"a client that is there", `layers: api: app: clients: fetch: {to: "auth", custom: {}}
` + at + `clients: fetch: custom: totalDeadline: "5s"`, ""},
	})
}

func TestFactsAreCheckedAgainstEachOther(t *testing.T) {
	runDecodeCases(t, []decodeCase{
		{"a reserve above the total", `layers: api: app: deadline: {total: "1s", reserve: "5s"}`, `2:52: reserve 5s is not below total 1s; nothing is left for the work`},
		{"a reserve of the total", `layers: api: app: deadline: {total: "5s", reserve: "5s"}`, `2:52: reserve 5s is not below total 5s; nothing is left for the work`},
		{"a reserve below the total", `layers: api: app: deadline: {total: "5s", reserve: "4999ms"}`, ""},
		{"a reserve of one route", "layers: api: app: deadline: total: \"1s\"\nroutes: \"GET /\": at: api: app: deadline: reserve: \"5s\"", `3:51: reserve 5s is not below total 1s; nothing is left for the work`},
		{"a total of one route", "layers: api: app: deadline: reserve: \"5s\"\nroutes: \"GET /\": at: api: app: deadline: total: \"1s\"", `3:49: reserve 5s is not below total 1s; nothing is left for the work`},
		{"fewer at most than at least", `layers: api: scale: {min: 5, max: 2}`, `2:27: scale has min 5 above max 2`},
		{"as many at most as at least", `layers: api: scale: {min: 2, max: 2}`, ""},
		{"an empty name", "raw\ntchain: \"v1\"\nname: \"\"" + aroundTail, `2:7: name is empty; write name: "…"`},
	})
}

func TestOneMistakeIsOneLine(t *testing.T) {
	runDecodeCases(t, []decodeCase{
		{"a layer with its type in words", `layers: p2: {type: "nginx", version: "1.28.0", server: proxy_read_timeout: "5s"}`, `2:14: a layer's type is its key; write p2: nginx: {…}`},
		{"a client with its type in words", `layers: api: app: clients: b: {type: "gohttp", Timeout: "5s", to: "auth"}`, `2:32: the type of a client is its key; write b: gohttp: {…}`},
		{"layers in a list", "raw\ntchain: \"v1\", name: \"t\"\nlayers: [{proxy: nginx: {}}]\npath: [\"web\", \"proxy\"]\nroutes: \"GET /\": {at: proxy: nginx: {}, calls: web: []}\npolicy: ignore: [{rule: \"a\", reason: \"b\", layer: \"web\"}]", `2:9: layers is a list; write one key for each layer: layers: proxy: nginx: {…}`},
		{"bytes", `layers: proxy: nginx: server: proxy_read_timeout: '12s'`, `2:51: proxy_read_timeout takes an NGINX time, as "90s", not bytes; a text stands in double quotes`},
		{"a tag", `layers: proxy: nginx: server: proxy_read_timeout: string @tag(x)`, `2:51: proxy_read_timeout has no value; @tag is not set by a check; write one or mark it @env(NAME)`},
		{"an injected name", "raw\ntchain: \"v1\"\nname: string @env(X)" + aroundTail, `2:7: name has no value; @env(X) fills in settings and facts only; write one`},
		{"a name of a tag", "raw\ntchain: \"v1\"\nname: string @tag(X)" + aroundTail, `2:7: name has no value; @tag is not set by a check; write one`},
		{"an injected path", "raw\ntchain: \"v1\", name: \"t\"\nlayers: {web: browser: {}, api: app: {}}\nroutes: \"GET /\": path: [...string] @env(P)", `3:24: path has no value; @env(P) fills in settings and facts only; name the layers from the person to the last one`},
		{"a type for a bool", `layers: api: app: calls: [{auth: {fallback: bool}}]`, `2:45: fallback takes true or false, not a type without a value`},
	})
}
