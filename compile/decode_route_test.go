package compile

import "testing"

func TestDecodeAnswersAWrongStack(t *testing.T) {
	const layers = "\nlayers: {web: browser: {}, edge: alb: {}}"
	runDecodeCases(t, []decodeCase{
		{"an unknown field", `layer: x: nginx: {}`, `2:1: unknown field "layer" in the stack; did you mean layers?`},
		{"an unknown field that is like nothing", `xyzzy: 1`, `2:1: unknown field "xyzzy" in the stack; it takes tchain, name, asOf, layers, routes, path, types and policy`},
		{"no name", "raw\n" + `tchain: "v1"` + layers + "\n" + `routes: "GET /": path: ["web", "edge"]`, `1:1: stack has no name; write name: "…"`},
		{"no layers", "raw\n" + `tchain: "v1", name: "t"` + "\n" + `routes: "GET /": {}`, "1:1: stack has no layers; write layers: with one key for each layer\n2:9: route has no path; write path: [\"web\", …] here or at the top of the stack"},
		{"another version", "raw\n" + `tchain: "v2", name: "t"` + layers + "\n" + `routes: "GET /": path: ["web", "edge"]`, `1:9: tchain is "v2"; this is for stacks of "v1"`},
		{"a name that is no string", "raw\n" + `tchain: "v1", name: 5` + layers + "\n" + `routes: "GET /": path: ["web", "edge"]`, `1:21: name takes a string, not 5`},
		{"a month that is none", `asOf: "2026"`, `2:7: asOf is "2026"; it is a month, as "2026-11"`},
		{"routes as a list", "raw\n" + `tchain: "v1", name: "t"` + layers + "\n" + `routes: [{path: ["web", "edge"]}]`, `3:9: routes is a list; write one key for each request pattern: routes: "GET /v1/pay": {…}`},
		{"a route without a path", `routes: "POST /pay": tps: 3`, `2:9: route has no path; write path: ["web", …] here or at the top of the stack`},
		{"an empty path", `routes: "POST /pay": path: []`, `2:28: path is empty; name the layers from the person to the last one`},
		{"one request in two routes", `routes: {"GET /x/{id}": path: ["web", "edge"], "GET /x/{q}": path: ["web", "edge"]}`, `2:48: route pattern "GET /x/{q}" matches requests of "GET /x/{id}", too, and neither is more specific`},
		{"a rest by name and by a slash", `routes: {"GET /x/": path: ["web", "edge"], "GET /x/{all...}": path: ["web", "edge"]}`, `2:44: route pattern "GET /x/{all...}" matches requests of "GET /x/", too, and neither is more specific`},
		{"requests of which some are in two routes", `routes: {"GET /x/{id}": path: ["web", "edge"], "/x/{id}": path: ["web", "edge"], "GET /x/{$}": path: ["web", "edge"], "GET /x/": path: ["web", "edge"], "GET /x/{id}/": path: ["web", "edge"]}`, ""},
		{"path and paths", `routes: "GET /": paths: a: ["web", "edge"]`, `2:18: route has path and paths; write one of them`},
		{"a field of a route", `routes: "GET /": tsp: 3`, `2:18: unknown field "tsp" in route; did you mean tps?`},
		{"two routes of one request", `routes: {
"GET /x/{id}": path: ["web", "edge"]
"GET /{id}/edit": path: ["web", "edge"]
}`, `4:1: route pattern "GET /{id}/edit" and "GET /x/{id}" both match /x/edit, and neither is more specific`},
		{"a third route that only meets the first", `routes: {
"GET /x/{id}": path: ["web", "edge"]
"GET /y/{id}": path: ["web", "edge"]
"GET /x/{name}": path: ["web", "edge"]
}`, `5:1: route pattern "GET /x/{name}" matches requests of "GET /x/{id}", too, and neither is more specific`},
		{"a more specific route", `routes: {
"GET /x/{id}": path: ["web", "edge"]
"GET /x/edit": path: ["web", "edge"]
"/x/": path: ["web", "edge"]
}`, ``},
		{"two forms of an answer", `routes: "GET /": response: {poll: {}, stream: total: "5s"}`, `2:39: response has two forms, poll and stream; an answer is exactly one`},
		{"an answer that no WebSocket has", `routes: "GET /": {protocol: "websocket", response: poll: {}}`, `2:52: response has the form poll, which no answer of protocol: "websocket" has; write response: websocket or another protocol`},
	})
}

