package check_test

import (
	"slices"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
)

// streaming is a stream without a declared end to a program.
const streaming = `
tchain: "v1"
name:   "chat"
layers: {
	web: app: {server: gohttp: {}, clients: chat: custom: {dns: "1s", connect: "1s", responseHeader: "9s"}}
	chat: app: {server: gohttp: {}, relay: true, clients: src: custom: {dns: "1s", connect: "1s", responseHeader: "4s", responseReadGap: "52s"}}
	src: external: {}
}
routes: "GET /events": {path: ["web", "chat", "src"], response: stream: {first: "1s", silence: "50s"}}
`

// watched is a stream to a person, whose browser has nothing but a total.
const watched = `
tchain: "v1"
name:   "chat"
layers: {
	web: browser: fetch: {}
	proxy: nginx: {
		version: "1.28.0"
		server: {proxy_connect_timeout: "2s", proxy_read_timeout: "70s", proxy_buffering: "off", keepalive_timeout: "300s"}
		upstream: chat: server: ["10.0.0.1:8080"]
	}
	chat: external: {}
}
routes: "GET /events": {path: ["web", "proxy", "chat"], response: stream: {first: "1s", silence: "50s"}}
`

// audited is an app with a call that nobody waits for.
const audited = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 30_000
	api: app: {server: gohttp: {}, calls: [{audit: background: true}], clients: audit: gohttp: {}}
	audit: external: {}
}
routes: "GET /x": path: ["web", "api"]
`

// quiet is a stream that is silent for longer than the flow on its way is remembered.
const quiet = `
tchain: "v1"
name:   "chat"
layers: {
	web: app: {server: gohttp: {}, clients: lb: gohttp: {context: timeout: "30m", Transport: Dialer: KeepAlive: "-1s"}}
	lb: nlb: {}
	chat: app: server: custom: {}
}
routes: "GET /events": {path: ["web", "lb", "chat"], response: stream: {first: "1s", silence: "400s", total: "15m"}}
`

// called is a gRPC service that ends connections of a certain age, on a pod.
const called = `
tchain: "v1"
name:   "shop"
layers: {
	web: app: {server: gohttp: {}, clients: api: grpcGo: context: timeout: "20s"}
	api: {
		kubernetes: {terminationGracePeriodSeconds: 60, lifecycle: preStop: sleep: seconds: 5}
		app: {
			server: grpcGo: KeepaliveParams: {MaxConnectionAge: "10m", MaxConnectionAgeGrace: "5s"}
			work: max: "10s"
		}
	}
}
routes: "GET /price": path: ["web", "api"]
`

// booted is a Spring Boot application on a pod.
const booted = `
tchain: "v1"
name:   "shop"
layers: {
	web: app: {server: gohttp: {}, clients: api: gohttp: Timeout: "50s"}
	api: {
		kubernetes: {terminationGracePeriodSeconds: 60, lifecycle: preStop: sleep: seconds: 5}
		app: {
			runtime: springBoot: "3.3.13"
			server: tomcat: {}
			work: max: "10s"
		}
	}
}
routes: "GET /price": path: ["web", "api"]
`

// upgraded is a WebSocket through a proxy with a limit of its own for it.
const upgraded = `
tchain: "v1"
name:   "chat"
layers: {
	web: browser: fetch: {}
	ha: haproxy: defaults: timeout: {connect: "2s", client: "30s", server: "30s", tunnel: "1h"}
	chat: app: {server: gohttp: {}}
}
routes: "GET /ws": {path: ["web", "ha", "chat"], response: websocket: silence: "300s"}
`

// proxiedSocket is a WebSocket over an NGINX that says nothing of its protocol.
const proxiedSocket = `
tchain: "v1"
name:   "chat"
layers: {
	web: browser: fetch: {}
	ha: nginx: {version: "1.29.6", server: {proxy_connect_timeout: "1s"}, location: "/ws": proxy_set_header: {Upgrade: "$http_upgrade", Connection: "upgrade"}, upstream: chat: server: ["a:1"]}
	chat: app: {server: gohttp: {}}
}
routes: "GET /ws": {path: ["web", "ha", "chat"], response: websocket: silence: "10s"}
`

// distributed is a WebSocket over CloudFront.
const distributed = `
tchain: "v1"
name:   "chat"
layers: {
	web: browser: fetch: {}
	cf: cloudfront: {}
	chat: app: {server: gohttp: {}}
}
routes: "GET /ws": {path: ["web", "cf", "chat"], response: websocket: silence: "599s"}
`

// openSocket is a WebSocket over an NGINX that passes on what opens it.
const openSocket = `
tchain: "v1"
name:   "chat"
layers: {
	web: browser: fetch: {}
	ha: nginx: {version: "1.28.0", server: {proxy_http_version: "1.1"}, location: "/ws": proxy_set_header: {Upgrade: "$http_upgrade", Connection: "upgrade"}, upstream: chat: server: ["a:1"]}
	chat: app: {server: gohttp: {}}
}
routes: "GET /ws": {path: ["web", "ha", "chat"], response: websocket: silence: "10s"}
`

// wrapped is a WebSocket of a handler within http.TimeoutHandler.
const wrapped = `
tchain: "v1"
name:   "chat"
layers: {
	web: browser: fetch: {}
	chat: app: server: gohttp: {ReadHeaderTimeout: "5s", TimeoutHandler: "9s"}
}
routes: "GET /ws": {path: ["web", "chat"], response: websocket: {}}
`

// paged is a WebSocket of a page whose requests are ended.
const paged = `
tchain: "v1"
name:   "chat"
layers: {
	web: browser: fetch: signal: timeout: 200_000
	ha: nginx: {version: "1.29.7", server: {proxy_connect_timeout: "2s", proxy_read_timeout: "1h"}, upstream: chat: server: ["a:1"]}
	chat: app: {server: gohttp: {}, work: max: "1s"}
}
routes: "GET /ws": {path: ["web", "ha", "chat"], response: websocket: {}}
`

// invoked is a function that is called.
const invoked = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {server: gohttp: {}, clients: fn: gohttp: Timeout: "10s"}
	fn: app: server: lambda: {timeout: 5, reserved_concurrent_executions: 0}
}
routes: "GET /price": {tps: 5, path: ["api", "fn"]}
`

