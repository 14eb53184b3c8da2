package conformance

import (
	"slices"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/conformance/fault"
)

// PythonScenarios are the runs of the Python clients.
func PythonScenarios() []BlockScenario {
	return slices.Concat(
		clientRuns("requests", requestsRuns),
		clientRuns("urllib3", urllib3Runs),
		clientRuns("httpx", httpxRuns),
		clientRuns("aiohttp", aiohttpRuns),
	)
}

// clientRuns are the runs of a client whose product has the name of its key.
func clientRuns(key string, group []BlockScenario) []BlockScenario {
	return runsOf(key, chain.Calling, group)
}

func runsOf(key string, side chain.Side, group []BlockScenario) []BlockScenario {
	var out []BlockScenario
	for _, s := range group {
		s.Product, s.Key, s.Side = key, key, side
		out = append(out, s)
	}
	return out
}

// fires is a call that ends by a limit of its own before any header.
func fires(name, block string, c fault.Config, key, setting string, ms, attempts int) BlockScenario {
	return callRun(name, block, c, callEnds(key, setting, ms, attempts)).failing(FailsTimeout)
}

var requestsRuns = []BlockScenario{
	fires("timeout ends the wait for a connect", `{"timeout": 0.3}`, calleeDeaf, "requests", "connect", 300, 0),
	fires("timeout ends the wait for a header", `{"timeout": 0.3}`, silent, "requests", "read", 300, 1),
	fires("the first of a pair is for the connect", `{"timeout": [0.3, 5]}`, calleeDeaf, "requests", "timeout", 300, 0),
	fires("the second of a pair is for the read", `{"timeout": [5, 0.3]}`, silent, "requests", "timeout", 300, 1),
	fires("the first of a pair ends a handshake that stalls", `{"timeout": [0.3, 5]}`, calleeTLSHangs, "requests", "timeout", 300, 0),
	callRun("a read timeout is a gap: a header that drips never trips it", `{"timeout": 0.3}`, calleeDrips, callRuns(0, 1)),
	callRun("a read timeout is a gap: a body that trickles never trips it", `{"timeout": 0.3}`, calleeTrickles, callRuns(200, 1)),
	callRun("a read timeout ends a body that stalls", `{"timeout": 0.3}`, calleeStalls, callCut("read", 300)).failing(FailsTimeout),
	callRun("nothing set waits for a header without end", `{}`, silent, callRuns(0, 1)),
	callRun("nothing set waits for a connect without end", `{}`, calleeDeaf, callRuns(0, 0)),
	callRun("a connect of null is none", `{"timeout": 0.3, "connect": null}`, calleeDeaf, callRuns(0, 0)),
	callRun("an answer inside timeout comes whole", `{"timeout": 0.6}`, calleeSlow(300), callWhole(200, 300, 1)),
	fires("max_retries dials again", `{"timeout": 0.3, "max_retries": 2}`, calleeDeaf, "requests", "connect", 900, 0),
	fires("max_retries repeats a GET that was sent", `{"timeout": 0.3, "max_retries": 2}`, silent, "requests", "read", 900, 3),
	fires("max_retries repeats no POST that was sent", `{"timeout": 0.3, "max_retries": 2}`, silent, "requests", "read", 300, 1).post(),
	callRun("max_retries repeats a GET that is reset", `{"max_retries": 1}`, calleeResets, callEnds("requests", "", 0, 2)).failing(FailsBroken),
	callRun("a GET on a pooled connection that was just closed is sent again by max_retries", `{"max_retries": 1}`, calleeRaces, callWhole(200, 0, 2)).after(1),
	callRun("a connection that is refused fails at once", `{"timeout": 0.3}`, calleeRefuses, callEnds("requests", "", 0, 0)).failing(FailsRefused),
	callRun("a request that is reset fails at once", `{"timeout": 0.3}`, calleeResets, callEnds("requests", "", 0, 1)).failing(FailsBroken),
	callRun("a GET on a pooled connection that was just closed is not sent again", `{}`, calleeRaces, callEnds("requests", "", 0, 1)).failing(FailsBroken).after(1),
	callRun("a 503 is an answer like any other", `{"timeout": 0.3}`, calleeBusy, callWhole(503, 0, 1)),
	callRun("pool_block waits for a connection without end", `{"timeout": 0.3, "read": 5, "pool_maxsize": 1, "pool_block": true}`, silent, callRuns(0, 0)).occupying(1),
	fires("without pool_block no request waits for a connection", `{"timeout": 0.3, "pool_maxsize": 1}`, silent, "requests", "read", 300, 1).occupying(1),
	idleRun("an idle connection is kept", `{}`, "", Prediction{Running: true}),
}

