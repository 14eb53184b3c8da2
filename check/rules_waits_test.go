package check_test

// inside is a browser, an app and what the app calls.
const inside = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: {}
	api: app: {
		server: gohttp: {}
		clients: price: custom: {dns: "1s", connect: "1s", responseHeader: "3s", responseReadGap: "3s"}
	}
	price: external: {}
}
routes: "GET /price": path: ["web", "api", "price"]
`

// two is an app with two callees that it waits for without end.
const two = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {
		server: gohttp: {}
		clients: {price: gohttp: {}, risk: gohttp: {}}
		calls: [{price: {}}, {risk: {}}]
	}
	price: external: {}
	risk: external: {}
}
routes: "GET /offer": path: ["api"]
`

// bare is a client without any setting.
const bare = `
tchain: "v1"
name:   "shop"
types: clients: edgeway: {
	dns?:    string @limit(dns)
	connect?: string @limit(connect)
	header?: string @limit(response-header, fires=error) @zero(infinite)
	secured?: string @limit(connect, end=secured, fires=error) @zero(infinite)
	gap?:    string @limit(response-read-gap, fires=error) @zero(infinite)
	other?:  string @limit(response-read-gap, fires=error)
	total?:  string @limit(total-deadline, fires=error) @zero(infinite)
	after?:  string @limit(attempt-deadline, start=secured, fires=error)
	told?:   string @limit(response-header, fires=event)
	both?:   string @limit(response-read-gap, fires=error) @limit(idle-keepalive, side=call)
	first?:  string @limit(response-first-byte, fires=error)
}
layers: {
	api: app: {
		server: gohttp: {}
		clients: price: {edgeway: {}}
	}
	price: external: {}
}
routes: "GET /price": path: ["api", "price"]
`

// nested is an app with an endless call behind another of its calls.
const nested = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {
		server: gohttp: {}
		clients: {price: custom: totalDeadline: "30s", orders: custom: {}}
		calls: [{price: {}}, {orders: {}}]
	}
	price: app: {server: gohttp: {}, clients: risk: custom: totalDeadline: "9s"}
	orders: app: {server: gohttp: {}, clients: db: gohttp: {}}
	db: app: {server: gohttp: {}, clients: risk: custom: totalDeadline: "3s"}
	risk: external: {}
}
routes: "GET /offer": {path: ["api"], calls: {price: [{risk: {}}], orders: [{db: {}}], db: [{risk: {}}]}}
`

// database is an app whose statements are cancelled after a while.
const database = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {server: tomcat: {}, clients: db: hikari: {connectionTimeout: 2000, pgjdbc: queryTimeout: 3}}
	db: postgres: {}
}
routes: "GET /orders": path: ["api", "db"]
`