// pingedSocket is a WebSocket that is pinged more often than any limit on its way asks for, and
// that says how long it lasts.
const pingedSocket = `
tchain: "v1"
name:   "chat"
layers: {
	web: browser: fetch: {}
	proxy: nginx: {version: "1.28.0", server: {proxy_connect_timeout: "2s", proxy_read_timeout: "30s", proxy_next_upstream: "off", proxy_buffering: "off"}}
	app: {instances: 2, app: {server: gohttp: {ReadHeaderTimeout: "5s"}}}
}
routes: "GET /ws": {path: ["web", "proxy", "app"], concurrent: 100, response: websocket: {silence: "20s", ping: "20s", total: "2h"}, at: proxy: nginx: server: {proxy_http_version: "1.1", proxy_set_header: {Upgrade: "$http_upgrade", Connection: "upgrade"}}}
`

var streamVariants = []variant{
	// The grace of an age is none of stopping.
	{"drain-order", called, nil, "", ""},
	{"tail-latency", called, nil, "error", "api closes a connection 5s after its MaxConnectionAge of 600s is reached, and its max is 10s: one that began just before is cut"},
	{"tail-latency", called, []string{`Grace: "5s"`, `Grace: "10s"`}, "error", "api closes a connection 10s after"},
	{"tail-latency", called, []string{`Grace: "5s"`, `Grace: "11s"`}, "", ""},
	{"tail-latency", called, []string{`Grace: "5s"`, `Grace: "0s"`}, "", ""},
	{"tail-latency", called, []string{`MaxConnectionAge: "10m", `, ""}, "", ""},
	{"stream-cut", called, []string{`path: ["web", "api"]`, `{path: ["web", "api"], response: stream: total: "15m"}`, `timeout: "20s"`, `timeout: "30m"`}, "error", "api closes a connection 5s after its MaxConnectionAge of 600s is reached, and the stream of GET /price lasts 900s"},
	{"stream-cut", called, []string{`path: ["web", "api"]`, `{path: ["web", "api"], response: stream: total: "15m"}`, `timeout: "20s"`, `timeout: "30m"`, `Grace: "5s"`, `Grace: "16m"`}, "", ""},
	{"tail-latency", called, []string{`path: ["web", "api"]`, `{path: ["web", "api"], response: stream: total: "15m"}`, `timeout: "20s"`, `timeout: "30m"`}, "", ""}, // stream-cut
	{"drain-order", called, []string{"app: {\n\t\t\tserver: grpcGo: KeepaliveParams: {MaxConnectionAge: \"10m\", MaxConnectionAgeGrace: \"5s\"}\n\t\t\twork: max: \"10s\"\n\t\t}", `envoy: "drain-time-s": 600`, `["web", "api"]`, `["web", "api", "price"]`, "web: app", "price: external: {}\n\tweb: app"}, "", ""},
	// Spring Boot stops at once before 3.4, and gives a phase of 30s since.
	{"drain-order", booted, nil, "error", "api lets no request finish after the stop signal: shutdown (immediate by default), and those in flight are cut"},
	{"drain-order", booted, []string{`"3.3.13"`, `"3.4.0"`}, "", ""},
	{"drain-order", booted, []string{`"3.3.13"`, `"3"`}, "", ""},
	{"drain-order", booted, []string{`"3.3.13"`, `"3.4.0"`, `max: "10s"`, `max: "30s"`}, "error", "api lets requests finish for 30s after the stop signal, and may work on one for 30s"},
	{"drain-order", booted, []string{`"3.3.13"`, `"3.4.0"`, "tomcat: {}", `tomcat: shutdown: "immediate"`}, "error", "shutdown immediate, and those in flight are cut"},
	{"drain-order", booted, []string{"tomcat: {}", `tomcat: shutdown: "graceful"`}, "", ""},
	{"drain-order", booted, []string{"tomcat: {}", `jetty: {shutdown: "graceful", timeoutPerShutdownPhase: "10s"}`}, "error", "api lets requests finish for 10s after the stop signal"},
	{"drain-order", booted, []string{"tomcat: {}", `undertow: {shutdown: "graceful", timeoutPerShutdownPhase: "55s"}`}, "warning", "api lets requests finish for 55s, and has 55s"},
	{"drain-order", booted, []string{"tomcat: {}", `netty: {shutdown: "graceful", timeoutPerShutdownPhase: "54s"}`}, "", ""},
	{"drain-order", booted, []string{"\t\t\truntime: springBoot: \"3.3.13\"\n", ""}, "", ""}, // it may be no Boot at all
	{"drain-order", booted, []string{"tomcat: {}", "custom: drain: \"0s\""}, "error", "api lets no request finish after the stop signal: drain 0s"},
	{"ignored-value", booted, []string{"tomcat: {}", `tomcat: timeoutPerShutdownPhase: "20s"`}, "warning", "timeoutPerShutdownPhase 20s is no time for requests in flight: shutdown is immediate"},
	{"ignored-value", booted, []string{`"3.3.13"`, `"3.4.0"`, "tomcat: {}", `tomcat: timeoutPerShutdownPhase: "20s"`}, "", ""},
	// Once upgraded, another limit holds.
	{"stream-cut", upgraded, nil, "", ""},
	{"stream-cut", upgraded, []string{`tunnel: "1h"`, `tunnel: "300s"`}, "error", "ha closes the upgraded connection at 300s, and the WebSocket of GET /ws is silent for 300s"},
	{"stream-cut", upgraded, []string{`tunnel: "1h"`, `tunnel: "0s"`}, "", ""},
	{"stream-cut", upgraded, []string{`, tunnel: "1h"`, ""}, "error", "ha closes the upgraded connection at 30s"},
	{"stream-cut", upgraded, []string{"websocket: silence", "stream: silence"}, "error", "ha cuts the response at 30s"},
	// An answer that is kept until it is whole is neither flushed nor upgraded.
	{"stream-cut", wrapped, nil, "error", "chat keeps its answer until it is whole (TimeoutHandler 9s), and its connection cannot be taken over: the WebSocket of GET /ws never opens"},
	{"stream-cut", wrapped, []string{"websocket: {}", "stream: {}"}, "error", "no part of it can be flushed: of the stream of GET /ws nothing is sent before its end"},
	{"stream-cut", wrapped, []string{"websocket: {}", `download: {size: "1MB", rate: "1MB"}`}, "", ""},
	{"stream-cut", wrapped, []string{", response: websocket: {}", ""}, "", ""},
	{"stream-cut", wrapped, []string{`TimeoutHandler: "9s"`, ""}, "", ""},
	{"stream-cut", wrapped, []string{`TimeoutHandler: "9s"`, "TimeoutHandler: null"}, "", ""},
	{"stream-cut", wrapped, []string{`["web", "chat"]`, `["chat"]`}, "error", "chat keeps its answer until it is whole"},
	// A page's requests have an AbortSignal, and its WebSockets have none.
	{"error-room", paged, nil, "", ""},
	{"platform-cap", paged, nil, "", ""},
	{"error-room", paged, []string{", response: websocket: {}", ""}, "error", "web gives up at 200s, before ha's own error at 3602s"},
	// A WebSocket is asked for in HTTP/1.1.
	{"stream-cut", proxiedSocket, nil, "error", "ha asks chat in HTTP/1.0, in which a server ignores Upgrade: the WebSocket of GET /ws never opens, and web has whatever chat answers"},
	{"stream-cut", proxiedSocket, []string{"1.29.6", "1.29.7"}, "", ""},
	{"stream-cut", proxiedSocket, []string{"1.29.6", "1.29.7", "server: {", `server: {proxy_http_version: "1.0", `}, "error", "asks chat in HTTP/1.0"},
	{"stream-cut", proxiedSocket, []string{"server: {", `server: {proxy_http_version: "1.1", `}, "", ""},
	{"stream-cut", proxiedSocket, []string{`websocket: silence: "10s"`, `download: {size: "1MB", rate: "1MB"}`}, "", ""},
	{"stream-cut", proxiedSocket, []string{`nginx: {version: "1.29.6", server: {proxy_connect_timeout: "1s"}, location: "/ws": proxy_set_header: {Upgrade: "$http_upgrade", Connection: "upgrade"}, upstream: chat: server: ["a:1"]}`, `ingressNginx: annotations: "proxy-http-version": "1.0"`}, "error", "ha asks chat in HTTP/1.0"},
	{"stream-cut", proxiedSocket, []string{`server: {`, `server: {proxy_http_version: string @env(HTTP), `}, "", ""},
	// The two headers of an upgrade are passed on by nobody else.
	{"stream-cut", openSocket, nil, "", ""},
	{"stream-cut", openSocket, []string{`Connection: "upgrade"`, `Connection: "keep-alive, Upgrade"`}, "", ""},
	{"stream-cut", openSocket, []string{`Connection: "upgrade"`, `Connection: "$connection_upgrade"`}, "", ""},
	{"stream-cut", openSocket, []string{`"upgrade"`, `string @env(CONN)`}, "", ""},
	{"stream-cut", openSocket, []string{`Connection: "upgrade"`, `Connection: "close"`}, "error", "ha asks chat with Connection: close, which asks for no upgrade: the WebSocket of GET /ws never opens"},
	{"stream-cut", openSocket, []string{`Upgrade: "$http_upgrade", `, ""}, "error", "ha asks chat without an Upgrade header"},
	{"stream-cut", openSocket, []string{`Upgrade: "$http_upgrade"`, `Upgrade: ""`}, "error", "without an Upgrade header"},
	{"stream-cut", openSocket, []string{`location: "/ws": proxy_set_header: {Upgrade: "$http_upgrade", Connection: "upgrade"}, `, ""}, "error", "with Connection: close"},
	{"stream-cut", openSocket, []string{`"1.28.0"`, `"1.30.4"`, `location: "/ws": proxy_set_header: {Upgrade: "$http_upgrade", Connection: "upgrade"}, `, ""}, "error", "without a Connection header"},
	{"stream-cut", openSocket, []string{`proxy_http_version: "1.1"`, `proxy_http_version: "1.1", proxy_set_header: {Connection: "", "X-Team": "own"}`, `proxy_set_header: {Upgrade: "$http_upgrade", Connection: "upgrade"}`, `proxy_read_timeout: "60s"`}, "error", "without a Connection header"},
	{"stream-cut", openSocket, []string{`"/ws": proxy_set_header`, `"/": proxy_set_header`, `Connection: "upgrade"`, `Connection: "close"`}, "error", "with Connection: close"},
	{"stream-cut", openSocket, []string{`"1.28.0"`, `"1.30.4"`, `proxy_http_version: "1.1"`, `proxy_http_version: "2"`}, "error", "in HTTP/2, which has no Upgrade"},
	// CloudFront has a fixed limit for it.
	{"stream-cut", distributed, nil, "", ""},
	{"stream-cut", distributed, []string{`"599s"`, `"600s"`}, "error", "cf closes the upgraded connection at 600s, and the WebSocket of GET /ws is silent for 600s"},
	{"stream-cut", distributed, []string{`websocket: silence: "599s"`, `stream: silence: "30s"`}, "error", "cf cuts the response at 30s"},
	{"capacity", invoked, nil, "error", "fn works on no request at all: reserved_concurrent_executions is 0, and every call of api is refused"},
	{"capacity", invoked, []string{"executions: 0", "executions: 1"}, "warning", "fn works on 1 request at once"},
	{"capacity", invoked, []string{", reserved_concurrent_executions: 0", ""}, "", ""},
	// A TCP keep-alive of either end is traffic to what only knows flows.
	{"ping", "bad", []string{`"-1s"`, `"349s"`}, "", ""},
	{"ping", "bad", []string{`"-1s"`, `"350s"`}, "error", "with nothing to keep it alive"},
	{"ping", "bad", []string{`"-1s"`, `"0s"`}, "", ""},
	{"ping", "bad", []string{`, Dialer: KeepAlive: "-1s"`, ""}, "", ""},
	{"ping", "bad", []string{`"-1s"`, "string @env(KEEP)"}, "", ""},
	{"ping", "bad", []string{`idleKeepalive: "600s"`, `{idleKeepalive: "600s", tcpKeepalive: "349s"}`}, "", ""},
	{"ping", "bad", []string{`idleKeepalive: "600s"`, `{idleKeepalive: "600s", tcpKeepalive: "350s"}`}, "error", "with nothing to keep it alive"},
	{"ping", "bad", []string{`idleKeepalive: "600s"`, `{idleKeepalive: "600s", tcpKeepalive: "0s"}`}, "error", "with nothing to keep it alive"},
	{"ping", "bad", []string{"price: external: idleKeepalive: \"600s\"", "price: app: server: gohttp: {}"}, "", ""},
	{"stream-cut", quiet, nil, "error", "lb closes the connection at 350s, and the stream of GET /events is silent for 400s"},
	{"stream-cut", quiet, []string{`"-1s"`, `"349s"`}, "", ""},
	{"stream-cut", quiet, []string{`"-1s"`, `"350s"`}, "error", "lb closes the connection at 350s"},
	{"stream-cut", quiet, []string{"server: custom: {}", `server: custom: tcpKeepalive: "60s"`}, "", ""},
	{"stream-cut", quiet, []string{`"-1s"`, `"60s"`, "lb: nlb: {}", "lb: alb: idle_timeout: 350"}, "error", "lb cuts the response at 350s"}, // it answers itself, and a probe is nothing to it

	// What a stream without an end asks for is a limit between two bytes.
	{"no-limit", streaming, nil, "error", "web waits for ever when chat stops after its header: clients.chat.custom.responseReadGap is not set"},
	{"no-limit", streaming, []string{`responseHeader: "9s"`, `responseHeader: "9s", responseReadGap: "60s"`}, "", ""},
	{"no-limit", streaming, []string{`responseHeader: "9s"`, `responseHeader: "9s", totalDeadline: "30m"`}, "", ""},
	{"no-limit", streaming, []string{`silence: "50s"`, `silence: "50s", total: "15m"`}, "error", "is not set"},
	{"no-limit", streaming, []string{`stream: {first: "1s", silence: "50s"}`, `websocket: {silence: "50s", ping: "20s"}`}, "error", "clients.chat.custom.responseReadGap is not set"},
	{"no-limit", streaming, []string{`, response: stream: {first: "1s", silence: "50s"}`, ""}, "error", "is not set"},
	{"no-limit", watched, nil, "info", "fetch.signal.timeout is not set, and it would end the stream with it"},
	{"no-limit", watched, []string{`silence: "50s"`, `silence: "50s", total: "15m"`}, "error", "fetch.signal.timeout is not set"},
	// An app that does not relay makes the stream; its own calls are ordinary ones.
	{"stream-cut", streaming, []string{`responseReadGap: "52s"`, `responseReadGap: "50s"`}, "error", "chat cuts the response at 50s"},
	{"stream-cut", streaming, []string{`responseReadGap: "52s"`, `responseReadGap: "50s"`, "relay: true, ", ""}, "", ""},
	{"stream-cut", streaming, []string{`silence: "50s"`, `silence: "60s", heartbeat: {every: "50s", from: "src"}`}, "", ""},
	{"stream-cut", streaming, []string{`silence: "50s"`, `silence: "60s", heartbeat: {every: "50s", from: "src"}`, `responseHeader: "9s"`, `responseHeader: "9s", responseReadGap: "55s"`, "relay: true, ", ""}, "error", "web cuts the response at 55s"},
	// It is meant to go on, and no trickle.
	{"gap-only", streaming, []string{`responseHeader: "9s"`, `responseHeader: "9s", responseReadGap: "60s"`}, "", ""},
	{"gap-only", streaming, []string{`responseHeader: "9s"`, `responseHeader: "9s", responseReadGap: "60s"`, `silence: "50s"`, `silence: "50s", total: "15m"`}, "warning", "a trickle from src never ends"},
	{"gap-only", streaming, []string{`responseHeader: "9s"`, `responseHeader: "9s", responseReadGap: "60s"`, "relay: true, ", ""}, "", ""},
	{"gap-only", pingedSocket, nil, "", ""},
	{"gap-only", pingedSocket, []string{"browser: fetch: {}", `app: {server: gohttp: {}, clients: proxy: custom: {dns: "1s", connect: "1s", responseHeader: "40s", responseReadGap: "52s"}}`}, "", ""},
	{"gap-only", pingedSocket, []string{`, total: "2h"`, ""}, "", ""},
	{"gap-only", pingedSocket, []string{"fetch: {}", "fetch: signal: timeout: 70_000"}, "", ""}, // of a page, which has none of it
	{"gap-only", pingedSocket, []string{"browser: fetch: {}", `app: {server: gohttp: {}, clients: proxy: custom: {dns: "1s", connect: "1s", responseHeader: "40s", responseReadGap: "52s"}}`, "websocket: {", "stream: {", `, ping: "20s"`, ""}, "warning", "a trickle from app never ends for web"},

	{"no-limit", audited, nil, "warning", "nothing ends api's call to audit, which it makes in the background: clients.audit.gohttp.context.timeout is not set"},
	{"no-limit", audited, []string{"audit: gohttp: {}", `audit: gohttp: Timeout: "5s"`}, "", ""},
	{"no-limit", audited, []string{"background: true", "fallback: true"}, "", ""}, // error-room
}

