package conformance

import (
	"fmt"
	"slices"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/conformance/fault"
)

// ProxyScenarios are the runs of the proxies whose settings are a block.
func ProxyScenarios() []BlockScenario {
	return slices.Concat(
		proxyRuns(haproxyKey, haproxyCalls, haproxyCallers),
		proxyRuns(apacheKey, apacheCalls, apacheCallers),
		proxyRuns(caddyKey, caddyCalls, caddyCallers),
	)
}

func proxyRuns(key string, calls, callers []BlockScenario) []BlockScenario {
	var out []BlockScenario
	for _, s := range calls {
		s.Product, s.Key, s.Side = key, key, chain.Calling
		out = append(out, s)
	}
	for _, s := range callers {
		s.Product, s.Key, s.Side = key, key, chain.Answering
		s.Upstreams = []fault.Config{works}
		out = append(out, s)
	}
	return out
}

// answered is a response that the proxy itself writes.
func proxyAnswers(key string, status int, setting string, ms, attempts int) Prediction {
	return Prediction{Status: status, By: key, Setting: setting, ElapsedMS: ms, Attempts: attempts}
}

// haproxyBlock is a defaults block with the timeouts, and more.
func haproxyBlock(timeouts, more string) string {
	return fmt.Sprintf(`{"defaults": {"timeout": {"client": "5s", %s}%s}}`, timeouts, more)
}

var (
	haproxyConnect = haproxyBlock(`"connect": "300ms", "server": "5s"`, `, "retries": 0`)
	haproxyServer  = haproxyBlock(`"connect": "5s", "server": "400ms"`, ``)
	haproxyQueue   = `{"defaults": {"timeout": {"client": "5s", "connect": "400ms", "server": "5s"%s}, "default-server": {"maxconn": 1}}}`
)

func haproxyAnswers(status int, setting string, ms, attempts int) Prediction {
	if setting != "" {
		setting = "defaults.timeout." + setting
	}
	return proxyAnswers(haproxyKey, status, setting, ms, attempts)
}