func TestDecodeAnswersAWrongPath(t *testing.T) {
	runDecodeCases(t, []decodeCase{
		{"an undeclared layer", `routes: "POST /": path: ["web", "prxy"]`, `2:33: unknown layer "prxy" in path; did you mean proxy?`},
		{"a loop", `routes: "POST /": path: ["web", "edge", "web"]`, `2:41: path goes through web twice`},
		{"a path of one", `routes: "POST /": path: ["web"]`, `2:25: path has only web; a request needs a caller and a callee`},
		{"an app alone, which may call others itself", `routes: "POST /": path: ["api"]`, ``},
		{"a browser in the middle", `routes: "POST /": path: ["edge", "web", "proxy"]`, `2:34: web is a browser and can only be first in a path`},
		{"a call from outside", `routes: "POST /": path: ["web", "auth", "proxy"]`, `2:33: auth is an external service and must be the last layer of a path; it calls no one that is known`},
		{"an app without a client", `routes: "POST /": path: ["web", "api", "proxy"]`, `2:33: api has no client that calls proxy; add clients: proxy: …`},
		{"a client by `to`", `layers: api: app: clients: b: {to: "proxy", gohttp: {}}, routes: "POST /": path: ["web", "api", "proxy"]`, ``},
		{"a client by `via`", `layers: api: app: clients: b: {to: "auth", via: "proxy", gohttp: {}}, routes: "POST /": path: ["web", "api", "proxy", "auth"]`, ``},
		{"the default path", `path: ["web", "prxy"]`, `2:15: unknown layer "prxy" in path; did you mean proxy?`},
		{"a name that is no string", `path: ["web", 5]`, `2:15: path has 5 in its list; it takes the names of layers`},
		{"a path that is no list", `routes: "POST /": path: "web"`, `2:25: path is "web"; a path is a list of layers: ["web", "edge", "api"]`},
		{"an entrance", `routes: "POST /": paths: {a: ["web", "api"], b: ["edge", "web"]}`, `2:58: web is a browser and can only be first in a path`},
	})
}

func TestDecodeAnswersAWrongPattern(t *testing.T) {
	runDecodeCases(t, []decodeCase{
		{"a method in lower case", `routes: "get /x": path: ["web", "edge"]`, `2:9: route pattern "get /x" has its method in lower case; write GET`},
		{"a misspelt method", `routes: "GTE /x": path: ["web", "edge"]`, `2:9: route pattern "GTE /x" has the method GTE; did you mean GET?`},
		{"a method of another protocol", `routes: "PROPFIND /x": path: ["web", "edge"]`, ``},
		{"no path", `routes: GET: path: ["web", "edge"]`, `2:9: route pattern "GET" is malformed: it has no path; write a pattern as "GET /v1/pay"`},
		{"nothing", `routes: "": path: ["web", "edge"]`, `2:9: route pattern "" is malformed: it is empty; write a pattern as "GET /v1/pay"`},
		{"a wildcard that is not closed", `routes: "GET /u/{id": path: ["web", "edge"]`, `2:9: route pattern "GET /u/{id" is malformed: bad wildcard segment (must end with '}')`},
		{"a host and a prefix", `routes: "GET api.x.io/f/": path: ["web", "edge"]`, ``},
		{"a wildcard", `routes: "GET /u/{id}": path: ["web", "edge"]`, ``},
		{"no method", `routes: "/f/": path: ["web", "edge"]`, ``},
	})
}

