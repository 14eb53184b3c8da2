package conformance

import (
	"fmt"

	"tchain.dev/tchain/conformance/fault"
)

// apacheBlock is a worker with its parameters.
func apacheBlock(params string) string { return fmt.Sprintf(`{"ProxyPass": {"up": {%s}}}`, params) }

var apacheRead = apacheBlock(`"timeout": 1`)

func apacheAnswers(status int, setting string, ms int) Prediction {
	if setting != "" {
		setting = "ProxyPass.up." + setting
	}
	return proxyAnswers(apacheKey, status, setting, ms, 1)
}

var apacheCalls = []BlockScenario{
	callRun("a blackholed backend is answered 503 at connectiontimeout", apacheBlock(`"connectiontimeout": "300ms", "timeout": 5`), calleeDeaf, apacheAnswers(503, "connectiontimeout", 300)),
	callRun("connectiontimeout not written is timeout", apacheRead, calleeDeaf, apacheAnswers(503, "connectiontimeout", 1000)),
	callRun("a refused connection is answered 503 at once", apacheRead, calleeRefuses, apacheAnswers(503, "", 0)),
	callRun("a plain ProxyPass tries a refused backend with each request", apacheRead, calleeRefuses, apacheAnswers(503, "", 0)).after(1),
	callRun("a silent backend is answered 502 at timeout", apacheRead, silent, apacheAnswers(502, "timeout", 1000)),
	callRun("timeout not written is ProxyTimeout", `{"ProxyTimeout": 1}`, silent, apacheAnswers(502, "timeout", 1000)),
	callRun("timeout and ProxyTimeout not written are Timeout", `{"Timeout": 1}`, silent, apacheAnswers(502, "timeout", 1000)),
	callRun("a header that drips is never ended by timeout", apacheRead, calleeDrips, callRuns(0, 1)).observing(2500),
	callRun("a body that stalls is cut at timeout", apacheRead, calleeStalls, callCut("ProxyPass.up.timeout", 1000)),
	callRun("a body that trickles is never ended by timeout", apacheRead, calleeTrickles, callRuns(200, 1)).observing(2500),
	callRun("an answer inside timeout is passed on", apacheRead, calleeSlow(250), callWhole(200, 250, 1)),
	callRun("a handshake that stalls is answered 500 at timeout, not at connectiontimeout", apacheBlock(`"connectiontimeout": "300ms", "timeout": 1`), calleeTLSHangs, apacheAnswers(500, "timeout", 1000)),
	callRun("a connection that is reset after the request is answered 502 at once", apacheRead, calleeResets, apacheAnswers(502, "", 0)),
	callRun("a connection that is closed without an answer is answered 502 at once", apacheRead, calleeHangsUp, apacheAnswers(502, "", 0)),
	callRun("a 503 is passed on at once", apacheRead, calleeBusy, callWhole(503, 0, 1)),
	callRun("a pooled connection that was just closed closes the caller's, if it is kept too", apacheRead, calleeRaces, proxyAnswers(apacheKey, 0, "", 0, 1)).after(1).kept(),
	callRun("a pooled connection that was just closed is answered 502 to a new caller", apacheRead, calleeRaces, apacheAnswers(502, "", 0)).after(1).but("the model does not know how old the caller's connection is"),
}

