package check_test

import "tchain.dev/tchain/check"

func cleanOf(rule string) string { return check.Find(rule).Clean() }

// attempts is a client with a limit for an attempt and one for all.
const attempts = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {
		server: gohttp: {}
		clients: price: custom: {attemptDeadline: "5s", totalDeadline: "5s"}
	}
	price: external: {}
}
routes: "GET /price": path: ["api", "price"]
`

// channel is a client whose calls share one connection, behind a balancer that
// only knows flows.
const channel = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {
		server: custom: {}
		clients: price: {to: "lb", grpcGo: {context: timeout: "2s", keepalive: PermitWithoutStream: true}}
	}
	lb: nlb: {}
	price: app: server: grpcGo: {}
}
routes: "POST /shop.Price/Get": {path: ["api", "lb", "price"], protocol: "grpc", quietFor: "10m"}
`

// events is a stream through a proxy with a limit between two events.
const events = `
tchain: "v1"
name:   "chat"
layers: {
	client: unknown: "a client"
	gw: envoy: route: {timeout: "0s", idle_timeout: "60s"}
	chat: external: {}
}
routes: "GET /events": {path: ["client", "gw", "chat"], response: stream: {silence: "20s", total: "24h"}}
`

// told is a client whose limit tells the program, which does nothing.
const told = `
tchain: "v1"
name:   "desk"
layers: {
	desk: app: {
		runtime: node: "20.18.0"
		server: custom: {}
		clients: api: node: timeout: 10_000
	}
	api: external: {}
}
routes: "GET /": path: ["desk", "api"]
`

// unconnected is a client that has no limit for connecting, where nothing around
// it is over before the kernel gives up.
const unconnected = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 300_000
	api: app: {
		server: gohttp: IdleTimeout: "400s"
		clients: price: socket: soTimeout: 5000
	}
	price: external: {}
}
routes: "GET /price": path: ["web", "api", "price"]
`

const (
	blocking = "socket: soTimeout: 5000"
	zeroed   = `httpclient5: {manager: connectionConfig: connectTimeout: "0s", client: {requestConfig: {responseTimeout: "5s", connectionRequestTimeout: "1s"}, disableAutomaticRetries: true}}`
)

// measured is an app that declares what a call may take, which its client does not keep.
const measured = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {
		server: gohttp: {}
		deadline: perCall: "1500ms"
		clients: price: socket: {connect: timeout: 1000, soTimeout: 1000}
	}
	price: external: {}
}
routes: "GET /price": path: ["api", "price"]
`

const (
	bySocket = "socket: {connect: timeout: 1000, soTimeout: 1000}"
	byGo     = `gohttp: Timeout: "1500ms"`
)

