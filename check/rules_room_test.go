package check_test

import "tchain.dev/tchain/check"

func badOf(rule string) string { return check.Find(rule).Bad() }

// beyond is a proxy in front of a layer of which nothing is known.
const beyond = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 60_000
	proxy: nginx: {
		version: "1.28.0"
		server: {proxy_connect_timeout: "2s", proxy_read_timeout: "10s"}
		upstream: mid: server: ["10.0.0.1:8080", "10.0.0.2:8080"]
	}
	mid: unknown: "a gateway"
	report: external: latency: p99: "12s"
}
routes: "GET /report": path: ["web", "proxy", "mid", "report"]
`

// breaker is a client with a circuit breaker.
const breaker = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {
		server: gohttp: {}
		clients: price: {wrap: [{failsafeCircuitBreaker: {failureThreshold: 3, delay: "7s"}}], custom: totalDeadline: "2s"}
	}
	price: {
		endpoint: addresses: 2
		external: latency: p99: "2s"
	}
}
routes: "GET /price": path: ["api", "price"]
`

// blind is a balancer that leaves addresses out and does not count timeouts.
const blind = `
tchain: "v1"
name:   "shop"
types: layers: edgeway: {
	wait?:  string @limit(response-first-byte, fires="504")
	out?:   string @limit(eject)
	fails?: int @size(eject)
	on?: [...string] @retry()
	targets?: [...string] @addresses()
}
layers: {
	edge: edgeway: {wait: "2s", out: "10s", fails: 1, on: ["refused"], targets: ["10.0.0.1:80", "10.0.0.2:80"]}
	price: external: latency: p99: "2s"
}
routes: "GET /price": path: ["edge", "price"]
`

// several is an app that calls several others.
const several = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 10_000
	api: app: {
		server: gohttp: {}
		clients: {price: custom: {}, risk: custom: {}}
		calls: [{price: {}}, {risk: {}}]
	}
	price: external: {}
	risk: external: {}
}
routes: "GET /offer": path: ["web", "api"]
`

const all = `custom: {dns: "1s", connect: "1s", responseHeader: "1s", responseReadGap: "1s"}`

// unlimited is a proxy that does not limit its upstream, in front of an app that ends.
const unlimited = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: {}
	edge: traefik: {
		version: "3.5.0"
		entryPoints: web: transport: respondingTimeouts: writeTimeout: "60s"
		serversTransport: api: forwardingTimeouts: dialTimeout: "1s"
	}
	api: app: {server: gohttp: {}, clients: db: gohttp: Timeout: "50s"}
	db: external: {}
}
routes: "GET /": path: ["web", "edge", "api", "db"]
`

// killedRelay is an app that passes an answer on, in a worker that is killed before.
const killedRelay = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {relay: true, server: custom: workerKill: "5s", clients: price: custom: {connect: "1s", responseReadGap: "20s"}}
	price: app: {server: custom: {}, work: max: "7s", clients: {}}
}
routes: "GET /price": path: ["api", "price"]
`

// leased is an app whose request may wait for a connection and then be read in full.
const leased = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 60_000
	proxy: nginx: {version: "1.28.0", server: {proxy_connect_timeout: "1s", proxy_read_timeout: "20s"}}
	shop: app: {runtime: {springBoot: "3.5.9", jdk: "21"}, server: tomcat: {}, clients: db: hikari: {maximumPoolSize: 10, pgjdbc: {socketTimeout: 5, connectTimeout: 2, loginTimeout: 3}}}
	db: postgres: {}
}
routes: "POST /order": path: ["web", "proxy", "shop", "db"]
`

