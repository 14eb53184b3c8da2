package check_test

// conditionVariants each decide one condition of a rule that no other variant does.
var conditionVariants = []variant{
	// Without a drain, a balancer may leave requests for less than preStop only.
	{"drain-order", "clean", []string{`custom: drain: "20s"`, "custom: {}", `work: max: "4s"`, "", "deregistration_delay: 30", "deregistration_delay: 35"}, "warning", "of which api serves 35s, its preStop; what it does after the stop signal is not declared"},
	{"drain-order", "clean", []string{`custom: drain: "20s"`, "custom: {}", `work: max: "4s"`, "", "deregistration_delay: 30", "deregistration_delay: 34"}, "", ""},
	// A request that ends before the layer does is no reason.
	{"drain-order", "clean", []string{`custom: drain: "20s"`, "custom: {}", "PeriodSeconds: 60", "PeriodSeconds: 90", `max: "4s"`, `max: "35s"`, "deregistration_delay: 30", "deregistration_delay: 40"}, "warning", "for 40s after deregistration, of which api serves 35s"},
	{"drain-order", "clean", []string{`custom: drain: "20s"`, "custom: {}", "PeriodSeconds: 60", "PeriodSeconds: 90", `max: "4s"`, `max: "34s"`, "deregistration_delay: 30", "deregistration_delay: 40"}, "", ""},
	// A longer drain than the kill leaves needs a longer grace period.
	{"drain-order", "clean", []string{`max: "4s"`, `max: "24s"`}, "error", "may work on one for 24s: it is cut"},
	{"drain-order", "clean", []string{`max: "4s"`, `max: "23s"`}, "error", "may work on one for 23s: it is cut"},
	// Without a longest request, the tail is one.
	{"drain-order", "clean", []string{`max: "4s"`, `p99: "20s"`}, "error", "may work on one for 20s: it is cut"},
	{"drain-order", "clean", []string{`max: "4s"`, `p99: "19s"`}, "", ""},

	// Of two times for the requests in flight that are alike, the first one written is shown.
	{"drain-order", leaving, nil, "error", "edge gives up 30s after an instance of api was deregistered, and api may work on a request for 40s"},
	{"drain-order", leaving, []string{`drain: "30s"`, `drain: "41s"`, `last: "30s"`, `last: "41s"`}, "", ""},

	{"drain-order", leaving, []string{`last: "30s"`, `last: "50s"`}, "error", "gives up 30s after"},
	{"drain-order", leaving, []string{`drain: "30s"`, `drain: "50s"`}, "error", "gives up 30s after"},
	// What is not written of a drain is no order; one that nothing ends cuts nothing.
	{"drain-order", booted, []string{`"3.3.13"`, `"3.4.0"`, "PeriodSeconds: 60", "PeriodSeconds: 35"}, "", ""},
	{"drain-order", booted, []string{`"3.3.13"`, `"3.4.0"`, "PeriodSeconds: 60", "PeriodSeconds: 35", `max: "10s"`, `max: "30s"`}, "error", "api may work on a request for 30s, and has 30s = 35s grace − 5s preStop"},
	{"drain-order", "clean", []string{"custom: drain: \"20s\"", `edgeway: drain: "0s"`, "layers:", "types: servers: edgeway: drain?: string @limit(drain) @zero(infinite)\nlayers:"}, "", ""},
	// An ordinary request that is cut is an error; one that only a fault makes long is a warning.
	{"drain-order", "bad", []string{`max: "4s"`, `max: "5s"`}, "error", "lets requests finish for 20s, and has 5s"},
	{"drain-order", "bad", []string{`custom: drain: "20s"`, `custom: drain: "20s", clients: db: custom: totalDeadline: "40s"`, `path: ["web", "edge", "api"]`, `path: ["web", "edge", "api", "db"]`, "web: ", "db: external: {}\n\tweb: ", "deregistration_delay: 30", "deregistration_delay: 300"}, "warning", "lets requests finish for 20s, and has 5s"},
	{"drain-order", "clean", []string{`custom: drain: "20s"`, `custom: drain: "20s", clients: db: custom: totalDeadline: "40s"`, `path: ["web", "edge", "api"]`, `path: ["web", "edge", "api", "db"]`, "web: ", "db: external: {}\n\tweb: "}, "warning", ""},
	// A pod without a preStop is told to stop at once.
	{"drain-order", "clean", []string{", lifecycle: preStop: sleep: seconds: 35", "", `work: max: "4s"`, ""}, "warning", "for 30s after deregistration, of which api serves 20s"},
	{"drain-order", "clean", []string{", lifecycle: preStop: sleep: seconds: 35", "", `work: max: "4s"`, "", `custom: drain: "20s"`, "custom: {}"}, "warning", "of which api serves none: it has no preStop"},
	{"drain-order", "clean", []string{"kubernetes: {terminationGracePeriodSeconds: 60, lifecycle: preStop: sleep: seconds: 35}", `kubernetes: readinessProbe: httpGet: path: "/ready"`, `work: max: "4s"`, ""}, "", ""},
	{"drain-order", "clean", []string{`custom: drain: "20s"`, "custom: {}", "PeriodSeconds: 60", "PeriodSeconds: 90", `max: "4s"`, `max: "55s"`, "deregistration_delay: 30", "deregistration_delay: 56"}, "error", "api may work on a request for 55s, and has 55s"},

	// A deadline that only came in is no declared total.
	{"gap-only", twoApps, nil, "", ""},

	// Of two idle times of one client, the shorter one counts.
	{"keepalive-race", ownClient(`idle?: string @limit(idle-keepalive, side=call), old?: string @limit(idle-keepalive, side=call)`), []string{"edgeway: {}", `edgeway: {idle: "50s", old: "70s"}`, "external: {}", `external: idleKeepalive: "60s"`}, "", ""},
	{"keepalive-race", ownClient(`idle?: string @limit(idle-keepalive, side=call), old?: string @limit(idle-keepalive, side=call)`), []string{"edgeway: {}", `edgeway: {idle: "61s", old: "70s"}`, "external: {}", `external: idleKeepalive: "60s"`}, "error", "reuses for 61s"},

	// Where nothing ends the read, its missing limit is the cause.
	{"pool-wait", waiting, []string{`poolWait: "3s"`, `poolWait: "0s"`, `responseHeader: "3s"`, `responseReadGap: "0s"`}, "", ""},
	{"pool-wait", waiting, []string{`poolWait: "3s"`, `poolWait: "0s"`, `responseHeader: "3s"`, `responseHeader: "0s"`}, "", ""},
	// A gap that begins with the response is none of the wait for it.
	{"pool-wait", ownClient(poolAndGap + `)`), []string{"edgeway: {}", `edgeway: {size: 5, wait: "3s", gap: "3s"}`}, "", ""},
	{"pool-wait", ownClient(poolAndGap + `, start=request-sent)`), []string{"edgeway: {}", `edgeway: {size: 5, wait: "3s", gap: "3s"}`}, "warning", "may wait 3s"},
	{"pool-wait", ownClient(poolAndGap + `, start=request-sent) @zero(infinite)`), []string{"edgeway: {}", `edgeway: {size: 5, wait: "0s", gap: "0s"}`}, "", ""},
	{"pool-wait", ownClient(poolAndGap + `, start=request-sent) @zero(infinite)`), []string{"edgeway: {}", `edgeway: {size: 5, wait: "0s", gap: "3s"}`}, "error", "waits for ever"},

	// What a balancer asks for is asked of the layer behind it.
	{"probe", balanced, nil, "warning", "health_check gives up after 5s, and api answers /health after waiting for db, which may take 8s: if db is silent for 35s, that takes every instance of api out of use at once"},
	{"probe", balanced, []string{`"8s"`, `"4s"`}, "", ""},
	{"probe", balanced, []string{`"GET /health": path`, `"GET /health/": path`}, "", ""}, // ServeMux answers by a redirect
	{"probe", balanced, []string{`path: "/health"`, `path: "/health/"`, `"GET /health": path`, `"GET /health/": path`}, "warning", "api answers /health/ after waiting for db"},
	// How soon it sees that an instance stops counts where somebody wrote that.
	{"probe", noticing, nil, "warning", "health_check of lb takes up to 40s = 2 × 20s to notice that api stops, and api serves for 40s more"},
	{"probe", noticing, []string{"seconds: 40", "seconds: 41"}, "", ""},
	{"probe", noticing, []string{"interval: 20", "unhealthy_threshold: 3"}, "warning", "takes up to 90s = 3 × 30s to notice"},
	{"probe", noticing, []string{"interval: 20", "timeout: 6"}, "", ""},
	{"probe", noticing, []string{"target_group: api: ", "target_group: api: deregistration_delay: 30\n\tlb: alb: target_group: api: "}, "", ""},
	{"probe", noticing, []string{", lifecycle: preStop: sleep: seconds: 40", ""}, "", ""},

	// A number that both layers take from one place is told once.
	{"retry-amplification", relayed, nil, "warning", "price gets up to 9 calls for one request: 3 by web's loop × 3 by api's loop"},
	{"retry-amplification", relayed, []string{"_times: 3", "_times: 1"}, "", ""},

	// A POST is repeated only after what broke before it was sent: no response to it was cut.
	{"hidden-retry", bare, []string{"edgeway: {}", "netHttpRuby: {}"}, "info", "after timeout, write-timeout, reset and 3 more"},
	{"hidden-retry", bare, []string{"edgeway: {}", "netHttpRuby: {}", "GET", "POST"}, "info", "again after write-timeout; nobody"},

	// The way there and back has to fit a limit for the answer as well, and is nothing to a queue of one's own.
	{"tail-latency", cleanOf("tail-latency"), []string{`price: external: latency: p99: "2s"`, `price: {endpoint: rtt: "600ms", external: {}}`, `Timeout: "3s"`, `Timeout: "600ms"`}, "error", "api allows an answer Timeout 600ms, and price is 600ms away: none ever gets through"},
	{"tail-latency", cleanOf("tail-latency"), []string{`price: external: latency: p99: "2s"`, `price: {endpoint: rtt: "600ms", external: {}}`, `Timeout: "3s"`, `Timeout: "601ms"`}, "", ""},
	{"tail-latency", bare, []string{"edgeway: {}", `edgeway: {connect: "1s", gap: "500ms"}`, "price: external: {}", `price: {endpoint: rtt: "600ms", external: {}}`}, "", ""}, // it begins with the answer
	{"tail-latency", cleanOf("tail-latency"), []string{`price: external: latency: p99: "2s"`, `price: {endpoint: rtt: "600ms", external: {}}`, `gohttp: Timeout: "3s"`, `custom: {poolSizePerHost: 5, poolWait: "500ms", totalDeadline: "3s"}`}, "", ""},
}