var haproxyCalls = []BlockScenario{
	callRun("a blackholed server is answered 503 at timeout connect", haproxyConnect, calleeDeaf, haproxyAnswers(503, "connect", 300, 1)),
	callRun("each of retries has timeout connect of its own", haproxyBlock(`"connect": "300ms", "server": "5s"`, `, "retries": 2`), calleeDeaf, haproxyAnswers(503, "connect", 900, 3)),
	callRun("retries not written are three", haproxyBlock(`"connect": "300ms", "server": "5s"`, ``), calleeDeaf, haproxyAnswers(503, "connect", 1200, 4)),
	callRun("retry-on none means one attempt", haproxyBlock(`"connect": "300ms", "server": "5s"`, `, "retry-on": "none"`), calleeDeaf, haproxyAnswers(503, "connect", 300, 1)),
	callRun("timeout connect holds for the handshake with the server too", haproxyConnect, calleeTLSHangs, haproxyAnswers(503, "connect", 300, 1)),
	callRun("a timeout connect of zero is none", haproxyBlock(`"connect": 0, "server": "5s"`, ``), calleeDeaf, callRuns(0, 1)),
	callRun("a refused connection without retries is answered 503 at once", haproxyConnect, calleeRefuses, haproxyAnswers(503, "", 0, 1)),
	callRun("a refused connection is tried again after the shorter of timeout connect and 1 s", haproxyBlock(`"connect": "300ms", "server": "5s"`, `, "retries": 2`), calleeRefuses, haproxyAnswers(503, "", 600, 3)),
	callRun("a silent server is answered 504 at timeout server", haproxyServer, silent, haproxyAnswers(504, "server", 400, 1)),
	callRun("a header that drips does not extend timeout server", haproxyServer, calleeDrips, haproxyAnswers(504, "server", 400, 1)),
	callRun("a body that stalls is cut at timeout server", haproxyServer, calleeStalls, callCut("defaults.timeout.server", 400)),
	callRun("a body that trickles is never ended by timeout server", haproxyServer, calleeTrickles, callRuns(200, 1)),
	callRun("an answer inside timeout server is passed on", haproxyServer, calleeSlow(250), callWhole(200, 250, 1)),
	callRun("a bare number is milliseconds", haproxyBlock(`"connect": "5s", "server": 400`, ``), silent, haproxyAnswers(504, "server", 400, 1)),
	callRun("a timeout server of zero is none", haproxyBlock(`"connect": "5s", "server": 0`, ``), silent, callRuns(0, 1)),
	callRun("a backend's own timeout server replaces the default", `{"defaults": {"timeout": {"client": "5s", "connect": "5s", "server": "5s"}}, "backend": {"up": {"timeout": {"server": "400ms"}}}}`, silent, proxyAnswers(haproxyKey, 504, "backend.up.timeout.server", 400, 1)),
	callRun("a connection that is reset after the request is answered 502 at once", haproxyServer, calleeResets, haproxyAnswers(502, "", 0, 1)),
	callRun("a connection that is closed without an answer is answered 502 at once", haproxyServer, calleeHangsUp, haproxyAnswers(502, "", 0, 1)),
	callRun("a pooled connection that was just closed closes the caller's, if it is kept too", haproxyServer, calleeRaces, proxyAnswers(haproxyKey, 0, "", 0, 1)).after(1).kept(),
	callRun("a 503 is passed on at once", haproxyServer, calleeBusy, callWhole(503, 0, 1)),
	callRun("retry-on response-timeout tries a silent server again", haproxyBlock(`"connect": "5s", "server": "400ms"`, `, "retries": 1, "retry-on": ["conn-failure", "response-timeout"]`), silent, haproxyAnswers(504, "server", 800, 2)),
	callRun("retry-on response-timeout tries a POST again too", haproxyBlock(`"connect": "5s", "server": "400ms"`, `, "retries": 1, "retry-on": "response-timeout"`), silent, haproxyAnswers(504, "server", 800, 2)).post(),
	callRun("retry-on empty-response tries a reset connection again", haproxyBlock(`"connect": "5s", "server": "5s"`, `, "retries": 2, "retry-on": "empty-response"`), calleeResets, haproxyAnswers(502, "", 0, 3)),
	callRun("retry-on 503 asks again and passes on the last answer", haproxyBlock(`"connect": "5s", "server": "5s"`, `, "retries": 2, "retry-on": "503"`), calleeBusy, callWhole(503, 0, 3)),
	callRun("the wait for one of maxconn ends with 503 at timeout queue", fmt.Sprintf(haproxyQueue, `, "queue": "300ms"`), silent, haproxyAnswers(503, "queue", 300, 1)).occupying(1),
	callRun("timeout queue not written is timeout connect", fmt.Sprintf(haproxyQueue, ``), silent, haproxyAnswers(503, "queue", 400, 1)).occupying(1),
	callRun("a timeout queue of zero is timeout connect", fmt.Sprintf(haproxyQueue, `, "queue": 0`), silent, haproxyAnswers(503, "queue", 400, 1)).occupying(1),
}

