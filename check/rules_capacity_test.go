package check_test

import "testing"

// twoProxies is a callee behind two layers that need no client.
const twoProxies = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 60_000
	phone: browser: fetch: signal: timeout: 60_000
	edge: nginx: {
		version: "1.28.0"
		server: {proxy_connect_timeout: "2s", proxy_read_timeout: "30s"}
		upstream: api: server: ["10.0.0.1:8080"]
	}
	inner: nginx: {
		version: "1.28.0"
		server: {proxy_connect_timeout: "2s", proxy_read_timeout: "30s"}
		upstream: api: server: ["10.0.0.1:8080"]
	}
	api: {
		instances: 1
		app: {server: tomcat: threads: max: 800, clients: price: gohttp: Timeout: "20s"}
	}
	price: external: {}
}
routes: {
	"GET /price": {path: ["web", "edge", "api", "price"], tps: 20}
	"GET /stock": {path: ["web", "inner", "api", "price"], tps: 20}
}
`

// stored is a database that two pools of an app's instances fill.
const stored = `
tchain: "v1"
name:   "shop"
layers: {
	api: {
		instances: 3
		app: {server: custom: {}, clients: db: hikari: {version: "7.0.2", maximumPoolSize: 40, connectionTimeout: 2000, pgjdbc: socketTimeout: 5}}
	}
	db: postgres: {}
}
routes: "GET /a": {path: ["api", "db"], tps: 3}
`

// perRoute is a caller with another limit on one of its routes.
const perRoute = `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {
		server: gohttp: {}
		clients: orders: custom: totalDeadline: "10s"
	}
	orders: {
		instances: 1
		app: {server: tomcat: threads: max: 10, clients: db: custom: totalDeadline: "20s"}
	}
	db: external: {}
}
routes: {
	"GET /orders": {path: ["api", "orders", "db"], tps: 1}
	"GET /status": {path: ["api", "orders", "db"], tps: 1, at: api: app: clients: orders: custom: totalDeadline: "5s"}
}
`

// entrances are two ways into one route, by proxies with other limits.
const entrances = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 60_000
	edge: nginx: {
		version: "1.28.0"
		server: {proxy_connect_timeout: "2s", proxy_read_timeout: "11s"}
		upstream: api: server: ["10.0.0.1:8080"]
	}
	inner: nginx: {
		version: "1.28.0"
		server: {proxy_connect_timeout: "2s", proxy_read_timeout: "30s"}
		upstream: api: server: ["10.0.0.1:8080"]
	}
	api: {
		instances: 1
		app: {server: tomcat: threads: max: 400, clients: price: gohttp: Timeout: "20s"}
	}
	price: external: {}
}
routes: "GET /price": {paths: {web: ["web", "edge", "api", "price"], phone: ["web", "inner", "api", "price"]}, tps: 20}
`

