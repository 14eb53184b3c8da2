package check_test

import (
	"slices"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
)

// podVariants are those of an app that is stopped and probed.
var podVariants = []variant{
	{"drain-order", "bad", []string{"PeriodSeconds: 40", "PeriodSeconds: 55"}, "warning", "has 20s = 55s grace − 35s preStop between the stop signal and the kill; a request that is cut gets 502 from edge"},
	{"drain-order", "bad", []string{"PeriodSeconds: 40", "PeriodSeconds: 56"}, "", ""},
	{"drain-order", "bad", []string{"terminationGracePeriodSeconds: 40, ", ""}, "error", "api is killed at 30s, within its preStop of 35s"},
	{"drain-order", "bad", []string{"PeriodSeconds: 40", "PeriodSeconds: 35"}, "error", "not told to stop in time"},
	{"drain-order", "bad", []string{"seconds: 35", "seconds: 19"}, "", ""},
	// A grace period that nobody wrote is no order that somebody chose.
	{"drain-order", "bad", []string{"terminationGracePeriodSeconds: 40, lifecycle: preStop: sleep: seconds: 35", `readinessProbe: httpGet: path: "/ready"`, `drain: "20s"`, `drain: "40s"`}, "", ""},
	{"drain-order", "bad", []string{"lifecycle: preStop: sleep: seconds: 35", `lifecycle: preStop: exec: command: ["sh", "-c", "sleep 35"]`}, "warning", "40s grace − 35s preStop"},
	{"drain-order", "bad", []string{"lifecycle: preStop: sleep: seconds: 35", `lifecycle: preStop: exec: command: ["/bin/leave"]`, `drain: "20s"`, `drain: "40s"`}, "warning", "has less than the 40s of its grace, for its preStop comes first, between the stop signal and the kill"},
	// How long it serves before the signal is not known, and so not whether that is enough.
	{"drain-order", "bad", []string{"lifecycle: preStop: sleep: seconds: 35", `lifecycle: preStop: exec: command: ["/bin/leave"]`, "deregistration_delay: 30", "deregistration_delay: 300", `work: max: "4s"`, ""}, "", ""},
	{"drain-order", "bad", []string{"lifecycle: preStop: sleep: seconds: 35", `lifecycle: preStop: exec: command: ["/bin/leave"]`, "deregistration_delay: 30", "deregistration_delay: 20"}, "", ""},
	{"drain-order", "bad", []string{"kubernetes: {terminationGracePeriodSeconds: 40, lifecycle: preStop: sleep: seconds: 35}", `container: stopTimeout: "20s"`}, "warning", "api lets requests finish for 20s, and has 20s between"},
	// Without a drain of its own, what counts is the longest request.
	{"drain-order", "clean", []string{`custom: drain: "20s"`, "custom: {}", `max: "4s"`, `max: "25s"`}, "error", "api may work on a request for 25s, and has 25s = 60s grace − 35s preStop"},
	{"drain-order", "clean", []string{`custom: drain: "20s"`, "custom: {}", `max: "4s"`, `max: "24s"`}, "", ""},
	{"drain-order", "clean", []string{`custom: drain: "20s"`, `custom: {}, clients: db: custom: totalDeadline: "40s"`, `path: ["web", "edge", "api"]`, `path: ["web", "edge", "api", "db"]`, "web: ", "db: external: {}\n\tweb: ", "deregistration_delay: 30", "deregistration_delay: 300"}, "warning", "may work on a request for 44s"},
	// A name that takes for ever to resolve is not looked at: the request may take as long as its other limits, and longer.
	{"drain-order", "clean", []string{`custom: drain: "20s"`, `custom: {}, clients: db: requests: timeout: 20`, `path: ["web", "edge", "api"]`, `path: ["web", "edge", "api", "db"]`, "web: ", "db: external: {}\n\tweb: ", "deregistration_delay: 30", "deregistration_delay: 300"}, "warning", "api may work on a request for at least 44s, and has 25s"},
	{"drain-order", "clean", []string{`custom: drain: "20s"`, `custom: {}, clients: db: requests: timeout: 10`, `path: ["web", "edge", "api"]`, `path: ["web", "edge", "api", "db"]`, "web: ", "db: external: {}\n\tweb: ", "target_group: api: deregistration_delay: 30", "{}"}, "", ""},
	{"drain-order", "clean", []string{`custom: drain: "20s"`, `custom: {}, clients: db: requests: timeout: 20`, `path: ["web", "edge", "api"]`, `path: ["web", "edge", "api", "db"]`, "web: ", "db: external: {}\n\tweb: "}, "warning", "after an instance of api was deregistered, and api may work on a request for at least 44s"},
	// Both ends of the balancer's order are written, or it is none.
	{"drain-order", "clean", []string{"deregistration_delay: 30", "deregistration_delay: 55"}, "", ""},
	{"drain-order", "clean", []string{"deregistration_delay: 30", "deregistration_delay: 56", `work: max: "4s"`, ""}, "warning", "leaves requests in flight to api for 56s after deregistration, of which api serves 55s"},
	{"drain-order", "clean", []string{"deregistration_delay: 30", "deregistration_delay: 55", `work: max: "4s"`, ""}, "", ""},
	{"drain-order", "clean", []string{"target_group: api: deregistration_delay: 30", "{}", `custom: drain: "20s"`, "custom: {}", `work: max: "4s"`, ""}, "", ""},
	{"drain-order", "clean", []string{"deregistration_delay: 30", "deregistration_delay: 4"}, "error", "edge answers 502 4s after an instance of api was deregistered"},
	{"drain-order", "clean", []string{"deregistration_delay: 30", "deregistration_delay: 5"}, "", ""},

	// A drain that is shorter than a request cuts it, whatever the grace period; where nothing ends a request, it has none.
	{"drain-order", "clean", []string{`drain: "20s"`, `drain: "4s"`}, "error", "lets requests finish for 4s after the stop signal, and may work on one for 4s: it is cut"},
	{"drain-order", "clean", []string{`drain: "20s"`, `drain: "5s"`}, "", ""},
	{"drain-order", "clean", []string{`custom: drain: "20s"`, `custom: drain: "20s", clients: db: custom: {dns: "1s", connect: "1s"}`, `path: ["web", "edge", "api"]`, `path: ["web", "edge", "api", "db"]`, "web: ", "db: external: {}\n\tweb: ", "target_group: api: deregistration_delay: 30", "{}"}, "warning", "may work on one for ever: it is cut"},
	{"drain-order", "bad", []string{"PeriodSeconds: 40, lifecycle: preStop: sleep: seconds: 35", "PeriodSeconds: 0"}, "error", "api is killed at once when it stops"},
	// A container's balancer lets go of it before it is told to stop; another route may say how long a request takes.
	{"drain-order", "clean", []string{"kubernetes: {terminationGracePeriodSeconds: 60, lifecycle: preStop: sleep: seconds: 35}", `container: stopTimeout: "30s"`, "deregistration_delay: 30", "deregistration_delay: 56", `work: max: "4s"`, ""}, "", ""},
	{"drain-order", "clean", []string{"deregistration_delay: 30", "deregistration_delay: 56", `work: max: "4s"`, `clients: db: custom: totalDeadline: "4s"`, "web: ", "db: external: {}\n\tweb: ", "routes:", `routes: "GET /stock": path: ["web", "edge", "api", "db"]` + "\nroutes:"}, "", ""},

	{"probe", "bad", []string{`path: "/health", timeout`, `path: "/health/db?deep=1", timeout`, `"GET /health": path`, `"GET /health/{what}": path`}, "error", "may take 8s"},
	{"probe", "bad", []string{`path: "/health", timeout`, `path: "/health/db/x", timeout`, `"GET /health": path`, `"GET /health/{what}": path`}, "", ""},
	{"probe", "bad", []string{`path: "/health", timeout`, `path: "/health/db/x", timeout`, `"GET /health": path`, `"GET /health/": path`}, "error", "may take 8s"},
	{"probe", "bad", []string{"timeoutSeconds: 5", "timeoutSeconds: 8"}, "error", "gives up after 8s, and api answers /health after waiting for db, which may take 8s"},
	{"probe", "bad", []string{"timeoutSeconds: 5", "timeoutSeconds: 9"}, "warning", "asks for /health, which api answers by calling db: if db fails for 29s"},
	{"probe", "bad", []string{"livenessProbe", "readinessProbe"}, "warning", "takes every instance of api out of use at once"},
	{"probe", "bad", []string{"livenessProbe", "readinessProbe", "timeoutSeconds: 5", "timeoutSeconds: 9"}, "", ""},
	{"probe", "bad", []string{`"/health", timeout`, `"/healthz", timeout`}, "", ""},
	{"probe", "bad", []string{`"GET /health": path`, `"/": path`}, "error", "may take 8s"},
	{"probe", "bad", []string{`"GET /health": path`, `"POST /health": path`}, "", ""},
	// An ordinary long request is enough; one that a fault makes long counts with its rate.
	{"probe", "clean", []string{"clients: db", `work: max: "25s", clients: db`}, "warning", "needs one of the 20 workers of api, and requests hold them for up to 25s; after 25s without a free one"},
	{"probe", "clean", []string{"clients: db", `work: max: "25s", clients: db`, "concurrency: 20", "concurrency: 1"}, "warning", "needs the only worker of api, and requests hold it for up to 25s"},
	{"probe", "clean", []string{"clients: db", `work: max: "16s", clients: db`}, "", ""},
	{"probe", "clean", []string{`totalDeadline: "8s"`, `totalDeadline: "25s"`}, "", ""},
	{"probe", "clean", []string{`totalDeadline: "8s"`, `totalDeadline: "25s"`, `"GET /price": path`, `"GET /price": tps: 0.76, "GET /price": path`}, "", ""},
	{"probe", "clean", []string{`totalDeadline: "8s"`, `totalDeadline: "25s"`, `"GET /price": path`, `"GET /price": tps: 0.761, "GET /price": path`}, "error", "restarts every instance of api"},
	// What nothing ends takes worker after worker, at any rate.
	// What comes faster than it ends makes a queue that only grows, however soon each one ends.
	{"probe", "clean", []string{"api: {", "api: {\n\t\tinstances: 1", `"GET /price": path`, `"GET /price": tps: 2.6, "GET /price": path`}, "error", "livenessProbe waits behind the requests of api, which come faster than they end when each holds one of the 20 workers for up to 8s: 21 at once in each instance would have to fit, the queue only grows, and after 25s of it the check restarts every instance of api, which mends nothing; what it was at work on then ends so: connection reset by api"},
	{"probe", "clean", []string{"api: {", "api: {\n\t\tinstances: 1", `"GET /price": path`, `"GET /price": tps: 2.5, "GET /price": path`}, "", ""},
	{"probe", "clean", []string{"api: {", "api: {\n\t\tinstances: 2", `"GET /price": path`, `"GET /price": tps: 2.6, "GET /price": path`}, "", ""},
	{"probe", "clean", []string{`"GET /price": path`, `"GET /price": tps: 2.6, "GET /price": path`}, "", ""}, // in how many instances is not said
	{"probe", "clean", []string{"api: {", "api: {\n\t\tinstances: 1", "livenessProbe", "readinessProbe", `"GET /price": path`, `"GET /price": tps: 2.6, "GET /price": path`}, "warning", "the check takes every instance of api out of use at once"},
	{"probe", "clean", []string{`custom: totalDeadline: "8s"`, `custom: {dns: "1s", connect: "1s"}`}, "error", "needs one of the 20 workers of api, and requests hold them for ever; after 25s without a free one it restarts"},
	{"probe", "clean", []string{`custom: totalDeadline: "8s"`, `custom: {dns: "1s", connect: "1s"}`, "livenessProbe", "readinessProbe"}, "warning", "requests hold them for ever"},
	{"probe", "clean", []string{`custom: totalDeadline: "8s"`, `custom: {dns: "1s", connect: "1s"}`, "custom: concurrency: 20", "custom: {}"}, "", ""},
}