func TestDecodeAnswersAWrongOverride(t *testing.T) {
	at := func(s string) string { return `routes: "GET /": at: ` + s }
	runDecodeCases(t, []decodeCase{
		{"a setting of the route", at(`proxy: nginx: location: "/": proxy_read_timeout: "5s"`), ``},
		{"a setting of the whole balancer", at(`edge: alb: idle_timeout: 100`), `2:33: alb idle_timeout holds for the whole balancer and cannot differ on one route`},
		{"a setting of the process", at(`proxy: nginx: server: keepalive_timeout: "5s"`), `2:44: nginx keepalive_timeout holds for the whole process and cannot differ on one route`},
		{"a setting of the client", at(`api: app: clients: auth: gohttp: Timeout: "5s"`), `2:55: gohttp Timeout holds for the whole client and cannot differ on one route`},
		{"the deadline of a context", at(`api: app: clients: auth: gohttp: context: timeout: "5s"`), ``},
		{"a deadline and work", at(`api: app: {deadline: perCall: "5s", work: max: "1s"}`), ``},
		{"an error room", at(`api: errorRoom: "2s"`), ``},
		{"a fact of the layer", at(`api: instances: 5`), `2:27: layer instances holds for the whole layer and cannot differ on one route`},
		{"an undeclared layer", at(`egde: alb: {}`), `2:22: unknown layer "egde" in at; did you mean edge?`},
		{"a layer that is not on the way", "layers: b: alb: {}\n" + at(`b: alb: {}`), `3:22: b is not on the way of this route: web, edge, proxy, api, auth`},
		{"another type", at(`edge: nginx: {}`), `2:28: edge is of type alb, not nginx`},
		{"an unknown setting", at(`proxy: nginx: server: proxy_read_timout: "5s"`), `2:44: unknown setting "proxy_read_timout" in nginx server; did you mean proxy_read_timeout?`},
		{"a directive of another module", at(`proxy: nginx: server: grpc_read_timeout: "5s"`), `2:44: grpc_read_timeout: the grpc_* directives are not described, and proxy_* ones say nothing about grpc_pass; describe the layer as custom`},
		{"a layer of which nothing is known", "layers: cdn: unknown: {}\n" + at(`edge: {}`), `2:23: unknown says what is known of the layer, as "vendor CDN", or "": it has no settings, and its limits are not checked`},
	})
}

func TestDecodeAnswersAWrongCall(t *testing.T) {
	app := func(s string) string { return `layers: api: app: calls: ` + s }
	runDecodeCases(t, []decodeCase{
		{"the form", app(`[{auth: {}}, {auth: {times: 3, method: "POST", fallback: true, background: true}}]`), ``},
		{"no list", app(`auth: {}`), `2:26: calls is a struct; it is a list of steps: calls: [{price: {}}, {db: {times: 3}}]`},
		{"a name in the list", app(`["auth"]`), `2:27: calls has "auth" in its list; a step is a struct with the callees as keys: {price: {}}`},
		{"an unknown field", app(`[{auth: {tims: 3}}]`), `2:35: unknown field "tims" in the call of auth; did you mean times?`},
		{"no times", app(`[{auth: {times: 0}}]`), `2:42: times is 0; it is a whole number from 1 to 1000`},
		{"what is called instead", app(`[{auth: {}}, {auth: {instead: "auth", on: ["refused", "5xx"]}}]`), ``},
		{"instead of nothing before it", app(`[{auth: instead: "auth"}]`), `2:43: no earlier step calls auth; write calls: [{auth: {}}, {auth: instead: "auth"}]`},
		{"instead of a misspelt one", app(`[{auth: {}}, {auth: instead: "atuh"}]`), `2:55: no earlier step calls atuh; did you mean auth?`},
		{"instead of one in the background", app(`[{auth: background: true}, {auth: instead: "auth"}]`), `2:69: auth is called in the background: its failure is not noticed`},
		{"instead, in the background", app(`[{auth: {}}, {auth: {instead: "auth", background: true}}]`), `2:56: a call in the background is not waited for, and stands in for none`},
		{"failures without an instead", app(`[{auth: on: ["refused"]}]`), `2:38: on says after which failures a call is made instead of another one: instead: "…" is missing`},
		{"an unknown failure", app(`[{auth: {}}, {auth: {instead: "auth", on: ["refusd"]}}]`), `2:69: on: unknown condition "refusd"; a status, a class as 5xx, timeout, error, or one of refused, reset, stale, killed, connect-timeout, tls-timeout, pool-timeout, write-timeout, dns-timeout, deadline`},
		{"no list of failures", app(`[{auth: {}}, {auth: {instead: "auth", on: "refused"}}]`), `2:68: on is "refused"; it is a list of failures: on: ["refused", "connect-timeout"]`},
		{"a callee without a client", app(`[{auht: {}}]`), `2:28: api has no client that calls auht; did you mean auth?`},
		{"on a route", `routes: "GET /": calls: api: [{web: {}}]`, `2:32: api has no client that calls web; add clients: web: …`},
		{"of a layer that is no app", `routes: "GET /": calls: edge: [{auth: {}}]`, `2:25: edge is of type alb and makes no calls of its own; only an app does`},
	})
}