var capacityVariants = []variant{
	{"capacity", worked(`gunicorn: {worker_class: "gthread", threads: 4, workers: 2}`), nil, "warning", "api works on 8 requests at once (8 × 1 instance), fewer than the 10"},
	{"capacity", worked(`gunicorn: {worker_class: "gthread", threads: 4, workers: 3}`), nil, "", ""},
	{"capacity", worked(`puma: {threads: max: 4, workers: 2}`), nil, "warning", "8 requests at once"},
	{"capacity", twoProxies, nil, "", ""},
	{"capacity", twoProxies, []string{"max: 800", "max: 799"}, "warning", "edge 400 = 20/s × 20s + inner 400 = 20/s × 20s"},
	// A route's rate counts once, by the entrance that holds longest.
	{"capacity", entrances, nil, "", ""},
	{"capacity", entrances, []string{"max: 400", "max: 399", `"11s"`, `"30s"`}, "warning", "can have open: edge 400 = 20/s × 20s;"},
	{"capacity", entrances, []string{"max: 400", "max: 399"}, "warning", "can have open: inner 400 = 20/s × 20s;"},
	{"capacity", entrances, []string{"max: 400", "max: 399", `"inner", "api", "price"]}`, `"edge", "api", "price"]}`}, "", ""},
	{"capacity", entrances, []string{"max: 400", "max: 399", `web: ["web", "edge", "api", "price"], phone: ["web", "inner", "api", "price"]`, `phone: ["web", "inner", "api", "price"], web: ["web", "edge", "api", "price"]`}, "warning", "can have open: inner 400 = 20/s × 20s;"},
	{"capacity", "bad", []string{"routes:", `routes: "GET /a": path: ["web", "proxy", "api", "price"]` + "\nroutes:"}, "warning", "× 20s, and more by 1 route without a tps"}, // the other one is enough
	{"capacity", "bad", []string{"instances: 1", ""}, "warning", "instances is not declared, 1 is counted"},
	{"capacity", "bad", []string{`proxy_read_timeout: "30s"`, `proxy_read_timeout: "9s"`}, "", ""},
	{"capacity", "bad", []string{`proxy_read_timeout: "30s"`, `proxy_read_timeout: "11s"`}, "warning", "proxy 220 = 20/s × 11s"},
	{"capacity", "bad", []string{`price: gohttp: Timeout: "20s"`, `price: custom: {dns: "1s", connect: "1s", responseHeader: string @env(LIMIT), responseReadGap: "1s"}`}, "warning", "20/s × 30s"},
	{"capacity", "bad", []string{"max: 200", "max: 700", `clients: price: gohttp: Timeout: "20s"`, `clients: price: gohttp: {}`, `proxy_read_timeout: "30s"`, `proxy_read_timeout: "60s"`}, "warning", "20/s × 60s"},
	{"capacity", "bad", []string{`clients: price: gohttp: Timeout: "20s"`, `clients: price: {okhttp: {}, wrap: [{resilience4jBulkhead: maxConcurrentCalls: 0}]}`}, "error", "api makes no call to price at all: maxConcurrentCalls is 0, and each one fails at once"},
	{"capacity", stored, nil, "warning", "db takes 100 connections at once (100 × 1 instance), fewer than the 120 that its callers can have open: api 120 = 40 kept when idle × 3 instances; the rest is refused"},
	{"capacity", stored, []string{"connectionTimeout", "minimumIdle: 33, connectionTimeout"}, "", ""},
	{"capacity", stored, []string{"connectionTimeout", "minimumIdle: 50, connectionTimeout"}, "warning", "40 kept when idle × 3"},
	{"capacity", stored, []string{"connectionTimeout", "minimumIdle: 0, connectionTimeout", "tps: 3", "tps: 60"}, "warning", "api 120 = pool of 40 × 3 instances; the rest is refused"},
	{"capacity", stored, []string{`, tps: 3`, ""}, "warning", "pool of 40 × 3"},
	{"capacity", stored, []string{"db: postgres: {}", "db: mysql: {}"}, "", ""},
	{"capacity", stored, []string{"db: postgres: {}", "db: mysql: {}", "maximumPoolSize: 40", "maximumPoolSize: 51"}, "warning", "db takes 151 connections at once"},
	{"capacity", stored, []string{"db: postgres: {}", "db: external: concurrency: 100"}, "", ""},
	{"capacity", "bad", []string{"server: tomcat: threads: max: 200", "server: uvicorn: limit_concurrency: 200"}, "warning", "the rest is refused"},
	// A callee that fails in one way for all is repeated after what it is: the loop after a timeout, the client after a 503, and never both.
	{"capacity", mixed, nil, "warning", "web 161 = 20/s × 8.05s"},
	{"capacity", mixed, []string{"max: 160", "max: 161"}, "", ""},
	{"capacity", mixed, []string{`on: ["timeout"]`, `on: ["timeout", "503"]`}, "warning", "web 161 = 20/s × 8.05s"},
	{"capacity", mixed, []string{"server: tomcat", `work: max: "1s", server: tomcat`}, "warning", "20/s × 9.05s"},
	{"capacity", mixed, []string{`tps: 20}`, `concurrent: 161}`, `{dns: "1s", connect: "1s", responseHeader: "4s", responseReadGap: "4s", attempts: 2, retryOn: ["503"]}`, "{}", `api: custom: totalDeadline: "60s"`, "api: custom: {}"}, "warning", "web 161 open at once"}, // held without end
	{"capacity", mixed, []string{`"POST /x": {path: ["web", "api", "bank"], tps: 20}`, `{"POST /x": {path: ["web", "api", "bank"], concurrent: 81}, "POST /y": {path: ["web", "api", "bank"], concurrent: 81}}`}, "warning", "web 162 = 162 open at once of 2 routes"},
	{"capacity", mixed, []string{`web: app: clients: api: custom: totalDeadline: "60s"`, `web: app: {clients: api: custom: totalDeadline: "60s", calls: [{api: fallback: true}, {api: fallback: true}]}`, `path: ["web", "api", "bank"]`, `path: ["web"], calls: api: [{bank: {}}]`}, "warning", "web 322 = 40/s × 8.05s"},
	{"capacity", mixed, []string{"server: tomcat: threads: max: 160", `server: custom: {handlerDeadline: "20s", concurrency: 160}`}, "warning", "20/s × 20s"},                   // it may take all that it is given
	{"capacity", stored, []string{`hikari: {version: "7.0.2", maximumPoolSize: 40, connectionTimeout: 2000, pgjdbc: socketTimeout: 5}`, `custom: totalDeadline: "1s"`}, "", ""}, // without a pool
	{"capacity", perRoute, nil, "warning", "api 15 = 1/s × 10s + 1/s × 5s"},
	{"capacity", perRoute, []string{"max: 10", "max: 15"}, "", ""},
	{"capacity", perRoute, []string{`"GET /orders"`, `"GET /zorders"`}, "warning", "api 15 = 1/s × 10s + 1/s × 5s"},
	{"capacity", perRoute, []string{`"10s"`, `"0s"`, "max: 10", "max: 25"}, "", ""},
	{"capacity", perRoute, []string{`"10s"`, `"0s"`, "max: 10", "max: 4", `"20s"`, `"0s"`}, "", ""}, // held without end
	{"capacity", perRoute, []string{"layers: {", `layers: {` + "\n\tbatch: app: clients: orders: custom: {}", "routes: {", "routes: {\n\t\"GET /batch\": {path: [\"batch\", \"orders\", \"db\"], tps: 1}", `db: custom: totalDeadline: "20s"`, "db: custom: {}"}, "warning", "api 15 = 1/s × 10s + 1/s × 5s;"}, // batch is without any bound
	// Of a caller that says neither a rate nor a bound nothing is added up.
	{"capacity", perRoute, []string{"layers: {", `layers: {` + "\n\tbatch: app: clients: orders: custom: totalDeadline: \"10s\"", "routes: {", "routes: {\n\t\"GET /batch\": path: [\"batch\", \"orders\", \"db\"]"}, "warning", "can have open: api 15 = 1/s × 10s + 1/s × 5s; the rest waits"},
	{"capacity", perRoute, []string{`app: {
		server: gohttp: {}`, `app: {
		server: gohttp: {}
		calls: [{orders: {}}, {orders: {}}]`, `path: ["api", "orders", "db"]`, `path: ["api"], calls: orders: [{db: {}}]`}, "warning", "can have open: api 15 = 1/s × 10s + 1/s × 5s"},
	{"capacity", perRoute, []string{`app: {
		server: gohttp: {}`, `app: {
		server: gohttp: {}
		calls: [{orders: {}}, {orders: {}}]`, `path: ["api", "orders", "db"]`, `path: ["api"], calls: orders: [{db: {}}]`, `"GET /status"`, `"GET /status": tps: 1, "GET /status"`}, "warning", "can have open: api 15 = 1/s × 10s + 1/s × 5s"},
	{"capacity", perRoute, []string{`app: {
		server: gohttp: {}`, `app: {
		server: gohttp: {}
		calls: [{orders: times: 2}]`, `path: ["api", "orders", "db"]`, `path: ["api"], calls: orders: [{db: {}}]`}, "warning", "can have open: api 15 = 1/s × 10s + 1/s × 5s"},
	{"capacity", scaled, []string{"scale: {min: 1, max: 2}", "instances: 2", "max: 100", "max: 99"}, "warning", "api 100 = pool of 50 × 2 instances"},
	{"capacity", scaled, []string{"max: 100", "max: 99", `path: ["api", "orders", "db"]`, `{path: ["api", "orders", "db"], tps: 19.8}`}, "", ""},
	{"capacity", scaled, []string{"max: 100", "max: 99", `path: ["api", "orders", "db"]`, `{path: ["api", "orders", "db"], tps: 20}`}, "warning", "api 100 = pool of 50 × 2 instances"},
	{"capacity", scaled, []string{"max: 100", "max: 99", `path: ["api", "orders", "db"]`, `{path: ["api", "orders", "db"], tps: 30}`}, "warning", "api 100 = pool of 50 × 2 instances"},
	{"capacity", scaled, []string{`path: ["api", "orders", "db"]`, `{path: ["api", "orders", "db"], tps: 19}`}, "", ""},
}