func TestAHealthCheckOfWhatNoRouteDescribesIsNotChecked(t *testing.T) {
	for path, want := range map[string]bool{"/health": false, "/healthz": true} {
		s := stackOf(t, strings.Replace(check.Find("probe").Bad(), `"/health", timeout`, `"`+path+`", timeout`, 1))
		said := slices.ContainsFunc(check.NotChecked(s), func(n chain.NotChecked) bool {
			return strings.Contains(n.Reason, "livenessProbe asks for /healthz, which is no route over api")
		})
		if said != want {
			t.Errorf("%s: not checked %v", path, check.NotChecked(s))
		}
	}
}

func TestARaceOfConnectionsThatMayNotBeKeptIsAWarning(t *testing.T) {
	for version, want := range map[string]string{`version: "1.30.4"`: "error ", `version: "1.29"`: "warning proxy reuses them only if its version is 1.29.7 or later", "": "warning proxy reuses them only if its version is 1.29.7 or later"} {
		f := of(findings(t, `package s
tchain: "v1"
name:   "s"
layers: {
	web: browser: fetch: signal: timeout: 100_000
	proxy: nginx: {`+version+`
		upstream: api: server: ["a:80"]
	}
	api: app: server: gohttp: IdleTimeout: "30s"
}
routes: "POST /a": path: ["web", "proxy", "api"]
`), "keepalive-race")
		_, open, _ := strings.Cut(f.Message, "gets 502 from proxy; ")
		if got := f.Severity.String() + " " + open; got != want {
			t.Errorf("%s: %q: %s", version, f.Message, got)
		}
	}
}
