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

var timeVariants = []variant{
	// A limit that somebody wrote for the work is how long it may last, where nothing else is said of it.
	{"error-room", cleanOf("error-room"), []string{"server: gohttp: {}\n\t\tclients: price: gohttp: Timeout: \"10s\"", "server: gunicorn: timeout: 12", `, "price"]`, `]`}, "warning", "proxy answers 504 at 11s, before api's own error at 12s"},
	{"error-room", cleanOf("error-room"), []string{"server: gohttp: {}\n\t\tclients: price: gohttp: Timeout: \"10s\"", "server: gunicorn: timeout: 10", `, "price"]`, `]`}, "", ""},
	{"error-room", cleanOf("error-room"), []string{"server: gohttp: {}\n\t\tclients: price: gohttp: Timeout: \"10s\"", "work: max: \"10s\", server: gunicorn: timeout: 12", `, "price"]`, `]`}, "", ""},
	{"error-room", cleanOf("error-room"), []string{"server: gohttp: {}\n\t\tclients: price: gohttp: Timeout: \"10s\"", "work: max: \"12s\", server: gohttp: {}", `, "price"]`, `]`, "GET", "POST", `proxy_read_timeout`, `proxy_send_timeout: "1s", proxy_read_timeout`}, "error", "own error at 12s; api works on for 1s, and whether it was done is unknown"},
	{"error-room", cleanOf("error-room"), []string{"server: gohttp: {}\n\t\tclients: price: gohttp: Timeout: \"10s\"", "work: max: \"12s\", coldStart: init: \"20s\", server: lambda: {}", `, "price"]`, `]`}, "error", "api kills the worker at 3s, before its own answer at 42s"},
	// The way there and back has to fit a limit for connecting, and twice where the handshake is in it.
	{"tail-latency", cleanOf("tail-latency"), []string{`price: external: latency: p99: "2s"`, `price: {endpoint: rtt: "600ms", external: {}}`, `Timeout: "3s"`, `{Timeout: "3s", DefaultTransport: Dialer: Timeout: "601ms"}`}, "", ""},
	{"tail-latency", cleanOf("tail-latency"), []string{`price: external: latency: p99: "2s"`, `price: {endpoint: rtt: "600ms", external: {}}`, `Timeout: "3s"`, `{Timeout: "3s", DefaultTransport: Dialer: Timeout: "600ms"}`}, "error", "api allows a connect Timeout 600ms to price, which is 600ms away"},
	{"tail-latency", cleanOf("tail-latency"), []string{`price: external: latency: p99: "2s"`, `price: {endpoint: {rtt: "600ms", scheme: "https"}, external: {}}`, `Timeout: "3s"`, `{Timeout: "3s", DefaultTransport: TLSHandshakeTimeout: "500ms"}`}, "error", "api allows a TLS handshake TLSHandshakeTimeout 500ms"},
	{"tail-latency", cleanOf("tail-latency"), []string{`price: external: latency: p99: "2s"`, `price: {endpoint: rtt: "600ms", external: {}}`, `Timeout: "3s"`, `{Timeout: "3s", DefaultTransport: TLSHandshakeTimeout: "500ms"}`}, "", ""},
	// A cold start comes before the first answer; beyond what the platform gives it, it is begun anew.
	{"tail-latency", cleanOf("tail-latency"), []string{"price: external: latency: p99: \"2s\"", "price: app: {server: gohttp: {}, work: p99: \"2s\", coldStart: init: \"999ms\"}"}, "", ""},
	{"tail-latency", cleanOf("tail-latency"), []string{"price: external: latency: p99: \"2s\"", "price: app: {server: gohttp: {}, work: p99: \"2s\", coldStart: init: \"1s\"}"}, "error", "at the same time as price's p99 of 2s after a cold start of 1s"},
	{"implicit", unconnected, nil, "warning", "api has no limit of its own for connecting to price: the kernel ends it, after about 135s"},
	{"implicit", unconnected, []string{blocking, "socket: {soTimeout: 5000, connect: timeout: 3000}"}, "", ""},
	{"implicit", unconnected, []string{blocking, `node: {version: "20.11.0", signal: timeout: 134_000}`}, "", ""},
	{"implicit", unconnected, []string{blocking, `node: {version: "20.11.0", signal: timeout: 136_000}`}, "warning", "the kernel ends it"},
	{"implicit", unconnected, []string{blocking, "httpclient5: {}"}, "", ""}, // 3 minutes, by its own default
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
	{"upload-cut", "clean", []string{"files: external", "mid: traefik: entryPoints: web: transport: respondingTimeouts: readTimeout: \"100s\"\n\tfiles: external", `"edge", "files"`, `"edge", "mid", "files"`}, "error", "mid allows 100s"},
	{"upload-cut", "clean", []string{"files: external", "mid: traefik: entryPoints: web: transport: respondingTimeouts: readTimeout: \"101s\"\n\tfiles: external", `"edge", "files"`, `"edge", "mid", "files"`}, "", ""},
	{"upload-cut", "clean", []string{"edge: alb: idle_timeout: 30", "edge: nginx: {}\n\tmid: traefik: entryPoints: web: transport: respondingTimeouts: readTimeout: \"5s\"", `"edge", "files"`, `"edge", "mid", "files"`}, "", ""},
	{"upload-cut", "clean", []string{"edge: alb: idle_timeout: 30", "edge: nginx: server: proxy_request_buffering: \"off\"\n\tmid: traefik: entryPoints: web: transport: respondingTimeouts: readTimeout: \"5s\"", `"edge", "files"`, `"edge", "mid", "files"`}, "error", "mid allows 5s"},
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

	{"tail-latency", cleanOf("tail-latency"), []string{`Timeout: "3s"`, `{Timeout: "3s", context: timeout: "0s"}`}, "error", "timeout 0s is over as soon as it begins: no request of api to price gets an answer"},
	{"tail-latency", cleanOf("tail-latency"), []string{`price: gohttp: Timeout: "3s"`, `price: jdkHttpClient: {spring: "6.2.19", version: "17", builder: connectTimeout: "1s", factory: readTimeout: "0s"}`}, "error", "readTimeout 0s is over as soon as it begins"},
	{"tail-latency", cleanOf("tail-latency"), []string{`price: gohttp: Timeout: "3s"`, `price: webclient: {version: "1.2.18", operators: [{timeout: "0s"}]}`}, "error", "timeout 0s is over as soon as it begins"},
	{"tail-latency", cleanOf("tail-latency"), []string{`price: gohttp: Timeout: "3s"`, `price: httpclient5: {version: "5.6.4", client: requestConfig: {connectionRequestTimeout: "0s", responseTimeout: "4s"}}`}, "", ""},
	{"tail-latency", cleanOf("tail-latency"), []string{`server: gohttp: {}`, "server: gohttp: {}, deadline: {total: \"0s\", enforced: true}"}, "error", "total 0s is over as soon as it begins"},
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

	{"orphan-work", "bad", []string{`"5s"`, `"7999ms"`}, "warning", "orders works on for 1ms after web has had 503 at 7.999s: whether it was done is unknown"},
	{"orphan-work", "bad", []string{`"5s"`, `"8s"`}, "", ""},
	{"orphan-work", "bad", []string{"POST", "GET"}, "", ""},
	{"orphan-work", "bad", []string{"POST", "GET", `"5s"`, `"727ms"`}, "warning", "10 times as long as the limit that fired"},
	{"orphan-work", "bad", []string{"POST", "GET", `"5s"`, `"728ms"`}, "", ""},
	{"orphan-work", "bad", []string{"POST", "GET", `"5s"`, `"800ms"`, `"8s"`, `"8800ms"`}, "warning", "10 times"}, // a tie
	{"orphan-work", "bad", []string{`path: ["web", "api", "orders", "db"]`, `{path: ["web", "api", "orders", "db"], idempotencyKey: "key"}`}, "", ""},
	{"orphan-work", "bad", []string{`"db"]`, `"db"]`, "server: gohttp: TimeoutHandler", "calls: [{orders: background: true}]\n\t\tserver: gohttp: TimeoutHandler"}, "", ""},
	{"orphan-work", "bad", []string{`TimeoutHandler: "5s"`, "{}", `"10s"`, `"7s"`}, "", ""}, // error-room
}