var haproxyCallers = []BlockScenario{
	serveRun("timeout http-request answers 408 within a header", haproxyBlock(`"http-request": "400ms"`, ``), CallerHeader, serveAnswers(haproxyKey, 408, "defaults.timeout.http-request", 400)),
	serveRun("timeout http-request is not extended by a header that drips", haproxyBlock(`"http-request": "400ms"`, ``), CallerDrip, serveAnswers(haproxyKey, 408, "defaults.timeout.http-request", 400)),
	serveRun("timeout http-request answers 408 on a connection that sends nothing", haproxyBlock(`"http-request": "400ms"`, ``), CallerMute, serveAnswers(haproxyKey, 408, "defaults.timeout.http-request", 400)),
	serveRun("timeout http-request not written is timeout client", `{"defaults": {"timeout": {"client": "400ms"}}}`, CallerHeader, serveAnswers(haproxyKey, 408, "defaults.timeout.client", 400)),
	serveRun("timeout server, not timeout client, ends the wait within a body", `{"defaults": {"timeout": {"client": "400ms", "server": "900ms", "connect": "5s"}}}`, CallerBody, serveAnswers(haproxyKey, 504, "defaults.timeout.server", 900)),
	serveRun("a frontend's own timeout client replaces the default", `{"defaults": {"timeout": {"client": "5s"}}, "frontend": {"timeout": {"client": "400ms"}}}`, CallerHeader, serveAnswers(haproxyKey, 408, "frontend.timeout.client", 400)),
	serveRun("timeout http-keep-alive closes an idle connection", haproxyBlock(`"connect": "5s", "http-request": "5s", "http-keep-alive": "400ms"`, ``), CallerIdle, serveAnswers(haproxyKey, 200, "defaults.timeout.http-keep-alive", 400)),
	serveRun("timeout http-keep-alive not written is timeout http-request", haproxyBlock(`"connect": "5s", "http-request": "400ms"`, ``), CallerIdle, serveAnswers(haproxyKey, 200, "defaults.timeout.http-keep-alive", 400)),
	serveRun("timeout http-keep-alive and http-request not written are timeout client", `{"defaults": {"timeout": {"client": "400ms", "connect": "5s"}}}`, CallerIdle, serveAnswers(haproxyKey, 200, "defaults.timeout.http-keep-alive", 400)),
	serveRun("a timeout http-request of zero is timeout client", `{"defaults": {"timeout": {"client": "400ms", "http-request": 0}}}`, CallerHeader, serveAnswers(haproxyKey, 408, "defaults.timeout.client", 400)),
	serveRun("a timeout http-keep-alive of zero is timeout http-request", haproxyBlock(`"connect": "5s", "http-request": "400ms", "http-keep-alive": 0`, ``), CallerIdle, serveAnswers(haproxyKey, 200, "defaults.timeout.http-keep-alive", 400)),
	serveRun("a shorter timeout client closes an idle connection before timeout http-keep-alive", `{"defaults": {"timeout": {"client": "400ms", "connect": "5s", "http-keep-alive": "3s"}}}`, CallerIdle, serveAnswers(haproxyKey, 200, "defaults.timeout.client", 400)),
	serveRun("a shorter timeout client answers 408 within a header before timeout http-request", `{"defaults": {"timeout": {"client": "400ms", "http-request": "3s"}}}`, CallerHeader, serveAnswers(haproxyKey, 408, "defaults.timeout.client", 400)),
	serveRun("a shorter timeout client answers 408 on a connection that sends nothing", `{"defaults": {"timeout": {"client": "400ms", "http-request": "3s"}}}`, CallerMute, serveAnswers(haproxyKey, 408, "defaults.timeout.client", 400)),
	serveRun("a shorter timeout client leaves a header that drips to timeout http-request", `{"defaults": {"timeout": {"client": "400ms", "http-request": "900ms"}}}`, CallerDrip, serveAnswers(haproxyKey, 408, "defaults.timeout.http-request", 900)),
	serveRun("without timeout client timeout http-request does not run", `{"defaults": {"timeout": {"connect": "5s", "http-request": "400ms"}}}`, CallerHeader, Prediction{Running: true}),
	serveRun("without timeout client timeout http-keep-alive does not run", `{"defaults": {"timeout": {"connect": "5s", "http-keep-alive": "400ms"}}}`, CallerIdle, Prediction{Status: 200, Running: true}),
	serveRun("a timeout client of zero lets timeout http-request not run either", `{"defaults": {"timeout": {"client": 0, "connect": "5s", "http-request": "400ms"}}}`, CallerHeader, Prediction{Running: true}),
	serveRun("no timeout of the client waits for a header without end", `{"defaults": {"timeout": {"connect": "5s"}}}`, CallerHeader, Prediction{Running: true}),
}
