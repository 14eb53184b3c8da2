package conformance

import "slices"

// NodeClientScenarios are the runs of undici, axios and got.
func NodeClientScenarios() []BlockScenario {
	return slices.Concat(clientRuns("undici", undiciRuns), clientRuns("axios", axiosRuns), clientRuns("got", gotRuns))
}

const undiciHeaders = `{"headersTimeout": 2000}`

var undiciRuns = []BlockScenario{
	fires("headersTimeout ends the wait for a header", undiciHeaders, silent, "undici", "headersTimeout", 2000, 1),
	fires("headersTimeout is for the whole header: dripping does not extend it", undiciHeaders, calleeDrips, "undici", "headersTimeout", 2000, 1),
	callRun("headersTimeout does not bound a body that trickles", undiciHeaders, calleeTrickles, callRuns(200, 1)).observing(3500),
	callRun("bodyTimeout ends a body that stalls", `{"bodyTimeout": 2000}`, calleeStalls, callCut("bodyTimeout", 2000)).failing(FailsTimeout),
	callRun("bodyTimeout is a gap: a body that trickles never trips it", `{"bodyTimeout": 2000}`, calleeTrickles, callRuns(200, 1)).observing(3500),
	callRun("bodyTimeout does not bound the wait for a header", `{"bodyTimeout": 2000, "headersTimeout": 0}`, silent, callRuns(0, 1)).observing(3500),
	callRun("a headersTimeout of zero is none", `{"headersTimeout": 0}`, silent, callRuns(0, 1)),
	fires("connectTimeout ends the wait for a connect", `{"connectTimeout": 2000}`, calleeDeaf, "undici", "connectTimeout", 2000, 0),
	fires("connectTimeout ends a handshake that stalls", `{"connectTimeout": 2000}`, calleeTLSHangs, "undici", "connectTimeout", 2000, 0),
	fires("connectTimeout not written is 10 s", `{}`, calleeDeaf, "undici", "connectTimeout", 10_000, 0),
	fires("AbortSignal.timeout of fetch ends the wait for a header", `{"fetch": {"signal": {"timeout": 400}}}`, silent, "undici", "fetch.signal.timeout", 400, 1),
	callRun("AbortSignal.timeout of fetch ends a body that trickles", `{"fetch": {"signal": {"timeout": 400}}}`, calleeTrickles, callCut("fetch.signal.timeout", 400)).failing(FailsTimeout),
	fires("AbortSignal.timeout of fetch ends the wait for one of connections", `{"fetch": {"signal": {"timeout": 400}}, "connections": 1}`, silent, "undici", "fetch.signal.timeout", 400, 0).occupying(1),
	fires("AbortSignal.timeout of request ends the wait for a header", `{"request": {"signal": {"timeout": 400}}}`, silent, "undici", "request.signal.timeout", 400, 1),
	callRun("AbortSignal.timeout of request ends a body that trickles", `{"request": {"signal": {"timeout": 400}}}`, calleeTrickles, callCut("request.signal.timeout", 400)).failing(FailsTimeout),
	callRun("AbortSignal.timeout of request does not end the wait for one of connections", `{"request": {"signal": {"timeout": 400}}, "connections": 1}`, silent, callRuns(0, 0)).occupying(1),
	callRun("headersTimeout does not end the wait for one of connections", `{"headersTimeout": 1000, "connections": 1}`, silent, callRuns(0, 0)).occupying(1).observing(2500),
	callRun("a GET on a pooled connection that was just closed is not sent again", `{}`, calleeRaces, callEnds("undici", "", 0, 1)).failing(FailsBroken).after(1),
	callRun("a request that is reset fails at once", `{}`, calleeResets, callEnds("undici", "", 0, 1)).failing(FailsBroken),
	callRun("a connection that is refused fails at once", `{}`, calleeRefuses, callEnds("undici", "", 0, 0)).failing(FailsRefused),
	callRun("a 503 is an answer like any other", `{}`, calleeBusy, callWhole(503, 0, 1)),
	callRun("RetryAgent repeats a GET that is reset, each time after a longer wait", `{"RetryAgent": {"maxRetries": 2, "minTimeout": 300}}`, calleeResets, callEnds("undici", "", 900, 3)).failing(FailsBroken),
	callRun("RetryAgent repeats no POST", `{"RetryAgent": {"maxRetries": 2, "minTimeout": 300}}`, calleeResets, callEnds("undici", "", 0, 1)).failing(FailsBroken).post(),
	callRun("RetryAgent repeats a GET that is refused", `{"RetryAgent": {"maxRetries": 2, "minTimeout": 300}}`, calleeRefuses, callEnds("undici", "", 900, 0)).failing(FailsRefused),
	callRun("RetryAgent repeats no POST that is refused, though nothing was sent", `{"RetryAgent": {"maxRetries": 2, "minTimeout": 300}}`, calleeRefuses, callEnds("undici", "", 0, 0)).failing(FailsRefused).post(),
	callRun("RetryAgent repeats no timeout", `{"headersTimeout": 1000, "RetryAgent": {"maxRetries": 2, "minTimeout": 300}}`, silent, callEnds("undici", "headersTimeout", 1000, 1)).failing(FailsTimeout),
	idleRun("keepAliveTimeout closes an idle connection", `{"keepAliveTimeout": 1500}`, "", Prediction{Setting: "keepAliveTimeout", ElapsedMS: 1500}),
	idleRun("keepAliveTimeout not written is 4 s", `{}`, "", Prediction{Setting: "keepAliveTimeout", ElapsedMS: 4000}).observing(6000),
	idleRun("an announced keep-alive time, less 2 s, replaces it", `{"keepAliveTimeout": 600}`, "timeout=4", Prediction{ElapsedMS: 2000}),
	idleRun("an announced keep-alive time of 2 s keeps no connection", `{}`, "timeout=2", Prediction{}),
	idleRun("pipelining of zero keeps no connection", `{"pipelining": 0}`, "", Prediction{}),
}

