package conformance

import (
	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/conformance/fault"
)

// ChromiumScenarios are the runs of fetch and XMLHttpRequest in Chromium.
func ChromiumScenarios() []BlockScenario {
	var out []BlockScenario
	for _, s := range chromiumCalls {
		s.Product, s.Key, s.Side = chromiumProduct, chromiumKey, chain.Calling
		out = append(out, s)
	}
	return out
}

const (
	fetchPlain  = `{"fetch": {}}`
	fetchSignal = `{"fetch": {"signal": {"timeout": 1000}}}`
	xhrTimeout  = `{"xhr": {"timeout": 1000}}`
	fetchBy     = "fetch.signal.timeout"
	xhrBy       = "xhr.timeout"
	sniffs      = "XMLHttpRequest has no header of a text/plain response before its first kB, which is sniffed"
)

// stallsLate is a body of which enough comes for its type to be sniffed.
var stallsLate = fault.Config{Mode: fault.Stall, BodyBytes: 2000}

var chromiumCalls = []BlockScenario{
	callRun("Chromium ends a TLS handshake that stalls after 30 s", fetchPlain, calleeTLSHangs, callEnds(chromiumKey, "tlsHandshake", 30_000, 0)).failing(FailsTimeout).observing(40_000),
	callRun("fetch without a signal waits for a header without end", fetchPlain, silent, callRuns(0, 1)).observing(6000),
	callRun("fetch without a signal reads a body that stalls without end", fetchPlain, calleeStalls, callRuns(200, 1)).observing(4000),
	callRun("AbortSignal.timeout ends the wait for a header", fetchSignal, silent, callEnds(chromiumKey, fetchBy, 1000, 1)).failing(FailsTimeout),
	callRun("AbortSignal.timeout ends a header that drips", fetchSignal, calleeDrips, callEnds(chromiumKey, fetchBy, 1000, 1)).failing(FailsTimeout),
	callRun("AbortSignal.timeout ends a body that stalls", fetchSignal, calleeStalls, callCut(fetchBy, 1000)).failing(FailsTimeout),
	callRun("AbortSignal.timeout ends a body that trickles", fetchSignal, calleeTrickles, callCut(fetchBy, 1000)).failing(FailsTimeout),
	callRun("AbortSignal.timeout ends the wait for a connect", fetchSignal, calleeDeaf, callEnds(chromiumKey, fetchBy, 1000, 0)).failing(FailsTimeout),
	callRun("an answer inside AbortSignal.timeout comes whole", `{"fetch": {"signal": {"timeout": 3000}}}`, calleeSlow(700), callWhole(200, 700, 1)),
	callRun("AbortSignal.timeout of zero ends the call at once", `{"fetch": {"signal": {"timeout": 0}}}`, calleeDeaf, callEnds(chromiumKey, fetchBy, 0, 0)).failing(FailsTimeout),
	callRun("XMLHttpRequest.timeout ends the wait for a header", xhrTimeout, silent, callEnds(chromiumKey, xhrBy, 1000, 1)).failing(FailsTimeout),
	callRun("XMLHttpRequest.timeout ends a body that stalls", xhrTimeout, stallsLate, callCut(xhrBy, 1000)).failing(FailsTimeout),
	callRun("XMLHttpRequest.timeout ends a body that stalls before its type was sniffed: not even a status is there", xhrTimeout, calleeStalls, callEnds(chromiumKey, xhrBy, 1000, 1)).failing(FailsTimeout).but(sniffs),
	callRun("XMLHttpRequest.timeout ends a body that trickles", xhrTimeout, calleeTrickles, callEnds(chromiumKey, xhrBy, 1000, 1)).failing(FailsTimeout).but(sniffs),
	callRun("XMLHttpRequest.timeout ends the wait for a connect", xhrTimeout, calleeDeaf, callEnds(chromiumKey, xhrBy, 1000, 0)).failing(FailsTimeout),
	callRun("XMLHttpRequest.timeout of zero is none", `{"xhr": {"timeout": 0}}`, silent, callRuns(0, 1)).observing(4000),
	callRun("XMLHttpRequest.timeout that is not set is none", `{"xhr": {}}`, stallsLate, callRuns(200, 1)).observing(4000),
	callRun("a GET on a pooled connection that was just closed is sent again", fetchPlain, calleeRaces, callWhole(200, 0, 2)).after(1),
	callRun("a POST on a pooled connection that was just closed is sent again", fetchPlain, calleeRaces, callWhole(200, 0, 2)).after(1).post(),
	callRun("a GET that is reset on a fresh connection fails", fetchPlain, calleeResets, callEnds(chromiumKey, "", 0, 1)).failing(FailsBroken),
	callRun("a POST that is reset on a fresh connection fails", fetchPlain, calleeResets, callEnds(chromiumKey, "", 0, 1)).failing(FailsBroken).post(),
	callRun("a connection that is refused fails at once", fetchPlain, calleeRefuses, callEnds(chromiumKey, "", 0, 0)).failing(FailsRefused),
	callRun("a 503 resolves as any other answer", fetchPlain, calleeBusy, callWhole(503, 0, 1)),
	callRun("a 504 resolves as any other answer", fetchPlain, fault.Config{Mode: fault.Unavailable, Status: 504}, callWhole(504, 0, 1)).but("the model's unavailable callee answers 503"),
	callRun("a 408 on a reused connection is sent again", fetchPlain, fault.Config{Mode: fault.Unavailable, Status: 408}, callWhole(408, 0, 2)).after(1).but("the model knows no answer that repeats a reused connection's request"),
}
