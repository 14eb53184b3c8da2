package check_test

import "strings"

// pooled is one client with a pool on one route.
const pooled = `
tchain: "v1"
name:   "shop"
layers: {
	api: {
		instances: 1
		app: {
			server: gohttp: {}
			clients: price: custom: {poolSizePerHost: 9, poolWait: "1s", totalDeadline: "2s"}
		}
	}
	price: external: {}
}
routes: {"GET /price": {path: ["api", "price"], tps: 5}}
`

// pools are two clients of one app, each for two callees.
const pools = `
tchain: "v1"
name:   "shop"
layers: {
	api: {
		instances: 1
		app: {
			server: gohttp: {}
			clients: {
				front: {to: ["price", "stock"], custom: {poolWait: "100ms", totalDeadline: "2s", poolSizePerHost: 20, poolSizeTotal: 20}}
				back: {to: ["risk", "audit"], custom: {poolWait: "100ms", totalDeadline: "2s", poolSizePerHost: 3, poolSizeTotal: 5}}
			}
			calls: [{price: {}, stock: {}}, {risk: {}, audit: {}}]
		}
	}
	price: external: latency: p99: "500ms"
	stock: external: latency: p99: "500ms"
	risk: external: latency: p99: "10ms"
	audit: external: latency: p99: "10ms"
}
routes: {"GET /price": {path: ["api"], tps: 10}}
`

// kindly is a client of which nobody wrote a setting.
const kindly = `
	size?: int @size(pool-size-per-host) @default("9")
	total?: int @size(pool-size-total) @default("30")
	header?: string @limit(response-header, fires=error) @default("2s")
`

const second = `{"GET /price": {path: ["api", "price"], tps: 5}, "GET /stock": `

