package check_test

// looped is an app that repeats by a loop of its own.
const looped = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {
		server: gohttp: {}
		clients: orders: {wrap: [{loop: {attempts: 2, on: ["timeout"]}}], custom: {connect: "1s", responseHeader: "2s", attemptDeadline: "3s"}}
	}
	orders: external: {}
}
routes: "POST /order": path: ["api", "orders"]
`

// passedOn is a proxy that repeats what it has sent.
const passedOn = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 60_000
	proxy: nginx: {
		version: "1.28.0"
		server: {proxy_connect_timeout: "2s", proxy_read_timeout: "10s", proxy_next_upstream: "error timeout non_idempotent"}
		upstream: orders: server: ["10.0.0.1:8080", "10.0.0.2:8080"]
	}
	orders: external: {}
}
routes: "POST /order": path: ["web", "proxy", "orders"]
`

var retryVariants = []variant{
	{"retry-unsafe", "bad", nil, "error", "nobody wrote that, maxRetries is 1 by default"},
	{"retry-unsafe", "bad", []string{"POST /order", "PUT /order"}, "", ""},
	{"retry-unsafe", "bad", []string{"POST /order", "/order"}, "warning", "not declared idempotent"},
	{"retry-unsafe", "bad", []string{`path: ["api", "orders"]`, `{path: ["api", "orders"], idempotencyKey: "Idempotency-Key"}`}, "", ""},
	{"retry-unsafe", "bad", []string{`path: ["api", "orders"]`, `{path: ["api", "orders"], idempotent: true}`}, "", ""},
	{"retry-unsafe", "bad", []string{"POST /order", "PUT /order", `path: ["api", "orders"]`, `{path: ["api", "orders"], idempotent: false}`}, "error", "after 503"},
	{"retry-unsafe", looped, nil, "error", "orders up to 2 times"},
	{"retry-unsafe", looped, []string{"attempts: 2", "attempts: 1"}, "", ""},
	{"retry-unsafe", looped, []string{`"timeout"`, `"connect-timeout", "refused", "429"`}, "", ""},
	{"retry-unsafe", looped, []string{`"timeout"`, `"500"`}, "error", "after 500"},
	{"retry-unsafe", passedOn, nil, "error", "proxy sends a request that is not idempotent to orders up to 2 times"},
	{"retry-unsafe", passedOn, []string{" non_idempotent", ""}, "", ""},
	{"retry-unsafe", passedOn, []string{`"10.0.0.1:8080", "10.0.0.2:8080"`, `"10.0.0.1:8080"`}, "", ""},

	// Whether a second attempt is never begun or only comes too late is told apart.
	{"retry-budget", looped, []string{"server: gohttp: {}", `server: gohttp: {}, deadline: {perCall: "2s", enforced: true}`}, "warning", "but one attempt can take 3s and all together have perCall 2s"},
	{"retry-budget", looped, []string{"server: gohttp: {}", `server: gohttp: {}, deadline: {perCall: "3s", enforced: true}`}, "warning", "but one attempt can take 3s and all together have perCall 3s"},
	{"retry-budget", looped, []string{"server: gohttp: {}", `server: gohttp: {}, deadline: {perCall: "3001ms", enforced: true}`}, "", ""},

	{"hidden-retry", "bad", nil, "warning", "perCall 1s ends the call before the second attempt"},
	{"hidden-retry", "bad", []string{`"1s", enforced`, `"1001ms", enforced`}, "info", "up to 2 times, again after 429, 503, stale and 2 more"},
	{"hidden-retry", "bad", []string{`"GET /price"`, `"POST /price"`}, "", ""}, // retry-unsafe
	{"hidden-retry", passedOn, []string{"POST", "GET", `, proxy_next_upstream: "error timeout non_idempotent"`, ""}, "info", "as often as there are addresses"},
	{"hidden-retry", passedOn, []string{"POST", "GET"}, "", ""},                                                                              // somebody wrote it
	{"hidden-retry", "clean", []string{`responseTimeout: "1s"`, `responseTimeout: "999ms"`}, "info", "again after stale or reset or killed"}, // a status is then passed on
	{"hidden-retry", passedOn, []string{"POST", "GET", `"1.28.0"`, `"1.30.0"`, "error timeout non_idempotent", "off"}, "info", "again when its reused connection breaks"},
	{"hidden-retry", passedOn, []string{"POST", "GET", `"1.28.0"`, `"1.30.0"`, "error timeout non_idempotent", "off", "orders: external: {}", `orders: external: idleKeepalive: "300s"`}, "", ""}, // orders keeps it longer
	{"hidden-retry", "clean", []string{`httpclient5: client: requestConfig: {responseTimeout: "1s", connectionRequestTimeout: "100ms", connectionKeepAlive: "60s"}`, "gohttp: {}", `external: idleKeepalive: "300s"`, "external: {}"}, "", ""},

	{"retry-amplification", "bad", nil, "warning", "price gets up to 9 calls for one request: 3 by proxy × 3 by api's loop"},
	{"retry-amplification", "bad", []string{"attempts: 3", "attempts: 2"}, "warning", "6 calls"},
	{"retry-amplification", "bad", []string{"attempts: 3", "attempts: 1"}, "", ""},
	{"retry-amplification", "bad", []string{`, "10.0.0.2:8080", "10.0.0.3:8080"`, ""}, "", ""},
	{"retry-amplification", "clean", nil, "info", "9 calls"}, // not after the same failure
	{"retry-amplification", "bad", []string{"disableAutomaticRetries: true", "retryStrategy: maxRetries: 1"}, "warning", "18 calls for one request: 3 by proxy × 3 by api's loop × 2 by api"},
	{"retry-amplification", "bad", []string{"GET", "POST"}, "info", ""}, // what was sent is not passed to the next server
}
