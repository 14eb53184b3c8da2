package check_test

// overAndOver is a client that repeats its call without an end, though each attempt has one.
const overAndOver = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {
		server: gohttp: {}
		clients: orders: webclient: operators: [{timeout: "1s"}, {retryWhen: max: 9223372036854775807}]
	}
	orders: external: {}
}
routes: "GET /order": path: ["api", "orders"]
`

// resent is a client that repeats what broke on a reused connection.
const resent = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {
		server: gohttp: {}
		clients: orders: {okhttp: callTimeout: "9s"}
	}
	orders: external: {}
}
routes: "POST /order": {path: ["api", "orders"]}
`

// otherAddress is a proxy that passes a request on to its other address.
const otherAddress = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 60_000
	proxy: nginx: {
		version: "1.30.4"
		server: {proxy_connect_timeout: "2s", proxy_read_timeout: "12s", proxy_next_upstream_tries: 2}
		upstream: api: server: ["10.0.0.1:80", "10.0.0.2:80"]
	}
	api: app: work: max: "1s"
}
routes: "GET /order": path: ["web", "proxy", "api"]
`

// asked is an app that calls one callee by a method of its own.
const asked = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {
		server: gohttp: {}
		clients: {orders: custom: {attemptDeadline: "2s", attempts: 2, retryOn: ["timeout"]}, price: custom: totalDeadline: "1s"}
		calls: [{orders: {}}]
	}
	orders: external: {}
	price: external: {}
}
routes: "POST /order": {path: ["api"]}
`

// trebled is an app whose client repeats in two layers.
const trebled = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 60_000
	api: app: {
		server: gohttp: {}
		clients: price: {wrap: [{loop: {attempts: 3, on: ["timeout"]}}], custom: {dns: "1s", connect: "1s", responseHeader: "1s", responseReadGap: "1s", attempts: 2, retryOn: ["timeout"]}}
	}
	price: app: {server: gohttp: {}, clients: db: custom: totalDeadline: "500ms"}
	db: external: {}
}
routes: "GET /price": path: ["web", "api", "price", "db"]
`

// proxies are two that repeat, of which the inner one ends with its caller.
const proxies = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 3_500
	outer: nginx: {
		version: "1.28.0"
		server: {proxy_connect_timeout: "1s", proxy_read_timeout: "20s", proxy_next_upstream: "http_504"}
		upstream: inner: server: ["10.0.0.1:80", "10.0.0.2:80", "10.0.0.3:80"]
	}
	inner: nginx: {
		version: "1.28.0"
		server: {proxy_connect_timeout: "1s", proxy_read_timeout: "2s", proxy_next_upstream: "timeout"}
		upstream: price: server: ["10.0.1.1:80", "10.0.1.2:80", "10.0.1.3:80"]
	}
	price: external: {}
}
routes: "GET /price": path: ["web", "outer", "inner", "price"]
`