func TestDecodeAnswersAWrongSuppression(t *testing.T) {
	runDecodeCases(t, []decodeCase{
		{"no reason", `layers: edge: alb: idle_timeout: 60 @tchain(ignore="error-room")`, `2:34: @tchain of idle_timeout has no reason; write @tchain(ignore="error-room", reason="…")`},
		{"no rule", `layers: edge: alb: idle_timeout: 60 @tchain(reason="x")`, `2:34: @tchain of idle_timeout has no rule; write @tchain(ignore="RULE", reason="…")`},
		{"a word", `layers: edge: alb: idle_timeout: 60 @tchain(ignore="error-room", reson="x")`, `2:34: unknown word "reson" in @tchain of idle_timeout; did you mean reason?`},
		{"a day that is none", `layers: edge: alb: idle_timeout: 60 @tchain(ignore="error-room", reason="x", until="soon")`, `2:34: until is "soon"; it is a day, as "2027-03-31"`},
		{"a reason that is blank", `layers: edge: alb: idle_timeout: 60 @tchain(ignore="error-room", reason="  ")`, `2:34: @tchain of idle_timeout has no reason; write @tchain(ignore="error-room", reason="…")`},
		{"a reason without its text", `layers: edge: alb: idle_timeout: 60 @tchain(ignore="error-room", reason)`, `2:34: reason in @tchain of idle_timeout has no value; write reason="…"`},
		{"two rules in one", `layers: edge: alb: idle_timeout: 60 @tchain(ignore="ping", ignore="error-room", reason="x")`, `2:34: @tchain of idle_timeout says ignore twice; write one attribute for each suppression`},
		{"two days", `layers: edge: alb: idle_timeout: 60 @tchain(ignore="ping", until="2020-01-01", until="2099-01-01", reason="x")`, `2:34: @tchain of idle_timeout says until twice; write one attribute for each suppression`},
		{"a misspelt attribute", `layers: edge: alb: idle_timeout: 60 @tchian(ignore="error-room", reason="x")`, `2:37: unknown attribute @tchian; did you mean @tchain?`},
		{"one in other case", `layers: edge: alb: idle_timeout: 60 @Tchain(ignore="error-room", reason="x")`, `2:37: unknown attribute @Tchain; did you mean @tchain?`},
		{"one on nothing, without a reason", `_spare: 60 @tchain(ignore="error-room")`, `2:12: @tchain has no reason; write @tchain(ignore="error-room", reason="…")`},
		{"a policy entry with a blank reason", `policy: ignore: [{rule: "error-room", reason: " \n"}]`, `2:47: reason is empty; write why it is accepted: reason: "…"`},
		{"a policy entry without its reason", `policy: ignore: [{rule: "error-room"}]`, `2:18: ignore[0] has no reason (for whoever reads it next)`},
		{"rules that must stand as a word", `policy: notSuppressible: "error-room"`, `2:26: notSuppressible is "error-room"; it is a list of rules: notSuppressible: ["…"]`},
		{"a number as a rule that must stand", `policy: notSuppressible: ["error-room", 7]`, `2:41: 7 in notSuppressible is no rule`},
		{"a policy entry of an undeclared layer", `policy: ignore: [{rule: "error-room", reason: "x", layer: "egde"}]`, `2:59: unknown layer "egde" in ignore; did you mean edge?`},
		{"a severity", `policy: severity: "error-room": "eror"`, `2:33: error-room takes "error", "warning", "info" or "off", not "eror"; did you mean "error"?`},
		{"a field", `policy: poolAgains: "p99"`, `2:9: unknown field "poolAgains" in policy; did you mean poolAgainst?`},
		{"an estimate without a reason", `layers: edge: alb: idle_timeout: 60 @estimate()`, `2:34: @estimate of idle_timeout has no reason; write @estimate("…")`},
	})
}