var apacheCallers = []BlockScenario{
	serveRun("RequestReadTimeout answers 408 within a header", `{"RequestReadTimeout": {"header": "1"}}`, CallerHeader, serveAnswers(apacheKey, 408, "RequestReadTimeout.header", 1000)),
	serveRun("a header that drips earns time up to the longest of RequestReadTimeout", `{"RequestReadTimeout": {"header": "1-2,MinRate=1"}}`, CallerDrip, serveAnswers(apacheKey, 408, "RequestReadTimeout.header", 2000)),
	serveRun("RequestReadTimeout answers 408 within a body", `{"RequestReadTimeout": {"body": "1"}}`, CallerBody, serveAnswers(apacheKey, 408, "RequestReadTimeout.body", 1000)),
	serveRun("KeepAliveTimeout closes an idle connection", `{"KeepAliveTimeout": "400ms"}`, CallerIdle, serveAnswers(apacheKey, 200, "KeepAliveTimeout", 400)),
	serveRun("a bare KeepAliveTimeout is seconds", `{"KeepAliveTimeout": 1}`, CallerIdle, serveAnswers(apacheKey, 200, "KeepAliveTimeout", 1000)),
	serveRun("an idle connection is closed after 5 s where nothing is set", `{}`, CallerIdle, serveAnswers(apacheKey, 200, "KeepAliveTimeout", 5000)),
}

// calleeChunks is a body that trickles and that has no known length.
var calleeChunks = fault.Config{Mode: fault.Trickle, Chunked: true}

const caddyHolds = "caddy passes a body of a known length on by 4 KiB: the model takes a stream for one without"

// endedBy is a response that a limit ended and that nobody can tell from a whole one.
func endedBy(setting string, ms int) Prediction {
	p := callCut(setting, ms)
	p.Cut = false
	return p
}

// caddyTransport is a reverse_proxy with the settings of its transport.
func caddyTransport(settings string) string {
	return fmt.Sprintf(`{"reverse_proxy": {"up": {"transport": {"http": {%s}}}}}`, settings)
}

func caddyAnswers(status int, setting string, ms, attempts int) Prediction {
	if setting != "" {
		setting = "reverse_proxy.up.transport.http." + setting
	}
	return proxyAnswers(caddyKey, status, setting, ms, attempts)
}

var (
	caddyHeader = caddyTransport(`"response_header_timeout": "400ms"`)
	caddyRead   = caddyTransport(`"read_timeout": "400ms"`)
	caddyReuse  = caddyTransport(`"keepalive": "10s"`)
)