var timeVariants = []variant{
	// Once a stream has begun, no status is left to answer with.
	{"stream-cut", events, []string{`"0s"`, `"15s"`}, "error", "gw cuts the response at 15s, and the stream of GET /events lasts 86400s"},
	{"stream-cut", events, []string{`"20s"`, `"60s"`}, "error", "gw cuts the response at 60s, and the stream of GET /events is silent for 60s"},
	{"stream-cut", events, []string{`{silence: "20s"`, `{first: "60s", silence: "20s"`}, "error", "gw answers 504 at 60s, and the stream of GET /events waits for its first byte for 60s"},
	{"stream-cut", events, []string{`chat: external: {}`, `chat: external: writeTotal: "2m"`}, "error", "chat closes the connection at 120s, and the stream of GET /events lasts 86400s while all is well; client has 200, cut short"},
	{"stream-cut", events, []string{`chat: external: {}`, `lb: nlb: {}, chat: external: {}`, `"gw", "chat"`, `"gw", "lb", "chat"`, `"60s"`, `"700s"`, `"20s"`, `"350s"`}, "error", "lb closes the connection at 350s"},
	{"stream-cut", events, nil, "", ""},
	{"stream-cut", events, []string{`{silence: "20s"`, `{first: "60s", silence: "20s"`, "gw: envoy: route: {timeout: \"0s\", idle_timeout: \"60s\"}", "gw: alb: {}"}, "error", "gw answers 504 at 60s, and the stream of GET /events waits"},
	{"stream-cut", events, []string{`{silence: "20s"`, `{first: "30s", silence: "20s"`, "chat: external: {}", `chat: external: handlerDeadline: "30s"`}, "error", "chat answers 503 at 30s"},
	{"stream-cut", events, []string{"chat: external: {}", `chat: external: workerKill: "30s"`}, "error", "chat kills the worker at 30s"},
	{"stream-cut", events, []string{"gw: envoy: route: {timeout: \"0s\", idle_timeout: \"60s\"}", `gw: custom: call: attemptDeadline: "30s"`}, "error", "gw gives up at 30s"},
	{"stream-cut", events, []string{"gw: envoy: route: {timeout: \"0s\", idle_timeout: \"60s\"}", `gw: custom: call: {responseReadGap: "20s", pingInterval: "10s"}`}, "error", "gw cuts the response at 20s"}, // a ping is no byte of the answer
	{"stream-cut", events, []string{`client: unknown: "a client"`, "client: browser: fetch: signal: timeout: 0", `, total: "24h"`, ""}, "", ""},
	{"stream-cut", told, []string{`path: ["desk", "api"]`, `{path: ["desk", "api"], response: stream: silence: "10s"}`}, "", ""},
	{"stream-cut", channel, []string{`quietFor: "10m"`, `response: stream: silence: "400s"`}, "error", "lb closes the connection at 350s"},
	{"stream-cut", channel, []string{`quietFor: "10m"`, `response: stream: silence: "400s"`, "keepalive: PermitWithoutStream: true", `keepalive: Time: "310s"`}, "", ""},
	// Who has a part of it: the first layer outward that does more than pass it on.
	{"stream-cut", events, []string{`client: unknown: "a client"`, `client: custom: call: {attemptDeadline: "15s", totalDeadline: "900s"}`}, "error", "client gives up at 15s"},
	{"stream-cut", events, []string{`timeout: "0s", idle_timeout: "60s"`, `timeout: "0s", idle_timeout: "120s"`, `silence: "20s"`, `silence: "150s"`, "gw: envoy", "lb: alb: {}\n\tgw: envoy", `"gw", "chat"`, `"lb", "gw", "chat"`}, "error", "at 60s"},
	{"stream-cut", events, []string{"gw: envoy: route: {timeout: \"0s\", idle_timeout: \"60s\"}", `lb: alb: {}, gw: app: {relay: true, server: custom: {}, clients: chat: custom: responseReadGap: "120s"}`, `silence: "20s"`, `silence: "150s"`, `"gw", "chat"`, `"lb", "gw", "chat"`}, "error", "at 60s"},
	{"stream-cut", events, []string{"chat: external: {}", `chat: external: writeTotal: "2m"`, "gw: envoy: route: {timeout: \"0s\", idle_timeout: \"60s\"}", `task: app: {server: custom: {}, clients: chat: {to: "gw", custom: {}}}, gw: unknown: "a proxy"`, `"client", "gw", "chat"`, `"task", "gw", "chat"`}, "error", "task has 200, cut short"},

	{"zero-is-infinite", events, nil, "", ""},
	{"zero-is-infinite", events, []string{`"60s"`, `"0s"`}, "error", "means no limit, and nothing else ends gw's call to chat"},
	{"zero-is-infinite", events, []string{`, response: stream: {silence: "20s", total: "24h"}`, ""}, "warning", "timeout 0s means no limit, and nothing else ends gw's call to chat as long as a byte comes now and then"}, // an answer has an end
	{"zero-is-infinite", events, []string{`stream: {silence: "20s", total: "24h"}`, `download: {size: "1GB", rate: "1MB"}`}, "", ""},
	{"zero-is-infinite", events, []string{`stream: {silence: "20s", total: "24h"}`, `websocket: silence: "20s"`}, "", ""},
	{"zero-is-infinite", events, []string{"envoy: route: {timeout: \"0s\", idle_timeout: \"60s\"}", `custom: call: {connect: "1s", responseHeader: "60s", responseReadGap: "60s", totalDeadline: "0s"}`}, "", ""},
	{"zero-is-infinite", events, []string{"envoy: route: {timeout: \"0s\", idle_timeout: \"60s\"}", `custom: call: {connect: "1s", responseHeader: "60s", responseReadGap: "60s", attemptDeadline: "0s"}`}, "", ""},
	{"zero-is-infinite", events, []string{"envoy: route: {timeout: \"0s\", idle_timeout: \"60s\"}", `custom: call: {connect: "1s", responseHeader: "60s", responseReadGap: "60s", poolWait: "0s"}`}, "warning", "poolWait 0s"},
	{"zero-is-infinite", events, []string{`"60s"`, `"0s"`, `client: unknown: "a client"`, `client: custom: call: {connect: "1s", responseHeader: "90s", responseReadGap: "90s"}`}, "warning", "timeout 0s means no limit"}, // only the client ends it

	{"no-limit", told, nil, "error", "desk waits for ever when api accepts and stays silent and under 1 other fault: timeout 10s only tells the program, and ends nothing"},
	{"no-limit", told, []string{"timeout: 10_000", "{timeout: 10_000, destroyOnTimeout: true}"}, "", ""},
	{"no-limit", told, []string{"timeout: 10_000", "{timeout: 10_000, signal: timeout: 10_000}"}, "", ""},
	{"no-limit", told, []string{": timeout: 10_000", ": {}"}, "error", "signal.timeout is not set"},
	{"no-limit", told, []string{"timeout: 10_000", "setTimeout: 10_000", "custom", "node"}, "error", "setTimeout 10s only tells the program"},
	{"no-limit", told, []string{"server: custom: {}", "server: node: keepAliveTimeout: 6000"}, "error", ": timeout 10s only tells the program"},
	{"no-limit", told, []string{"timeout: 10_000", "timeout: string @env(TIMEOUT)"}, "error", "waits for ever"}, // whatever it is, it only tells

	{"ping", channel, nil, "error", "lb forgets a connection that is quiet for 350s, and api reuses it for 1800s with nothing to keep it alive: Time is not set"},
	{"ping", channel, []string{`, quietFor: "10m"`, ""}, "warning", "Time is not set"},
	{"ping", channel, []string{`"10m"`, `"349s"`}, "", ""},
	{"ping", channel, []string{"keepalive: PermitWithoutStream: true", `keepalive: {Time: "310s", PermitWithoutStream: true}`}, "", ""},
	{"ping", channel, []string{"keepalive: PermitWithoutStream: true", `keepalive: Time: "310s"`}, "error", "Time pings only while there is a call"},
	{"ping", channel, []string{"keepalive: PermitWithoutStream: true", `keepalive: {Time: "350s", PermitWithoutStream: true}`}, "error", "Time pings every 350s only"},
	{"ping", channel, []string{"keepalive: PermitWithoutStream: true", `idleTimeout: "349s"`}, "", ""},
	{"ping", channel, []string{"keepalive: PermitWithoutStream: true", `idleTimeout: "0s"`}, "error", "reuses it without limit"},
	{"ping", channel, []string{"keepalive: PermitWithoutStream: true", `keepalive: {Time: "299s", PermitWithoutStream: true}`}, "error", "api pings price every 299s, more often than the 300s that it allows: price closes the connection, with the calls on it"},
	{"ping", channel, []string{"keepalive: PermitWithoutStream: true", `keepalive: {Time: "10s", PermitWithoutStream: true}`, "grpcGo: {}", `grpcGo: KeepaliveEnforcementPolicy: {MinTime: "10s", PermitWithoutStream: true}`}, "", ""},
	{"ping", channel, []string{"keepalive: PermitWithoutStream: true", `keepalive: {Time: "60s", PermitWithoutStream: true}`, "grpcGo: {}", `grpcGo: KeepaliveEnforcementPolicy: MinTime: "30s"`}, "warning", "api pings price every 60s while there is no call, and price then allows a ping every 7200s: price closes the connection after 4 of them"},
	{"ping", channel, []string{"keepalive: PermitWithoutStream: true", `keepalive: {Time: "60s", PermitWithoutStream: true}`, "grpcGo: {}", `grpcGo: KeepaliveEnforcementPolicy: MinTime: "30s"`, `"10m"`, `"239s"`}, "", ""}, // no four pings without a call
	{"ping", channel, []string{"keepalive: PermitWithoutStream: true", `keepalive: {Time: "60s", PermitWithoutStream: true}, idleTimeout: "200s"`, "grpcGo: {}", `grpcGo: KeepaliveEnforcementPolicy: MinTime: "30s"`}, "", ""},
	{"ping", channel, []string{"keepalive: PermitWithoutStream: true", `idleTimeout: "100s", keepalive: Time: "60s"`, "grpcGo: {}", `grpcGo: KeepaliveEnforcementPolicy: MinTime: "30s"`}, "", ""}, // none without a call

	{"ping", channel, []string{`"10m"`, `"350s"`}, "error", "Time is not set"},
	// What only run time knows is no reason.
	{"ping", channel, []string{"lb: nlb: {}", "lb: nlb: listener: tcp_idle_timeout_seconds: int @env(IDLE)", "keepalive: PermitWithoutStream: true", `idleTimeout: "0s"`, `, quietFor: "10m"`, ""}, "", ""},
	{"ping", channel, []string{"keepalive: PermitWithoutStream: true", "idleTimeout: string @env(IDLE)"}, "", ""},
	{"ping", channel, []string{"keepalive: PermitWithoutStream: true", "keepalive: {Time: string @env(PING), PermitWithoutStream: true}"}, "", ""},
	{"ping", channel, []string{"keepalive: PermitWithoutStream: true", `keepalive: {Time: "310s", PermitWithoutStream: true}`, "grpcGo: {}", "grpcGo: KeepaliveEnforcementPolicy: MinTime: string @env(MIN)"}, "", ""},
	// A client that cannot ping, and one for which somebody chose how long it keeps a connection.
	{"ping", channel, []string{"grpcGo: {context: timeout: \"2s\", keepalive: PermitWithoutStream: true}", `jdkHttpClient: {request: timeout: "2s", system: "jdk.httpclient.keepalive.timeout": 400}`}, "error", "api reuses it for 400s with nothing to keep it alive"},
	{"ping", channel, []string{`["api", "lb", "price"]`, `["api", "gw", "lb", "price"]`, "lb: nlb", "gw: envoy: {}\n\tlb: nlb", `to: "lb"`, `to: "gw"`}, "error", "gw reuses it for 3600s with nothing to keep it alive"},
	// Who ends a connection answers its pings: what knows only flows does not.
	{"ping", channel, []string{"keepalive: PermitWithoutStream: true", `keepalive: {Time: "10s", PermitWithoutStream: true}`, `["api", "lb", "price"]`, `["api", "lb"]`}, "", ""},
	{"ping", channel, []string{"keepalive: PermitWithoutStream: true", `keepalive: {Time: "10s", PermitWithoutStream: true}`, "lb: nlb: {}", `lb: unknown: "a proxy"`}, "", ""},
	{"ping", channel, []string{"keepalive: PermitWithoutStream: true", `keepalive: {Time: "10s", PermitWithoutStream: true}`, "lb: nlb: {}", "lb: azureAppGateway: {}"}, "", ""},

	// Limits of the phases that each fit a deadline pass it together.
	{"gap-only", measured, nil, "error", "nothing ends a call to price that keeps sending, and one that does not can take 2s;"},
	{"gap-only", measured, []string{"connect: timeout: 1000", "connect: timeout: 500"}, "error", "nothing ends a call to price that keeps sending; end it"},
	{"gap-only", measured, []string{bySocket, byGo}, "", ""},
	{"gap-only", measured, []string{bySocket, byGo, `perCall: "1500ms"`, `perCall: "1499ms"`}, "error", "api declares perCall 1.499s, but a call to price can take 1.5s;"},
	{"gap-only", measured, []string{bySocket, byGo, `perCall: "1500ms"`, `{total: "1600ms", reserve: "101ms"}`}, "error", "api declares total 1.6s, but a call to price can take 1.5s;"},
	{"gap-only", measured, []string{bySocket, byGo, `perCall: "1500ms"`, `{total: "1600ms", reserve: "100ms"}`}, "", ""},
	{"gap-only", measured, []string{bySocket, byGo, `perCall: "1500ms"`, `{perCall: "1499ms", enforced: true}`}, "", ""},
	// A limit that somebody wrote for the work is how long it may last, where nothing else is said of it.
	{"error-room", cleanOf("error-room"), []string{"server: gohttp: {}\n\t\tclients: price: gohttp: Timeout: \"10s\"", "server: gunicorn: timeout: 12", `, "price"]`, `]`}, "warning", "proxy answers 504 at 11s, before api's own error at 12s"},
	{"error-room", cleanOf("error-room"), []string{"server: gohttp: {}\n\t\tclients: price: gohttp: Timeout: \"10s\"", "server: gunicorn: timeout: 10", `, "price"]`, `]`}, "", ""},
	{"error-room", cleanOf("error-room"), []string{"server: gohttp: {}\n\t\tclients: price: gohttp: Timeout: \"10s\"", "work: max: \"10s\", server: gunicorn: timeout: 12", `, "price"]`, `]`}, "", ""},
	{"error-room", cleanOf("error-room"), []string{"server: gohttp: {}\n\t\tclients: price: gohttp: Timeout: \"10s\"", "work: max: \"12s\", server: gohttp: {}", `, "price"]`, `]`, "GET", "POST", `proxy_read_timeout`, `proxy_send_timeout: "1s", proxy_read_timeout`}, "error", "own error at 12s; api works on for 1s, and whether it was done is unknown"},
	{"error-room", cleanOf("error-room"), []string{"server: gohttp: {}\n\t\tclients: price: gohttp: Timeout: \"10s\"", "work: max: \"12s\", coldStart: init: \"20s\", server: lambda: {}", `, "price"]`, `]`}, "error", "proxy answers 504 at 11s, before api's own error at 13s"},
	// The way there and back has to fit a limit for connecting, and twice where the handshake is in it.
	{"tail-latency", cleanOf("tail-latency"), []string{`price: external: latency: p99: "2s"`, `price: {endpoint: rtt: "600ms", external: {}}`, `Timeout: "3s"`, `{Timeout: "3s", DefaultTransport: Dialer: Timeout: "601ms"}`}, "", ""},
	{"tail-latency", cleanOf("tail-latency"), []string{`price: external: latency: p99: "2s"`, `price: {endpoint: rtt: "600ms", external: {}}`, `Timeout: "3s"`, `{Timeout: "3s", DefaultTransport: Dialer: Timeout: "600ms"}`}, "error", "api allows a connect Dialer.Timeout 600ms, and price is 600ms away"},
	{"tail-latency", cleanOf("tail-latency"), []string{`price: external: latency: p99: "2s"`, `price: {endpoint: {rtt: "600ms", scheme: "https"}, external: {}}`, `Timeout: "3s"`, `{Timeout: "3s", DefaultTransport: TLSHandshakeTimeout: "500ms"}`}, "error", "api allows a TLS handshake TLSHandshakeTimeout 500ms"},
	{"tail-latency", cleanOf("tail-latency"), []string{`price: external: latency: p99: "2s"`, `price: {endpoint: rtt: "600ms", external: {}}`, `Timeout: "3s"`, `{Timeout: "3s", DefaultTransport: TLSHandshakeTimeout: "500ms"}`}, "", ""},
	// A cold start comes before the first answer; beyond what the platform gives it, it is begun anew.
	{"tail-latency", cleanOf("tail-latency"), []string{"price: external: latency: p99: \"2s\"", "price: app: {server: gohttp: {}, work: p99: \"2s\", coldStart: init: \"999ms\"}"}, "", ""},
	{"tail-latency", cleanOf("tail-latency"), []string{"price: external: latency: p99: \"2s\"", "price: app: {server: gohttp: {}, work: p99: \"2s\", coldStart: init: \"1s\"}"}, "error", "at the same time as price's p99 of 2s after a cold start of 1s"},
	{"implicit", unconnected, nil, "warning", "api has no limit of its own for connecting to price: the kernel ends it, after about 135s"},
	{"implicit", unconnected, []string{blocking, "socket: {soTimeout: 5000, connect: timeout: 3000}"}, "", ""},
	{"implicit", unconnected, []string{blocking, `node: {version: "20.11.0", signal: timeout: 134_000}`}, "", ""},
	{"implicit", unconnected, []string{blocking, `node: {version: "20.11.0", signal: timeout: 136_000}`}, "warning", "the kernel ends it"},
	{"implicit", unconnected, []string{blocking, "httpclient5: {}"}, "warning", "api has only a longer limit of its own for connecting to price: the kernel ends it, after about 135s"}, // 3 minutes, by its own default
	{"implicit", unconnected, []string{blocking, `httpclient5: client: requestConfig: connectTimeout: "3s"`}, "", ""},
	{"implicit", unconnected, []string{blocking, `httpclient5: client: requestConfig: connectTimeout: "170s"`}, "", ""}, // ignored-value tells
	{"implicit", unconnected, []string{blocking, `gohttp: Transport: Dialer: Timeout: "170s"`}, "warning", "has only a longer limit of its own"},
	{"ignored-value", unconnected, []string{blocking, `httpclient5: client: requestConfig: connectTimeout: "170s"`}, "warning", "connectTimeout 170s acts as 135s: the kernel stops dialling"},
	{"ignored-value", unconnected, []string{blocking, `httpclient5: client: requestConfig: connectTimeout: "135s"`}, "", ""},
	{"implicit", unconnected, []string{blocking, zeroed}, "warning", "the kernel ends it"},
	{"implicit", unconnected, []string{blocking, `requests: timeout: null`, "price: external", "price: endpoint: addresses: 2\n\tprice: external"}, "warning", "after about 135s for each of 2 addresses"},
	{"implicit", unconnected, []string{"300_000", "100_000"}, "", ""}, // web is first: error-room
	{"implicit", unconnected, []string{"server: gohttp", "calls: [{price: background: true}]\n\t\tserver: gohttp"}, "", ""},
	{"no-limit", unconnected, nil, "", ""},
	{"no-limit", unconnected, []string{blocking, "socket: {}", "timeout: 300_000", "timeout: 0"}, "", ""},
	{"error-room", unconnected, nil, "", ""},
	{"error-room", unconnected, []string{"300_000", "140_000"}, "error", "web gives up at 140s, at the same time as api's own error at 140s"},
	{"zero-is-infinite", unconnected, []string{blocking, zeroed}, "", ""},
	{"zero-is-infinite", unconnected, []string{blocking, zeroed, "price: external", "price: endpoint: scheme: \"https\"\n\tprice: external"}, "warning", "connectTimeout 0s means no limit, and nothing else ends api's TLS handshake with price"},

	{"stream-cut", "bad", []string{`silence: "60s"`, `silence: "59s"`}, "", ""},
	{"stream-cut", "bad", []string{`silence: "60s"`, `silence: "300s", heartbeat: {every: "20s", from: "chat"}`}, "", ""},
	{"stream-cut", "bad", []string{`silence: "60s"`, `silence: "300s", heartbeat: {every: "60s", from: "chat"}`}, "error", "is silent for 60s"},
	{"stream-cut", "clean", []string{`first: "1s"`, `first: "61s"`}, "error", "waits for its first byte for 61s"},
	{"stream-cut", "clean", []string{"1_000_000", "900_000"}, "error", "lasts 900s"},
	{"stream-cut", "clean", []string{"1_000_000", "900_001"}, "", ""},
	{"stream-cut", "clean", []string{`stream: {first: "1s", silence: "60s", total: "15m"}`, `download: {size: "1GB", rate: "1MB"}`}, "error", "lasts 1000s"},
	{"upload-cut", "clean", []string{`rate: "1MB"`, `rate: "1MB", silence: "29s"`}, "", ""},
	{"upload-cut", "clean", []string{`rate: "1MB"`, `rate: "1MB", silence: "30s"`}, "error", "edge answers 408 when the sender of POST /files pauses for 30s"},
	// A layer that does not collect the body holds its limits against it too; behind one that does, they are safe.
	{"upload-cut", "clean", []string{"files: external", "mid: traefik: entryPoints: web: transport: respondingTimeouts: readTimeout: \"100s\"\n\tfiles: external", `"edge", "files"`, `"edge", "mid", "files"`}, "error", "mid closes the connection at 100s"},
	{"upload-cut", "clean", []string{"files: external", "mid: traefik: entryPoints: web: transport: respondingTimeouts: readTimeout: \"101s\"\n\tfiles: external", `"edge", "files"`, `"edge", "mid", "files"`}, "", ""},
	{"upload-cut", "clean", []string{"edge: alb: idle_timeout: 30", "edge: nginx: {}\n\tmid: traefik: entryPoints: web: transport: respondingTimeouts: readTimeout: \"5s\"", `"edge", "files"`, `"edge", "mid", "files"`}, "", ""},
	{"upload-cut", "clean", []string{"edge: alb: idle_timeout: 30", "edge: nginx: server: proxy_request_buffering: \"off\"\n\tmid: traefik: entryPoints: web: transport: respondingTimeouts: readTimeout: \"5s\"", `"edge", "files"`, `"edge", "mid", "files"`}, "error", "mid closes the connection at 5s"},
	{"stream-cut", "clean", []string{`, proxy_buffering: "off"`, ""}, "warning", "proxy collects the stream of GET /events in a buffer"},
	{"stream-cut", "clean", []string{`, proxy_buffering: "off"`, "", `stream: {first: "1s", silence: "60s", total: "15m"}`, `download: {size: "1MB", rate: "1MB"}`}, "", ""},
	{"upload-cut", "bad", []string{"90_000", "100_000"}, "error", "alone takes 100s"},
	{"upload-cut", "bad", []string{"90_000", "100_001"}, "", ""},
	{"ping", "bad", []string{`"400s"`, `"350s"`}, "error", "forgets a connection that is quiet for 350s"},
	{"ping", "bad", []string{`"400s"`, `"349s"`}, "", ""},

	{"never-fires", "bad", []string{`"10s"`, `"5001ms"`}, "warning", "Timeout 5s is over before"},
	{"never-fires", "bad", []string{`"10s"`, `"5s"`}, "", ""},
	{"never-fires", "bad", []string{"DefaultTransport: ResponseHeaderTimeout", "readGap"}, "info", "readGap 10s is never the first"},
	{"never-fires", attempts, nil, "warning", "totalDeadline 5s is over at the same time"},
	{"never-fires", attempts, []string{`attemptDeadline: "5s"`, `attemptDeadline: "4999ms"`}, "info", "totalDeadline 5s is never"},

	{"ejection", "bad", []string{`"10s"`, `"12s"`}, "error", "2 slow answers within 10s leave out all 2 addresses, and everybody gets 502 at once for 10s"},
	{"ejection", "bad", []string{`"10s"`, `"12001ms"`}, "", ""},
	{"ejection", "bad", []string{`, "10.0.0.2:8080"`, ""}, "", ""},
	{"ejection", "bad", []string{"upstream: report: server", "upstream: report: max_fails: 3\n\t\tupstream: report: server"}, "error", "6 slow answers"},
	{"ejection", "bad", []string{"upstream: report: server", "upstream: report: max_fails: 0\n\t\tupstream: report: server"}, "", ""},
	{"ejection", "bad", []string{`latency: p99: "12s"`, "{}"}, "", ""},

	{"tail-latency", cleanOf("tail-latency"), []string{`Timeout: "3s"`, `{Timeout: "3s", context: timeout: "0s"}`}, "error", "timeout 0s of gohttp is over as soon as it begins: no request of api to price gets an answer"},
	{"tail-latency", cleanOf("tail-latency"), []string{`Timeout: "3s"`, `{Timeout: "3s", context: timeout: "-1s"}`}, "error", "timeout -1s of gohttp is over as soon as it begins: no request of api to price gets an answer"},
	{"tail-latency", cleanOf("tail-latency"), []string{`price: gohttp: Timeout: "3s"`, `price: jdkHttpClient: {spring: "6.2.19", version: "17", builder: connectTimeout: "1s", factory: readTimeout: "0s"}`}, "error", "readTimeout 0s of jdkHttpClient is over as soon as it begins"},
	{"tail-latency", cleanOf("tail-latency"), []string{`price: gohttp: Timeout: "3s"`, `price: webclient: {version: "1.2.18", operators: [{timeout: "0s"}]}`}, "error", "timeout 0s of webclient is over as soon as it begins"},
	{"tail-latency", cleanOf("tail-latency"), []string{`price: gohttp: Timeout: "3s"`, `price: httpclient5: {version: "5.6.4", client: requestConfig: {connectionRequestTimeout: "0s", responseTimeout: "4s"}}`}, "", ""},
	{"tail-latency", "bad", nil, "error", "at the same time as price's p99 of 2s"},
	{"tail-latency", "bad", []string{`Timeout: "2s"`, `Timeout: "2001ms"`}, "", ""},
	{"tail-latency", "clean", []string{`p99: "2s"`, `{p99: "2s", max: "4s"}`}, "error", "before price's max of 4s"},
	{"tail-latency", "bad", []string{"clients:", "calls: [{price: fallback: true}]\n\t\tclients:"}, "warning", "goes without it"},
	{"tail-latency", cleanOf("ejection"), []string{`"13s"`, `"10s"`, `, "10.0.0.2:8080"`, ""}, "error", "gets 504 from proxy"},
	{"tail-latency", cleanOf("ejection"), []string{`"13s"`, `"10s"`}, "", ""}, // ejection

	{"within", "bad", []string{`"3s"`, `"2001ms"`}, "error", "can take 2.001s, longer than the 2s"},
	{"within", "bad", []string{`"3s"`, `"2s"`}, "", ""},
	{"within", "bad", []string{`gohttp: Timeout: "3s"`, `custom: {connect: "1s", responseHeader: "1s", responseReadGap: "1s"}`}, "error", "never has an answer when price sends"},

	{"fresh-budgets", "bad", []string{"10_000", "12_630"}, "error", "3 calls in a row a new budget and ends at 12s, but web gives up at 12.63s"},
	{"fresh-budgets", "bad", []string{"10_000", "12_640"}, "", ""},
	{"fresh-budgets", "bad", []string{"10_000", "4_200"}, "", ""}, // one alone does not fit: error-room
	{"fresh-budgets", "bad", []string{"[{price: {}}, {risk: {}}, {stock: {}}]", "[{price: times: 3}]"}, "error", "3 calls in a row"},
	{"fresh-budgets", "bad", []string{"[{price: {}}, {risk: {}}, {stock: {}}]", "[{price: {}, risk: {}, stock: {}}]"}, "", ""},
	{"fresh-budgets", "bad", []string{"10_000", "20_000", "server: gohttp: {}", "server: gohttp: {}\n\t\tdeadline: total: \"11s\""}, "error", "past its own total of 11s"},
	{"fresh-budgets", "bad", []string{"10_000", "20_000", "server: gohttp: {}", "server: gohttp: {}\n\t\tdeadline: total: \"12s\""}, "", ""},

	{"platform-cap", "bad", []string{`"70m"`, `"3999s"`}, "error", "idle_timeout takes 4000s at most, so accept the request at once and let the caller poll"},
	{"platform-cap", "bad", []string{`"70m"`, `"3998s"`}, "", ""},
	{"platform-cap", "bad", []string{`"70m"`, `"3999s"`, "idle_timeout: 4000", "idle_timeout: 2000"}, "error", "edge answers 504 at 2000s, before"},
	{"platform-cap", "bad", []string{`"70m"`, `"3998s"`, "idle_timeout: 4000", "idle_timeout: 2000"}, "", ""}, // error-room: it can be raised

	{"orphan-work", "bad", []string{`"5s"`, `"7999ms"`}, "warning", "orders works on for 1ms after web has had 503 from api at 7.999s: whether it was done is unknown"},
	{"orphan-work", "bad", []string{`"5s"`, `"8s"`}, "", ""},
	{"orphan-work", "bad", []string{"POST", "GET"}, "", ""},
	{"orphan-work", "bad", []string{"POST", "GET", `"5s"`, `"727ms"`}, "warning", "10 times as long as the limit that fired"},
	{"orphan-work", "bad", []string{"POST", "GET", `"5s"`, `"728ms"`}, "", ""},
	{"orphan-work", "bad", []string{"POST", "GET", `"5s"`, `"800ms"`, `"8s"`, `"8800ms"`}, "warning", "10 times"}, // a tie
	{"orphan-work", "bad", []string{`path: ["web", "api", "orders", "db"]`, `{path: ["web", "api", "orders", "db"], idempotencyKey: "key"}`}, "", ""},
	{"orphan-work", "bad", []string{`"db"]`, `"db"]`, "server: gohttp: TimeoutHandler", "calls: [{orders: background: true}]\n\t\tserver: gohttp: TimeoutHandler"}, "", ""},
	{"orphan-work", "bad", []string{`TimeoutHandler: "5s"`, "{}", `"10s"`, `"7s"`}, "", ""}, // error-room
}
