package check_test

// instantly are limits of a client that a value of zero ends at once.
var instantly = ownClient(`
	dns?:    string @limit(dns, fires=error)
	tls?:    string @limit(tls-handshake, fires=error)
	write?:  string @limit(write-gap, fires=error)
	first?:  string @limit(response-first-byte, fires=error)
	header?: string @limit(response-header, fires=error)
	told?:   string @limit(response-header, fires=event)
	both?:   string @limit(connect, end=secured, fires=error)
`)

// far is what makes its callee lie far away.
var far = []string{"price: external: {}", `price: {endpoint: rtt: "600ms", external: {}}`}

// farSecured is far behind a handshake.
var farSecured = []string{"price: external: {}", `price: {endpoint: {rtt: "600ms", scheme: "https"}, external: {}}`}

func with(settings string, more ...string) []string {
	return append([]string{"edgeway: {}", "edgeway: {" + settings + "}"}, more...)
}

// bodiless is a client whose product ends no body.
const bodiless = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {
		server: gohttp: {}
		clients: price: jdkHttpClient: {version: "17", builder: connectTimeout: "1s", request: timeout: "2s"}
	}
	price: {endpoint: scheme: "http", external: {}}
}
routes: "GET /": path: ["api", "price"]
`

// inTime is an app that fails in time for its caller, or just not.
const inTime = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 10_000
	api: app: {
		server: gohttp: {}
		work: p99: "10s"
		clients: price: custom: totalDeadline: "9s"
	}
	price: external: {}
}
routes: "GET /price": path: ["web", "api", "price"]
policy: errorRoom: "1s"
`

// silenced is a proxy whose own error comes after its answering side is over.
const silenced = `
tchain: "v1"
name:   "shop"
types: layers: edgeway: {
	wait?: string @limit(response-first-byte, fires="504")
	gap?:  string @limit(response-read-gap, fires=cut)
	cut?:  string @limit(write-total, fires=close)
}
layers: {
	web: browser: fetch: signal: timeout: 90_000
	edge: edgeway: {wait: "60s", gap: "60s", cut: "10s"}
	price: external: {}
}
routes: "GET /price": path: ["web", "edge", "price"]
`