var waitVariants = []variant{
	{"no-limit", database, nil, "error", "pgjdbc.socketTimeout is not set; queryTimeout 3s asks db to cancel, and ends no read"},
	{"no-limit", database, []string{"queryTimeout: 3", "{queryTimeout: 3, socketTimeout: 5}"}, "", ""},
	{"keepalive-race", "bad", []string{"edge: alb: {}", "edge: alb: idle_timeout: int @env(IDLE)"}, "", ""}, // it may stop first
	{"pool-wait", "bad", []string{`connectionRequestTimeout: "3s"`, `connectionRequestTimeout: string @env(WAIT)`}, "", ""},
	{"error-room", "clean", []string{"GET", "POST"}, "", ""}, // what fits the buffers on the way is written at once
	{"error-room", "clean", []string{`"GET /price": path: ["web", "proxy", "api", "price"]`, `"POST /price": {path: ["web", "proxy", "api", "price"], request: upload: {size: "1MB", rate: "10MB"}}`}, "error", "proxy's own error at 7"},
	{"error-room", inTime, []string{`custom: totalDeadline: "9s"`, `custom: {responseHeader: string @env(HEADER), totalDeadline: string @env(TOTAL)}`}, "", ""},
	{"never-fires", bare, []string{"edgeway: {}", `edgeway: {total: "5s", told: "10s"}`}, "", ""},
	{"never-fires", bare, []string{"edgeway: {}", `edgeway: {total: "5s", gap: "10s"}`}, "info", "gap 10s is never the first to fire"},
	{"never-fires", bare, []string{"edgeway: {}", `edgeway: {total: "5s", both: "10s"}`}, "", ""}, // it also bounds idle connections
	{"never-fires", bare, []string{"edgeway: {}", `edgeway: {total: "5s", first: "10s"}`}, "warning", "first 10s is never the first to fire: total 5s"},
	{"never-fires", bare, []string{"edgeway: {}", `edgeway: {total: "5s", first: "3s", header: "4s"}`}, "", ""},
	{"never-fires", bare, []string{"edgeway: {}", `edgeway: {total: "1s", first: "10s"}`}, "warning", "first 10s is never"},
	{"never-fires", bare, []string{"edgeway: {}", `edgeway: {total: "5s", dns: "10s"}`}, "", ""}, // no fault is about it
	{"never-fires", "bad", []string{`ResponseHeaderTimeout: "10s"`, `ResponseHeaderTimeout: "0s"`}, "", ""},
	{"never-fires", attempts, []string{`{attemptDeadline: "5s", totalDeadline: "5s"}`, `{attemptDeadline: "2s", totalDeadline: "5s", attempts: 3, retryOn: ["timeout"]}`}, "", ""},
	{"never-fires", attempts, []string{`{attemptDeadline: "5s", totalDeadline: "5s"}`, `{attemptDeadline: "6s", totalDeadline: "5s", attempts: 3, retryOn: ["timeout"]}`}, "", ""}, // retry-budget
	{"never-fires", attempts, []string{`{attemptDeadline: "5s", totalDeadline: "5s"}`, `{attemptDeadline: "6s", totalDeadline: "5s", attempts: 3, retryOn: ["timeout"]}`, "price: external: {}", "price: external: {}\n\trisk: external: {}", "clients: price:", `calls: [{risk: {}}, {price: {}}], clients: risk: custom: {attemptDeadline: "6s", totalDeadline: "5s"}, clients: price:`, `path: ["api", "price"]`, `path: ["api"]`}, "warning", "attemptDeadline 6s is never the first"},
	{"never-fires", attempts, []string{"price: custom: {", `price: {wrap: [{failsafeGoTimeout: timeout: "5s"}], custom: {`, `attemptDeadline: "5s", totalDeadline: "5s"}`, `totalDeadline: "4s"}}`}, "info", "timeout 5s is never the first"},
	{"never-fires", attempts, []string{"price: custom: {", `price: {wrap: [{failsafeGoTimeout: timeout: "3s"}, {failsafeRetry: {maxRetries: 1}}], custom: {`, `attemptDeadline: "5s", totalDeadline: "5s"}`, `responseHeader: "2s", totalDeadline: "2s"}}`}, "", ""},

	{"no-limit", inside, nil, "error", "web waits for ever when api accepts and stays silent and under 1 other fault"},
	{"no-limit", two, nil, "error", "api waits for ever when price accepts and stays silent"},
	{"no-limit", two, []string{"price: gohttp", "price: custom", "risk: gohttp", "risk: custom"}, "error", "api waits for ever"},
	{"no-limit", two, []string{"price: gohttp: {}", `price: gohttp: Timeout: "5s"`}, "error", "when risk accepts"},
	{"no-limit", two, []string{"price: gohttp: {}", `price: gohttp: Timeout: string @env(A)`, "risk: gohttp: {}", `risk: gohttp: Timeout: string @env(B)`}, "", ""},
	{"no-limit", two, []string{"price: gohttp: {}", "price: gohttp: DefaultTransport: MaxConnsPerHost: 5"}, "error", "when price accepts and stays silent and under 2 other faults"},
	{"no-limit", inside, []string{`custom: {dns: "1s", connect: "1s", responseHeader: "3s", responseReadGap: "3s"}`, "gohttp: {}"}, "error", "web waits for ever when api accepts and stays silent and under 3 other faults: fetch.signal.timeout"},
	{"no-limit", inside, []string{`custom: {dns: "1s", connect: "1s", responseHeader: "3s", responseReadGap: "3s"}`, "gohttp: {}", "web: browser: fetch: {}", "web: app: clients: api: gohttp: {}"}, "error", "web waits for ever when api accepts and stays silent and under 1 other fault: clients.api.gohttp.context.timeout"},
	{"no-limit", nested, []string{`clients: {price: custom: totalDeadline: "30s", orders: custom: {}}`, `clients: backend: {to: ["price", "orders"], gohttp: {}}`, "db: gohttp: {}", `db: custom: totalDeadline: "5s"`}, "error", "clients.backend.gohttp.context.timeout is not set"},
	{"no-limit", nested, nil, "error", "clients.orders.custom.responseHeader is not set"},

	{"zero-is-infinite", two, []string{"price: gohttp: {}", `price: gohttp: Timeout: "0s"`, "risk: gohttp: {}", `risk: gohttp: Timeout: "5s"`}, "error", "Timeout 0s means no limit"},
	{"zero-is-infinite", two, []string{"price: gohttp: {}", `price: gohttp: {Timeout: "0s", DefaultTransport: ResponseHeaderTimeout: "0s"}`, "risk: gohttp: {}", `risk: gohttp: Timeout: "5s"`}, "error", "Timeout 0s means no limit"},
	{"zero-is-infinite", two, []string{"price: gohttp: {}", `price: gohttp: {Timeout: "5s", DefaultTransport: ResponseHeaderTimeout: "0s"}`, "risk: gohttp: {}", `risk: gohttp: Timeout: "5s"`}, "", ""},
	{"zero-is-infinite", two, []string{"price: gohttp: {}", `price: custom: {dns: "1s", connect: "1s", responseHeader: "1s", responseReadGap: "0s"}`, "risk: gohttp: {}", `risk: gohttp: Timeout: "5s"`}, "error", "responseReadGap 0s means no limit"},
	{"zero-is-infinite", two, []string{"price: gohttp: {}", `price: custom: {dns: "0s", connect: "1s", responseHeader: "1s", responseReadGap: "1s"}`, "risk: gohttp: {}", `risk: gohttp: Timeout: "5s"`}, "warning", "dns 0s means no limit"},
	{"zero-is-infinite", two, []string{"server: gohttp: {}", "server: gohttp: {}\n\t\tdeadline: {total: \"9s\", enforced: true}", "price: gohttp: {}", `price: gohttp: Timeout: "0s"`}, "", ""},
	{"zero-is-infinite", bare, []string{"edgeway: {}", `edgeway: told: "3s"`}, "", ""},
	{"zero-is-infinite", bare, []string{"edgeway: {}", `edgeway: {told: "3s", header: "0s"}`}, "error", "header 0s means no limit"},
	{"zero-is-infinite", bare, []string{"edgeway: {}", `edgeway: secured: "0s"`}, "error", "secured 0s means no limit"},
	{"zero-is-infinite", bare, []string{"edgeway: {}", `edgeway: {gap: "0s", total: "5s"}`}, "", ""},
	{"zero-is-infinite", bare, []string{"edgeway: {}", `edgeway: {gap: "0s", other: "5s"}`}, "", ""},
	{"zero-is-infinite", bare, []string{"edgeway: {}", `edgeway: {total: "0s", gap: "5s"}`}, "error", "total 0s means no limit"},
	{"zero-is-infinite", two, []string{"price: gohttp: {}", `price: custom: {dns: "1s", connect: "1s", responseReadGap: "1s"}`, "risk: gohttp: {}", `risk: gohttp: Timeout: "0s"`}, "error", "Timeout 0s means no limit"},
	{"zero-is-infinite", two, []string{"price: gohttp: {}", `price: gohttp: DefaultTransport: {Dialer: Timeout: "0s", ResponseHeaderTimeout: "5s"}`, "risk: gohttp: {}", `risk: gohttp: Timeout: "5s"`}, "", ""}, // the kernel ends a connect
	{"zero-is-infinite", two, []string{"price: gohttp: {}", `price: custom: {dns: "0s", responseHeader: "1s", responseReadGap: "1s"}`, "risk: gohttp: {}", `risk: gohttp: Timeout: "5s"`}, "warning", "dns 0s means no limit"},
	{"zero-is-infinite", nested, []string{"db: gohttp: {}", `db: gohttp: Timeout: "0s"`}, "error", "Timeout 0s means no limit"},

	{"never-fires", two, []string{"price: gohttp: {}", `price: custom: totalDeadline: "1s"`, "risk: gohttp: {}", `risk: custom: {attemptDeadline: "2s", totalDeadline: "5s", attempts: 3, retryOn: ["timeout"]}`}, "", ""},
	{"never-fires", cleanOf("error-room"), []string{"60_000", "2_500"}, "", ""}, // the layer outside is first: error-room
}
