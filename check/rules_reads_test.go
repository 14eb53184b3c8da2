package check_test

import "strings"

// trickling is an app whose reads have a limit, and nothing has a total.
const trickling = `
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
routes: "GET /price": path: ["api", "price"]
`

// waiting is a client with a pool.
const waiting = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {
		server: gohttp: {}
		clients: price: custom: {poolSizePerHost: 5, poolWait: "3s", responseHeader: "3s", totalDeadline: "9s"}
	}
	price: external: {}
}
routes: "GET /price": path: ["api", "price"]
`

// proxied is an NGINX that reuses connections for longer than they are kept.
const proxied = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 60_000
	proxy: nginx: {version: "1.31.0", upstream: api: server: ["10.0.0.1:80", "10.0.0.2:80"]}
	api: app: server: gohttp: IdleTimeout: "15s"
}
routes: "GET /price": path: ["web", "proxy", "api"]
`

// kept is a client whose connections are reused.
const kept = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {
		server: gohttp: {}
		clients: price: custom: {idleKeepalive: "60s", totalDeadline: "9s"}
	}
	price: external: idleKeepalive: "60s"
}
routes: "GET /price": path: ["api", "price"]
`

// promised is a route with an expectation.
const promised = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {
		server: gohttp: {}
		clients: {price: custom: totalDeadline: "3s", risk: custom: totalDeadline: "1s"}
		calls: [{price: {}}]
	}
	price: app: {server: gohttp: {}, clients: db: custom: totalDeadline: "2500ms"}
	risk: external: {}
	db: external: {}
}
routes: "GET /price": {path: ["api"], calls: price: [{db: {}}], within: "2s"}
`

// ownClient is a client that has these settings only, and these attributes.
func ownClient(settings string, attributes ...string) string {
	return `
tchain: "v1"
name:   "shop"
types: clients: edgeway: {` + settings + `} ` + strings.Join(attributes, " ") + `
layers: {
	api: app: {server: gohttp: {}, clients: price: edgeway: {}}
	price: external: {}
}
routes: "GET /price": path: ["api", "price"]
`
}