var roomVariants = []variant{
	// What goes on unseen ends where the finding says that it ends: after the wait comes the read.
	{"error-room", leased, nil, "error", "proxy answers 504 at 20s, before shop's own error at 35s; shop works on for 15s, and whether it was done is unknown"},
	{"error-room", leased, []string{"socketTimeout: 5", "socketTimeout: 50", `"20s"`, `"40s"`}, "error", "before shop's own error at 80s; shop works on for 40s, and whether it was done is unknown"},
	{"error-room", leased, []string{"POST", "GET"}, "error", "before shop's own error at 35s"},
	{"error-room", leased, []string{`"20s"`, `"37s"`}, "", ""},

	{"error-room", killedRelay, nil, "error", "api kills the worker at 5s, before price's answer at 7s"},
	{"error-room", killedRelay, []string{`"5s"`, `"8s"`}, "", ""},
	// An answer that a proxy passes on must come before the limit of its own answering side.
	{"error-room", unlimited, nil, "", ""},
	{"error-room", unlimited, []string{`writeTimeout: "60s"`, `writeTimeout: "50s"`}, "error", "api's answer at 50s is lost: edge's writeTimeout 50s is over by then, and the connection is closed instead"},
	{"error-room", unlimited, []string{`writeTimeout: "60s"`, `writeTimeout: "51s"`}, "", ""},
	{"error-room", unlimited, []string{`writeTimeout: "60s"`, `writeTimeout: "50s"`, `path: ["web", "edge", "api", "db"]`, `{path: ["web", "edge", "api", "db"], response: stream: total: "40s"}`}, "", ""}, // which stream-cut compares
	{"ejection", beyond, nil, "warning", "proxy gives up on mid at 10s although report's p99 is 12s"},
	{"ejection", beyond, []string{`p99: "12s"`, `p99: "9s"`}, "", ""},
	{"ejection", beyond, []string{`external: latency: p99: "12s"`, `external: {}`}, "", ""},
	{"ejection", beyond, []string{`mid: unknown: "a gateway"`, `mid: app: {server: gohttp: {}, clients: report: custom: {dns: "1s", connect: "1s", responseHeader: string @env(LIMIT), responseReadGap: "1s"}}`}, "warning", "although report's p99 is 12s"},
	{"ejection", beyond, []string{`mid: unknown: "a gateway"`, `mid: app: {server: gohttp: {}, clients: report: gohttp: Timeout: "20s"}`}, "", ""}, // error-room
	{"ejection", "bad", []string{`p99: "12s"`, `{p99: "9s", max: "12s"}`}, "error", "although report's max is 12s"},
	{"ejection", "bad", []string{`"10.0.0.2:8080"`, `"10.0.0.2:8080 max_fails=0"`}, "", ""}, // it is never left out
	{"ejection", "bad", []string{`"10.0.0.1:8080"`, `"10.0.0.1:8080 max_fails=100 fail_timeout=1s"`, `"10.0.0.2:8080"`, `"10.0.0.2:8080 fail_timeout=1h"`}, "error", "200 slow answers within 1s leave out all 2 addresses, and everybody gets 502 at once for 1s"},
	{"ejection", "bad", []string{`"10.0.0.1:8080"`, `"10.0.0.1:8080 max_fails=100 fail_timeout=1s"`, `"10.0.0.2:8080"`, `"10.0.0.2:8080 fail_timeout=1h"`, `path: ["web"`, `{tps: 30, path: ["web"`, `"report"]`, `"report"]}`}, "", ""}, // no 200 come in a second
	{"ejection", "bad", []string{`"10.0.0.1:8080"`, `"10.0.0.1:8080 max_fails=100 fail_timeout=1s"`, `"10.0.0.2:8080"`, `"10.0.0.2:8080 fail_timeout=1h"`, `path: ["web"`, `{tps: 99, path: ["web"`, `"report"]`, `"report"]}`}, "error", "200 slow answers"},
	{"ejection", "bad", []string{"upstream: report: server", "upstream: report: fail_timeout: 0\n\t\tupstream: report: server"}, "", ""},
	// What another layer sends there is not counted.
	{"ejection", "bad", []string{`"10.0.0.1:8080"`, `"10.0.0.1:8080 max_fails=100 fail_timeout=1s"`, `"10.0.0.2:8080"`, `"10.0.0.2:8080 fail_timeout=1h"`, `"GET /report": path: ["web", "proxy", "report"]`, `{"GET /report": {tps: 30, path: ["web", "proxy", "report"]}, "GET /batch": {tps: 900, path: ["web", "proxy", "batch"]}}`, "\tweb: browser", "\tbatch: external: {}\n\tweb: browser"}, "", ""}, // the 900 go elsewhere
	{"ejection", "bad", []string{`"10.0.0.1:8080"`, `"10.0.0.1:8080 max_fails=100 fail_timeout=1s"`, `"10.0.0.2:8080"`, `"10.0.0.2:8080 fail_timeout=1h"`, `"GET /report": path: ["web", "proxy", "report"]`, `{"GET /report": {tps: 30, path: ["web", "proxy", "report"]}, "GET /batch": {tps: 900, path: ["batch", "report"]}}`, "\tweb: browser", "\tbatch: app: clients: report: custom: totalDeadline: \"30s\"\n\tweb: browser"}, "", ""},
	{"ejection", breaker, nil, "error", "6 slow answers within 7s leave out all 2 addresses, and everybody gets an error"},
	{"ejection", breaker, []string{"addresses: 2", "addresses: 1"}, "", ""},
	{"ejection", blind, nil, "", ""},
	{"ejection", blind, []string{`"refused"`, `"refused", "timeout"`}, "error", "2 slow answers within 10s"},

	{"error-room", "bad", []string{`"10s"}`, `"11s"}`, "routes:", "policy: errorRoom: \"1s\"\nroutes:"}, "error", "1s after api's own error at 10s; more than 1s"},
	{"error-room", "bad", []string{`"10s"}`, `"11s"}`, "routes:", "policy: errorRoom: \"999ms\"\nroutes:"}, "", ""},
	{"error-room", "bad", []string{`"10s"}`, `"11s"}`, "api: app:", "api: errorRoom: \"1s\", api: app:"}, "error", "1s after api's own error"},
	{"error-room", "bad", []string{`"10s"}`, `"12s"}`, "api: app:", "api: errorRoom: \"1999ms\", api: app:", "routes:", "policy: errorRoom: \"5s\"\nroutes:"}, "", ""},
	{"error-room", "bad", []string{`"10s"}`, `"10526ms"}`}, "error", "526ms after api's own error at 10s; more than 526.3ms"},
	{"error-room", "bad", []string{`"10s"}`, `"10527ms"}`}, "", ""},
	{"error-room", "bad", []string{`"10s"}`, `"31s"}`, `Timeout: "10s"`, `Timeout: "30s"`}, "error", "1s after api's own error at 30s; more than 1s"},
	{"error-room", "bad", []string{`"10s"}`, `"31001ms"}`, `Timeout: "10s"`, `Timeout: "30s"`}, "", ""},
	{"error-room", "bad", []string{`"10s"}`, `"9s"}`}, "error", "504 at 9s, before api's own error at 10s"},
	{"error-room", badOf("retry-budget"), nil, "", ""},
	{"error-room", badOf("fresh-budgets"), nil, "", ""},
	{"error-room", badOf("platform-cap"), nil, "", ""},
	// Go's write limit ends nothing: what is written after it is lost.
	{"error-room", "clean", []string{"server: gohttp: {}", `server: gohttp: WriteTimeout: "9s"`}, "error", "api's answer at 10s is lost: WriteTimeout 9s is over by then"},
	{"error-room", "clean", []string{"server: gohttp: {}", `server: gohttp: WriteTimeout: "10500ms"`}, "", ""},
	{"error-room", "clean", []string{"server: gohttp: {}", `server: gohttp: WriteTimeout: "9s"`, `gohttp: Timeout: "10s"`, "gohttp: {}"}, "error", "api's answer is lost whenever it comes after 9s, and nothing ends its own calls before: WriteTimeout 9s closes the connection only once there is an answer"},
	// What answers in the handler's place before it is heard.
	{"error-room", "clean", []string{"server: gohttp: {}", `server: gohttp: {WriteTimeout: "9s", TimeoutHandler: "8s", ReadTimeout: "5s"}`, `gohttp: Timeout: "10s"`, "gohttp: {}"}, "", ""},
	{"error-room", "clean", []string{"server: gohttp: {}", `server: gohttp: {WriteTimeout: "9s", TimeoutHandler: "9500ms", ReadTimeout: "5s"}`, `gohttp: Timeout: "10s"`, "gohttp: {}"}, "error", "api's answer at 9.5s is lost: WriteTimeout 9s is over by then"},
	{"error-room", "clean", []string{"server: gohttp: {}", `server: gohttp: {WriteTimeout: "9s", TimeoutHandler: "9500ms", ReadTimeout: "5s"}`, `gohttp: Timeout: "10s"`, `gohttp: Timeout: "3s"`}, "warning", "api's answer at 9.5s is lost: WriteTimeout 9s is over by then"},
	{"error-room", "bad", []string{`price: gohttp: Timeout: "10s"`, "price: gohttp: {}"}, "error", "because nothing ends api's call to price: timeout is not set"},
	{"error-room", "bad", []string{`gohttp: Timeout: "10s"`, `custom: {attemptDeadline: "0s", totalDeadline: "0s"}`}, "", ""}, // zero-is-infinite
	{"error-room", several, nil, "error", "because nothing ends api's call to price: attemptDeadline is not set"},
	{"error-room", several, []string{"price: custom: {}", "price: edgeway: {}", "risk: custom: {}", "risk: edgeway: {}", "layers:", "types: clients: edgeway: {header?: string @limit(response-header), gap?: string @limit(response-read-gap)}\nlayers:"}, "", ""}, // no limit alone ends a call
	{"error-room", several, []string{"price: custom: {}", "price: " + all, "risk: custom: {}", "risk: " + all}, "", ""},
	{"error-room", several, []string{"price: custom: {}", "price: " + all, "risk: custom: {}", `risk: custom: {dns: "1s", connect: "1s", responseHeader: "1s"}`}, "error", "because nothing ends api's call to risk: responseReadGap is not set"},
	{"error-room", several, []string{"price: custom: {}", `price: custom: {dns: "1s", connect: "1s", responseHeader: "1s"}`, "risk: custom: {}", `risk: custom: {dns: "1s", connect: "1s", responseHeader: "1s"}`}, "error", "because nothing ends api's call to price: responseReadGap is not set"},
	{"error-room", several, []string{"price: custom: {}", `price: custom: {dns: "1s", connect: "1s", responseHeader: "1s"}`, "{price: {}}", "{price: background: true}", "risk: custom: {}", `risk: custom: {dns: "1s", connect: "1s", responseReadGap: "1s"}`}, "error", "because nothing ends api's call to risk: responseHeader is not set"},
	{"error-room", defaults, nil, "error", "web gives up at 10s, before proxy's own error at 120s"},
	{"error-room", shared, nil, "error", "api gives up at 10s, before orders's own error at 12s"},

	{"tail-latency", "bad", []string{`gohttp: Timeout: "2s"`, `gohttp: context: timeout: "0s"`, `external: latency: p99: "2s"`, "external: {}"}, "error", "timeout 0s of gohttp is over as soon as it begins"},
	{"tail-latency", "bad", []string{`gohttp: Timeout: "2s"`, "node: {version: \"22.12.0\", setTimeout: 2000, destroyOnTimeout: true}"}, "error", "api gives up at 2s, at the same time as price's p99"},
	{"tail-latency", badOf("error-room"), []string{"api: app: {", "api: app: {\n\t\twork: p99: \"10s\""}, "", ""}, // error-room
	{"tail-latency", hosted, []string{"app: app: {server: custom: {}, clients: price: custom: totalDeadline: \"40s\"}", `app: external: latency: p99: "40s"`, `"app", "price"`, `"app"`, "price: external: {}", ""}, "error", "router answers 503 at 30s, before app's p99 of 40s"},
}

// defaults is a proxy of which nobody wrote a limit.
const defaults = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 10_000
	proxy: nginx: {version: "1.28.0", upstream: price: server: ["10.0.0.1:8080"]}
	price: external: {}
}
routes: "GET /price": path: ["web", "proxy", "price"]
`

// shared is one client for two callees, of which one ends too late and of the
// other it is not known.
const shared = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {
		server: gohttp: {}
		clients: backend: {to: ["price", "orders"], custom: totalDeadline: "10s"}
		calls: [{price: {}}, {orders: {}}]
	}
	price: app: {server: gohttp: {}, clients: db: custom: {dns: "1s", connect: "1s", responseHeader: string @env(A), responseReadGap: "1s"}}
	orders: app: {server: gohttp: {}, clients: db: custom: totalDeadline: "12s"}
	db: external: {}
}
routes: "GET /price": {path: ["api"], calls: {price: [{db: {}}], orders: [{db: {}}]}}
`