// leaving is a balancer with two settings for the requests in flight.
const leaving = `
tchain: "v1"
name:   "shop"
types: layers: edgeway: {
	drain?: string @limit(drain, side=call)
	last?:  string @limit(drain, side=call)
}
layers: {
	edge: edgeway: {drain: "30s", last: "30s"}
	api: app: {server: gohttp: {}, work: max: "40s"}
}
routes: "GET /price": path: ["edge", "api"]
`

// balanced is an app whose balancer asks it for what a dependency decides.
const balanced = `
tchain: "v1"
name:   "shop"
layers: {
	lb: alb: target_group: api: health_check: path: "/health"
	api: app: {server: gohttp: {}, clients: db: custom: totalDeadline: "8s"}
	db: external: {}
}
routes: {
	"GET /health": path: ["api", "db"]
	"GET /price": path: ["lb", "api", "db"]
}
`

// relayed is two apps in a row, each of which repeats as often as the other.
const relayed = `
tchain: "v1"
name:   "shop"
_times: 3
_loop: loop: {attempts: _times, on: ["timeout", "503"]}
layers: {
	web: app: {server: gohttp: {}, clients: api: {wrap: [_loop], custom: totalDeadline: "9s"}}
	api: app: {server: gohttp: {}, errors: timeout: 503, clients: price: {wrap: [_loop], custom: totalDeadline: "1s"}}
	price: external: {}
}
routes: "GET /price": path: ["web", "api", "price"]
`

// noticing is a pod whose balancer learns by a health check that it stops.
const noticing = `
tchain: "v1"
name:   "shop"
layers: {
	lb: alb: target_group: api: health_check: interval: 20
	api: {
		kubernetes: {terminationGracePeriodSeconds: 90, lifecycle: preStop: sleep: seconds: 40}
		app: server: gohttp: {}
	}
}
routes: "GET /price": path: ["lb", "api"]
`

// poolAndGap are settings of a client with a pool, up to the start of its gap.
const poolAndGap = `size?: int @size(pool-size-per-host), wait?: string @limit(pool-wait, fires=error) @zero(infinite), gap?: string @limit(response-read-gap, fires=error`

// twoApps is an app that reads its caller's deadline, and does not say that it
// keeps one.
const twoApps = `
tchain: "v1"
name:   "shop"
layers: {
	web: app: {
		server: gohttp: {}
		deadline: {total: "5s", enforced: true, header: "X-Deadline"}
		clients: api: custom: totalDeadline: "20s"
	}
	api: app: {
		server: gohttp: {}
		deadline: from: "X-Deadline"
		clients: price: custom: totalDeadline: "9s"
	}
	price: external: {}
}
routes: "GET /price": path: ["web", "api", "price"]
`
