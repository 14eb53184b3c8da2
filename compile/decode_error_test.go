package compile

import (
	"strings"
	"testing"
)

// around is what the cases stand in: every case begins on line 2 and is merged
// with these layers, unless it says "raw".
const (
	aroundHead = `tchain: "v1", name: "t"` + "\n"
	aroundTail = "\n" + `layers: {web: browser: {}, edge: alb: {}, proxy: nginx: {}, api: app: clients: auth: gohttp: {}, auth: external: {}}
routes: "GET /": path: ["web", "edge", "proxy", "api", "auth"]
`
)

type decodeCase struct {
	name, text, want string
}

func runDecodeCases(t *testing.T, cases []decodeCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text, raw := strings.CutPrefix(c.text, "raw\n")
			if !raw {
				text = aroundHead + text + aroundTail
			}
			_, errs := decodeText(t, text, nil)
			if got := strings.TrimSuffix(shownErrors(errs), "\n"); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestDecodeAnswersAnUnknownSetting(t *testing.T) {
	runDecodeCases(t, []decodeCase{
		{"a typo has the setting that was meant",
			`layers: proxy: nginx: server: proxy_read_timout: "90s"`,
			`2:31: unknown setting "proxy_read_timout" in nginx server; did you mean proxy_read_timeout?`},
		{"a typo in a keyed block",
			`layers: proxy: nginx: upstream: api: keepalive_timout: "5s"`,
			`2:38: unknown setting "keepalive_timout" in nginx upstream; did you mean keepalive_timeout?`},
		{"a typo at the top of a type with blocks",
			`layers: proxy: nginx: proxy_read_timout: "90s"`,
			`2:23: unknown setting "proxy_read_timout" in nginx; did you mean nginx: server: proxy_read_timeout?`},
		{"an alias",
			`layers: edge: alb: "idle_timeout.timeout_seconds": 140`,
			`2:20: alb has no setting "idle_timeout.timeout_seconds"; write idle_timeout`},
		{"an alias in camel case",
			`layers: edge: alb: idleTimeout: 140`,
			`2:20: alb has no setting "idleTimeout"; write idle_timeout`},
		{"an alias as a struct",
			`layers: edge: alb: idle_timeout: timeout_seconds: 140`,
			`2:34: alb has no setting "idle_timeout.timeout_seconds"; write idle_timeout`},
		{"an alias in a block",
			`layers: api: app: server: tomcat: maxThreads: 5`,
			`2:35: tomcat has no setting "maxThreads"; write tomcat: threads: max`},
		{"a bare name of two blocks is offered both",
			`layers: proxy: nginx: keepalive_timeout: "5s"`,
			`2:23: keepalive_timeout exists in server and in upstream; write nginx: server: keepalive_timeout or nginx: upstream: <peer>: keepalive_timeout`},
		{"a bare name of one block",
			`layers: proxy: nginx: proxy_read_timeout: "5s"`,
			`2:23: proxy_read_timeout stands in server; write nginx: server: proxy_read_timeout`},
		{"a name of another block",
			`layers: proxy: nginx: upstream: api: proxy_read_timeout: "5s"`,
			`2:38: proxy_read_timeout stands in server, not in upstream; write nginx: server: proxy_read_timeout`},
		{"a name of the type itself in a block",
			`layers: edge: alb: target_group: api: idle_timeout: 5`,
			`2:39: idle_timeout stands in alb, not in target_group; write alb: idle_timeout`},
		{"a name of several entrances",
			`layers: api: app: clients: auth2: {to: "auth", httpclient5: connectTimeout: "3s"}`,
			`2:61: connectTimeout exists in manager.connectionConfig, in client.requestConfig, in factory and in context; write httpclient5: manager: connectionConfig: connectTimeout, httpclient5: client: requestConfig: connectTimeout, httpclient5: factory: connectTimeout or httpclient5: context: <name>: connectTimeout`},
		{"a name that is like nothing",
			`layers: web: browser: xyzzy: 1`,
			`2:23: unknown setting "xyzzy" in browser; it takes fetch, xhr and wrap`},
		{"a name that is like nothing, in a large type",
			`layers: proxy: nginx: server: xyzzy: 1`,
			`2:31: unknown setting "xyzzy" in nginx server; see tchain settings nginx`},
		{"a fixed setting",
			`layers: edge: alb: target_connect: 5`,
			`2:20: target_connect is fixed by the platform at 10s and cannot be set`},
		{"all mistakes in one run",
			"layers: proxy: nginx: server: {\n\tproxy_read_timout: \"9s\"\n\tproxy_send_timeout: \"1.5s\"\n}\nlayers: edge: alb: idle_timeout: \"140s\"",
			"3:2: unknown setting \"proxy_read_timout\" in nginx server; did you mean proxy_read_timeout?\n" +
				"4:22: proxy_send_timeout \"1.5s\" has decimals, which are not taken here; an NGINX time looks like \"90s\"\n" +
				"6:34: idle_timeout is a whole number of seconds; write 140"},
		{"a fact",
			`layers: api: instance: 5`,
			`2:14: unknown field "instance" in layer api; did you mean instances?`},
		{"a field in a fact",
			`layers: auth: endpoint: shceme: "https"`,
			`2:25: unknown field "shceme" in endpoint; did you mean scheme?`},
	})
}

func TestDecodeAnswersAWrongType(t *testing.T) {
	runDecodeCases(t, []decodeCase{
		{"a pod's setting beside the type", `layers: p2: {terminationGracePeriodSeconds: 30}`, `2:14: terminationGracePeriodSeconds stands in kubernetes; write p2: kubernetes: terminationGracePeriodSeconds`},
		{"one that stands further in", `layers: p2: {preStop: sleep: seconds: 5}`, `2:14: preStop stands in kubernetes; write p2: kubernetes: lifecycle: preStop`},
		{"a typo", `layers: p2: ngnix: {}`, `2:13: unknown type "ngnix" in layer p2; did you mean nginx?`},
		{"a type that is no one's", `layers: p2: xyzzy: {}`, `2:13: unknown type "xyzzy" in layer p2; see tchain settings, or write custom`},
		{"a server's type as a layer", `layers: api: gunicorn: {}`, `2:14: gunicorn is a server of an app; write api: app: server: …`},
		{"a client's type as a layer", `layers: p2: httpclient5: {}`, `2:13: httpclient5 is a client of an app; write p2: app: clients: …`},
		{"two types", `layers: proxy: alb: {}`, `3:50: proxy has two types, alb and nginx; a layer is exactly one`},
		{"none", `layers: p2: instances: 2`, `2:9: p2 has no type; write it as a key: p2: nginx: {…}`},
		{"an empty layer", `layers: p2: {}`, `2:9: p2 has no type; write it as a key: p2: nginx: {…}`},
		{"a type field", `layers: p2: type: "nginx"`, `2:13: a layer's type is its key; write p2: nginx: {…}`},
		{"a layer as a string", `layers: p2: "nginx"`, `2:13: p2 is "nginx"; the type of a layer is its key: write p2: nginx: {…}`},
		{"a type as a string", `layers: p2: nginx: "1.28"`, `2:20: nginx is "1.28"; it takes a block: nginx: {…}`},
		{"a block as a string", `layers: p2: nginx: server: "x"`, `2:28: server is "x"; it takes a block: server: {…}`},
		{"layers as a list", "raw\n" + `tchain: "v1", name: "t", routes: {}` + "\n" + `layers: [{proxy: nginx: {}}]`,
			"1:34: routes is empty; write one key for each request pattern: routes: \"GET /v1/pay\": {…}\n2:9: layers is a list; write one key for each layer: layers: proxy: nginx: {…}"},
		{"an unknown server type", `layers: api: app: server: tomact: {}`, `2:27: unknown server type "tomact" in server; did you mean tomcat?`},
		{"an unknown client type", `layers: api: app: clients: auth: htpclient5: {}`, `2:34: unknown client type "htpclient5" in auth; did you mean httpclient5?`},
		{"two client types", `layers: api: app: clients: auth: httpclient5: {}`, `3:86: auth has two types, httpclient5 and gohttp; a client is exactly one`},
		{"a client keyed by an address", `layers: api: app: clients: "https://auth.x.io": gohttp: {}`, `2:28: clients are keyed by the layer that they call, not by its address; write the layer's name for "https://auth.x.io"`},
		{"a client of no layer", `layers: api: app: clients: auht: gohttp: {}`, `2:28: client auht calls no layer of its name; did you mean auth?`},
		{"to an undeclared layer", `layers: api: app: clients: b: {to: ["auth", "prise"], gohttp: {}}`, `2:45: unknown layer "prise" in client b; it takes api, web, edge, proxy and auth`},
		{"a wrap of no type", `layers: web: browser: wrap: [{lop: {}}]`, `2:31: unknown wrap type "lop"; did you mean loop?`},
		{"a wrap without its required fields", `layers: web: browser: wrap: [{loop: delay: "1s"}]`, "2:31: loop has no attempts (attempts, the first included)\n2:31: loop has no on (what is repeated: a status, 5xx, or a word of a trace, as timeout, refused)"},
		{"an upstream of an undeclared layer", `layers: proxy: nginx: upstream: apii: keepalive: 5`, `2:33: unknown layer "apii" in nginx upstream; did you mean api?`},
		{"a target group of an undeclared layer", `layers: edge: alb: target_group: prxy: {}`, `2:34: unknown layer "prxy" in alb target_group; did you mean proxy?`},
	})
}

func TestDecodeAnswersAnEmptyBlockByWhatItTakes(t *testing.T) {
	for text, want := range map[string][]string{
		`layers: api: app: clients: b: to: "auth"`:                               {"2:28: b has no type; a client's type is a key", "as custom: {…}", "there are aiohttp,", " httpclient5,"},
		`layers: api: app: clients: b: {}`:                                       {"2:28: b has no type; a client's type is a key", "there are aiohttp,", " httpclient5,"},
		`layers: api: app: server: {}`:                                           {"2:19: server has no type; a server's type is a key", " tomcat,"},
		`layers: api: app: clients: b: {to: "auth", gohttp: {}, wrap: [{}]}`:     {"2:63: wrap has an empty element; each is one type", " loop,"},
		`layers: web: browser: wrap: [{}]`:                                       {"2:30: wrap has an empty element; each is one type", " loop,"},
		`layers: api: app: clients: b: {to: "auth", webclient: operators: [{}]}`: {"2:67: operators has an empty element; each has one key: timeout or retryWhen"},
	} {
		_, errs := decodeText(t, aroundHead+text+aroundTail, nil)
		got := shownErrors(errs)
		for _, part := range want {
			if len(errs) != 1 || !strings.Contains(got, part) {
				t.Errorf("%s: %s has no %q", text, got, part)
			}
		}
	}
}

func TestDecodeAnswersAWrongValue(t *testing.T) {
	runDecodeCases(t, []decodeCase{
		{"a text where seconds are a number", `layers: edge: alb: idle_timeout: "140s"`, `2:34: idle_timeout is a whole number of seconds; write 140`},
		{"minutes where seconds are a number", `layers: edge: alb: idle_timeout: "2m"`, `2:34: idle_timeout is a whole number of seconds; write 120`},
		{"a text that is no duration where seconds are a number", `layers: edge: alb: idle_timeout: "long"`, `2:34: idle_timeout is a whole number of seconds; write 90`},
		{"a space", `layers: proxy: nginx: server: proxy_read_timeout: "90 s"`, `2:51: proxy_read_timeout "90 s" is not a duration; an NGINX time looks like "90s"`},
		{"decimals", `layers: proxy: nginx: server: proxy_read_timeout: "1.5s"`, `2:51: proxy_read_timeout "1.5s" has decimals, which are not taken here; an NGINX time looks like "90s"`},
		{"a negative text", `layers: proxy: nginx: server: proxy_read_timeout: "-1s"`, `2:51: proxy_read_timeout "-1s" is negative; an NGINX time looks like "90s"`},
		{"a negative number", `layers: edge: alb: idle_timeout: -5`, `2:34: idle_timeout is -5; it cannot be negative`},
		{"a text that overflows", `layers: proxy: nginx: server: proxy_read_timeout: "99999999999w"`, `2:51: proxy_read_timeout "99999999999w" is longer than any timer; an NGINX time looks like "90s"`},
		{"a number that overflows", `layers: edge: alb: idle_timeout: 99999999999999999999`, `2:34: idle_timeout 99999999999999999999 is longer than any timer`},
		{"a bare number where a unit is needed", `layers: auth: external: idleKeepalive: 60`, `2:40: idleKeepalive 60 has no unit; a duration looks like "90s"`},
		{"a text without its unit", `layers: auth: external: idleKeepalive: "60"`, `2:40: idleKeepalive "60" has no unit; a duration looks like "90s"`},
		{"a sum of texts", `layers: proxy: nginx: server: proxy_read_timeout: "30s" + "10s"`, `2:51: proxy_read_timeout is "30s" + "10s", which CUE joins to "30s10s"; write "40s"`},
		{"a sum of texts where seconds are a number", `layers: edge: alb: idle_timeout: "30s" + "1m" + "10s"`, `2:34: idle_timeout is "30s" + "1m" + "10s", which CUE joins to "30s1m10s"; write 100`},
		{"a sum of numbers in quotes", `layers: edge: alb: idle_timeout: "30" + "10"`, `2:34: idle_timeout is "30" + "10", which CUE joins to "3010"; write 40`},
		{"a sum of a value that stands elsewhere", "_read: \"30s\"\nlayers: api: app: clients: pay: {to: \"auth\", okhttp: callTimeout: _read + \"10s\"}", `3:67: callTimeout is "30s" + "10s", which CUE joins to "30s10s"; write "40s"`},
		{"texts that make one duration", `layers: proxy: nginx: server: {proxy_read_timeout: "30" + "s", proxy_send_timeout: "1m" + "30s"}`, ""},
		{"half a second as a number", `layers: edge: alb: idle_timeout: 1.5`, `2:34: idle_timeout is a whole number of seconds; 1.5 is not whole`},
		{"a word of an enum", `layers: proxy: nginx: server: proxy_buffering: "onn"`, `2:48: proxy_buffering takes "on" or "off", not "onn"; did you mean "on"?`},
		{"a bool for an enum", `layers: proxy: nginx: server: proxy_buffering: true`, `2:48: proxy_buffering takes "on" or "off", not true`},
		{"a number for a text", `layers: proxy: nginx: version: 1.28`, `2:32: version takes a string, not 1.28`},
		{"a version of no version's form", `layers: proxy: nginx: version: "latest"`, `2:32: version "latest" has not the form ^[0-9]+(\.[0-9A-Za-z-]+)*$`},
		{"a number below its bound", `layers: proxy: nginx: upstream: api: max_fails: -1`, `2:49: max_fails is -1; it must be at least 0`},
		{"a number above its bound", `layers: edge: alb: target_group: api: health_check: healthy_threshold: 11`, `2:72: healthy_threshold is 11; it must be at most 10`},
		{"a list for a value", `layers: edge: alb: idle_timeout: [5]`, `2:34: idle_timeout takes a whole number of seconds, as 90, not a list`},
		{"a struct for a value", `layers: proxy: nginx: server: proxy_read_timeout: seconds: 5`, `2:51: proxy_read_timeout takes an NGINX time, as "90s", not a struct`},
		{"null", `layers: edge: alb: idle_timeout: null`, `2:34: idle_timeout takes a whole number of seconds, as 90, not null`},
		{"a value that is not there", `layers: edge: alb: idle_timeout: int`, `2:34: idle_timeout has no value; write one or mark it @env(NAME)`},
		{"what only CUE can check", `layers: api: app: clients: b: {to: "auth", custom: retryOn: ["timeout", 5]}`, `2:61: retryOn has 5 in its list; it takes strings`},
		{"a list of an enum", `layers: auth: endpoint: families: ["ipv4", "ipv5"]`, `2:35: families has "ipv5" in its list; it takes "ipv4" or "ipv6"`},
		{"a size without its unit", `routes: "POST /u": {path: ["web", "edge"], request: upload: {size: "10", rate: "1MB"}}`, `2:68: size "10" has not the form ^[0-9]+(\.[0-9]+)?(B|kB|KB|MB|GB|KiB|MiB|GiB)$`},
		{"a size without its rate", `routes: "POST /u": {path: ["web", "edge"], request: upload: {size: "10MB"}}`, `2:53: upload has no rate (how much of it comes in a second)`},
		{"a rate of nothing", `routes: "GET /": tps: 0`, `2:23: tps is 0; it must be more than 0`},
	})
}
