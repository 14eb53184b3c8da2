package check

import "tchain.dev/tchain/chain"

var shadowed = &Rule{
	ID:       "shadowed",
	Title:    "a written value that is never in force, because a different one wins",
	Why:      "Somebody set a limit and believes in it. Another entrance of the same product wins, with another value, and nothing says so until an incident.",
	Severity: Warning,
	Since:    "0.1.0",
	Bad: `package shop
tchain: "v1"
name:   "shop"
layers: {
	api: app: {
		server: tomcat: {}
		deadline: {perCall: "10s", enforced: true}
		clients: price: httpclient5: {
			manager: socketConfig: soTimeout: "2s"
			client: requestConfig: {responseTimeout: "5s", connectionRequestTimeout: "1s", connectionKeepAlive: "60s"}
		}
	}
	price: external: idleKeepalive: "300s"
}
routes: "GET /price": path: ["api", "price"]
`,
	Clean: `package shop
tchain: "v1"
name:   "shop"
layers: {
	api: app: {
		server: tomcat: {}
		deadline: {perCall: "10s", enforced: true}
		clients: price: httpclient5: client: requestConfig: {responseTimeout: "5s", connectionRequestTimeout: "1s", connectionKeepAlive: "60s"}
	}
	price: external: idleKeepalive: "300s"
}
routes: "GET /price": path: ["api", "price"]
`,
	Check: reportNotices(chain.NoticeShadowed, Warning, "never in force"),
}