var readVariants = []variant{
	{"gap-only", trickling, nil, "warning", "a trickle from price never ends for api"},
	{"gap-only", trickling, []string{`path: ["api", "price"]`, `path: ["web", "api", "price"]`}, "", ""},
	{"gap-only", trickling, []string{`responseReadGap: "3s"`, `responseReadGap: "3s", totalDeadline: "9s"`}, "", ""},
	{"gap-only", trickling, []string{`, responseReadGap: "3s"`, ""}, "", ""}, // no-limit
	{"gap-only", trickling, []string{`custom: {dns: "1s", connect: "1s", responseHeader: "3s", responseReadGap: "3s"}`, `got: timeout: {connect: 1000, response: 3000}`}, "", ""},
	{"gap-only", trickling, []string{`responseReadGap: "3s"`, `responseReadGap: string @env(GAP)`}, "", ""},
	{"gap-only", trickling, []string{"server: gohttp: {}", "server: gohttp: {}\n\t\tcalls: [{price: fallback: true}]"}, "", ""},
	{"gap-only", trickling, []string{"server: gohttp: {}", "server: gohttp: {}\n\t\tcalls: [{price: background: true}]"}, "", ""},
	{"gap-only", trickling, []string{"api: app: {", "api: app: {\n\t\trelay: true"}, "", ""}, // who calls it is not described
	{"gap-only", trickling, []string{"server: gohttp: {}", "server: gohttp: {}\n\t\tdeadline: total: \"9s\""}, "error", "api declares total 9s, but nothing ends a call to price that keeps sending"},
	{"gap-only", trickling, []string{"server: gohttp: {}", "server: gohttp: {}\n\t\tdeadline: perCall: \"8s\""}, "error", "api declares perCall 8s"},
	{"gap-only", trickling, []string{"server: gohttp: {}", "server: gohttp: {}\n\t\tdeadline: {total: \"9s\", perCall: \"8s\"}"}, "error", "api declares perCall 8s"},
	{"gap-only", trickling, []string{"server: gohttp: {}", "server: gohttp: {}\n\t\tdeadline: {total: \"9s\", enforced: true}"}, "", ""},
	{"gap-only", trickling, []string{"server: gohttp: {}", "server: gohttp: {}\n\t\tdeadline: total: \"9s\"\n\t\tcalls: [{price: background: true}]"}, "", ""},
	{"gap-only", trickling, []string{"server: gohttp: {}", "server: gohttp: {}\n\t\tdeadline: total: \"9s\"", `responseReadGap: "3s"`, `responseReadGap: "3s", attemptDeadline: "8s"`}, "", ""},
	{"gap-only", trickling, []string{"server: gohttp: {}", "server: gohttp: {}\n\t\tdeadline: total: \"9s\"", `responseReadGap: "3s"`, `responseReadGap: "3s", attemptDeadline: "0s"`}, "error", "declares total 9s"},
	{"gap-only", trickling, []string{"server: gohttp: {}", "server: gohttp: {}\n\t\tdeadline: total: \"9s\"", `, responseReadGap: "3s"`, ""}, "error", "declares total 9s"},
	{"gap-only", two, []string{"price: gohttp: {}", "price: " + all, "risk: gohttp: {}", "risk: " + all}, "warning", "a trickle from risk"},
	{"gap-only", two, []string{"server: gohttp: {}", "server: gohttp: {}\n\t\tdeadline: total: \"9s\"", "price: gohttp: {}", "price: " + all, "risk: gohttp: {}", "risk: " + all}, "error", "to price that keeps sending"},

	{"gap-only", two, []string{"server: gohttp: {}", "server: gohttp: {}\n\t\tdeadline: total: \"9s\"", "price: gohttp: {}", `price: custom: totalDeadline: "4s"`, "risk: gohttp: {}", "risk: " + all}, "error", "to risk that keeps sending"},
	{"gap-only", ownClient(`gap?: string @limit(response-read-gap, fires=error)`), []string{"edgeway: {}", `edgeway: gap: "3s"`}, "warning", "a trickle from price never ends"},
	{"gap-only", ownClient(`gap?: string @limit(response-read-gap, fires=error)`), []string{"edgeway: {}", "edgeway: gap: string @env(GAP)"}, "", ""},
	{"gap-only", ownClient(`header?: string @limit(response-header, fires=error)`), []string{"edgeway: {}", `edgeway: header: "3s"`}, "warning", "a trickle from price never ends"},
	{"gap-only", ownClient(`gap?: string @limit(response-read-gap, fires=error)`), []string{"edgeway: {}", `edgeway: gap: "3s"`, "api: app: {server: gohttp: {}, clients: price: edgeway: gap: \"3s\"}", `api: unknown: "a gateway"`}, "", ""},

	{"pool-wait", waiting, nil, "warning", "api may wait 3s for a connection to price, no less than the 3s that it may read"},
	{"pool-wait", waiting, []string{`poolWait: "3s"`, `poolWait: "2999ms"`}, "", ""},
	// What is around the call ends the wait, too.
	{"pool-wait", waiting, []string{`poolWait: "3s"`, `poolWait: "9s"`}, "warning", "api may wait 9s for a connection to price, no less than the 3s that it may read"}, // at the same moment
	{"pool-wait", waiting, []string{`poolWait: "3s"`, `poolWait: "0s"`}, "warning", "api may wait 9s for a connection to price, no less than the 3s that it may read: only totalDeadline ends the wait"},
	{"pool-wait", waiting, []string{`poolWait: "3s"`, `poolWait: "0s"`, `, totalDeadline: "9s"`, ""}, "error", "api waits for ever for a connection to price: poolWait is 0 means no limit"},
	{"pool-wait", waiting, []string{`poolWait: "3s"`, `poolWait: "180s"`, `responseHeader: "3s"`, `responseHeader: "180s"`, "server: gohttp: {}", `server: gohttp: {}, deadline: {perCall: "6s", enforced: true}`}, "warning", "api may wait 6s for a connection to price, no less than the 6s that it may read: only perCall ends the wait"},
	{"pool-wait", waiting, []string{`poolWait: "3s"`, `poolWait: "2s"`, "server: gohttp: {}", `server: gohttp: {}, deadline: {perCall: "6s", enforced: true}`}, "", ""},
	{"pool-wait", waiting, []string{`poolWait: "3s"`, `poolWait: "1s"`, `responseHeader: "3s"`, `responseHeader: "1s"`}, "warning", "may wait 1s"},
	{"pool-wait", waiting, []string{`responseHeader: "3s"`, `responseFirstByte: "3s"`}, "warning", "may wait 3s"},
	{"pool-wait", waiting, []string{`responseHeader: "3s"`, `responseHeader: "0s"`}, "", ""},
	{"pool-wait", waiting, []string{`responseHeader: "3s", `, ""}, "", ""},
	{"pool-wait", waiting, []string{`poolSizePerHost: 5, `, ""}, "", ""},
	{"pool-wait", waiting, []string{`custom: {poolSizePerHost: 5, poolWait: "3s", responseHeader: "3s", totalDeadline: "9s"}`, `gohttp: DefaultTransport: {MaxConnsPerHost: 5, ResponseHeaderTimeout: "3s"}`}, "error", "once MaxConnsPerHost 5 are in use: no setting of gohttp ends the wait"},
	{"pool-wait", waiting, []string{"price: custom", "{risk: custom: {poolSizePerHost: 5, poolWait: \"2s\", responseHeader: \"3s\", totalDeadline: \"9s\"}, price: custom", `totalDeadline: "9s"}` + "\n\t}", `totalDeadline: "9s"}}` + "\n\t\tcalls: [{risk: {}}, {price: {}}]\n\t}\n\trisk: external: {}", `path: ["api", "price"]`, `path: ["api"]`}, "warning", "may wait 3s"},

	{"pool-wait", ownClient("size?: int @size(pool-size-per-host) @zero(infinite), wait?: string @limit(pool-wait, fires=error), header?: string @limit(response-header, fires=error)"), []string{"edgeway: {}", `edgeway: {size: 5, wait: "3s", header: "3s"}`}, "warning", "may wait 3s"},
	{"pool-wait", ownClient("size?: int @size(pool-size-per-host) @zero(infinite), wait?: string @limit(pool-wait, fires=error), header?: string @limit(response-header, fires=error)"), []string{"edgeway: {}", `edgeway: {size: 0, wait: "3s", header: "3s"}`}, "", ""},
	{"pool-wait", ownClient("size?: int @size(pool-size-per-host) @zero(infinite), wait?: string @limit(pool-wait, fires=error), header?: string @limit(response-header, fires=error)"), []string{"edgeway: {}", `edgeway: {size: 5, wait: "1s", header: "3s"}`}, "", ""},
	{"pool-wait", waiting, []string{`"GET /price": path: ["api", "price"]`, `{"GET /price": path: ["api", "price"], "GET /stock": {path: ["api", "price"], at: api: app: clients: price: custom: responseHeader: "1s"}}`}, "warning", "may wait 3s"},
	{"pool-wait", waiting, []string{`"GET /price": path: ["api", "price"]`, `{"GET /fast": {path: ["api", "price"], at: api: app: clients: price: custom: responseHeader: "1s"}, "GET /price": path: ["api", "price"]}`}, "warning", "may wait 3s"},
	{"pool-wait", waiting, []string{`"GET /price": path: ["api", "price"]`, `{"GET /price": path: ["api", "price"], "GET /stock": {path: ["api", "price"], at: api: app: clients: price: custom: responseHeader: "0s"}}`}, "warning", "may wait 3s"},

	{"keepalive-race", doubted, []string{"{stock: {}}", "{stock: background: true}", "keepAliveTimeout: 500", "keepAliveTimeout: 61000"}, "warning", "stops reusing them; the answer then goes without it"},
	// A fix that leaves a value as it is whose unit was hardly meant is none; one beside it is.
	{"keepalive-race", doubted, nil, "error", "price closes idle connections after 500ms, which api reuses for 60s"},
	{"pool-wait", ownClient("size?: int @size(pool-size-per-host), wait?: string @limit(pool-wait, fires=error) @zero(infinite), each?: string @limit(attempt-deadline, start=lease, fires=error)"), []string{"edgeway: {}", `edgeway: {size: 5, wait: "0s", each: "3s"}`}, "error", "waits for ever for a connection to price: wait is 0 means no limit"},
	{"pool-wait", ownClient("size?: int @size(pool-size-per-host), wait?: string @limit(pool-wait, fires=error) @zero(infinite), each?: string @limit(attempt-deadline, start=lease, fires=error), all?: string @limit(attempt-deadline, start=lease, fires=error)"), []string{"edgeway: {}", `edgeway: {size: 5, wait: "0s", each: "1s", all: "9s"}`}, "error", "waits for ever for a connection to price: wait is 0 means no limit"},

	{"keepalive-race", kept, nil, "error", "price closes idle connections after 60s, at the same time as api stops reusing them"},
	{"keepalive-race", kept, []string{`custom: {idleKeepalive: "60s"`, `custom: {idleKeepalive: "59999ms"`}, "", ""},
	{"keepalive-race", kept, []string{`custom: {idleKeepalive: "60s"`, `custom: {idleKeepalive: "70s"`}, "error", "after 60s, which api reuses for 70s; a request at that moment fails in api"},
	{"keepalive-race", kept, []string{`custom: {idleKeepalive: "60s"`, `custom: {idleKeepalive: "0s"`}, "error", "which api reuses without limit"},
	{"keepalive-race", kept, []string{`custom: {idleKeepalive: "60s"`, `custom: {idleKeepalive: "0s"`, `external: idleKeepalive: "60s"`, `external: idleKeepalive: "0s"`}, "", ""},
	{"keepalive-race", kept, []string{`external: idleKeepalive: "60s"`, "external: {}"}, "", ""},
	{"keepalive-race", kept, []string{`custom: {idleKeepalive: "60s", totalDeadline: "9s"}`, "hikari: pgjdbc: {}"}, "", ""},
	{"keepalive-race", kept, []string{`custom: {idleKeepalive: "60s", totalDeadline: "9s"}`, "pgx: {}"}, "", ""},
	{"keepalive-race", kept, []string{`custom: {idleKeepalive: "60s", totalDeadline: "9s"}`, "hikari: pgjdbc: {}", `idleKeepalive: "60s"`, `idleKeepalive: "500ms"`}, "error", "after 500ms, which api reuses for 1800s"},
	{"keepalive-race", kept, []string{`idleKeepalive: "60s", totalDeadline`, "totalDeadline"}, "", ""},
	{"keepalive-race", kept, []string{`custom: {idleKeepalive: "60s", totalDeadline: "9s"}`, "requests: {timeout: 9}"}, "warning", "which api reuses without limit; a request at that moment fails in api; api reuses them only if its calls are made by one Session"},
	{"keepalive-race", kept, []string{`custom: {idleKeepalive: "60s", totalDeadline: "9s"}`, "requests: {timeout: 9, Session: true}"}, "error", "which api reuses without limit; a request at that moment fails in api"},
	{"keepalive-race", kept, []string{`custom: {idleKeepalive: "60s", totalDeadline: "9s"}`, "requests: {timeout: 9, Session: false}"}, "", ""},
	{"keepalive-race", kept, []string{`custom: {idleKeepalive: "60s", totalDeadline: "9s"}`, "requests: {timeout: 9, Session: true, max_retries: 1}"}, "warning", "which api reuses without limit; a repeat hides it on this route"},
	{"keepalive-race", kept, []string{`custom: {idleKeepalive: "60s", totalDeadline: "9s"}`, "urllib3: {Retry: total: 0}"}, "error", "which api reuses without limit; a request at that moment fails in api"},
	// What passes flows on closes no connection and keeps none: its caller reuses those of what is behind.
	{"keepalive-race", kept, []string{"price: custom:", "flows: custom:", `["api", "price"]`, `["api", "flows", "price"]`, "price: external", "flows: nlb: {}\n\tprice: external"}, "error", "price closes idle connections after 60s, at the same time as api stops reusing them"},
	{"keepalive-race", kept, []string{`external: idleKeepalive: "60s"`, `external: idleKeepalive: "1s"`, `custom: {idleKeepalive: "60s"`, `custom: {idleKeepalive: "500ms"`}, "", ""},
	{"keepalive-race", kept, []string{`external: idleKeepalive: "60s"`, `external: idleKeepalive: "1ms"`}, "error", "after 1ms, which api reuses for 60s"},
	{"keepalive-race", kept, []string{`custom: {idleKeepalive: "60s", totalDeadline: "9s"}`, "gohttp: Timeout: \"9s\""}, "warning", "a repeat hides it on this route"},
	{"keepalive-race", proxied, nil, "warning", "a repeat hides it on this route, unless the next address has just closed its connection, too"},
	{"keepalive-race", proxied, []string{`, "10.0.0.2:80"`, ""}, "warning", "a repeat hides it on this route"},
	{"keepalive-race", proxied, []string{`version: "1.31.0"`, `version: "1.31.0", server: proxy_next_upstream: "off"`}, "error", "a request at that moment gets 502 from proxy"},
	{"keepalive-race", proxied, []string{`version: "1.31.0"`, `version: "1.31.0", server: proxy_next_upstream: "timeout http_503"`}, "error", "gets 502 from proxy"},
	{"keepalive-race", proxied, []string{`nginx: {version: "1.31.0", upstream: api: server: ["10.0.0.1:80", "10.0.0.2:80"]}`, `ingressNginx: annotations: "proxy-next-upstream": "off"`}, "error", "gets 502 from proxy"},
	{"keepalive-race", kept, []string{`custom: {idleKeepalive: "60s", totalDeadline: "9s"}`, `gohttp: {Timeout: "9s", DefaultTransport: IdleConnTimeout: 0}`, "GET", "POST"}, "error", "reuses without limit; a request at that moment fails in api"},
	{"keepalive-race", kept, []string{`custom: {idleKeepalive: "60s", totalDeadline: "9s"}`, `gohttp: {Timeout: "9s", DefaultTransport: IdleConnTimeout: "0"}`, "GET", "POST"}, "error", "reuses without limit; a request at that moment fails in api"},
	{"keepalive-race", kept, []string{`custom: {idleKeepalive: "60s", totalDeadline: "9s"}`, `gohttp: {Timeout: "9s", DefaultTransport: IdleConnTimeout: "0s"}`, "GET", "POST"}, "error", "reuses without limit; a request at that moment fails in api"},
	{"keepalive-race", kept, []string{`custom: {idleKeepalive: "60s", totalDeadline: "9s"}`, `httpclient5: client: {requestConfig: {connectionKeepAlive: "50s", responseTimeout: "5s"}, disableAutomaticRetries: true}`}, "", ""},
	{"keepalive-race", kept, []string{`custom: {idleKeepalive: "60s", totalDeadline: "9s"}`, `httpclient5: client: {requestConfig: {connectionKeepAlive: "50s", responseTimeout: "5s"}, disableAutomaticRetries: true}`, "price: external", "price: endpoint: announcesKeepAlive: \"70s\"\n\tprice: external"}, "error", "which api reuses for 70s"},
	{"keepalive-race", kept, []string{`custom: {idleKeepalive: "60s", totalDeadline: "9s"}`, `httpclient5: client: {requestConfig: {connectionKeepAlive: "50s", responseTimeout: "5s"}, disableAutomaticRetries: true}`, "price: external", "price: endpoint: announcesKeepAlive: false\n\tprice: external"}, "", ""},
	{"keepalive-race", kept, []string{`custom: {idleKeepalive: "60s", totalDeadline: "9s"}`, `gohttp: {Timeout: "9s", DefaultTransport: IdleConnTimeout: "50s"}`, "price: external", "price: endpoint: announcesKeepAlive: \"70s\"\n\tprice: external"}, "", ""},

	{"keepalive-race", kept, []string{`custom: {idleKeepalive: "60s", totalDeadline: "9s"}`, `httpclient5: client: {requestConfig: {connectionKeepAlive: "70s", responseTimeout: "5s"}, disableAutomaticRetries: true}`}, "error", "which api reuses for 70s"},
	{"keepalive-race", kept, []string{`custom: {idleKeepalive: "60s", totalDeadline: "9s"}`, `httpclient5: client: {requestConfig: {connectionKeepAlive: "50s", responseTimeout: "5s"}, disableAutomaticRetries: true}`, `price: external: idleKeepalive: "60s"`, `price: app: server: tomcat: keepAliveTimeout: "60s"`}, "error", "at the same time as api stops reusing them"},

	{"ping", "bad", []string{"nlb: {}", `nlb: listener: protocol: "UDP"`}, "error", "quiet for 120s"},
	// On HTTP/2 a connection that is dead is used on, where nothing pings it.
	{"ping", goHTTP2, nil, "warning", "api sends all requests on a connection to pay that may be dead, until TCP gives it up: SendPingTimeout is not set; each then ends so: api's own error"},
	{"ping", goHTTP2, []string{`DefaultTransport: {}`, `DefaultTransport: HTTP2: SendPingTimeout: "0s"`}, "warning", "SendPingTimeout is 0, which is off"},
	{"ping", goHTTP2, []string{`DefaultTransport: {}`, `DefaultTransport: HTTP2: SendPingTimeout: "15s"`}, "", ""},
	{"ping", goHTTP2, []string{"clients: pay", "clients: lb", `DefaultTransport: {}`, `DefaultTransport: {HTTP2: SendPingTimeout: "0s", IdleConnTimeout: "350s"}`, "\tpay: {", "\tlb: {endpoint: {scheme: \"https\", protocol: \"h2\"}, nlb: {}}\n\tpay: {", `"pay"]`, `"lb", "pay"]`}, "warning", "api sends all requests on a connection to lb that may be dead"}, // probes keep the flow
	{"ping", goHTTP2, []string{`"h2"`, `"http/1.1"`}, "", ""},
	{"ping", goHTTP2, []string{`DefaultTransport: {}`, `DefaultTransport: DisableKeepAlives: true`}, "", ""},
	{"ping", goHTTP2, []string{`DefaultTransport: {}`, `Transport: Dialer: Timeout: "1s"`}, "", ""},
	{"ping", pinging, nil, "error", "balancer forgets a connection that is quiet for 60s"},
	{"ping", pinging, []string{`flow: "60s"`, `flow: "0s"`}, "", ""},
	{"ping", pinging, []string{`flow: "60s"`, `flow: "0s"`, `idleKeepalive: "60s"`, `idleKeepalive: "0s"`}, "", ""},
	{"ping", pinging, []string{`idleKeepalive: "60s", `, ""}, "", ""},
	{"ping", pinging, []string{`idleKeepalive: "60s"`, `idleKeepalive: "60s", pingInterval: "59s"`}, "", ""},
	{"ping", pinging, []string{`idleKeepalive: "60s"`, `idleKeepalive: "60s", pingInterval: "60s"`}, "error", "with nothing to keep it alive"},
	{"ping", pinging, []string{`flow: "60s"`, `flow: "1ms"`}, "error", "quiet for 1ms"},

	{"within", promised, nil, "error", "api can take 3s, longer than the 2s"},
	{"within", promised, []string{`"3s"`, `"2s"`}, "", ""},
	{"within", promised, []string{`"3s"`, `string @env(A)`}, "", ""},
	{"within", promised, []string{`price: custom: totalDeadline: "3s"`, "price: custom: {}"}, "", ""},
	{"within", promised, []string{`price: custom: totalDeadline: "3s"`, "price: gohttp: {}", `"2500ms"`, `"0s"`}, "", ""}, // no-limit
	{"within", promised, []string{"[{price: {}}]", "[{price: {}}, {risk: {}}]", `"3s"`, `"2s"`}, "error", "api can take 3s"},
	{"within", promised, []string{"[{price: {}}]", "[{risk: {}}, {price: {}}]", `"2500ms"`, `"1s"`, `"3s"`, `"2001ms"`}, "error", "api can take 3.001s"},
	{"within", bare, []string{"edgeway: {}", `edgeway: {connect: "1s", after: "3s"}`, `"GET /price": path: ["api", "price"]`, `"GET /price": {path: ["api", "price"], within: "2s"}`}, "error", "api has an answer at 3s when price"},
	{"within", bare, []string{"edgeway: {}", `edgeway: {connect: "5s", after: "3s"}`, `"GET /price": path: ["api", "price"]`, `"GET /price": {path: ["api", "price"], within: "2s"}`}, "error", "api has an answer at 5s when price does not answer a connect"},
	{"within", bare, []string{"edgeway: {}", `edgeway: {connect: "1s", after: "2s"}`, `"GET /price": path: ["api", "price"]`, `"GET /price": {path: ["api", "price"], within: "2s"}`}, "", ""},
	{"within", bare, []string{"edgeway: {}", `edgeway: {connect: "1s", after: "4s", header: "3s"}`, `"GET /price": path: ["api", "price"]`, `"GET /price": {path: ["api", "price"], within: "2s"}`}, "error", "api has an answer at 4s when price stops after its header"},
}

