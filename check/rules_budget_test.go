package check_test

// tried is a client that repeats, in front of a client that does not.
const tried = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 18_000
	api: app: {
		server: gohttp: {}
		clients: price: {custom: {dns: "1s", connect: "1s", responseHeader: "3s", responseReadGap: "3s", attempts: 3, retryOn: ["timeout"]}}
	}
	price: external: {}
}
routes: "GET /price": path: ["web", "api", "price"]
`

// repeating is an app whose own total stands around its attempts.
const repeating = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {
		server: gohttp: {}
		clients: price: {custom: {attemptDeadline: "2s", totalDeadline: "5s", attempts: 3, retryOn: ["timeout"]}}
	}
	price: external: {}
}
routes: "GET /price": path: ["api", "price"]
`

// inTurn is an app whose calls each end in time.
const inTurn = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 10_000
	api: app: {
		server: gohttp: {}
		clients: {price: custom: totalDeadline: "4s", risk: custom: totalDeadline: "4s", stock: custom: totalDeadline: "4s"}
		calls: [{price: {}}, {risk: {}}, {stock: {}}]
	}
	price: external: {}
	risk: external: {}
	stock: external: {}
}
routes: "GET /offer": path: ["web", "api"]
`

// betweenAttempts is a budget that NGINX looks at before each attempt only.
const betweenAttempts = `
tchain: "v1"
name:   "shop"
layers: {
	proxy: nginx: {
		version: "1.28.0"
		server: {proxy_connect_timeout: "2s", proxy_read_timeout: "10s", proxy_next_upstream: "error timeout", proxy_next_upstream_timeout: "12s"}
		upstream: api: server: ["10.0.0.1:8080", "10.0.0.2:8080", "10.0.0.3:8080"]
	}
	api: external: {}
}
routes: "GET /q": path: ["proxy", "api"]
`

var budgetVariants = []variant{
	{"retry-budget", "bad", nil, "error", "api up to 3 times and ends at 81s, but web gives up at 60s"},
	{"retry-budget", "clean", nil, "", ""},
	{"retry-budget", "bad", []string{`"10.0.0.3:8080"`, `"10.0.0.3:8080", "10.0.0.4:8080"`}, "error", "4 times and ends at 108s"},
	{"retry-budget", "bad", []string{"60_000", "81_000"}, "error", "81s, and at the same time web gives up at 81s"},
	{"retry-budget", "bad", []string{"60_000", "81_999"}, "error", "81s, without room for its own error before web gives up"},
	{"retry-budget", "bad", []string{"60_000", "82_000"}, "error", "without room"},
	{"retry-budget", "bad", []string{"60_000", "82_001"}, "", ""},
	{"retry-budget", "bad", []string{"60_000", "28_000"}, "", ""}, // one alone does not fit: error-room
	{"retry-budget", "bad", []string{"60_000", "28_001"}, "error", "up to 3 times"},
	{"retry-budget", tried, nil, "", ""},
	{"retry-budget", tried, []string{`responseHeader: "3s"`, `responseHeader: "4s"`}, "error", "api tries price up to 3 times and ends at 18s, and at the same time web gives up at 18s"},
	{"retry-budget", tried, []string{"price: {custom", `price: {wrap: [{loop: {attempts: 3, on: ["timeout"]}}], custom`}, "error", "ends at 45s"}, // neither alone is enough
	{"retry-budget", tried, []string{"price: {custom", `price: {wrap: [{failsafeGoTimeout: timeout: "30s"}], custom`, `"3s"`, `"4s"`}, "error", "ends at 18s"},

	{"retry-budget", repeating, nil, "", ""},
	{"retry-budget", repeating, []string{`"5s"`, `"2s"`}, "warning", "api would try price 3 times, but one attempt can take 2s and all together have totalDeadline 2s"},
	{"retry-budget", repeating, []string{`"5s"`, `"2001ms"`}, "", ""},
	{"retry-budget", repeating, []string{`totalDeadline: "5s", `, ""}, "", ""},
	{"retry-budget", repeating, []string{"server: gohttp: {}", "server: gohttp: {}\n\t\tdeadline: {perCall: \"2s\", enforced: true}"}, "warning", "all together have perCall 2s"},
	{"retry-budget", repeating, []string{`"5s"`, `"1s"`, "server: gohttp: {}", "server: gohttp: {}\n\t\tdeadline: {perCall: \"1500ms\", enforced: true}"}, "warning", "all together have totalDeadline 1s"},
	{"retry-budget", repeating, []string{"attempts: 3", `retryWindow: "1s", attempts: 3`}, "warning", "the first attempt takes 2s and no other one begins after retryWindow 1s"},
	{"retry-budget", repeating, []string{"attempts: 3", `retryWindow: "2001ms", attempts: 3`}, "", ""}, // another one begins, and is not cut
	{"retry-budget", betweenAttempts, nil, "", ""},                        // the second one begins at 10s, and takes its 10s
	{"retry-budget", betweenAttempts, []string{`"12s"`, `"10s"`}, "", ""}, // it begins after a connect of 2s
	{"retry-budget", betweenAttempts, []string{`"12s"`, `"2s"`}, "warning", "the first attempt takes 10s and no other one begins after proxy_next_upstream_timeout 2s"},
	{"retry-budget", betweenAttempts, []string{"GET", "POST"}, "", ""}, // only a connect is repeated
	{"retry-budget", repeating, []string{"attempts: 3", `retryWindow: "0s", attempts: 3`, `"5s"`, `"2s"`}, "warning", "all together have totalDeadline 2s"},
	{"retry-budget", repeating, []string{"attempts: 3", `retryWindow: "2s", attempts: 3`, `"5s"`, `"2s"`}, "warning", "all together have totalDeadline 2s"},
	{"retry-budget", repeating, []string{"attempts: 3", `retryWindow: "1s", attempts: 3`, `totalDeadline: "5s", `, ""}, "warning", "the first attempt takes 2s and no other one begins after retryWindow 1s"},
	// A total inside of the attempts is one attempt's.
	{"retry-budget", repeating, []string{"price: {custom", `price: {wrap: [{loop: {attempts: 3, on: ["timeout"]}}], custom`, `, attempts: 3, retryOn: ["timeout"]`, "", `"5s"`, `"2s"`}, "", ""},
	{"retry-budget", repeating, []string{"price: {custom", `price: {wrap: [{hystrix: execution: isolation: {strategy: "SEMAPHORE", thread: timeoutInMilliseconds: 1000}}], custom`}, "", ""}, // it ends nothing

	{"fresh-budgets", inTurn, nil, "error", "3 calls in a row a new budget and ends at 12s"},
	{"fresh-budgets", inTurn, []string{"{price: {}}, {risk: {}}, {stock: {}}", "{price: {}}, {risk: {}}", "10_000", "8_000"}, "error", "2 calls in a row"},
	{"fresh-budgets", inTurn, []string{"{price: {}}, {risk: {}}, {stock: {}}", "{price: background: true}, {risk: {}}, {stock: {}}", "10_000", "8_000"}, "error", "2 calls in a row"},
	{"fresh-budgets", inTurn, []string{"{price: {}}, {risk: {}}, {stock: {}}", "{price: background: true}, {risk: {}}, {stock: {}}", "10_000", "8_000", `price: custom: totalDeadline: "4s"`, `price: custom: totalDeadline: "40s"`}, "error", "2 calls in a row"},
	{"fresh-budgets", inTurn, []string{"{price: {}}, {risk: {}}, {stock: {}}", "{price: times: 3, risk: {}}"}, "error", "3 calls in a row"},
	{"fresh-budgets", inTurn, []string{"{price: {}}, {risk: {}}, {stock: {}}", "{price: {}, risk: times: 3}"}, "error", "3 calls in a row"},
	{"fresh-budgets", inTurn, []string{"{price: {}}, {risk: {}}, {stock: {}}", "{price: {times: 3, fallback: true}}"}, "error", "3 calls in a row"},
	{"fresh-budgets", inTurn, []string{"10_000", "13_000", "routes:", "policy: errorRoom: \"1s\"\nroutes:"}, "error", "ends at 12s, but web gives up at 13s"},
	{"fresh-budgets", inTurn, []string{"10_000", "13_001", "routes:", "policy: errorRoom: \"1s\"\nroutes:"}, "", ""},
	{"fresh-budgets", inTurn, []string{"10_000", "5_000", "routes:", "policy: errorRoom: \"1s\"\nroutes:"}, "", ""},
	{"fresh-budgets", inTurn, []string{`price: custom: totalDeadline: "4s"`, `price: custom: {dns: "1s", connect: "1s", responseHeader: "3s", responseReadGap: "3s", attempts: 3, retryOn: ["timeout"]}`, `{risk: {}}, {stock: {}}`, "{risk: {}}", "10_000", "18_000"}, "", ""}, // retry-budget
	{"fresh-budgets", inTurn, []string{`price: custom: totalDeadline: "4s"`, `price: custom: {dns: string @env(A), connect: string @env(B), responseHeader: string @env(C), responseReadGap: string @env(D)}`}, "", ""},
	{"fresh-budgets", inTurn, []string{`price: custom: totalDeadline: "4s"`, `price: custom: {dns: string @env(A), connect: string @env(B), responseHeader: string @env(C), responseReadGap: string @env(D)}`, "10_000", "8_000"}, "error", ""},
	{"fresh-budgets", inTurn, []string{"calls: [{price: {}}, {risk: {}}, {stock: {}}]", `work: max: "12s"`, `path: ["web", "api"]`, `path: ["web", "api", "price"]`}, "", ""},
	{"fresh-budgets", inTurn, []string{"calls: [{price: {}}, {risk: {}}, {stock: {}}]", `work: max: "12s", calls: [{price: background: true}]`}, "", ""},
	// A total of its own that is declared and not enforced.
	{"fresh-budgets", inTurn, []string{"10_000", "20_000", "server: gohttp: {}", "server: gohttp: {}\n\t\tdeadline: total: \"11s\""}, "error", "past its own total of 11s"},
	{"fresh-budgets", inTurn, []string{"server: gohttp: {}", "server: gohttp: {}\n\t\tdeadline: total: \"11s\""}, "error", "but web gives up at 10s"},
	{"fresh-budgets", inTurn, []string{"10_000", "20_000", "server: gohttp: {}", "server: gohttp: {}\n\t\tdeadline: {total: \"11s\", enforced: true}"}, "", ""},
	{"fresh-budgets", inTurn, []string{"10_000", "20_000", "server: gohttp: {}", "server: gohttp: {}\n\t\tdeadline: total: \"3s\""}, "", ""},
	{"fresh-budgets", inTurn, []string{"10_000", "20_000", "server: gohttp: {}", "server: gohttp: {}\n\t\tdeadline: total: \"4s\""}, "error", "past its own total of 4s"},
	{"fresh-budgets", inTurn, []string{"{price: {}}, {risk: {}}, {stock: {}}", "{price: {}}", "10_000", "20_000", "server: gohttp: {}", "server: gohttp: {}\n\t\twork: max: \"1s\"\n\t\tdeadline: total: \"4s\""}, "", ""},
	{"fresh-budgets", inTurn, []string{"{price: {}}, {risk: {}}, {stock: {}}", "{price: {}}, {risk: {}}", "10_000", "20_000", "server: gohttp: {}", "server: gohttp: {}\n\t\tdeadline: total: \"7s\""}, "error", "2 calls in a row"},
	{"fresh-budgets", inTurn, []string{`stock: custom: totalDeadline: "4s"`, `stock: custom: {}`, "10_000", "20_000", "server: gohttp: {}", "server: gohttp: {}\n\t\tdeadline: total: \"11s\""}, "", ""},                                                                      // gap-only
	{"fresh-budgets", inTurn, []string{`stock: custom: totalDeadline: "4s"`, `stock: custom: {dns: "1s", connect: "1s", responseHeader: "1s", responseReadGap: "1s"}`, "10_000", "20_000", "server: gohttp: {}", "server: gohttp: {}\n\t\tdeadline: total: \"10s\""}, "", ""}, // gap-only
	{"fresh-budgets", inTurn, []string{"calls: [{price: {}}, {risk: {}}, {stock: {}}]", `work: max: "12s", calls: [{price: background: true}]`, "10_000", "20_000", "server: gohttp: {}", "server: gohttp: {}\n\t\tdeadline: total: \"11s\""}, "", ""},

	{"retry-budget", repeating, []string{"price: {custom", `price: {wrap: [{failsafeGoTimeout: timeout: "30s"}], custom`, `"5s"`, `"2s"`}, "warning", "all together have totalDeadline 2s"},
	{"retry-budget", repeating, []string{"price: {custom", `price: {wrap: [{failsafeGoBulkhead: {maxConcurrency: 5, WithMaxWaitTime: "1s"}}], custom`}, "", ""},

	{"platform-cap", hosted, nil, "error", "router answers 503 at 30s, before app's own error at 40s; first_byte is fixed at 30s, so accept"},
	{"platform-cap", hosted, []string{`"40s"`, `"29s"`}, "error", "more than 1s must lie between them; first_byte is fixed at 30s"},
	{"platform-cap", hosted, []string{`"40s"`, `"28s"`}, "", ""},
	{"platform-cap", hosted, []string{`custom: totalDeadline: "40s"`, `custom: {dns: "1s", connect: "1s", responseHeader: "8s", responseReadGap: "8s", attempts: 3, retryOn: ["timeout"]}`}, "", ""},                                                                     // retry-budget
	{"platform-cap", hosted, []string{`price: custom: totalDeadline: "40s"`, `{price: custom: totalDeadline: "20s", risk: custom: totalDeadline: "20s"}, calls: [{price: {}}, {risk: {}}]`, "price: external: {}", "price: external: {}\n\trisk: external: {}"}, "", ""}, // fresh-budgets
	{"platform-cap", hosted, []string{`custom: totalDeadline: "40s"`, `custom: {}`}, "", ""},                                                                                                                                                                             // error-room
}

// hosted is an app behind a router that takes no other limit.
const hosted = `
tchain: "v1"
name:   "shop"
layers: {
	router: herokuRouter: {}
	app: app: {server: custom: {}, clients: price: custom: totalDeadline: "40s"}
	price: external: {}
}
routes: "GET /price": path: ["router", "app", "price"]
`