const axiosTotal = `{"timeout": 400}`

var axiosRuns = []BlockScenario{
	fires("timeout ends the wait for a header", axiosTotal, silent, "axios", "timeout", 400, 1),
	fires("timeout ends a header that drips", axiosTotal, calleeDrips, "axios", "timeout", 400, 1),
	fires("timeout ends the wait for a connect", axiosTotal, calleeDeaf, "axios", "timeout", 400, 0),
	fires("timeout ends a handshake that stalls", axiosTotal, calleeTLSHangs, "axios", "timeout", 400, 0),
	callRun("timeout ends a body that stalls", axiosTotal, calleeStalls, callCut("timeout", 400)).failing(FailsTimeout),
	callRun("timeout is a gap in a body: one that trickles never trips it", axiosTotal, calleeTrickles, callRuns(200, 1)),
	callRun("timeout not written is none", `{}`, silent, callRuns(0, 1)),
	callRun("a timeout of zero is none", `{"timeout": 0}`, silent, callRuns(0, 1)),
	callRun("an answer inside timeout comes whole", `{"timeout": 800}`, calleeSlow(400), callWhole(200, 400, 1)),
	callRun("timeout does not end the wait for one of maxSockets", `{"timeout": 400, "httpAgent": {"maxSockets": 1}}`, silent, callRuns(0, 0)).occupying(1),
	fires("with the fetch adapter timeout ends the wait for a header", `{"timeout": 400, "adapter": "fetch"}`, silent, "axios", "timeout", 400, 1),
	callRun("with the fetch adapter timeout ends a body that trickles", `{"timeout": 400, "adapter": "fetch"}`, calleeTrickles, callCut("timeout", 400)).failing(FailsTimeout),
	callRun("a connection that is refused fails at once", axiosTotal, calleeRefuses, callEnds("axios", "", 0, 0)).failing(FailsRefused),
	callRun("a request that is reset fails at once", axiosTotal, calleeResets, callEnds("axios", "", 0, 1)).failing(FailsBroken),
	callRun("a GET on a pooled connection that was just closed is not sent again", `{}`, calleeRaces, callEnds("axios", "", 0, 1)).failing(FailsBroken).after(1),
	callRun("a 503 is an answer like any other", axiosTotal, calleeBusy, callWhole(503, 0, 1)),
	idleRun("the agent's timeout closes an idle connection", `{"httpAgent": {"keepAlive": true, "timeout": 600}}`, "", Prediction{Setting: "httpAgent.timeout", ElapsedMS: 600}),
	idleRun("an agent with keepAlive and no timeout keeps an idle connection", `{"httpAgent": {"keepAlive": true}}`, "", Prediction{Running: true}),
	idleRun("an agent without keepAlive keeps no connection", `{"httpAgent": {}}`, "", Prediction{}),
}