// left is a person who does not wait for an ordinary slow answer.
const left = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 2_000
	db: external: latency: p99: "7s"
}
routes: "POST /order": path: ["web", "db"]
`

const pooledAndTold = `size?: int @size(pool-size-per-host), header?: string @limit(response-header, fires=error), told?: string @limit(total-deadline, fires=event), total?: string @limit(total-deadline, fires=error)`

// unread is a proxy in front of an app, both of which read requests.
const unread = `
tchain: "v1"
name:   "shop"
types: layers: edgeway: {
	header?: string @limit(request-header-read, fires=close) @default("0s") @zero(at-once)
	each?:   string @limit(request-header-read, reset=read, fires=close) @zero(at-once)
	told?:   string @limit(request-header-read, fires=event) @zero(at-once)
}
layers: {
	proxy: nginx: {version: "1.28.0", server: client_header_timeout: "60s"}
	price: edgeway: {}
}
routes: "GET /price": path: ["proxy", "price"]
`

// edgeVariants are those of one client's limits: where one of them begins to count.
var edgeVariants = []variant{
	// A limit of zero ends a wait that every request has, and no other one.
	{"tail-latency", instantly, with(`first: "0s"`), "error", "first 0s is over as soon as it begins"},
	{"tail-latency", instantly, with(`first: "0s", header: "0s"`), "error", "first 0s is over as soon as it begins"}, // the first of two is told
	{"tail-latency", instantly, with(`told: "0s"`), "", ""},
	{"tail-latency", instantly, with(`dns: "0s"`), "", ""},
	{"tail-latency", instantly, with(`write: "0s"`), "", ""},
	{"tail-latency", instantly, with(`tls: "0s"`), "", ""},
	{"tail-latency", instantly, with(`tls: "0s"`, "price: external: {}", `price: {endpoint: scheme: "https", external: {}}`), "error", "tls 0s is over as soon as it begins"},
	{"tail-latency", unread, nil, "", ""}, // nobody wrote the zero of price
	{"tail-latency", unread, []string{`client_header_timeout: "60s"`, `client_header_timeout: "0"`}, "error", "client_header_timeout 0s of nginx is over as soon as it begins: proxy closes each connection before it has read a request, and answers none"},
	{"tail-latency", cleanOf("error-room"), []string{"server: gohttp: {}", `server: gohttp: TimeoutHandler: "0s"`}, "error", "TimeoutHandler 0s of gohttp is over as soon as it begins: api answers 503 to each request"},
	{"tail-latency", cleanOf("error-room"), []string{"server: gohttp: {}", `server: gohttp: TimeoutHandler: "10s"`}, "", ""},
	{"tail-latency", cleanOf("error-room"), []string{"server: gohttp: {}", `server: gohttp: TimeoutHandler: null`}, "", ""},
	{"tail-latency", unread, []string{`edgeway: {}`, `edgeway: header: "0s"`}, "error", "header 0s is over as soon as it begins: price closes"},
	{"tail-latency", unread, []string{`edgeway: {}`, `edgeway: header: "1s"`}, "", ""},
	{"tail-latency", unread, []string{`edgeway: {}`, `edgeway: each: "0s"`}, "", ""}, // what is there already is read
	{"tail-latency", unread, []string{`edgeway: {}`, `edgeway: told: "0s"`}, "", ""},
	{"tail-latency", ownClient(`header?: string @limit(response-header, fires=error) @default("0s")`), nil, "", ""}, // nobody wrote it
	// The way there and back counts once for each time that it is taken.
	{"tail-latency", instantly, with(`told: "500ms"`, far...), "", ""},
	{"tail-latency", instantly, with(`both: "601ms"`, far...), "", ""},
	{"tail-latency", instantly, with(`both: "1200ms"`, farSecured...), "error", "api allows a connect both 1.2s, and price is 600ms away"},
	{"tail-latency", instantly, with(`both: "1201ms"`, farSecured...), "", ""},
	{"tail-latency", bare, with(`connect: "601ms"`, farSecured...), "", ""},
	// Without a limit that ends the wait, a tail is too long for none.
	{"tail-latency", bare, []string{"price: external: {}", `price: external: latency: p99: "2s"`}, "", ""},
	{"tail-latency", "bad", []string{`p99: "2s"`, `max: "3s"`}, "error", "gives up at 2s, before price's max of 3s"},
	// A callee that ends too late is error-room's; one that never ends has but this limit.
	{"tail-latency", inTime, nil, "", ""},
	{"tail-latency", inTime, []string{`"9s"`, `"8999ms"`}, "error", "web gives up at 10s, at the same time as api's p99 of 10s"},
	{"tail-latency", inTime, []string{`totalDeadline: "9s"`, "{}"}, "error", "web gives up at 10s, at the same time as api's p99 of 10s"},

	// Where no setting would end a wait, none is missed; of nothing declared no value follows.
	{"no-limit", ownClient(`dns?: string @limit(dns, fires=error)`), nil, "", ""},
	{"no-limit", inside, []string{`path: ["web", "api", "price"]`, `path: ["web", "api"]`}, "error", "web waits for ever"},
	{"no-limit", audited, []string{"audit: gohttp: {}", "audit: edgeway: {}", "layers:", "types: clients: edgeway: dns?: string @limit(dns, fires=error)\nlayers:"}, "", ""},
	{"no-limit", ownClient(`header?: string @limit(response-header, fires=error) @zero(infinite)`), with(`header: "0s"`), "", ""}, // zero-is-infinite
	// Of a stream, a total is asked for only where nothing else would end it.
	{"no-limit", bodiless, nil, "error", "api waits for ever when price stops after its header: java.net.http has no read limit after the response header"},
	{"gap-only", bodiless, nil, "", ""}, // no-limit
	{"no-limit", bodiless, []string{`version: "17"`, `version: "26"`}, "", ""},
	{"no-limit", bodiless, []string{`request:`, `factory: readTimeout: "3s", spring: "6.2.19", request:`}, "", ""},
	{"no-limit", bodiless, []string{`path: ["api", "price"]`, `{path: ["api", "price"], response: stream: {first: "1s", silence: "5s"}}`}, "info", "api waits for ever"},
	{"no-limit", bare, with(`connect: "1s"`, `path: ["api", "price"]`, `{path: ["api", "price"], response: stream: {first: "1s", silence: "5s"}}`), "error", "is not set"},

	// A route without a rate needs no connections; what is open at once counts whatever ends it.
	{"pool-size", pooled, []string{`{"GET /price": {path: ["api", "price"], tps: 5}`, second + `{path: ["api", "price"], at: api: app: clients: price: custom: totalDeadline: "3s"}`}, "error", "10 = 5/s ÷ 1 instance × 2s"},
	{"pool-size", pooled, []string{"tps: 5", "concurrent: 10", `totalDeadline: "2s"`, `totalDeadline: "0s"`}, "error", "10 = 10 open at once"},
	{"pool-size", "clean", []string{"clients: price", "calls: [{price: {times: 6, atOnce: 2}}], clients: price", `path: ["api", "price"], tps: 10`, `path: ["api"], concurrent: 21`}, "error", "open at once × 2 calls"},

	// A layer without calls gives nobody a new budget, and one that keeps its deadline ends in time.
	{"fresh-budgets", inTurn, []string{"calls: [{price: {}}, {risk: {}}, {stock: {}}]", "", "server: gohttp: {}", `server: gohttp: {}, work: max: "12s"`}, "", ""},
	{"fresh-budgets", inTurn, []string{"calls: [{price: {}}, {risk: {}}, {stock: {}}]", "", "10_000", "20_000", "server: gohttp: {}", `server: gohttp: {}, work: max: "12s", deadline: total: "11s"`}, "", ""},
	{"fresh-budgets", inTurn, []string{"10_000", "20_000", "server: gohttp: {}", `server: gohttp: {}, work: max: "2s", deadline: {total: "11s", enforced: true}`}, "", ""},

	// What a product repeats on a connection that broke is told where it is known, and not where one may ask again.
	{"retry-unsafe", ownClient(`idle?: string @limit(idle-keepalive, side=call)`, `@resend(methods="any", on="stale")`), with(`idle: "50s"`, `"GET /price"`, `"POST /price"`), "error", "up to 2 times, again after"},
	{"retry-unsafe", ownClient(`idle?: string @limit(idle-keepalive, side=call)`, `@resend(methods="any", on="stale")`), with(`idle: "50s"`), "", ""},
	{"retry-unsafe", ownClient(`idle?: string @limit(idle-keepalive, side=call)`, `@resend(methods="GET", on="stale")`), with(`idle: "50s"`, `"GET /price"`, `"POST /price"`), "", ""},

	// An upload alone that is longer than the person's limit is upload-cut's.
	{"error-room", badOf("upload-cut"), nil, "", ""},
	{"error-room", badOf("upload-cut"), []string{"90_000", "100_000"}, "", ""},
	{"error-room", badOf("upload-cut"), []string{"90_000", "100_001"}, "error", "web gives up at 100.001s, before edge's own error"},

	// A proxy's own error is lost as well where its answering side is over before.
	{"error-room", silenced, nil, "error", "is lost: cut 10s is over by then, and the connection is closed instead"},
	{"error-room", silenced, []string{`cut: "10s"`, `cut: "300s"`}, "", ""},
	{"error-room", silenced, []string{`gap: "60s", `, ""}, "error", "web gives up at 90s, because nothing ends edge's call to price"}, // and cut is the one end of a response that stops

	// The kernel's limit is one for all addresses unless the product dials them one after the other.
	{"implicit", bare, with(`header: "5s", gap: "5s"`, "price: external: {}", "price: {endpoint: addresses: 2, external: {}}"), "warning", "the kernel ends it, after about"},

	// A person gives up on a layer that works on by itself.
	{"orphan-work", left, nil, "warning", "db works on for 5s after web has given up at 2s: whether it was done is unknown"},
	{"orphan-work", left, []string{`p99: "7s"`, `p99: "2s"`}, "", ""},

	// A call has the smaller of its own budget and what is left of the whole.
	{"gap-only", trickling, []string{"server: gohttp: {}", `server: gohttp: {}, deadline: {total: "5s", perCall: "8s"}`, `responseHeader: "3s"`, `responseHeader: "9s", totalDeadline: "6s"`}, "error", "api declares perCall 8s, but a call to price can take 6s"},
	{"gap-only", trickling, []string{"server: gohttp: {}", `server: gohttp: {}, deadline: total: "5s"`, `responseReadGap: "3s"`, `responseReadGap: "9s", totalDeadline: "6s"`, "api: app: {", "api: app: {\n\t\tcalls: [{price: background: true}]"}, "", ""},
	// What is shown is a fault that the deadline is over in.
	{"gap-only", trickling, []string{"server: gohttp: {}", `server: gohttp: {}, deadline: total: "5s"`, `connect: "1s", responseHeader: "3s", responseReadGap: "3s"`, `connect: "7s", responseHeader: "5s", responseReadGap: "5s", totalDeadline: "7s"`}, "error", "but a call to price can take 7s"},

	// Each number has the unit that was meant at its own place.
	{"unit-trap", "bad", []string{"web: browser", "phone: browser: fetch: signal: timeout: 30\n\tweb: browser", `"GET /": path: ["web", "shop"]`, `{"GET /": path: ["web", "shop"], "GET /phone": path: ["phone", "shop"]}`}, "warning", "30"},

	// The pinging side may be the callee, and what pings more often counts.
	{"ping", pinging, nil, "error", "balancer forgets a connection that is quiet for 60s"},
	{"ping", pinging, []string{`idleKeepalive: "60s"`, `idleKeepalive: "59s"`}, "", ""},
	{"ping", pinging, []string{`idleKeepalive: "60s"`, `idleKeepalive: "60s", tcpKeepalive: "90s"`, "external: {}", `external: tcpKeepalive: "30s"`}, "", ""},
	{"ping", pinging, []string{`idleKeepalive: "60s"`, `idleKeepalive: "60s", tcpKeepalive: "30s"`, "external: {}", `external: tcpKeepalive: "90s"`}, "", ""},
	{"ping", pinging, []string{`idleKeepalive: "60s"`, `idleKeepalive: "60s", tcpKeepalive: "90s"`, "external: {}", `external: tcpKeepalive: "61s"`}, "error", "with nothing to keep it alive"},

	// What only tells a program does not end its wait for a connection.
	{"pool-wait", ownClient(pooledAndTold), with(`size: 5, header: "3s", told: "5s"`), "error", "waits for ever for a connection to price once size 5 are in use"},
	{"pool-wait", ownClient(pooledAndTold), with(`size: 5, header: "3s", total: "5s"`), "", ""},
}