func TestDecodeAnswersAWrongOwnType(t *testing.T) {
	runDecodeCases(t, []decodeCase{
		{"an unknown attribute", `types: layers: edgex: idle?: string @limt(idle-keepalive)`, `2:23: type edgex: idle: @limt(idle-keepalive): is no attribute of the catalogue`},
		{"a kind", `types: layers: edgex: idle?: string @limit(idle)`, `2:23: type edgex: idle: @limit(idle): "idle" is no kind`},
		{"a limit that ends before it begins", `types: layers: edgex: idle?: string @limit(response-header, start=body-end, end=call)`, `2:23: type edgex: idle: @limit(response-header, start=body-end, end=call): ends at call, which does not come after body-end`},
		{"a range that ends before it begins", `types: layers: edgex: idle?: string @limit(idle-keepalive) @range("50s", "10s")`, `2:23: type edgex: idle: range "50s": is above its end "10s"`},
		{"a condition on no setting", `types: layers: edgex: idle?: string @limit(idle-keepalive, if="nope")`, `2:23: type edgex: idle: limit "nope": there is no setting nope`},
		{"defaults in a circle", `types: layers: edgex: {a?: string @limit(idle-keepalive) @default(from=b), b?: string @default(from=a)}`, "2:24: type edgex: a: default \"from=b\": comes back to itself\n2:76: type edgex: b: default \"from=a\": comes back to itself"},
		{"a constraint that nothing meets", `types: layers: edgex: idle?: int & >100 & <50` + "\nlayers: b: edgex: idle: 60", `2:23: type edgex: idle takes no value at all: its constraint contradicts itself, or refers to what is not there`},
		{"a range of one value", "types: layers: edgex: block?: {\n\tidle?: string @limit(idle-keepalive) @range(\"50s\")\n}", `3:2: type edgex: block.idle: @range("50s"): takes the least value and the most`},
		{"the name of a built-in type", `types: layers: nginx: {}`, `2:16: layer nginx is in the catalogue; choose another name`},
		{"a group", `types: layer: x: {}`, `2:8: unknown field "layer" in types; it takes layers, servers and clients`},
		{"an unknown setting of it", "types: layers: edgex: idle?: string @limit(idle-keepalive)\nlayers: b: edgex: idel: \"5s\"", `3:19: unknown setting "idel" in edgex; did you mean idle?`},
		{"a wrong value of it", "types: layers: edgex: idle?: string @limit(idle-keepalive)\nlayers: b: edgex: idle: \"5\"", `3:25: idle "5" has no unit; a duration looks like "90s"`},
		{"a constraint of the team's own", "types: layers: edgex: {a?: int, b?: int & <100 & !=7}\nlayers: b: edgex: {b: 7}", `3:23: b: invalid value 7 (out of bound !=7)`},
	})
}

func TestDecodeAnswersAFlowThatDoesNotMove(t *testing.T) {
	route := func(s string) string { return `routes: "GET /": ` + s }
	runDecodeCases(t, []decodeCase{
		{"an upload of no bytes in a second", route(`request: upload: {size: "1MB", rate: "0B"}`), `2:55: rate is "0B"; write the bytes of a second, as "1MB": a body that does not move never ends`},
		{"a download of no bytes in a second", route(`response: download: {size: "1MB", rate: "0MB"}`), `2:58: rate is "0MB"; write the bytes of a second, as "1MB": a body that does not move never ends`},
		{"a part of a byte", route(`request: upload: {size: "1MB", rate: "0.5B"}`), `2:55: rate is "0.5B"; it is a whole number of bytes, and less than 8 EiB`},
		{"more bytes than can be counted", route(`request: upload: {size: "9000000000000000GB", rate: "1MB"}`), `2:42: size is "9000000000000000GB"; it is a whole number of bytes, and less than 8 EiB`},
		{"a part of a unit", route(`request: upload: {size: "1.5GB", rate: "0.3kB"}`), ``},
		{"an empty body", route(`request: upload: {size: "0B", rate: "1MB"}`), ``},
		{"a heartbeat without a pause", route(`response: stream: heartbeat: {every: "0s", from: "api"}`), `2:55: every is "0s"; write the time from one to the next, or no every where nothing is sent`},
		{"a ping without a pause", route(`response: websocket: ping: "0s"`), `2:45: ping is "0s"; write the time from one to the next, or no ping where nothing is sent`},
		{"a WebSocket that lasts no time", route(`response: websocket: total: "0s"`), `2:46: total is "0s"; write how long the WebSocket lasts, or no total where that is not known`},
		{"a stream that lasts no time", route(`response: stream: total: "0s"`), `2:43: total is "0s"; write how long the stream lasts, or no total where that is not known`},
		{"a heartbeat of an unknown layer", route(`response: stream: heartbeat: {every: "5s", from: "apy"}`), `2:67: unknown layer "apy" in heartbeat; did you mean api?`},
		{"a heartbeat of a layer elsewhere", route(`response: stream: heartbeat: {every: "5s", from: "far"}` + "\nlayers: far: external: {}"), `2:67: far is not on the way of this route: web, edge, proxy, api, auth`},
		{"a heartbeat of a layer that is called", route(`response: stream: heartbeat: {every: "5s", from: "auth"}`), ``},
	})
}