var urllib3Runs = []BlockScenario{
	fires("connect ends the wait for a connect", `{"Timeout": {"connect": 0.3}, "Retry": {"total": 0}}`, calleeDeaf, "urllib3", "Timeout.connect", 300, 0),
	fires("connect ends a handshake that stalls", `{"Timeout": {"connect": 0.3}, "Retry": {"total": 0}}`, calleeTLSHangs, "urllib3", "Timeout.connect", 300, 0),
	fires("read ends the wait for a header", `{"Timeout": {"read": 0.3}, "Retry": {"total": 0}}`, silent, "urllib3", "Timeout.read", 300, 1),
	callRun("read is a gap: a header that drips never trips it", `{"Timeout": {"read": 0.3}}`, calleeDrips, callRuns(0, 1)),
	callRun("read is a gap: a body that trickles never trips it", `{"Timeout": {"read": 0.3}}`, calleeTrickles, callRuns(200, 1)),
	callRun("read ends a body that stalls", `{"Timeout": {"read": 0.3}}`, calleeStalls, callCut("Timeout.read", 300)).failing(FailsTimeout),
	fires("total is for the connect where it says nothing", `{"Timeout": {"total": 0.3}, "Retry": {"total": 0}}`, calleeDeaf, "urllib3", "Timeout.connect", 300, 0),
	fires("total caps a read that is longer", `{"Timeout": {"total": 0.3, "read": 5}, "Retry": {"total": 0}}`, silent, "urllib3", "Timeout.read", 300, 1),
	callRun("total is no limit for the whole call: a body that trickles never trips it", `{"Timeout": {"total": 0.3}}`, calleeTrickles, callRuns(200, 1)),
	fires("Retry not written repeats a GET three times", `{"Timeout": {"read": 0.3}}`, silent, "urllib3", "Timeout.read", 1200, 4),
	fires("Retry not written repeats no POST that was sent", `{"Timeout": {"read": 0.3}}`, silent, "urllib3", "Timeout.read", 300, 1).post(),
	fires("Retry not written dials three times more, for a POST too", `{"Timeout": {"connect": 0.3}}`, calleeDeaf, "urllib3", "Timeout.connect", 1200, 0).post(),
	fires("allowed_methods of null is every method", `{"Timeout": {"read": 0.3}, "Retry": {"total": 1, "allowed_methods": null}}`, silent, "urllib3", "Timeout.read", 600, 2).post(),
	fires("allowed_methods without GET repeats none", `{"Timeout": {"read": 0.3}, "Retry": {"total": 1, "allowed_methods": ["PUT"]}}`, silent, "urllib3", "Timeout.read", 300, 1),
	callRun("a request that is reset is sent again", `{"Retry": {"total": 2}}`, calleeResets, callEnds("urllib3", "", 0, 3)).failing(FailsBroken),
	callRun("a 503 is an answer like any other", `{}`, calleeBusy, callWhole(503, 0, 1)),
	callRun("a status of status_forcelist is asked again", `{"Retry": {"total": 2, "status_forcelist": [503]}}`, calleeBusy, callEnds("urllib3", "", 0, 3)).failing("MaxRetryError ResponseError").but("the model passes the last answer on; urllib3 raises"),
	callRun("a 503 with Retry-After is waited out and asked again", `{"Retry": {"total": 1}}`, fault.Config{Mode: fault.Unavailable, RetryAfter: "1"}, callWhole(503, 1000, 2)).but("the model reads no Retry-After"),
	callRun("a connection that is refused fails at once", `{"Retry": {"total": 0}}`, calleeRefuses, callEnds("urllib3", "", 0, 0)).failing(FailsRefused),
	fires("backoff_factor is waited for twice after the second attempt, not at all after the first", `{"Timeout": {"connect": 0.3}, "Retry": {"total": 2, "backoff_factor": 0.3}}`, calleeDeaf, "urllib3", "Timeout.connect", 1500, 0),
	fires("pool_timeout ends the wait for a connection where block is on", `{"block": true, "maxsize": 1, "pool_timeout": 0.3}`, silent, "urllib3", "pool_timeout", 300, 0).occupying(1),
	callRun("block without a pool_timeout waits for a connection without end", `{"block": true, "maxsize": 1}`, silent, callRuns(0, 0)).occupying(1),
	fires("without block no request waits for a connection", `{"maxsize": 1, "pool_timeout": 0.3, "Timeout": {"read": 0.5}, "Retry": {"total": 0}}`, silent, "urllib3", "Timeout.read", 500, 1).occupying(1),
	callRun("a GET on a pooled connection that was just closed is sent again by Retry", `{}`, calleeRaces, callWhole(200, 0, 2)).after(1),
	idleRun("an idle connection is kept", `{}`, "", Prediction{Running: true}),
}