// pinging is a client of a balancer that forgets flows.
const pinging = `
tchain: "v1"
name:   "shop"
types: layers: balancer: flow?: string @limit(flow-idle, fires=close) @zero(infinite)
layers: {
	api: app: {
		server: gohttp: {}
		clients: balancer: custom: {idleKeepalive: "60s", totalDeadline: "9s"}
	}
	balancer: {balancer: flow: "60s"}
	price: external: {}
}
routes: "GET /price": path: ["api", "balancer", "price"]
`

// doubted has a time in a unit that was hardly meant, and beside it two that tie.
const doubted = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {
		server: custom: {}
		clients: price: custom: {idleKeepalive: "60s", totalDeadline: "9s"}
		clients: stock: custom: {idleKeepalive: "60s", totalDeadline: "9s"}
		calls: [{price: {}}, {stock: {}}]
	}
	price: app: server: node: {version: "22.8.0", keepAliveTimeout: 500}
	stock: external: idleKeepalive: "60s"
}
routes: "GET /price": path: ["api"]
`

// goHTTP2 is an app that calls another one over HTTP/2.
const goHTTP2 = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {server: gohttp: {}, clients: pay: gohttp: {Timeout: "3s", DefaultTransport: {}}}
	pay: {
		endpoint: {scheme: "https", protocol: "h2"}
		external: {}
	}
}
routes: "GET /pay": path: ["api", "pay"]
`
