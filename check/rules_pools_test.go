package check_test

// scaled is a callee whose caller's pool grows with its instances.
const scaled = `
tchain: "v1"
name:   "shop"
layers: {
	api: {
		scale: {min: 1, max: 2}
		app: {
			server: gohttp: {}
			clients: orders: gohttp: {context: timeout: "10s", DefaultTransport: MaxConnsPerHost: 50}
		}
	}
	orders: {
		instances: 1
		app: {server: tomcat: threads: max: 100, clients: db: gohttp: Timeout: "5s"}
	}
	db: external: {}
}
routes: "GET /orders": path: ["api", "orders", "db"]
`

// twoBounds is a client whose total is below the pool of its only callee.
const twoBounds = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {
		server: tomcat: {}
		deadline: {perCall: "5s", enforced: true}
		clients: price: httpclient5: {
			manager: {maxConnPerRoute: 26, maxConnTotal: 25}
			client: {requestConfig: {responseTimeout: "3s", connectionRequestTimeout: "1s", connectionKeepAlive: "60s"}, disableAutomaticRetries: true}
		}
	}
	price: external: idleKeepalive: "300s"
}
routes: "GET /price": path: ["api", "price"]
`

// withRisk is a third callee of a client that has two.
var withRisk = []string{`to: ["price", "stock"]`, `to: ["price", "stock", "risk"]`, "stock: {}}]", "stock: {}, risk: {}}]", "stock: external", "risk: external: {}\n\tstock: external"}

// queued is a client whose product has no limit for the wait in its queue.
const queued = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {
		server: gohttp: {}
		clients: price: node: {version: "20.20.2", agent: maxSockets: 2, timeout: 1000, destroyOnTimeout: true, signal: timeout: 5000}
	}
	price: external: {}
}
routes: "GET /price": path: ["api", "price"]
`