func TestNoFixEndsAStreamThatDeclaresNoEnd(t *testing.T) {
	total := func(f check.Fix) bool {
		return strings.Contains(f.Message, "otal") || strings.Contains(f.Message, "attemptDeadline") || strings.Contains(f.Message, "signal")
	}
	for _, row := range []struct {
		name, text string
		want       bool // a fix with a total is offered
	}{
		{"a stream of a program", streaming, false},
		{"a stream to a person", watched, false},
		{"a stream whose end is declared", strings.Replace(watched, `silence: "50s"`, `silence: "50s", total: "15m"`, 1), true},
		{"one answer", strings.Replace(watched, `, response: stream: {first: "1s", silence: "50s"}`, "", 1), true},
		{"one answer of a client that another route streams with",
			strings.Replace(watched, `routes: "GET /events"`, `routes: "GET /list": path: ["web", "proxy", "chat"], routes: "GET /events"`, 1), false},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := false
			for _, f := range findings(t, row.text) {
				got = got || slices.ContainsFunc(f.Fixes, total)
			}
			if got != row.want {
				t.Errorf("a total is offered: %v", got)
			}
		})
	}
}

func TestATotalOnAFlowOfUnknownLengthIsNotChecked(t *testing.T) {
	for _, row := range []struct{ name, from, to, want string }{
		{"a total of the caller", "fetch: {}", "fetch: signal: timeout: 90_000", "whether timeout 90s ends the stream of GET /events while all is well is not known"},
		{"a total of the callee", "chat: external: {}", `chat: external: writeTotal: "90s"`, "whether writeTotal 90s ends the stream"},
		{"no total at all", "fetch: {}", "fetch: {}", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := stackOf(t, strings.Replace(watched, row.from, row.to, 1))
			i := slices.IndexFunc(check.NotChecked(s), func(n chain.NotChecked) bool { return strings.Contains(n.Reason, "while all is well") })
			if i >= 0 != (row.want != "") || i >= 0 && !strings.Contains(check.NotChecked(s)[i].Reason, row.want) {
				t.Errorf("not checked %v", check.NotChecked(s))
			}
		})
	}
}