var httpxRuns = []BlockScenario{
	fires("connect ends the wait for a connect", `{"connect": 0.3}`, calleeDeaf, "httpx", "connect", 300, 0),
	fires("connect ends a handshake that stalls", `{"connect": 0.3}`, calleeTLSHangs, "httpx", "connect", 300, 0),
	fires("read ends the wait for a header", `{"read": 0.3}`, silent, "httpx", "read", 300, 1),
	callRun("read is a gap: a header that drips never trips it", `{"read": 0.3}`, calleeDrips, callRuns(0, 1)),
	callRun("read is a gap: a body that trickles never trips it", `{"read": 0.3}`, calleeTrickles, callRuns(200, 1)),
	callRun("read ends a body that stalls", `{"read": 0.3}`, calleeStalls, callCut("read", 300)).failing(FailsTimeout),
	fires("timeout is the read where it says nothing", `{"timeout": 0.3}`, silent, "httpx", "read", 300, 1),
	fires("timeout is the connect where it says nothing", `{"timeout": 0.3}`, calleeDeaf, "httpx", "connect", 300, 0),
	fires("timeout is the pool where it says nothing", `{"timeout": 0.3, "read": 5, "limits": {"max_connections": 1}}`, silent, "httpx", "pool", 300, 0).occupying(1),
	fires("nothing set ends the wait for a header after 5 s", `{}`, silent, "httpx", "read", 5000, 1),
	callRun("a timeout of null is none", `{"timeout": null}`, silent, callRuns(0, 1)),
	fires("pool ends the wait for one of max_connections", `{"pool": 0.3, "limits": {"max_connections": 1}}`, silent, "httpx", "pool", 300, 0).occupying(1),
	callRun("a pool of null waits for one of max_connections without end", `{"pool": null, "limits": {"max_connections": 1}}`, silent, callRuns(0, 0)).occupying(1),
	fires("retries dials again, the first time at once", `{"connect": 0.3, "transport": {"retries": 1}}`, calleeDeaf, "httpx", "connect", 600, 0),
	fires("retries waits 0.5 s before it dials a third time", `{"connect": 0.3, "transport": {"retries": 2}}`, calleeDeaf, "httpx", "connect", 1400, 0),
	fires("retries waits 1 s before it dials a fourth time", `{"connect": 0.3, "transport": {"retries": 3}}`, calleeDeaf, "httpx", "connect", 2700, 0),
	fires("retries repeats a handshake that stalls", `{"connect": 0.3, "transport": {"retries": 1}}`, calleeTLSHangs, "httpx", "connect", 600, 0),
	fires("retries repeats no read", `{"read": 0.3, "transport": {"retries": 2}}`, silent, "httpx", "read", 300, 1),
	callRun("a connection that is refused fails at once", `{}`, calleeRefuses, callEnds("httpx", "", 0, 0)).failing(FailsRefused),
	callRun("a request that is reset fails at once", `{}`, calleeResets, callEnds("httpx", "", 0, 1)).failing(FailsBroken),
	callRun("a GET on a pooled connection that was just closed is not sent again", `{}`, calleeRaces, callEnds("httpx", "", 0, 1)).failing(FailsBroken).after(1),
	callRun("a 503 is an answer like any other", `{}`, calleeBusy, callWhole(503, 0, 1)),
	callRun("an answer inside read comes whole", `{"read": 0.6}`, calleeSlow(300), callWhole(200, 300, 1)),
}