// mixed is a client that repeats a 503 in a loop that repeats a timeout.
const mixed = `
tchain: "v1"
name:   "shop"
layers: {
	web: app: clients: api: custom: totalDeadline: "60s"
	api: {instances: 1, app: {server: tomcat: threads: max: 160, clients: bank: {wrap: [{loop: {attempts: 2, on: ["timeout"], delay: "50ms"}}], custom: {dns: "1s", connect: "1s", responseHeader: "4s", responseReadGap: "4s", attempts: 2, retryOn: ["503"]}}}}
	bank: external: {}
}
routes: "POST /x": {path: ["web", "api", "bank"], tps: 20}
`

// worked is an app with this server, which may have ten requests inside.
func worked(server string) string {
	return `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 90_000
	p: nginx: {version: "1.28.0", server: {proxy_connect_timeout: "2s", proxy_read_timeout: "15s"}, upstream: api: server: ["10.0.0.1:80"]}
	api: {instances: 1, app: {server: ` + server + `, work: max: "2s"}}
}
routes: "POST /x": {path: ["web", "p", "api"], tps: 5}
`
}

func TestAFixOfProcessesCountsTheThreadsOfEach(t *testing.T) {
	for server, want := range map[string]string{
		`gunicorn: {worker_class: "gthread", threads: 4, workers: 2}`: "line 7 2 → 3",
		`puma: {threads: max: 4, workers: 2}`:                         "line 7 4 → 5",
		`uwsgi: {processes: 2, threads: 4}`:                           "line 7 2 → 3",
	} {
		f := of(findings(t, worked(server)), "capacity")
		if len(f.Fixes) != 1 || f.Fixes[0].Message != want {
			t.Errorf("%s: %+v, want %s", server, f.Fixes, want)
		}
	}
}