// zeroWait is a client whose wait for a connection was set to zero, which has no end.
const zeroWait = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {
		server: gohttp: {}
		clients: price: webclient: {provider: {maxConnections: 2, pendingAcquireTimeout: "0s"}, responseTimeout: "2s", option: CONNECT_TIMEOUT_MILLIS: 1000}
	}
	price: external: {}
}
routes: "GET /price": path: ["api", "price"]
`

var poolVariants = []variant{
	{"pool-wait", queued, nil, "error", "api waits for ever for a connection to price once maxSockets 2 are in use: no setting of node 20.20.2 ends the wait"},
	{"pool-wait", queued, []string{"maxSockets: 2", "maxTotalSockets: 2"}, "error", "once maxTotalSockets 2 are in use"},
	{"pool-wait", queued, []string{"maxSockets: 2", "keepAlive: true"}, "", ""},
	{"pool-wait", queued, []string{"server: gohttp: {}", `server: gohttp: {}, deadline: {total: "9s", enforced: true}`}, "", ""},
	{"pool-wait", queued, []string{"clients: price: node", `clients: price: wrap: [{loop: {attempts: 1, on: ["503"], total: "6s"}}]` + "\n\t\tclients: price: node"}, "", ""},
	{"pool-wait", queued, []string{"timeout: 1000, destroyOnTimeout: true, ", ""}, "error", "once maxSockets 2 are in use"}, // AbortSignal ends no wait in the queue
	{"pool-wait", queued, []string{"timeout: 1000, destroyOnTimeout: true, signal: timeout: 5000", "timeout: 0"}, "", ""},   // no-limit
	{"pool-wait", zeroWait, []string{`responseTimeout: "2s"`, `operators: [{timeout: "2s"}]`}, "", ""},                      // which ends the wait, too
	{"zero-is-infinite", zeroWait, []string{`responseTimeout: "2s", `, ""}, "error", "pendingAcquireTimeout 0s means no limit"},
	{"pool-wait", zeroWait, nil, "error", "pendingAcquireTimeout is 0 means no limit"},
	{"zero-is-infinite", zeroWait, nil, "", ""}, // pool-wait
	{"zero-is-infinite", zeroWait, []string{`responseTimeout: "2s"`, `responseTimeout: "0s"`}, "error", "pendingAcquireTimeout 0s means no limit"},
	// What is open at once counts as it is, whatever a request takes; calls at the same time multiply it.
	{"pool-size", "clean", []string{"tps: 10", "concurrent: 20"}, "", ""},
	{"pool-size", "clean", []string{"tps: 10", "concurrent: 21"}, "error", "smaller than the 11 = 21 open at once ÷ 2 instances that a silent price holds"},
	{"pool-size", "clean", []string{"clients: price", "calls: [{price: {times: 6, atOnce: 3}}], clients: price", `path: ["api", "price"], tps: 10`, `path: ["api"], concurrent: 6`}, "", ""},
	{"pool-size", "clean", []string{"clients: price", "calls: [{price: {times: 6, atOnce: 3}}], clients: price", `path: ["api", "price"], tps: 10`, `path: ["api"], concurrent: 7`}, "error", "the 11 = 7 open at once × 3 calls ÷ 2 instances"},
	{"pool-size", "clean", []string{"clients: price", "calls: [{price: atOnce: 2}], clients: price", `["api", "price"]`, `["api"]`, "tps: 10", "tps: 5"}, "", ""},
	{"pool-size", "clean", []string{"clients: price", "calls: [{price: atOnce: 2}], clients: price", `["api", "price"]`, `["api"]`, "tps: 10", "tps: 6"}, "error", "12 = 12/s ÷ 2 instances × 2s"},
	{"pool-total", "clean", []string{"tps: 50", "concurrent: 10"}, "", ""},
	{"pool-total", "clean", []string{"tps: 50", "concurrent: 11"}, "warning", "fewer than the 11 in use on average: the rest is closed when it is given back"},
	// No more can be in use than the pool has.
	{"pool-total", "clean", []string{"tps: 50", "concurrent: 11", "MaxIdleConnsPerHost", "MaxConnsPerHost: 10, MaxIdleConnsPerHost"}, "", ""},
	{"pool-total", "clean", []string{"tps: 50", "concurrent: 12", "MaxIdleConnsPerHost", "MaxConnsPerHost: 11, MaxIdleConnsPerHost"}, "warning", "fewer than the 11 in use on average, all that it may have: the rest is closed"},
	{"capacity", "bad", []string{"tps: 20", "concurrent: 200"}, "", ""},
	{"capacity", "bad", []string{"tps: 20", "concurrent: 201"}, "warning", "fewer than the 201 that its callers can have open: proxy 201 open at once"},
	{"pool-total", "bad", nil, "warning", "up to 40/s are closed"},
	{"pool-total", "clean", []string{"Host: 10", "Host: 9"}, "warning", "fewer than the 10 in use on average (50/s ÷ 1 instance × 200ms): up to 5/s"},
	{"pool-total", "clean", []string{"Host: 10", "Host: 10"}, "", ""},
	{"pool-total", "bad", []string{", latency: avg: \"200ms\"", ""}, "", ""},
	{"pool-total", "bad", []string{"tps: 50", "tps: 10"}, "", ""},
	{"pool-total", twoBounds, nil, "info", "api never has maxConnPerRoute 26 connections to price: maxConnTotal 25 is the total"},
	{"pool-total", twoBounds, []string{"maxConnTotal: 25", "maxConnTotal: 26"}, "", ""},
	{"pool-total", cleanOf("shared-pool"), []string{"poolSizeTotal: 40", "poolSizeTotal: 39"}, "warning", "20 to price and 20 to stock, but has poolSizeTotal 39 for all"},
	{"pool-total", cleanOf("shared-pool"), nil, "", ""},

	{"shared-pool", "bad", nil, "error", "price takes all 20 connections of api when it goes silent: 1.5s later stock has to wait for one of the 5 that it needs"},
	{"shared-pool", "bad", []string{"poolSizePerHost: 20, ", "", "poolSizeTotal: 20", "poolSizeTotal: 24"}, "error", "20 of 24"},
	{"shared-pool", "bad", []string{"poolSizePerHost: 20, ", "", "poolSizeTotal: 20", "poolSizeTotal: 25"}, "info", "no setting keeps any for stock, only the rate of 10/s, at which it takes 20"},
	{"shared-pool", "bad", []string{"poolSizeTotal: 20", "poolSizeTotal: 24"}, "warning", "20 of 24"},
	{"shared-pool", "bad", []string{"poolSizeTotal: 20", "poolSizeTotal: 25"}, "", ""},
	{"shared-pool", "bad", []string{"poolSizeTotal: 20", "poolSizeTotal: 25", `path: ["web", "api"]`, `paths: {web: ["web", "api"], phone: ["web", "api"]}`}, "", ""},
	{"shared-pool", "bad", []string{"poolSizeTotal: 20", "poolSizeTotal: 25", "routes:", `routes: "GET /risk": {path: ["web", "api"], tps: 1}` + "\nroutes:"}, "warning", "20 of 25"},
	{"shared-pool", "bad", []string{", tps: 10", ""}, "warning", "and then stock gets none in time; how soon is not known without tps"},
	{"shared-pool", "bad", withRisk, "error", "silent: at once stock and risk have to wait for one of the 25 that they need"}, // risk declares no latency
	{"shared-pool", "bad", append([]string{", tps: 10", ""}, withRisk...), "warning", "and then stock and risk get none in time"},
	{"shared-pool", "bad", []string{`stock: external: latency: p99: "500ms"`, `stock: external: latency: p99: "50ms"`}, "error", "has to wait for the one that it needs"},
	{"shared-pool", "bad", []string{"instances: 1", "instances: 2"}, "info", ""},
	{"shared-pool", "bad", []string{"instances: 1", ""}, "warning", "1 is counted"},

	{"capacity", "bad", []string{"max: 200", "max: 399"}, "warning", "400 that its callers can have open: proxy 400 = 20/s × 20s"},
	{"capacity", "bad", []string{"max: 200", "max: 400"}, "", ""},
	{"capacity", "bad", []string{"instances: 1", "instances: 2"}, "", ""},
	{"capacity", "bad", []string{", tps: 20", ""}, "", ""},
	{"capacity", "clean", []string{"routes:", `routes: "GET /risk": {path: ["web", "proxy", "api", "price"], tps: 1}` + "\nroutes:"}, "warning", "420 that its callers can have open: proxy 420 = 21/s of 2 routes × 20s"},
	{"capacity", "bad", []string{"max: 200", "max: 1"}, "warning", "api works on 1 request at once (1 × 1 instance)"},
	{"capacity", "clean", []string{"routes:", `layers: batch: app: clients: api: gohttp: Timeout: "30s"` + "\n" + `routes: "POST /price": {path: ["batch", "api", "price"], tps: 1}` + "\nroutes:"}, "warning", "batch 20 = 1/s × 20s + proxy 400 = 20/s × 20s"},
	{"capacity", "clean", []string{`path: ["web", "proxy", "api", "price"]`, `paths: {web: ["web", "proxy", "api", "price"], phone: ["web", "proxy", "api", "price"]}`}, "", ""},
	{"capacity", scaled, nil, "", ""},
	{"capacity", scaled, []string{"max: 2}", "max: 3}"}, "warning", "api 150 = pool of 50 × 3 instances"},
	{"capacity", scaled, []string{"max: 100", "max: 99"}, "warning", "api 100 = pool of 50 × 2 instances"},
}