var aiohttpRuns = []BlockScenario{
	fires("total ends the wait for a header", `{"timeout": {"total": 0.3}}`, silent, "aiohttp", "timeout.total", 300, 1),
	fires("total ends a header that drips", `{"timeout": {"total": 0.3}}`, calleeDrips, "aiohttp", "timeout.total", 300, 1),
	callRun("total ends a body that trickles", `{"timeout": {"total": 0.3}}`, calleeTrickles, callCut("timeout.total", 300)).failing(FailsTimeout),
	fires("total ends the wait for a connect", `{"timeout": {"total": 0.3}}`, calleeDeaf, "aiohttp", "timeout.total", 300, 0),
	fires("total ends the wait for a connection", `{"timeout": {"total": 0.3}, "connector": {"limit": 1}}`, silent, "aiohttp", "timeout.total", 300, 0).occupying(1),
	fires("connect ends the wait for a connection", `{"timeout": {"connect": 0.3}, "connector": {"limit": 1}}`, silent, "aiohttp", "timeout.connect", 300, 0).occupying(1),
	fires("connect ends the wait for one of limit_per_host", `{"timeout": {"connect": 0.3}, "connector": {"limit_per_host": 1}}`, silent, "aiohttp", "timeout.connect", 300, 0).occupying(1),
	fires("connect ends the wait for a connect", `{"timeout": {"connect": 0.3}}`, calleeDeaf, "aiohttp", "timeout.connect", 300, 0),
	fires("sock_connect ends the wait for a connect", `{"timeout": {"sock_connect": 0.3}}`, calleeDeaf, "aiohttp", "timeout.sock_connect", 300, 0),
	fires("sock_connect ends a handshake that stalls", `{"timeout": {"sock_connect": 0.3}}`, calleeTLSHangs, "aiohttp", "timeout.sock_connect", 300, 0),
	callRun("sock_connect does not end the wait for a connection", `{"timeout": {"sock_connect": 0.3}, "connector": {"limit": 1}}`, silent, callRuns(0, 0)).occupying(1),
	fires("sock_read ends the wait for a header", `{"timeout": {"sock_read": 0.3}}`, silent, "aiohttp", "timeout.sock_read", 300, 1),
	callRun("sock_read is a gap: a header that drips never trips it", `{"timeout": {"sock_read": 0.3}}`, calleeDrips, callRuns(0, 1)),
	callRun("sock_read is a gap: a body that trickles never trips it", `{"timeout": {"sock_read": 0.3}}`, calleeTrickles, callRuns(200, 1)),
	callRun("sock_read ends a body that stalls", `{"timeout": {"sock_read": 0.3}}`, calleeStalls, callCut("timeout.sock_read", 300)).failing(FailsTimeout),
	callRun("a total of zero is none", `{"timeout": {"total": 0}}`, silent, callRuns(0, 1)),
	callRun("a connection that is refused fails at once", `{}`, calleeRefuses, callEnds("aiohttp", "", 0, 0)).failing(FailsRefused),
	callRun("a GET that is reset on a fresh connection is sent again too", `{}`, calleeResets, callEnds("aiohttp", "", 0, 2)).failing(FailsBroken).but("the model resends on a dead pooled connection only"),
	callRun("a POST that is reset on a fresh connection fails at once", `{}`, calleeResets, callEnds("aiohttp", "", 0, 1)).failing(FailsBroken).post(),
	callRun("a timeout that is written has no other limits: a connect is waited for without end", `{"timeout": {"sock_read": 0.3}}`, calleeDeaf, callRuns(0, 0)),
	callRun("a GET on a pooled connection that was just closed is sent again", `{}`, calleeRaces, callWhole(200, 0, 2)).after(1),
	callRun("a POST on a pooled connection that was just closed is not sent again", `{}`, calleeRaces, callEnds("aiohttp", "", 0, 1)).failing(FailsBroken).after(1).post(),
	callRun("a 503 is an answer like any other", `{}`, calleeBusy, callWhole(503, 0, 1)),
	idleRun("keepalive_timeout closes an idle connection", `{"connector": {"keepalive_timeout": 0.6}}`, "", Prediction{Setting: "connector.keepalive_timeout", ElapsedMS: 600}),
	idleRun("force_close keeps no connection", `{"connector": {"force_close": true}}`, "", Prediction{}),
}
