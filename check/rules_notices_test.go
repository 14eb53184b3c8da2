package check_test

// remembered is a client whose own responseTimeout is used by its second route only.
const remembered = `package shop
tchain: "v1"
name:   "shop"
layers: {
	api: app: clients: price: httpclient5: {
		version: "5.5.2"
		client: requestConfig: responseTimeout: "5s"
		context: "/price": copyOf: "DEFAULT"
	}
	price: external: {}
}
path: ["api", "price"]
routes: {"GET /price": {}, "GET /stock": {}}
`

// pooledLate is an app whose balancer outlasts a read on a fresh connection, and not
// one on a connection that the report used before.
const pooledLate = `package shop
tchain: "v1"
name:   "shop"
layers: {
	lb: alb: idle_timeout: 9
	api: app: {server: tomcat: {}, clients: price: httpclient5: {
		version: "5.5"
		manager: connectionConfig: {connectTimeout: "1s", socketTimeout: "3s"}
		client: {requestConfig: connectionRequestTimeout: "1s", disableAutomaticRetries: true}
		context: "/report": {copyOf: "client", responseTimeout: "10s"}
	}}
	price: external: {}
}
routes: {"GET /price": path: ["lb", "api", "price"], "GET /report": path: ["api", "price"]}
`

// springZero is a read time of zero, which Spring before 6.2 refuses and from then on until
// 7.0.10 takes for no time at all.
const springZero = `package shop
tchain: "v1"
name:   "shop"
layers: {
	api: app: {runtime: {jdk: "21", spring: "6.1.21"}, clients: price: jdkHttpClient: {builder: connectTimeout: "1s", factory: readTimeout: "0s"}}
	price: external: latency: max: "1s"
}
routes: "GET /price": path: ["api", "price"]
`

// headerless is an NGINX that is to keep connections and lacks the line without which it
// tells the upstream to close each.
const headerless = `package shop
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 60_000
	proxy: nginx: {
		version: "1.28.0"
		server: {proxy_connect_timeout: "5s", proxy_read_timeout: "20s", proxy_http_version: "1.1"}
		upstream: api: {server: ["10.0.0.1:8080"], keepalive: 16}
	}
	api: app: server: gohttp: IdleTimeout: "50s"
}
routes: "GET /price": path: ["web", "proxy", "api"]
`

var noticeVariants = []variant{
	{"rejected", proxied, []string{`version: "1.31.0"`, `version: "1.29.3", server: proxy_http_version: "2"`}, "error", "proxy_http_version 2 is an invalid value before 1.29.4: NGINX does not start"},
	{"rejected", proxied, []string{`version: "1.31.0"`, `version: "1.29.4", server: proxy_http_version: "2"`}, "", ""},
	{"rejected", proxied, []string{`version: "1.31.0", `, `server: proxy_http_version: "2", `}, "", ""},
	{"rejected", springZero, nil, "error", "Spring before 6.2 does not take 0s"},
	{"tail-latency", springZero, nil, "", ""},
	{"tail-latency", springZero, []string{"6.1.21", "6.2.19"}, "error", "is over as soon as it begins"},
	{"tail-latency", springZero, []string{"6.1.21", "6.2.19", "layers: {", "layers: {\n\tedge: alb: idle_timeout: 5000", `path: ["api"`, `path: ["edge", "api"`}, "error", "is over as soon as it begins"},
	{"ignored-value", headerless, nil, "warning", "keepalive 16 has no effect: towards the upstream NGINX tells it to close each connection"},
	{"ignored-value", headerless, []string{`"1.28.0"`, `"1.29.7"`}, "", ""},
	{"ignored-value", headerless, []string{`proxy_http_version: "1.1"`, `proxy_http_version: "1.1", proxy_set_header: Connection: ""`}, "", ""},
	{"keepalive-race", headerless, nil, "", ""},
	{"keepalive-race", headerless, []string{`proxy_http_version: "1.1"`, `proxy_http_version: "1.1", proxy_set_header: Connection: ""`}, "warning", "api closes idle connections after 50s, which proxy reuses for 60s"},
	{"ignored-value", "bad", []string{`"150s"`, `"136s"`}, "warning", "acts as 135s"},
	{"ignored-value", "bad", []string{`"150s"`, `"135s"`}, "", ""},
	{"ignored-value", pooledLate, []string{`version: "5.5"`, `version: "5.5.1"`, "manager: connectionConfig", "manager: {maxConnTotal: 0, maxConnPerRoute: 50}, manager: connectionConfig"}, "warning", "maxConnTotal 0 acts as 25, the default"},
	{"ignored-value", pooledLate, []string{`version: "5.5"`, `version: "5.5.1"`, "manager: connectionConfig", "manager: {maxConnTotal: 100, maxConnPerRoute: 50}, manager: connectionConfig"}, "", ""},
	{"rejected", "bad", []string{"idle_timeout: 5000", "idle_timeout: 4001"}, "error", "1 to 4000"},
	{"rejected", "bad", []string{"idle_timeout: 5000", "idle_timeout: 4000"}, "", ""},
	{"rejected", "bad", []string{"idle_timeout: 5000", "idle_timeout: 0"}, "error", ""},
	{"unit-trap", "bad", []string{"timeout: 20", "timeout: 999"}, "warning", "timeout 999 is 999ms in browser"},
	{"unit-trap", "bad", []string{"timeout: 20", "timeout: 1000"}, "", ""},
	{"sticky-limit", "bad", []string{`"500ms"`, `"5s"`}, "", ""},
	{"sticky-limit", "bad", []string{`"500ms"`, `"4999ms"`}, "warning", "4.999s"},
	{"sticky-limit", remembered, nil, "warning", "may take 5s after GET /stock; on a fresh one it may take 180s"},
	{"sticky-limit", remembered, []string{`, "GET /stock": {}`, ""}, "", ""},
	{"sticky-limit", remembered, []string{`"5s"`, `"0s"`}, "warning", "has no limit after GET /stock; on a fresh one it may take 180s"},
	{"sticky-limit", remembered, []string{`"5.5.2"`, `"5.6.1"`}, "", ""},
	{"error-room", pooledLate, nil, "error", "lb answers 504 at 9s, before api's own error at 11s"},
	{"error-room", pooledLate, []string{`"5.5"`, `"5.5.1"`}, "", ""},
	{"error-room", pooledLate, []string{`, "GET /report": path: ["api", "price"]`, ""}, "", ""},
	{"version-boundary", "bad", []string{`"1.29"`, `"1.29.6"`}, "", ""},
	{"version-boundary", "bad", []string{`"1.29"`, `"1"`}, "warning", "too coarse"},
	{"version-boundary", "bad", []string{`"1.29"`, `"1.28"`}, "", ""},
}
