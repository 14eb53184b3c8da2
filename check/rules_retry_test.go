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

// forEver is an app that never gives up.
const forEver = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 60_000
	api: app: {
		server: custom: {}
		clients: orders: {wrap: [{failsafeRetry: maxRetries: -1}], custom: totalDeadline: "2s"}
	}
	orders: external: {}
}
routes: "GET /order": path: ["web", "api", "orders"]
`

// gone is the client of addressed.
const gone = `gohttp: {context: timeout: "3s", Transport: Dialer: Timeout: "6s"}`

// addressed is a client with two addresses to dial.
const addressed = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 60_000
	api: app: {server: gohttp: {}, clients: orders: gohttp: {context: timeout: "3s", Transport: Dialer: Timeout: "6s"}}
	orders: {endpoint: addresses: 2, external: {}}
}
routes: "GET /order": path: ["web", "api", "orders"]
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

// oneForAll is a proxy with a limit for all attempts and none for one.
const oneForAll = `
tchain: "v1"
name:   "shop"
layers: {
	caller: unknown: "the caller"
	proxy: custom: call: {totalDeadline: "2s", attempts: 3, retryOn: ["timeout"]}
	api: app: server: custom: {}
}
routes: "GET /": path: ["caller", "proxy", "api"]
`

// tooSlow is an app that says that it takes longer than the proxy gives an attempt.
const tooSlow = `
tchain: "v1"
name:   "shop"
layers: {
	caller: unknown: "the caller"
	proxy: custom: call: {responseHeader: "60s", attempts: 3, retryOn: ["timeout"]}
	api: app: {
		server: custom: {}
		work: max: "90s"
		clients: db: custom: totalDeadline: "65s"
	}
	db: external: {}
}
routes: "GET /": path: ["caller", "proxy", "api", "db"]
`

// asksAgain is a page that begins anew where the call further in is given up.
const asksAgain = `
tchain: "v1"
name:   "scenes"
layers: {
	web: browser: fetch: {}
	page: app: {
		server: custom: {}
		clients: api: {
			wrap: [{loop: {attempts: 5, on: ["5xx"], delay: "0s"}}]
			custom: {}
		}
	}
	api: app: {
		server: custom: {}
		errors: timeout: 504
		clients: llm: custom: responseHeader: "300s"
	}
	llm: external: latency: max: "720s"
}
routes: "GET /scene": path: ["web", "page", "api", "llm"]
`

// flaps is two loops around one call that repeat after different failures.
const flaps = `
tchain: "v1"
name:   "proxy"
layers: {
	proxy: app: {
		server: custom: {}
		clients: llm: {
			wrap: [{loop: {attempts: 3, on: ["5xx"]}}, {loop: {attempts: 3, on: ["reset"]}}]
			custom: totalDeadline: "5s"
		}
	}
	llm: external: {}
}
routes: "GET /": path: ["proxy", "llm"]
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
	// One attempt may use all of the time, so that no other ever runs.
	{"retry-budget", forEver, nil, "error", "api tries orders without end and never ends, but web gives up at 60s"},
	{"retry-budget", forEver, []string{"-1", "2147483647"}, "error", "api tries orders up to 2147483648 times and ends at 4294967296s, but web gives up at 60s"},
	{"retry-budget", forEver, []string{"-1", "1000000"}, "error", "api tries orders up to 1000001 times and ends at 2000002s"},
	{"retry-budget", oneForAll, nil, "warning", "proxy would try api 3 times, but nothing ends the first one before totalDeadline 2s ends them all"},
	{"retry-budget", oneForAll, []string{"attempts: 3", `attempts: 3, attemptDeadline: "600ms"`}, "", ""},
	{"retry-budget", oneForAll, []string{`["timeout"]`, `["refused", "reset", "503"]`}, "", ""}, // they come at once
	{"retry-budget", oneForAll, []string{"attempts: 3", `attempts: 3, connect: "1s", attemptDeadline: "2s"`}, "warning", "one attempt can take 2s and all together have totalDeadline 2s"},
	{"retry-budget", oneForAll, []string{`["timeout"]`, `["refused", "reset", "503"]`, "attempts: 3", `attempts: 3, connect: "1s", attemptDeadline: "2s"`}, "", ""},
	{"retry-budget", oneForAll, []string{`["timeout"]`, `["connect-timeout"]`, "attempts: 3", `attempts: 3, connect: "2s"`}, "warning", "nothing ends the first one before totalDeadline 2s ends them all"},
	{"retry-budget", oneForAll, []string{`["timeout"]`, `["connect-timeout"]`, "attempts: 3", `attempts: 3, connect: "1s"`}, "", ""},
	{"retry-budget", oneForAll, []string{`totalDeadline: "2s", `, ""}, "", ""}, // no-limit
	{"retry-budget", oneForAll, []string{"attempts: 3", `attempts: 3, retryInterval: "100ms"`}, "warning", "nothing ends the first one before totalDeadline 2s ends them all"},
	{"retry-budget", oneForAll, []string{"attempts: 3", `attempts: 3, retryInterval: "1s"`}, "warning", "nothing ends the first one before totalDeadline 2s ends them all"}, // the pauses leave nothing
	{"retry-budget", oneForAll, []string{`["timeout"]`, `["connect-timeout"]`, "attempts: 3", `attempts: 3, connect: "1s"`, "app: server: custom: {}", "app: {server: custom: {}, clients: db: custom: {}}", `"api"]`, `"api", "db"]`, "\tapi:", "\tdb: external: {}\n\tapi:"}, "", ""},
	{"retry-budget", oneForAll, []string{`custom: call: {totalDeadline: "2s", attempts: 3, retryOn: ["timeout"]}`, `istio: virtualService: http: {timeout: "2s", retries: {attempts: 3, retryOn: "5xx"}}`}, "warning", "before timeout 2s ends them all"},
	{"retry-budget", oneForAll, []string{`custom: call: {totalDeadline: "2s", attempts: 3, retryOn: ["timeout"]}`, `istio: virtualService: http: {timeout: "2s", retries: {attempts: 3, retryOn: "5xx"}}`, `unknown: "the caller"`, `custom: call: totalDeadline: "1s"`}, "", ""}, // error-room: it is over before

	// No attempt can succeed, because a layer says that it takes longer.
	{"retry-budget", tooSlow, nil, "error", "proxy tries api up to 3 times, and none can succeed: each ends at 60s, before api's max of 90s; api gets 3 calls, and the end is proxy's own error at 180s"},
	{"retry-budget", tooSlow, []string{`"90s"`, `"60s"`}, "error", "at the same time as api's max of 60s"},
	{"retry-budget", tooSlow, []string{`"90s"`, `"59s"`, `"65s"`, `"1s"`}, "", ""},
	{"retry-budget", tooSlow, []string{`["timeout"]`, `["refused"]`}, "", ""},
	{"retry-budget", tooSlow, []string{"attempts: 3", "attempts: 1"}, "", ""},
	{"retry-budget", tooSlow, []string{"work: max", "work: p99", `"65s"`, `"1s"`}, "", ""}, // tail-latency
	{"retry-budget", tooSlow, []string{`"90s"`, `"20s"`, "db: external: {}", `db: external: latency: max: "40s"`}, "warning", "each ends at 60s, and api with what it calls says that it takes 60s; api gets 3 calls"},
	{"retry-budget", tooSlow, []string{`"90s"`, `"20s"`, "db: external: {}", `db: external: latency: max: "39s"`}, "", ""},
	{"retry-budget", asksAgain, nil, "error", "page tries api up to 5 times, and none can succeed: api gives up at 300s, before llm's max of 720s; llm gets 5 calls, and the end is page's own error at 1500s"},
	{"retry-budget", asksAgain, []string{"max", "p99"}, "warning", "before llm's p99 of 720s"},
	{"retry-budget", asksAgain, []string{"		errors: timeout: 504\n", ""}, "warning", "that api then answers 500 is not declared"},
	{"retry-budget", asksAgain, []string{`"5xx"`, `"503"`}, "", ""},
	{"retry-budget", asksAgain, []string{"		errors: timeout: 504\n", "", `"5xx"`, `"504"`}, "", ""}, // nothing says that it is one
	{"retry-budget", asksAgain, []string{`"720s"`, `"299s"`}, "", ""},
	{"retry-budget", tooSlow, []string{`"90s"`, `"20s"`, "db: external: {}", `db: external: latency: max: "40s"`, `"65s"`, `"40s"`}, "warning", "and api with what it calls says that it takes 60s"},
	{"retry-budget", tooSlow, []string{`"90s"`, `"20s"`, "db: external: {}", `db: external: latency: max: "50s"`, `"65s"`, `"39s"`}, "", ""}, // api gives up on db before
	{"retry-budget", tooSlow, []string{`"90s"`, `"20s"`, "db: external: {}", `db: external: latency: max: "50s"`, "clients: db", "calls: [{db: background: true}], clients: db"}, "", ""},
	{"retry-budget", tooSlow, []string{`"90s"`, `"20s"`, "db: external: {}", `db: external: latency: max: "20s"`, "clients: db", "calls: [{db: times: 2}], clients: db"}, "warning", "takes 60s"},
	{"retry-budget", tooSlow, []string{`"90s"`, `"20s"`, "db: external: {}", "db: external: latency: max: \"40s\"\n\tlog: external: {}", "clients: db", `calls: [{db: {}, log: {}}], clients: log: custom: totalDeadline: "65s", clients: db`, `["caller", "proxy", "api", "db"]`, `["caller", "proxy", "api"]`}, "warning", "takes 60s"},
	{"retry-budget", tooSlow, []string{`work: max: "90s"`, "", "server: custom: {}", `server: custom: workerKill: "90s"`, `"65s"`, `"1s"`}, "warning", "each ends at 60s, and api may work for workerKill 90s"},
	{"retry-budget", tooSlow, []string{`"90s"`, `"20s"`, "db: external: {}", "db: external: latency: max: \"50s\"\n\tlog: external: {}", "clients: db", `calls: [{log: {}}, {db: background: true}], clients: log: custom: totalDeadline: "65s", clients: db`, `["caller", "proxy", "api", "db"]`, `["caller", "proxy", "api"]`}, "", ""},
	{"retry-budget", badOf("ejection"), nil, "", ""}, // ejection
	{"retry-budget", badOf("ejection"), []string{"report: external: latency", "mid: unknown: \"a proxy\"\n\treport: external: latency", `"proxy", "report"`, `"proxy", "mid", "report"`, "upstream: report", "upstream: mid"}, "", ""}, // ejection
	{"retry-budget", badOf("ejection"), []string{`report: external: latency: p99: "12s"`, `report: app: {server: custom: {}, work: max: "12s"}`}, "error", "proxy tries report up to 2 times"},                                         // error-room has the limit

	// The page's own error is not declared, where that of the layer behind it is.
	{"retry-budget", asksAgain, []string{"wrap: [{loop: {attempts: 5, on: [\"5xx\"], delay: \"0s\"}}]", "", "web: browser: fetch: {}", `web: browser: {wrap: [{loop: {attempts: 5, on: ["5xx"]}}], fetch: {}}`}, "warning", "that page then answers 500 is not declared"},
	{"retry-budget", asksAgain, []string{"wrap: [{loop: {attempts: 5, on: [\"5xx\"], delay: \"0s\"}}]", "", "web: browser: fetch: {}", `web: browser: {wrap: [{loop: {attempts: 5, on: ["5xx"]}}], fetch: {}}`, "server: custom: {}\n\t\tclients: api", "server: custom: {}\n\t\terrors: unavailable: 502\n\t\tclients: api", "errors: timeout: 504", "errors: timeout: 503"}, "error", "the end is 502 from page at 1500s"},
	{"retry-budget", asksAgain, []string{"server: custom: {}\n\t\tclients: api", "server: custom: {}\n\t\tcalls: [{api: fallback: true}]\n\t\tclients: api"}, "warning", "the end is 200 from page at 1500s"},
	// Of two policies the one that repeats is named, and of two that do the inner one.
	{"retry-budget", asksAgain, []string{`[{loop: {attempts: 5, on: ["5xx"], delay: "0s"}}]`, `[{loop: {attempts: 5, on: ["5xx"]}}, {loop: {attempts: 2, on: ["timeout"]}}]`}, "error", "up to 5 times"},
	{"retry-budget", asksAgain, []string{`[{loop: {attempts: 5, on: ["5xx"], delay: "0s"}}]`, `[{loop: {attempts: 5, on: ["5xx"]}}, {loop: {attempts: 2, on: ["504"]}}]`}, "error", "up to 2 times"},
	{"retry-budget", asksAgain, []string{`[{loop: {attempts: 5, on: ["5xx"], delay: "0s"}}]`, `[{loop: {attempts: 5, on: ["timeout"]}}, {loop: {attempts: 2, on: ["5xx"]}}]`, "custom: {}\n\t\t}", "custom: responseHeader: \"200s\"\n\t\t}"}, "error", "up to 5 times, and none can succeed: each ends at 200s"},
	{"retry-budget", tooSlow, []string{"unknown: \"the caller\"", "app: {server: custom: {}, clients: proxy: {wrap: [{loop: {attempts: 2, on: [\"timeout\"]}}], custom: responseHeader: \"300s\"}}"}, "error", "proxy tries api up to 3 times"},

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
	{"retry-unsafe", failover, append(ignores, `{wallet: {}}`, `{wallet: {}, log: background: true}`, "\tcard: external", "\tlog: external: {}\n\tcard: external", "clients: {card", "clients: {log: custom: totalDeadline: \"1s\", card"), "warning", "api passes over a failure of card and sends to wallet"},
	{"retry-unsafe", failover, []string{`{card: {}}, {wallet: {instead: "card"}}`, `{card: {fallback: true}, wallet: {}}`}, "", ""}, // both are sent, whatever becomes of card
	{"retry-unsafe", failover, []string{`{card: {}}, {wallet: {instead: "card"}}`, `{card: {fallback: true}}, {wallet: times: 2}`}, "", ""},
	{"retry-unsafe", failover, append(ignores, `{wallet: {}}`, `{wallet: {}, log: {}}`, "\tcard: external", "\tlog: external: {}\n\tcard: external", "clients: {card", "clients: {log: custom: totalDeadline: \"1s\", card"), "", ""},                     // two things to do
	{"retry-unsafe", failover, append(ignores, `{card: fallback: true}`, `{card: fallback: true, log: {}}`, "\tcard: external", "\tlog: external: {}\n\tcard: external", "clients: {card", "clients: {log: custom: totalDeadline: \"1s\", card"), "", ""}, // and log would be asked for twice
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

	// Of several addresses of one name the first may be dead.
	{"retry-budget", addressed, nil, "warning", "api never dials another of orders's 2 addresses when the first is dead: that one has 3s (share of Dialer.Timeout), and timeout 3s is over by then"},
	{"retry-budget", addressed, []string{`timeout: "3s"`, `timeout: "3001ms"`}, "", ""},
	{"retry-budget", addressed, []string{"addresses: 2", "addresses: 1"}, "", ""},
	{"retry-budget", addressed, []string{"addresses: 2", "addresses: 3"}, "", ""},
	{"retry-budget", addressed, []string{`gohttp: {context: timeout: "3s", Transport: Dialer: Timeout: "6s"}`, `jdkHttpClient: builder: connectTimeout: "3s"`}, "", ""}, // it never dials another one
	{"retry-budget", addressed, []string{`context: timeout: "3s", `, "", "timeout: 60_000", "timeout: 2_000"}, "", ""},                                                  // who leaves is web

	// The next address is dialled before the first one can have answered.
	{"tail-latency", addressed, []string{gone, "undici: {}", "endpoint: addresses: 2", `endpoint: {addresses: 2, rtt: "250ms"}`}, "warning", "api gives each of orders's 2 addresses but the last autoSelectFamilyAttemptTimeout (250ms by default) to connect, and orders is 250ms away: only the last one can ever be reached"},
	{"tail-latency", addressed, []string{gone, "undici: {}", "endpoint: addresses: 2", `endpoint: {addresses: 2, rtt: "249ms"}`}, "", ""},
	{"tail-latency", addressed, []string{gone, "undici: {}", "endpoint: addresses: 2", `endpoint: {addresses: 1, rtt: "250ms"}`}, "", ""},
	{"tail-latency", addressed, []string{gone, "okhttp: {}", "endpoint: addresses: 2", `endpoint: {addresses: 2, rtt: "250ms"}`}, "", ""}, // the first goes on beside it

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
	{"hidden-retry", passedOn, []string{"POST", "GET", `"1.28.0"`, `"1.30.0"`, "error timeout non_idempotent", "off"}, "", ""},
	{"hidden-retry", passedOn, []string{"POST", "GET", `"1.28.0"`, `"1.30.0"`, "error timeout non_idempotent", "error"}, "", ""}, // somebody wrote it
	{"hidden-retry", passedOn, []string{"POST", "GET", `"1.28.0"`, `"1.30.0"`, `, proxy_next_upstream: "error timeout non_idempotent"`, ""}, "info", "again when its reused connection breaks"},
	{"hidden-retry", passedOn, []string{"POST", "GET", `"1.28.0"`, `"1.30.0"`, `, proxy_next_upstream: "error timeout non_idempotent"`, "", "orders: external: {}", `orders: external: idleKeepalive: "300s"`}, "info", "as often as there are addresses"}, // orders keeps it longer
	{"hidden-retry", "clean", []string{`httpclient5: client: requestConfig: {responseTimeout: "1s", connectionRequestTimeout: "100ms", connectionKeepAlive: "60s"}`, "gohttp: {}", `external: idleKeepalive: "300s"`, "external: {}"}, "", ""},

	{"retry-amplification", "bad", nil, "warning", "price gets up to 9 calls for one request: 3 by proxy × 3 by api's loop"},
	{"retry-amplification", "bad", []string{"attempts: 3", "attempts: 2"}, "warning", "6 calls"},
	{"retry-amplification", "bad", []string{"attempts: 3", "attempts: 1"}, "", ""},
	{"retry-amplification", "bad", []string{`, "10.0.0.2:8080", "10.0.0.3:8080"`, ""}, "", ""},
	{"retry-amplification", "clean", nil, "info", "9 calls"}, // not after the same failure
	{"retry-amplification", "bad", []string{"disableAutomaticRetries: true", "retryStrategy: maxRetries: 1"}, "warning", "18 calls for one request: 3 by proxy × 3 by api's loop × 2 by api"},
	{"retry-amplification", "bad", []string{"GET", "POST"}, "", ""}, // what was sent is not passed to the next server
	{"retry-amplification", "bad", []string{"GET", "POST", "error timeout", "error timeout non_idempotent"}, "warning", "9 calls for one request: 3 by proxy × 3 by api's loop"},
	{"retry-amplification", "bad", []string{"GET", "POST", "disableAutomaticRetries: true", "retryStrategy: maxRetries: 1"}, "warning", "price gets up to 6 calls for one request: 3 by api's loop × 2 by api"},
	{"retry-amplification", "bad", []string{`["timeout"]`, `["refused"]`}, "", ""}, // which price gets none of
	{"retry-amplification", "bad", []string{`["timeout"]`, `["refused", "connect-timeout", "stale"]`}, "", ""},
	{"retry-amplification", "bad", []string{`["timeout"]`, `["refused", "5xx"]`}, "info", "9 calls"},
	{"retry-amplification", flaps, nil, "warning", "llm gets up to 9 calls for one request: 3 by proxy's loop × 3 by proxy's loop; it is enough that llm fails in turn by 5xx and by reset"},
	{"retry-amplification", flaps, []string{`"5xx"`, `"refused"`}, "", ""}, // it has not had the request
	{"retry-amplification", flaps, []string{`"reset"`, `"429"`}, "info", "9 calls"},
	{"retry-amplification", flaps, []string{`"5xx"`, `"timeout"`}, "warning", "fails in turn by timeout and by reset"},
	{"retry-amplification", flaps, []string{`"reset"`, `"killed"`}, "warning", "fails in turn by 5xx and by killed"},
	{"retry-amplification", flaps, []string{`"5xx"`, `"500"`, `"reset"`, `"500"`}, "warning", "it is enough that llm fails in turn by 500"},
}
