package check

import "tchain.dev/tchain/chain"

var implicit = &Rule{
	ID:       "implicit",
	Title:    "an outcome is decided by a default that differs between versions",
	Why:      "The version is not written, and the product's default has changed: the same file means something else after the next image bump. Write the version, or write the value.",
	Severity: Warning,
	Since:    "0.1.0",
	Bad: `package shop
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 130_000
	proxy: nginx: {
		server: {proxy_connect_timeout: "2s", proxy_next_upstream_tries: 1}
		upstream: api: server: ["10.0.0.1:8080"]
	}
	api: app: {server: gohttp: IdleTimeout: "120s"}
}
routes: "GET /price": path: ["web", "proxy", "api"]
`,
	Clean: `package shop
tchain: "v1"
name:   "shop"
layers: {
	web: browser: fetch: signal: timeout: 130_000
	proxy: nginx: {
		version: "1.28.0"
		server: {proxy_connect_timeout: "2s", proxy_next_upstream_tries: 1}
		upstream: api: server: ["10.0.0.1:8080"]
	}
	api: app: {server: gohttp: IdleTimeout: "120s"}
}
routes: "GET /price": path: ["web", "proxy", "api"]
`,
	Check: reportNotices(chain.NoticeImplicit, Warning, "differs between versions"),
}
