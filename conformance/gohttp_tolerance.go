package conformance

import "time"

// What the timers of a program's own libraries are like: exact, but for the
// machine, which is busy and has two cores.
func init() {
	exact := Tolerance{Early: 15 * time.Millisecond, Late: 700 * time.Millisecond, MinGap: 200 * time.Millisecond, Why: "its timers never fire early; the machine is late"}
	Tolerances[goKey] = exact
	for key := range proxies {
		Tolerances[key] = exact
	}
	for key := range nodeClientVersions() {
		Tolerances[key] = exact
	}
	for _, key := range pythonClients {
		Tolerances[key] = exact
	}
	Tolerances[rubyKey] = exact
	Tolerances[pgxKey] = exact
	Tolerances["uvicorn"] = exact
	exact.Early, exact.MinGap, exact.Why = 90*time.Millisecond, 20*time.Millisecond, "the waits between its attempts are random up to what is predicted"
	Tolerances[redisKey] = exact
	exact = Tolerances["uvicorn"]
	exact.Late, exact.Why = 900*time.Millisecond, "after an answer it looks 0.2 s for a further request before its time for idle connections begins"
	Tolerances[pumaKey] = exact
	exact.Late, exact.Why = 2200*time.Millisecond, "its arbiter looks for dead workers each second, and kills them a second later"
	Tolerances["gunicorn"] = exact
	exact.Late = 700 * time.Millisecond
	exact.Early, exact.Why = 100*time.Millisecond, "headers and bodies of requests are looked at every connectionsCheckingInterval, counted from the server's own start"
	for _, major := range nodeMajors {
		Tolerances[nodeKey+"-"+major] = exact
	}
	exact.Early, exact.Late, exact.Why = 30*time.Millisecond, 700*time.Millisecond, "a page's clock is coarse, and its work waits for the renderer's main thread"
	Tolerances[chromiumProduct] = exact
}