var caddyCalls = []BlockScenario{
	callRun("a blackholed server is answered 502 at dial_timeout", caddyTransport(`"dial_timeout": "300ms"`), calleeDeaf, caddyAnswers(502, "dial_timeout", 300, 1)),
	callRun("dial_timeout not written is 3 s", `{}`, calleeDeaf, caddyAnswers(502, "dial_timeout", 3000, 1)),
	callRun("a refused connection is answered 502 at once", `{}`, calleeRefuses, caddyAnswers(502, "", 0, 1)),
	callRun("a handshake that stalls is answered 504 at tls_timeout", caddyTransport(`"tls_timeout": "300ms"`), calleeTLSHangs, caddyAnswers(504, "tls_timeout", 300, 1)),
	callRun("tls_timeout not written is none", `{}`, calleeTLSHangs, callRuns(0, 1)),
	callRun("a silent server is answered 504 at response_header_timeout", caddyHeader, silent, caddyAnswers(504, "response_header_timeout", 400, 1)),
	callRun("a header that drips does not extend response_header_timeout", caddyHeader, calleeDrips, caddyAnswers(504, "response_header_timeout", 400, 1)),
	callRun("response_header_timeout does not bound a body that trickles", caddyHeader, calleeChunks, callRuns(200, 1)),
	callRun("nothing set waits for a header without end", `{}`, silent, callRuns(0, 1)),
	callRun("a silent server is answered 504 at read_timeout", caddyRead, silent, caddyAnswers(504, "read_timeout", 400, 1)),
	callRun("read_timeout is a gap: a header that drips never trips it", caddyRead, calleeDrips, callRuns(0, 1)),
	callRun("read_timeout is a gap: a body that trickles never trips it", caddyRead, calleeChunks, callRuns(200, 1)),
	callRun("a body that stalls is cut at read_timeout", caddyRead, calleeStalls, callCut("reverse_proxy.up.transport.http.read_timeout", 400)),
	callRun("a body of no known length that stalls ends at read_timeout as if it were whole", caddyRead, fault.Config{Mode: fault.Stall, Chunked: true}, endedBy("reverse_proxy.up.transport.http.read_timeout", 400)).but("caddy 2.6 writes the last chunk; later releases cut"),
	callRun("a body of a known length that trickles is held back", caddyRead, calleeTrickles, callRuns(0, 1)).but(caddyHolds),
	callRun("an answer inside response_header_timeout is passed on", caddyHeader, calleeSlow(250), callWhole(200, 250, 1)),
	callRun("a connection that is reset after the request is answered 502 at once", `{}`, calleeResets, caddyAnswers(502, "", 0, 1)),
	callRun("a connection that is closed without an answer is answered 502 at once", `{}`, calleeHangsUp, caddyAnswers(502, "", 0, 1)),
	callRun("a 503 is passed on at once", `{}`, calleeBusy, callWhole(503, 0, 1)),
	callRun("a GET on a pooled connection that was just closed is sent again", caddyReuse, calleeRaces, callWhole(200, 0, 2)).after(1),
	callRun("a POST on a pooled connection that was just closed is answered 502", caddyReuse, calleeRaces, caddyAnswers(502, "", 0, 1)).after(1).post(),
	callRun("lb_retries dials again", `{"reverse_proxy": {"up": {"lb_retries": 2, "transport": {"http": {"dial_timeout": "300ms"}}}}}`, calleeDeaf, caddyAnswers(502, "dial_timeout", 900, 3)),
	callRun("lb_retries tries a silent GET again", `{"reverse_proxy": {"up": {"lb_retries": 1, "transport": {"http": {"response_header_timeout": "300ms"}}}}}`, silent, caddyAnswers(504, "response_header_timeout", 600, 2)),
	callRun("lb_retries does not try a silent POST again", `{"reverse_proxy": {"up": {"lb_retries": 1, "transport": {"http": {"response_header_timeout": "300ms"}}}}}`, silent, caddyAnswers(504, "response_header_timeout", 300, 1)).post(),
	callRun("lb_try_duration is looked at before each attempt, lb_try_interval after each", `{"reverse_proxy": {"up": {"lb_try_duration": "700ms", "lb_try_interval": "200ms", "transport": {"http": {"dial_timeout": "300ms"}}}}}`, calleeDeaf, caddyAnswers(502, "dial_timeout", 800, 2)),
	idleRun("keepalive is how long an idle connection to a server is kept", caddyTransport(`"keepalive": "600ms"`), "", Prediction{Setting: "reverse_proxy.up.transport.http.keepalive", ElapsedMS: 600}),
}

var caddyCallers = []BlockScenario{
	serveRun("read_header closes silently within a header", `{"servers": {"timeouts": {"read_header": "400ms"}}}`, CallerHeader, serveCloses(caddyKey, "servers.timeouts.read_header", 400)).failing(FailsBroken),
	serveRun("read_header is not extended by a header that drips", `{"servers": {"timeouts": {"read_header": "400ms"}}}`, CallerDrip, serveCloses(caddyKey, "servers.timeouts.read_header", 400)).failing(FailsBroken),
	serveRun("read_header closes a connection that sends nothing", `{"servers": {"timeouts": {"read_header": "400ms"}}}`, CallerMute, serveCloses(caddyKey, "servers.timeouts.read_header", 400)).failing(FailsBroken),
	serveRun("read_body ends the wait within a body, and what the server makes of half of it is passed on", `{"servers": {"timeouts": {"read_body": "400ms"}}}`, CallerBody, serveAnswers(caddyKey, 200, "servers.timeouts.read_body", 400)).but("the model's server does not answer half of a request"),
	serveRun("idle closes an idle connection", `{"servers": {"timeouts": {"idle": "400ms"}}}`, CallerIdle, serveAnswers(caddyKey, 200, "servers.timeouts.idle", 400)),
}
