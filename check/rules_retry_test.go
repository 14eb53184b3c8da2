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

// failover is an app that turns to wallet when card fails.
const failover = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {
		server: gohttp: {}
		deadline: {total: "9s", perCall: "3s", enforced: true}
		clients: {card: custom: {connect: "1s", responseHeader: "2s"}, wallet: custom: {connect: "1s", responseHeader: "2s"}}
		calls: [{card: {}}, {wallet: {instead: "card"}}]
	}
	card: external: {}
	wallet: external: {}
}
routes: "POST /pay": path: ["api"]
`

// ignores lets the same app pass over a failure of card, whatever comes next.
var ignores = []string{`{card: {}}, {wallet: {instead: "card"}}`, `{card: fallback: true}, {wallet: {}}`}

var retryVariants = []variant{
	// A request that must not be done twice is not sent elsewhere while its outcome is unknown.
	{"retry-unsafe", failover, nil, "error", "api sends to wallet what is not idempotent after timeout, reset, killed and 3 more from card, when card may have done it: its outcome is unknown"},
	{"retry-unsafe", failover, []string{`instead: "card"`, `instead: "card", on: ["timeout"]`}, "error", "after timeout or deadline from card"},
	{"retry-unsafe", failover, []string{`instead: "card"`, `instead: "card", on: ["cut"]`}, "error", "after cut from card"},
	{"retry-unsafe", failover, []string{`instead: "card"`, `instead: "card", on: ["refused", "connect-timeout", "429"]`}, "", ""},
	{"retry-unsafe", failover, []string{`path: ["api"]`, `{path: ["api"], idempotencyKey: "Idempotency-Key"}`}, "", ""},
	{"retry-unsafe", failover, []string{"POST /pay", "GET /pay"}, "", ""},
	{"retry-unsafe", failover, []string{"POST /pay", "/pay"}, "warning", "its outcome is unknown"},
	{"retry-unsafe", failover, []string{"card: {}}, {wallet: {", `card: method: "GET"}, {wallet: {`}, "", ""}, // asked twice
	{"retry-unsafe", failover, ignores, "warning", `api passes over a failure of card and sends to wallet: after a timeout it is unknown whether card did it; if both do the same, write wallet: instead: "card"`},
	{"retry-unsafe", failover, []string{`{card: {}}, {wallet: {instead: "card"}}`, `{card: {fallback: true}, wallet: {}}`}, "warning", "api passes over a failure of card"},
	{"retry-unsafe", failover, []string{`{card: {}}, {wallet: {instead: "card"}}`, `{card: {}}, {wallet: {}}`}, "", ""},
	{"retry-unsafe", failover, append([]string{"POST /pay", "PUT /pay"}, ignores...), "", ""},
	{"retry-unsafe", failover, []string{`{card: {}}, {wallet: {instead: "card"}}`, `{card: fallback: true}, {card: {}}`}, "", ""},                    // no other callee
	{"retry-unsafe", failover, []string{`{card: {}}, {wallet: {instead: "card"}}`, `{card: fallback: true}, {wallet: background: true}`}, "", ""},    // nobody's answer
	{"retry-unsafe", failover, []string{`{card: {}}, {wallet: {instead: "card"}}`, `{card: {method: "GET", fallback: true}}, {wallet: {}}`}, "", ""}, // only asked
	{"retry-unsafe", failover, []string{`{card: {}}, {wallet: {instead: "card"}}`, `{card: fallback: true}, {wallet: method: "GET"}`}, "", ""},       // only asked
	{"retry-unsafe", looped, []string{`"timeout"`, `"cut"`}, "error", "again after cut"},                                                             // a loop has read the body
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