func TestNamesThatAreNotResolvedHoldNoRequests(t *testing.T) {
	const jvm = `httpclient5: {manager: connectionConfig: connectTimeout: "1s", client: {disableAutomaticRetries: true, requestConfig: {responseTimeout: "19s", connectionRequestTimeout: "300ms", connectionKeepAlive: "30s"}}}`
	text := func(client, deadline, threads string) string {
		return variant{example: twoProxies, replaced: []string{`gohttp: Timeout: "20s"`, client, "app: {server", "app: {" + deadline + "server", "max: 800", "max: " + threads}}.stack(t)
	}
	for _, row := range []struct {
		n, client, deadline, threads string
		found                        bool
	}{
		{"a client that names keep for as long as they like", jvm, "", "760", false},
		{"is inside for what its other limits allow", jvm, "", "759", true},
		{"under a deadline that is longer than them, too", jvm, `deadline: {total: "28s", enforced: true}, `, "760", false},
		{"one that connects and resolves in one limit is as long inside as before", `gohttp: Timeout: "20s"`, "", "799", true},
	} {
		if f := of(findings(t, text(row.client, row.deadline, row.threads)), "capacity"); (f.Rule != "") != row.found {
			t.Errorf("%s: %q", row.n, f.Message)
		}
	}
}