var repeatVariants = []variant{
	{"no-limit", overAndOver, nil, "error", "api waits for ever when orders accepts and stays silent and under 8 other faults: api's max 9223372036854775807 repeats each call that has ended"},
	{"gap-only", overAndOver, nil, "", ""}, // each attempt has an end
	{"no-limit", overAndOver, []string{"9223372036854775807", "3"}, "", ""},
	{"no-limit", overAndOver, []string{"max: 9223372036854775807", `backoff: {attempts: 60, minBackoff: "100ms"}`}, "error", "api's attempts 60 repeats each call that has ended"},
	{"no-limit", overAndOver, []string{"max: 9223372036854775807", `backoff: {attempts: 20, minBackoff: "100ms"}`}, "", ""},
	{"no-limit", overAndOver, []string{"}]", `}, {timeout: "9s"}]`}, "", ""}, // a limit around all attempts
	{"no-limit", overAndOver, []string{`webclient: operators: [{timeout: "1s"}, {retryWhen: max: 9223372036854775807}]`, `httpclient5: client: {requestConfig: responseTimeout: "3s", retryStrategy: maxRetries: 2147483647}`}, "error", "api has its answer only after 68 years when orders answers 503 at once: api's maxRetries 2147483647 repeats each call that has ended"},
	{"no-limit", overAndOver, []string{`webclient: operators: [{timeout: "1s"}, {retryWhen: max: 9223372036854775807}]`, `httpclient5: client: {requestConfig: responseTimeout: "3s", retryStrategy: maxRetries: 1000}`}, "", ""},
	{"retry-unsafe", resent, nil, "error", "orders up to 2 times, again after stale, when it may have been done; nobody wrote that, it is what the product does"},
	{"retry-unsafe", resent, []string{"callTimeout: \"9s\"", "{callTimeout: \"9s\", retryOnConnectionFailure: false}"}, "", ""},
	{"retry-unsafe", resent, []string{`okhttp: callTimeout: "9s"`, `gohttp: Timeout: "9s"`}, "", ""}, // GET and its like only
	{"retry-unsafe", resent, []string{`okhttp: callTimeout: "9s"`, `gohttp: {Timeout: "9s", DefaultTransport: DisableKeepAlives: true}`}, "", ""},
	{"retry-unsafe", resent, []string{"POST /order", "PUT /order"}, "", ""},
	{"retry-unsafe", resent, []string{"{path", `{idempotent: false, idempotencyKey: "key", path`}, "", ""},
	{"retry-unsafe", resent, []string{"POST /order", "/order", "{path", "{idempotent: false, path"}, "error", "sends a request that is not idempotent"},
	{"retry-unsafe", resent, []string{"POST /order", "/order"}, "warning", "sends a request that is not declared idempotent"},

	{"retry-unsafe", asked, nil, "error", "sends a request that is not idempotent to orders up to 2 times, again after timeout"},
	{"retry-unsafe", asked, []string{"POST /order", "GET /order"}, "", ""},
	{"retry-unsafe", asked, []string{"orders: {}}]", `orders: method: "POST"}]`}, "error", "not idempotent"},
	{"retry-unsafe", asked, []string{"orders: {}}]", `orders: method: "PATCH"}]`}, "error", "not idempotent"},
	{"retry-unsafe", asked, []string{"orders: {}}]", `orders: method: "GET"}]`}, "", ""},
	{"retry-unsafe", asked, []string{"POST /order", "GET /order", "orders: {}}]", `orders: method: "POST"}]`}, "warning", "not declared idempotent"},
	{"retry-unsafe", asked, []string{"orders: {}}]", `orders: method: "PATCH"}]`, "{path", "{idempotent: true, path"}, "", ""},
	{"retry-unsafe", asked, []string{"orders: {}}]", `orders: method: "PATCH"}]`, "{path", "{idempotent: false, path"}, "error", "not idempotent"},
	{"retry-unsafe", asked, []string{"orders: {}}]", `orders: method: "PATCH"}]`, "{path", `{idempotencyKey: "key", path`}, "", ""},
	{"retry-unsafe", asked, []string{`"timeout"]`, `"connect-timeout", "503"]`}, "error", "again after 503"},
	{"retry-unsafe", asked, []string{`"timeout"]`, `"cut"]`}, "", ""},
	{"retry-unsafe", asked, []string{`"timeout"]`, `"cut", "timeout"]`}, "error", "again after timeout or deadline,"},
	{"retry-unsafe", asked, []string{"[{orders: {}}]", "[{price: {}}, {orders: {}}]", `price: custom: totalDeadline: "1s"`, `price: custom: {attemptDeadline: "1s", attempts: 3, retryOn: ["timeout"]}`}, "error", "to orders up to 2 times"},

	{"hidden-retry", resent, nil, "", ""}, // retry-unsafe
	{"hidden-retry", otherAddress, nil, "info", "nobody wrote that, proxy_next_upstream is error timeout by default"},
	{"hidden-retry", otherAddress, []string{"server: {", `server: {proxy_next_upstream: "error timeout", `}, "", ""}, // somebody wrote it
	{"hidden-retry", resent, []string{"POST", "GET"}, "", ""},                                                        // as every client does
	{"hidden-retry", badOf("retry-unsafe"), []string{`"POST /order": path: ["api", "orders"]`, `{"POST /order": path: ["api", "orders"], "GET /order": path: ["api", "orders"]}`}, "info", "again after"},
	{"hidden-retry", badOf("retry-unsafe"), []string{`clients: orders:`, `calls: [{price: {}}, {orders: {}}], clients: price: custom: totalDeadline: "5s", clients: orders:`, "orders: external", "price: external: {}\n\torders: external", `path: ["api", "orders"]`, `path: ["api"]`}, "", ""},
	{"hidden-retry", badOf("retry-unsafe"), []string{"POST", "GET", `clients: orders:`, `calls: [{price: method: "POST"}, {orders: {}}], clients: price: custom: {attemptDeadline: "2s", attempts: 2, retryOn: ["timeout"]}, clients: orders:`, "orders: external", "price: external: {}\n\torders: external", `path: ["api", "orders"]`, `path: ["api"]`}, "info", "to orders up to 2 times"},
	{"hidden-retry", asked, []string{"POST", "GET"}, "", ""}, // somebody wrote it

	{"retry-amplification", trebled, nil, "warning", "price gets up to 6 calls for one request: 3 by api's loop × 2 by api"},
	{"retry-amplification", trebled, []string{"server: gohttp: {}\n", "server: gohttp: {}\n\t\tdeadline: {perCall: \"3500ms\", enforced: true}\n"}, "warning", "6 calls"},
	{"retry-amplification", trebled, []string{`db: custom: totalDeadline: "500ms"`, `db: {wrap: [{loop: {attempts: 4, on: ["timeout"]}}], custom: totalDeadline: "100ms"}`}, "warning", "db gets up to 24 calls"},
	{"retry-amplification", trebled, []string{"attempts: 2,", "attempts: 1,", `db: custom: totalDeadline: "500ms"`, `db: {wrap: [{loop: {attempts: 4, on: ["timeout"]}}], custom: totalDeadline: "100ms"}`}, "info", "db gets up to 12 calls"},
	{"retry-amplification", trebled, []string{"server: gohttp: {}\n\t\tclients: price", "server: gohttp: {}\n\t\tcalls: [{price: times: 10}]\n\t\tclients: price", `["web", "api", "price", "db"]`, `["web", "api"]`, "price: app: {server: gohttp: {}, clients: db:", "price: app: {server: gohttp: {}, calls: [{db: times: 2}], clients: db:"}, "warning", "price gets up to 60 calls for one request: 3 by api's loop × 2 by api × 10 times that api asks price"},
	{"retry-amplification", proxies, nil, "info", "price gets up to 9 calls for one request: 3 by outer × 3 by inner"}, // a dead price gets none by then
	{"retry-amplification", proxies, []string{"3_500", "5_900"}, "info", "9 calls"},
	{"retry-amplification", proxies, []string{"3_500", "6_500"}, "warning", "9 calls"},
	{"retry-amplification", proxies, []string{"3_500", "60_000"}, "warning", "9 calls"},

	{"retry-unsafe", asked, []string{"POST /order", "PUT /order", "{path", "{idempotent: false, path", "orders: {}}]", `orders: method: "PUT"}]`}, "error", "not idempotent"},
	{"retry-unsafe", asked, []string{`, retryOn: ["timeout"]`, ""}, "error", "orders up to 2 times"},
	{"retry-unsafe", badOf("retry-unsafe"), []string{"client: requestConfig: {", "{client: retryStrategy: maxRetries: 2, client: requestConfig: {", `"60s"}`, `"60s"}}`}, "error", "up to 3 times"},
	{"retry-unsafe", asked, []string{"POST", "GET", "orders: {}}]", `orders: method: "POST"}]`, `orders: custom: {attemptDeadline: "2s", attempts: 2, retryOn: ["timeout"]}`, `orders: gohttp: Timeout: "9s"`}, "", ""},

	{"retry-amplification", proxies, []string{"GET", "POST", "3_500", "60_000"}, "", ""}, // neither sends it again once it was written

	{"hidden-retry", ownClient(`idle?: string @limit(idle-keepalive, side=call)`, `@resend(methods="any", on="stale reset")`), []string{"edgeway: {}", `edgeway: idle: "60s"`}, "info", "sends a request to price again when its reused connection breaks"},
	{"hidden-retry", ownClient(`idle?: string @limit(idle-keepalive, side=call)`, `@resend(methods="any", on="stale reset")`), []string{"edgeway: {}", `edgeway: idle: "60s"`, "GET", "POST"}, "", ""}, // retry-unsafe
	{"hidden-retry", ownClient(`total?: string @limit(total-deadline, fires=error)`, `@resend(methods="any", on="stale reset")`), []string{"edgeway: {}", `edgeway: total: "60s"`}, "", ""},            // it reuses none
	{"hidden-retry", ownClient(`idle?: string @limit(idle-keepalive, side=call)`, `@resend(methods="any", on="stale reset")`), []string{"price: edgeway: {}}", `{price: edgeway: idle: "60s", risk: gohttp: Timeout: "2s"}, calls: [{risk: {}}, {price: {}}]}`, "price: external: {}", "price: external: {}\n\trisk: external: {}", `path: ["api", "price"]`, `path: ["api"]`}, "info", "to price again when"},
	{"hidden-retry", byItself("429 408"), []string{"edgeway: {}", `edgeway: total: "9s"`}, "info", "up to 2 times, again after 429 or 408"},
	{"hidden-retry", byItself("429 408"), []string{"edgeway: {}", `edgeway: {}`}, "info", "up to 2 times, again after 429 or 408"},
	{"hidden-retry", "bad", []string{`"1s", enforced`, `"1500ms", enforced`, `responseTimeout: "1s"`, `responseTimeout: "2s"`}, "info", "up to 2 times"},
	{"hidden-retry", "bad", []string{`"1s", enforced`, `"1500ms", enforced`, `price: external: idleKeepalive: "300s"`, `price: app: {server: gohttp: IdleTimeout: "300s", errors: timeout: 503, clients: db: custom: totalDeadline: "100ms"}` + "\n\tdb: external: {}", `"api", "price"]`, `"api", "price", "db"]`}, "info", "up to 2 times"},

	{"retry-unsafe", byItself("503 429"), []string{"edgeway: {}", `edgeway: {total: "9s", n: 2}`, "GET", "POST"}, "error", "up to 2 times, again after 503"},

	{"hidden-retry", "clean", []string{`perCall: "3s"`, `perCall: "500ms"`, `responseTimeout: "1s"`, `responseTimeout: "999ms"`}, "info", "again after stale or reset or killed"},
	{"hidden-retry", "clean", []string{`perCall: "3s"`, `perCall: "500ms"`, `responseTimeout: "1s"`, `responseTimeout: "999ms"`, "price: httpclient5: client:", `price: wrap: [{loop: {attempts: 2, on: ["503"], delay: "1s"}}], clients: price: httpclient5: manager: connectionConfig: connectTimeout: "100ms", clients: price: httpclient5: client:`, `"500ms"`, `"900ms"`, `"999ms"`, `"300ms"`}, "info", "again after stale or reset or killed"},
	{"hidden-retry", byItself("503 503"), []string{"edgeway: {}", `edgeway: total: "500ms"`}, "warning", "api waits 1s to send a request to price again after 503, but total 500ms ends the call"},
	{"hidden-retry", byItself("503 429"), []string{"edgeway: {}", `edgeway: total: "1500ms"`, `default("2")`, `default("3")`}, "info", "up to 3 times, again after 503 or 429"},
	{"hidden-retry", byItself("504 429"), []string{"edgeway: {}", `edgeway: total: "1200ms"`, "price: external: {}", `price: app: {server: gohttp: {}, errors: timeout: 504, clients: db: custom: totalDeadline: "400ms"}` + "\n\tdb: external: {}", `"api", "price"]`, `"api", "price", "db"]`}, "info", "up to 2 times, again after 504 or 429"},
	{"hidden-retry", byItself("504 429"), []string{"edgeway: {}}", `edgeway: total: "9s"}` + "\n\tweb: app: {server: gohttp: {}, clients: api: {wrap: [{loop: {attempts: 2, on: [\"503\"], delay: \"1s\"}}, {failsafeGoTimeout: timeout: \"20s\"}], custom: totalDeadline: \"10s\"}, deadline: {perCall: \"500ms\", enforced: true}}", "api: app: {", "api: app: {errors: unavailable: 503, ", `["api", "price"]`, `["web", "api", "price"]`}, "info", "up to 2 times, again after 504 or 429"},
	{"hidden-retry", byItself("timeout timeout"), []string{"edgeway: {}", `edgeway: {header: "1s", window: "500ms"}`}, "warning", "but window 500ms ends the call before the second attempt"},
	{"hidden-retry", byItself("504 429"), []string{"edgeway: {}}", `edgeway: header: "5s", calls: [{price: {times: 2, fallback: true}}], deadline: {total: "1s", enforced: true}}`, `path: ["api", "price"]`, `path: ["api"]`}, "info", "up to 2 times, again after 504 or 429"},
}

// byItself is a client that repeats by itself after these failures.
func byItself(after string) string {
	return ownClient(`
	on?: [...string] @retry() @default("` + after + `")
	n?: int @size(retry-count) @default("2")
	pause?: string @limit(retry-interval) @default("1s")
	window?: string @limit(retry-window)
	header?: string @limit(response-header, fires=error)
	total?: string @limit(total-deadline, fires=error)
`)
}
