package check_test

// worksOn is an app whose answer is cut short while it waits for another app.
const worksOn = `
tchain: "v1"
name:   "shop"
types: servers: edgeway: answer?: string @limit(handler-deadline, fires="503")
layers: {
	web: browser: fetch: signal: timeout: 30_000
	api: app: {
		server: edgeway: answer: "5s"
		clients: orders: custom: totalDeadline: "10s"
	}
	orders: app: {
		server: gohttp: {}
		clients: db: custom: totalDeadline: "8s"
	}
	db: external: {}
}
routes: "POST /order": path: ["web", "api", "orders", "db"]
`

// dialling is a client whose dials may outlast their requests.
const dialling = `package shop
tchain: "v1"
name:   "shop"
layers: {
	api: app: {server: gohttp: {}, clients: price: gohttp: {Timeout: "2s", DefaultTransport: MaxConnsPerHost: 9}}
	price: external: {}
}
routes: "GET /price": path: ["api", "price"]
`

// atOnce is an app that calls two others at the same time.
const atOnce = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 30_000
	api: app: {
		server: gohttp: {}
		clients: {price: custom: totalDeadline: "2s", orders: custom: totalDeadline: "10s"}
		calls: [{price: {}, orders: {}}]
	}
	price: app: {server: gohttp: {}, clients: db: custom: totalDeadline: "1s"}
	orders: app: {server: gohttp: {}, clients: db: custom: totalDeadline: "8s"}
	db: external: {}
}
routes: "POST /order": {path: ["web", "api"], calls: {price: [{db: {}}], orders: [{db: {}}]}}
`

// cutOff is an app that gives up on a silent response, and never on a missing one.
const cutOff = `
tchain: "v1"
name:   "shop"
layers: {
	orders: app: {server: gohttp: {}, clients: db: custom: {dns: "1s", connect: "1s", responseReadGap: "3s"}}
	db: custom: call: {dns: "1s", connect: "1s", responseReadGap: "20s"}
	store: external: {}
}
routes: "POST /order": path: ["orders", "db", "store"]
`

var orphanVariants = []variant{
	{"orphan-work", worksOn, nil, "warning", "orders works on for 3s after web has had 503 from api at 5s"},
	{"orphan-work", worksOn, []string{`"web", "api", "orders"`, `"api", "orders"`}, "warning", "orders works on for 3s after api has had 503 at 5s"},
	{"orphan-work", worksOn, []string{`edgeway: answer: "5s"`, `custom: workerKill: "5s"`}, "warning", "after web has had an error from api at 5s"},
	{"orphan-work", worksOn, []string{`db: custom: totalDeadline: "8s"`, "db: custom: {}"}, "warning", "orders works on for 130s"},
	{"orphan-work", worksOn, []string{`db: custom: totalDeadline: "8s"`, `db: custom: totalDeadline: "12s"`}, "warning", "orders works on for 7s"},
	{"orphan-work", worksOn, []string{`totalDeadline: "10s"`, `totalDeadline: "5s"`}, "", ""}, // error-room
	{"orphan-work", worksOn, []string{"server: edgeway:", "calls: [{orders: fallback: true}], server: edgeway:"}, "warning", "orders works on"},
	{"orphan-work", worksOn, []string{`edgeway: answer: "5s"`, "gohttp: {}", "server: gohttp: {}\n\t\tclients: orders", "server: gohttp: {}\n\t\tcalls: [{orders: fallback: true}]\n\t\tclients: orders", `"10s"`, `"5s"`}, "", ""},
	{"orphan-work", worksOn, []string{"orders: custom: totalDeadline: \"10s\"", `orders: custom: {dns: "1s", connect: "5s", responseHeader: "9s", responseReadGap: "9s"}`}, "warning", "orders works on for 3s"},
	{"orphan-work", worksOn, []string{"db: external: {}", `db: nginx: {version: "1.28.0", server: {proxy_connect_timeout: "1s", proxy_read_timeout: "7s", proxy_next_upstream: "error timeout non_idempotent"}, upstream: store: server: ["10.0.0.1:80", "10.0.0.2:80"]}` + "\n\tstore: external: {}", `"orders", "db"]`, `"orders", "db", "store"]`}, "warning", "orders works on for 3s"},
	{"orphan-work", worksOn, []string{"db: external: {}", `db: nginx: {version: "1.28.0", server: {proxy_connect_timeout: "1s", proxy_read_timeout: "3s", proxy_next_upstream: "error timeout non_idempotent"}, upstream: store: server: ["10.0.0.1:80", "10.0.0.2:80"]}` + "\n\tstore: external: {}", `"orders", "db"]`, `"orders", "db", "store"]`}, "warning", "orders works on for 3s"},
	{"orphan-work", worksOn, []string{"orders: app: {", "orders: app: {\n\t\tcalls: [{db: background: true}]", `path: ["web", "api", "orders", "db"]`, `{path: ["web", "api"], calls: api: [{orders: background: true}]}`}, "", ""},
	{"orphan-work", worksOn, []string{"db: external: {}", `db: external: latency: p99: "7s"`}, "warning", "orders works on for 3s"},
	{"orphan-work", worksOn, []string{`db: custom: totalDeadline: "8s"`, `db: custom: {dns: "1s", connect: "9s", responseHeader: "7s", responseReadGap: "7s"}`}, "warning", "orders works on for 4s"},
	{"orphan-work", worksOn, []string{`db: custom: totalDeadline: "8s"`, `db: custom: {dns: "1s", connect: "7s", responseHeader: "9s", responseReadGap: "9s"}`}, "warning", "orders works on for 4s"},
	{"orphan-work", worksOn, []string{`db: custom: totalDeadline: "8s"`, `db: custom: {attemptDeadline: "3s", attempts: 3, retryOn: ["timeout"]}`, `orders: custom: totalDeadline: "10s"`, `orders: custom: totalDeadline: "9s"`}, "warning", "orders works on for 4s"},
	{"orphan-work", worksOn, []string{"db: external: {}", `db: nginx: {version: "1.28.0", server: {proxy_connect_timeout: "1s", proxy_read_timeout: "8s"}, upstream: store: server: ["10.0.0.1:80"]}` + "\n\tstore: external: {}", `"orders", "db"]`, `"orders", "db", "store"]`, `custom: totalDeadline: "8s"`, `custom: {dns: "1s", connect: "1s", writeGap: "1s", responseHeader: string @env(A), responseReadGap: string @env(B)}`}, "warning", "db works on for 3s"},
	{"orphan-work", worksOn, []string{`web: browser: fetch: signal: timeout: 30_000`, `web: app: {server: custom: {}, clients: api: custom: totalDeadline: "30s", calls: [{api: fallback: true}]}`, `path: ["web", "api", "orders", "db"]`, `{path: ["web"], calls: {web: [{api: fallback: true}], api: [{orders: {}}], orders: [{db: {}}]}}`}, "", ""},
	{"orphan-work", cutOff, nil, "warning", "db works on for 17s after orders has had"},
	{"orphan-work", atOnce, nil, "", ""},
	{"orphan-work", dialling, nil, "info", "api gives up on a dial of price at Timeout 2s, and the dial keeps its place of MaxConnsPerHost 9 until Dialer.Timeout (30s by default)"},
	{"orphan-work", dialling, []string{"MaxConnsPerHost: 9", "{MaxConnsPerHost: 9, Dialer: Timeout: \"1s\"}"}, "", ""},
	{"orphan-work", dialling, []string{"MaxConnsPerHost: 9", "MaxConnsPerHost: 0"}, "", ""},
	{"orphan-work", dialling, []string{`gohttp: {Timeout: "2s", DefaultTransport: MaxConnsPerHost: 9}`, `okhttp: {callTimeout: "2s", connectTimeout: "9s"}`}, "", ""},
	{"orphan-work", atOnce, []string{`price: custom: totalDeadline: "2s"`, `price: custom: totalDeadline: "500ms"`}, "", ""},
	{"orphan-work", atOnce, []string{"price: app: {server: gohttp: {}, clients: db: custom: totalDeadline: \"1s\"}", "price: external: {}", "calls: {price: [{db: {}}], orders", "calls: {orders"}, "", ""},
}
