package conformance

const goReuse = `{"DefaultTransport": {}}`

// goConnections depend on what an earlier request left or holds.
var goConnections = []BlockScenario{
	callRun("the wait for one of MaxConnsPerHost has no limit of its own", `{"Transport": {"MaxConnsPerHost": 1, "ResponseHeaderTimeout": "5s", "Dialer": {"Timeout": "300ms"}, "TLSHandshakeTimeout": "300ms"}}`, silent, callRuns(0, 0)).occupying(1),
	callRun("Timeout ends the wait for one of MaxConnsPerHost", `{"Timeout": "300ms", "Transport": {"MaxConnsPerHost": 1}}`, silent, callEnds(goKey, "Timeout", 300, 0)).failing(FailsTimeout).occupying(1),
	callRun("the context's deadline ends the wait for one of MaxConnsPerHost", `{"context": {"timeout": "300ms"}, "Transport": {"MaxConnsPerHost": 1}}`, silent, callEnds(goKey, "context.timeout", 300, 0)).failing(FailsTimeout).occupying(1),
	callRun("a GET on a pooled connection that was just closed is sent again", goReuse, calleeRaces, callWhole(200, 0, 2)).after(1),
	callRun("a POST on a pooled connection that was just closed fails", goReuse, calleeRaces, callEnds(goKey, "", 0, 1)).failing(FailsBroken).after(1).post(),
	callRun("a GET that is reset on a fresh connection fails", goReuse, calleeResets, callEnds(goKey, "", 0, 1)).failing(FailsBroken),
	callRun("a connection that is refused fails at once", goReuse, calleeRefuses, callEnds(goKey, "", 0, 0)).failing(FailsRefused),
	callRun("a 503 is an answer like any other", goReuse, calleeBusy, callWhole(503, 0, 1)),
	idleRun("IdleConnTimeout closes an idle connection", `{"Transport": {"IdleConnTimeout": "500ms"}}`, "", Prediction{Setting: "Transport.IdleConnTimeout", ElapsedMS: 500}),
	idleRun("IdleConnTimeout of zero keeps an idle connection", `{"Transport": {"IdleConnTimeout": "0s"}}`, "", Prediction{Running: true}),
	idleRun("a negative IdleConnTimeout keeps an idle connection", `{"Transport": {"IdleConnTimeout": "-1s"}}`, "", Prediction{Running: true}),
	idleRun("an announced keep-alive time is not read", `{"Transport": {"IdleConnTimeout": "1500ms"}}`, "timeout=1", Prediction{Setting: "Transport.IdleConnTimeout", ElapsedMS: 1500}),
}

// goUnset are clients of which something is not set.
var goUnset = []BlockScenario{
	callRun("http.DefaultTransport has no limit for the header", `{}`, silent, callRuns(0, 1)),
	callRun("a literal Transport has no limit for the connect", `{"Transport": {}}`, calleeDeaf, callRuns(0, 0)),
	callRun("a literal Transport has no limit for the handshake", `{"Transport": {}}`, calleeTLSHangs, callRuns(0, 0)),
}