var demandVariants = []variant{
	{"pool-size", pooled, nil, "error", "10 = 5/s ÷ 1 instance × 2s"},
	{"pool-size", pooled, []string{"poolSizePerHost: 9", "poolSizePerHost: 10"}, "", ""},
	{"pool-size", pooled, []string{`custom: {poolSizePerHost: 9, poolWait: "1s", totalDeadline: "2s"}`, `gohttp: context: timeout: "2s"`}, "", ""},
	{"pool-size", pooled, []string{"instances: 1", ""}, "warning", "instances is not declared, 1 is counted"},
	{"pool-size", pooled, []string{"server: gohttp: {}", "server: gohttp: {}\n\t\t\tcalls: [{price: times: 2}]", "tps: 5", "tps: 2.5"}, "", ""}, // the first one ends the request
	{"pool-size", pooled, []string{"server: gohttp: {}", "server: gohttp: {}\n\t\t\tcalls: [{price: {times: 4, atOnce: 2}}]", "tps: 5", "tps: 2.5"}, "error", "10 = 5/s"},
	{"pool-size", pooled, []string{"server: gohttp: {}", "server: gohttp: {}\n\t\t\tcalls: [{price: {times: 20}}]", "tps: 5", "tps: 2.5", "price: external: {}", `price: external: latency: avg: "200ms"`}, "error", "10 = 50/s ÷ 1 instance × 200ms that price holds on average or when it is silent"},
	{"pool-size", pooled, []string{"server: gohttp: {}", "server: gohttp: {}\n\t\t\tcalls: [{price: {}}, {price: {}}]", "tps: 5", "tps: 2.5"}, "", ""},
	{"pool-size", pooled, []string{"server: gohttp: {}", "server: gohttp: {}\n\t\t\tcalls: [{price: fallback: true}, {price: {}}]", "tps: 5", "tps: 2.5"}, "error", "10 = 5/s"},
	{"pool-size", pooled, []string{"server: gohttp: {}", "server: gohttp: {}\n\t\t\tcalls: [{price: background: true}, {price: {}}]", "tps: 5", "tps: 2.5"}, "error", "10 = 5/s"},
	{"pool-size", pooled, []string{`{"GET /price": {path: ["api", "price"], tps: 5}`, second + `{path: ["api", "price"], tps: 1}`, "9", "11"}, "error", "12 = 6/s of 2 routes ÷ 1 instance × 2s"},
	{"pool-size", "bad", []string{"tps: 10", "tps: 20000"}, "error", "price holds; it is empty at once"}, // and no read limit is under half a millisecond
	{"pool-size", "bad", []string{`context: timeout: "2s", `, "", "tps: 10", "tps: 20000", "PerHost: 9", "PerHost: 1"}, "error", "is empty as soon as price goes silent"},
	{"pool-size", pooled, []string{`{"GET /price": {path: ["api", "price"], tps: 5}`, second + `{path: ["api", "price"], tps: 1}`, "9", "12"}, "", ""},
	{"pool-size", pooled, []string{`{"GET /price": {path: ["api", "price"], tps: 5}`, second + `{path: ["api", "price"], tps: 1, at: api: app: clients: price: custom: totalDeadline: "1s"}`}, "error", "11 = (5/s × 2s + 1/s × 1s) ÷ 1 instance"},
	{"pool-size", pooled, []string{`{"GET /price": {path: ["api", "price"], tps: 5}`, second + `{path: ["api", "price"], tps: 1, at: api: app: clients: price: custom: totalDeadline: "3s"}`}, "error", "13 = (5/s × 2s + 1/s × 3s) ÷ 1 instance"},
	{"pool-size", pooled, []string{`{"GET /price": {path: ["api", "price"], tps: 5}`, second + `{path: ["api", "price"], tps: 1, at: api: app: clients: price: custom: totalDeadline: "2s"}`}, "error", "12 = 6/s of 2 routes ÷ 1 instance × 2s"},
	{"pool-size", pooled, []string{`{"GET /price": {path: ["api", "price"], tps: 5}`, second + `{path: ["api", "price"], concurrent: 3}`}, "error", "13 = (5/s × 2s + 3 open at once) ÷ 1 instance that a silent price holds; a read limit of 1.2s would fit, and it is empty after 1.2s"},
	{"pool-size", pooled, []string{"instances: 1", "instances: 2", `{"GET /price": {path: ["api", "price"], tps: 5}`, second + `{path: ["api", "price"], concurrent: 11}`}, "error", "11 = (5/s × 2s + 11 open at once) ÷ 2 instances that a silent price holds; a read limit of 1.2s would fit"},
	{"pool-size", pooled, []string{`{"GET /price": {path: ["api", "price"], tps: 5}`, `{"GET /price": {path: ["api", "price"], concurrent: 8}, "GET /stock": {path: ["api", "price"], concurrent: 3}`}, "error", "11 = 11 open at once of 2 routes ÷ 1 instance"},
	{"pool-size", pooled, []string{`path: ["api", "price"]`, `paths: {web: ["web", "api", "price"], phone: ["phone", "api", "price"]}`, "layers: {", "layers: {\n\tweb: browser: fetch: signal: timeout: 10_000\n\tphone: browser: fetch: signal: timeout: 10_000"}, "error", "10 = 5/s"},
	{"pool-size", pooled, []string{`totalDeadline: "2s"`, `responseReadGap: "2s"`}, "error", "is empty 1.8s after price goes silent, and no size would do"},
	{"pool-size", pooled, []string{`totalDeadline: "2s"`, `totalDeadline: "0s"`, `{"GET /price": {path: ["api", "price"], tps: 5}`, `{"GET /fast": {path: ["api", "price"], tps: 1, at: api: app: clients: price: custom: totalDeadline: "1s"}, "GET /price": {path: ["api", "price"], tps: 5}`}, "error", "no size would do"},
	{"pool-size", pooled, []string{"tps: 5", "tps: 50"}, "error", "a read limit of 180ms would fit, and it is empty after 180ms"},
	{"pool-size", pooled, []string{"tps: 5", "tps: 7"}, "error", "a read limit of 1.2s would fit, and it is empty after 1.3s"},
	{"pool-size", pooled, []string{"tps: 5", "tps: 9"}, "error", "a read limit of 1s would fit, and it is empty after 1s"},
	{"pool-size", pooled, []string{"tps: 5", "tps: 19"}, "error", "a read limit of 473ms would fit, and it is empty after 474ms"},
	{"pool-size", pooled, []string{"price: external: {}", `price: external: latency: {avg: "500ms", p99: "1s"}`, "tps: 5", "tps: 18.1", "layers: {", "policy: poolAgainst: \"p99\"\nlayers: {"}, "error", "19 = 18.1/s ÷ 1 instance × 1s"},
	{"pool-size", pooled, []string{"price: external: {}", `price: external: latency: {avg: "500ms", p99: "1s"}`, "tps: 5", "tps: 18.1", "layers: {", "policy: poolAgainst: \"avg\"\nlayers: {"}, "error", "10 = 18.1/s ÷ 1 instance × 500ms"},
	{"pool-size", pooled, []string{"price: external: {}", `price: external: latency: avg: "500ms"`, "layers: {", "policy: poolAgainst: \"p99\"\nlayers: {"}, "error", "× 2s"},
	{"pool-size", pooled, []string{"price: external: {}", `price: external: latency: p99: "500ms"`, "layers: {", "policy: poolAgainst: \"avg\"\nlayers: {"}, "error", "× 2s"},
	{"pool-size", pooled, []string{"price: external: {}", `price: external: latency: {avg: "500ms", p99: "1s"}`}, "error", "× 2s"},
	{"pool-size", pooled, []string{"poolSizePerHost: 9", "poolSizePerHost: 9, poolSizeTotal: 8"}, "error", "pool of 8"},
	{"pool-size", pooled, []string{"poolSizePerHost: 9", "poolSizePerHost: 9, poolSizeTotal: 10"}, "error", "pool of 9"},
	{"pool-size", pooled, []string{"clients: price: custom: {poolSizePerHost: 9, poolWait: \"1s\", totalDeadline: \"2s\"}", "clients: price: edgeway: {}", "layers: {", "types: clients: edgeway: {" + kindly + "}\nlayers: {"}, "error", "pool of 9"},
	{"pool-size", pooled, []string{"clients: price: custom: {poolSizePerHost: 9, poolWait: \"1s\", totalDeadline: \"2s\"}", `clients: price: edgeway: header: "2s"`, "layers: {", "types: clients: edgeway: {header?: string @limit(response-header, fires=error), size?: _|_ @size(pool-size-per-host) @fixed(\"9\")}\nlayers: {"}, "error", "pool of 9"},
	{"pool-size", pooled, []string{"clients: price: custom", `clients: {risk: custom: {poolSizePerHost: 1, poolWait: "1s", totalDeadline: "1s"}, price: custom`, `totalDeadline: "2s"}` + "\n", `totalDeadline: "2s"}}` + "\n\t\t\tcalls: [{risk: {}}, {price: {}}]\n", "price: external: {}", "price: external: {}\n\trisk: external: {}", `path: ["api", "price"]`, `path: ["api"]`}, "error", "5 = 5/s"},

	{"pool-size", pooled, []string{`totalDeadline: "2s"`, `totalDeadline: "0s"`, `{"GET /price": {path: ["api", "price"], tps: 5}`, `{"GET /price": {path: ["api", "price"], tps: 5}, "GET /fast": {path: ["api", "price"], tps: 1, at: api: app: clients: price: custom: totalDeadline: "1s"}`}, "error", "no size would do"},

	{"pool-total", pooled, nil, "", ""},
	{"pool-total", pooled, []string{"price: external: {}", `price: external: latency: avg: "200ms"`}, "", ""},
	{"pool-total", pooled, []string{", tps: 5", ""}, "", ""},
	{"pool-total", pooled, []string{"poolSizePerHost: 9", "poolSizePerHost: 11, poolSizeTotal: 10"}, "info", "api never has poolSizePerHost 11 connections to price: poolSizeTotal 10 is the total"},
	{"pool-total", pooled, []string{"poolSizePerHost: 9", "poolSizePerHost: 11, poolSizeTotal: 9"}, "", ""}, // pool-size
	{"pool-total", pooled, []string{"poolSizePerHost: 9", "poolSizePerHost: 11, poolSizeTotal: 10", `totalDeadline: "2s"`, `totalDeadline: "0s"`}, "", ""},
	{"pool-total", pooled, []string{"clients: price: custom: {poolSizePerHost: 9, poolWait: \"1s\", totalDeadline: \"2s\"}", "clients: back: {to: [\"price\", \"a\", \"b\", \"c\"], edgeway: {}}", "layers: {", "types: clients: edgeway: {" + kindly + "}\nlayers: {\n\ta: external: {}\n\tb: external: {}\n\tc: external: {}", "tps: 5", "tps: 0.1"}, "warning", "9 to price and 9 to a and 9 to b and 9 to c"},
	{"pool-total", pools, nil, "warning", "3 to risk and 3 to audit, but has poolSizeTotal 5 for all"},
	{"pool-total", pools, []string{"poolSizePerHost: 3, poolSizeTotal: 5", "poolSizePerHost: 5, poolSizeTotal: 9"}, "warning", "5 to risk and 5 to audit"},
	{"pool-total", pools, []string{"poolSizePerHost: 3, poolSizeTotal: 5", "poolSizePerHost: 30, poolSizeTotal: 25"}, "warning", "30 to risk and 30 to audit"},
	{"pool-total", pools, []string{"poolSizePerHost: 3, poolSizeTotal: 5", "poolSizePerHost: 25, poolSizeTotal: 25"}, "warning", "25 to risk and 25 to audit"},
	{"pool-total", pools, []string{"poolSizePerHost: 20, poolSizeTotal: 20", "poolSizePerHost: 20, poolSizeTotal: 40", "risk: {}, audit: {}", "risk: {}"}, "warning", "3 to risk and 3 to audit"},
	{"pool-total", "bad", []string{", latency: avg: \"200ms\"", ", latency: avg: \"40ms\""}, "", ""},
	{"pool-total", idling, nil, "info", "proxy keeps keepalive 2 idle connections to price"},
	{"pool-total", idling, []string{"keepalive: 2", "keepalive: 0"}, "", ""},

	{"shared-pool", pools, nil, "error", "price takes all 20 connections of api when it goes silent: 1.5s later stock has to wait"},
	{"shared-pool", pools, []string{"poolSizePerHost: 20, poolSizeTotal: 20", "poolSizePerHost: 1, poolSizeTotal: 1"}, "error", "price takes the only connection of api when it goes silent: at once stock"},
	{"shared-pool", pools, []string{"poolSizeTotal: 20", "poolSizeTotal: 24", "poolSizePerHost: 3, poolSizeTotal: 5", "poolSizePerHost: 3"}, "warning", "price takes 20 of 24"},
	{"shared-pool", pools, []string{"stock: {}}", "}"}, "error", "price takes all 20"},
	{"shared-pool", pools, []string{"tps: 10", "tps: 50"}, "error", "price takes all 20"},
	{"shared-pool", pools, []string{"poolSizePerHost: 20, poolSizeTotal: 20", "poolSizePerHost: 15, poolSizeTotal: 20", "tps: 10", "tps: 5"}, "", ""},
	{"shared-pool", pools, []string{"poolSizePerHost: 20, poolSizeTotal: 20", "poolSizePerHost: 11, poolSizeTotal: 12", "tps: 10", "tps: 5"}, "warning", "price takes 10 of 12"},
	{"shared-pool", pools, []string{`latency: p99: "500ms"`, `latency: avg: "300ms"`}, "error", "one of the 3 that it needs"},
	{"shared-pool", pools, []string{`external: latency: p99: "500ms"`, "external: {}"}, "error", "one of the 20 that it needs"},
	{"shared-pool", pools, []string{`external: latency: p99: "500ms"`, "external: {}", `totalDeadline: "2s", poolSizePerHost: 20`, "poolSizePerHost: 20"}, "warning", "has to wait for the one that it needs"},
	{"shared-pool", pools, []string{"price: {}, stock: {}", "price: times: 2, stock: {}"}, "error", "price takes all 20 connections of api when it goes silent: 1.5s later"},
	{"shared-pool", pools, []string{"[{price: {}, stock: {}}", "[{price: {}}, {price: {}, stock: {}}"}, "error", "price takes all 20 connections of api when it goes silent: 1.5s later"},
	{"shared-pool", pools, []string{"poolSizePerHost: 20, poolSizeTotal: 20", "poolSizePerHost: 20, poolSizeTotal: 10", `stock: external: latency: p99: "500ms"`, `stock: external: latency: p99: "1s"`}, "error", "price takes all 10 connections of api when it goes silent: at once"},
	{"shared-pool", pools, []string{`{"GET /price": {path: ["api"], tps: 10}`, `{"GET /price": {path: ["api"], tps: 10}, "GET /stock": {path: ["api"], tps: 1, at: api: app: clients: front: custom: totalDeadline: "0s", calls: api: [{stock: {}}]}`}, "error", "stock takes all 20"},
	{"shared-pool", pools, []string{`["price", "stock"]`, `["price", "stock", "news"]`, "price: {}, stock: {}", "price: {}, stock: {}, news: {}", "\tprice: external", "\tnews: external: {}\n\tprice: external", `{"GET /price": {path: ["api"], tps: 10}`, `{"GET /price": {path: ["api"], tps: 10}, "GET /stock": {path: ["api"], tps: 1, at: api: app: clients: front: custom: totalDeadline: "0s", calls: api: [{stock: {}}]}`}, "error", "stock takes all 20"},
	{"shared-pool", pooled, []string{"poolSizePerHost: 9", "poolSizeTotal: 25"}, "", ""},
	{"shared-pool", pooled, []string{"clients: price: custom: {poolSizePerHost: 9, poolWait: \"1s\", totalDeadline: \"2s\"}", "clients: back: {to: [\"price\", \"a\"], edgeway: {}}", "layers: {", "types: clients: edgeway: {" + strings.Replace(kindly, "30", "9", 1) + "}\nlayers: {\n\ta: external: {}", "tps: 5", "tps: 50"}, "error", "price takes all 9"},
	{"shared-pool", pooled, []string{"clients: price: custom: {poolSizePerHost: 9, poolWait: \"1s\", totalDeadline: \"2s\"}", "clients: back: {to: [\"price\", \"a\"], edgeway: {}}", "layers: {", "types: clients: edgeway: {" + kindly + "}\nlayers: {\n\ta: external: {}", "tps: 5", "tps: 50"}, "", ""},
	{"shared-pool", pooled, []string{"clients: price: custom: {poolSizePerHost: 9, poolWait: \"1s\", totalDeadline: \"2s\"}", "clients: back: {to: [\"price\", \"a\"], edgeway: total: 9}", "layers: {", "types: clients: edgeway: {" + kindly + "}\nlayers: {\n\ta: external: {}", "tps: 5", "tps: 50"}, "error", "price takes all 9"},
}

// idling is a proxy that keeps idle connections.
const idling = `
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 60_000
	proxy: nginx: {
		version: "1.28.0"
		server: {proxy_connect_timeout: "2s", proxy_read_timeout: "30s", proxy_http_version: "1.1", proxy_set_header: Connection: ""}
		upstream: price: {server: ["10.0.0.1:8080"], keepalive: 2}
	}
	price: external: latency: avg: "200ms"
}
routes: "GET /price": {path: ["web", "proxy", "price"], tps: 50}
`