// gotOnce is a client that repeats nothing.
func gotOnce(timeout string) string { return `{"timeout": {` + timeout + `}, "retry": {"limit": 0}}` }

var gotRuns = []BlockScenario{
	fires("request ends the wait for a header", gotOnce(`"request": 400`), silent, "got", "timeout.request", 400, 1),
	callRun("request ends a body that trickles", gotOnce(`"request": 400`), calleeTrickles, callCut("timeout.request", 400)).failing(FailsTimeout),
	fires("request ends the wait for a connect", gotOnce(`"request": 400`), calleeDeaf, "got", "timeout.request", 400, 0),
	fires("connect ends the wait for a connect", gotOnce(`"connect": 400`), calleeDeaf, "got", "timeout.connect", 400, 0),
	fires("secureConnect ends a handshake that stalls", gotOnce(`"secureConnect": 400`), calleeTLSHangs, "got", "timeout.secureConnect", 400, 0),
	callRun("connect does not bound a handshake that stalls", gotOnce(`"connect": 400`), calleeTLSHangs, callRuns(0, 0)),
	fires("response ends the wait for a header", gotOnce(`"response": 400`), silent, "got", "timeout.response", 400, 1),
	fires("response ends a header that drips", gotOnce(`"response": 400`), calleeDrips, "got", "timeout.response", 400, 1),
	callRun("response does not bound a body that trickles", gotOnce(`"response": 400`), calleeTrickles, callRuns(200, 1)),
	callRun("read is for the whole body: one that trickles is cut", gotOnce(`"read": 400`), calleeTrickles, callCut("timeout.read", 400)).failing(FailsTimeout),
	callRun("read does not bound the wait for a header", gotOnce(`"read": 400`), silent, callRuns(0, 1)),
	fires("socket ends the wait for a header", gotOnce(`"socket": 400`), silent, "got", "timeout.socket", 400, 1),
	callRun("socket ends a body that stalls", gotOnce(`"socket": 400`), calleeStalls, callCut("timeout.socket", 400)).failing(FailsTimeout),
	callRun("socket is a gap: a body that trickles never trips it", gotOnce(`"socket": 400`), calleeTrickles, callRuns(200, 1)),
	callRun("nothing set waits for a header without end", `{}`, silent, callRuns(0, 1)),
	callRun("a connection that is refused fails at once", gotOnce(``), calleeRefuses, callEnds("got", "", 0, 0)).failing(FailsRefused),
	callRun("a request that is reset fails at once", gotOnce(``), calleeResets, callEnds("got", "", 0, 1)).failing(FailsBroken),
	callRun("a 503 is an answer like any other", gotOnce(``), calleeBusy, callWhole(503, 0, 1)),
	fires("retry repeats a timeout, each attempt with a time of its own", `{"timeout": {"request": 400}, "retry": {"limit": 1}}`, silent, "got", "timeout.request", 1800, 2),
	fires("retry not written repeats twice", `{"timeout": {"request": 400}}`, silent, "got", "timeout.request", 4200, 3),
	fires("backoffLimit caps the wait", `{"timeout": {"request": 400}, "retry": {"limit": 1, "backoffLimit": 300}}`, silent, "got", "timeout.request", 1100, 2),
	fires("retry repeats no POST", `{"timeout": {"request": 400}}`, silent, "got", "timeout.request", 400, 1).post(),
	callRun("retry repeats no POST that is refused, though nothing was sent", `{}`, calleeRefuses, callEnds("got", "", 0, 0)).failing(FailsRefused).post(),
	fires("retry's methods replace its own", `{"timeout": {"request": 400}, "retry": {"limit": 1, "methods": ["POST"]}}`, silent, "got", "timeout.request", 1800, 2).post(),
	callRun("retry asks again after a 503", `{"retry": {"limit": 1}}`, calleeBusy, callWhole(503, 1000, 2)),
	callRun("a status that is not in statusCodes is an answer like any other", `{"retry": {"limit": 1, "statusCodes": [500]}}`, calleeBusy, callWhole(503, 0, 1)),
}
