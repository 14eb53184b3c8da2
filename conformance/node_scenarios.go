package conformance

import (
	"fmt"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/conformance/fault"
)

// NodeScenarios are the runs of node:http, client and server, for each major
// version.
func NodeScenarios() []BlockScenario {
	var out []BlockScenario
	for _, major := range nodeMajors {
		for _, group := range [][]BlockScenario{nodeTimers, nodePool, nodeClientOf[major]} {
			out = append(out, nodeRuns(major, chain.Calling, group)...)
		}
		for _, group := range [][]BlockScenario{nodeServers, nodeServerOf[major]} {
			out = append(out, nodeRuns(major, chain.Answering, group)...)
		}
	}
	return out
}

func nodeRuns(major string, side chain.Side, group []BlockScenario) []BlockScenario {
	var out []BlockScenario
	for _, s := range group {
		s.Product, s.Key, s.Side = nodeKey+"-"+major, nodeKey, side
		out = append(out, s)
	}
	return out
}

// destroys is a client whose program destroys the request when it is told of a
// timeout.
func nodeDestroys(setting string, ms int) string {
	return fmt.Sprintf(`{"%s": %d, "destroyOnTimeout": true}`, setting, ms)
}

// every100 is a body that comes a byte each 100 ms.
var calleeEvery100 = fault.Config{Mode: fault.Trickle, IntervalMS: 100}

var (
	nodeSet    = nodeDestroys("setTimeout", 500)
	nodeOption = nodeDestroys("timeout", 500)
	nodeSignal = `{"signal": {"timeout": 500}}`
)

// nodeTimers are the limits of one request.
var nodeTimers = []BlockScenario{
	callRun("setTimeout only tells: an answer after 800 ms comes whole", `{"setTimeout": 200}`, calleeSlow(800), callWhole(200, 800, 1)),
	callRun("the timeout option only tells: an answer after 800 ms comes whole", `{"timeout": 200}`, calleeSlow(800), callWhole(200, 800, 1)),
	callRun("setTimeout alone never ends the wait for a header", `{"setTimeout": 200}`, silent, callRuns(0, 1)),
	callRun("setTimeout with destroy ends the wait for a header", nodeSet, silent, callEnds(nodeKey, "setTimeout", 500, 1)).failing(FailsTimeout),
	callRun("setTimeout with destroy ends a body that stalls", nodeSet, calleeStalls, callCut("setTimeout", 500)).failing(FailsTimeout),
	callRun("setTimeout with destroy is a gap: a body in pieces each 100 ms never trips it", nodeSet, calleeEvery100, callRuns(200, 1)),
	callRun("setTimeout with destroy is a gap: a header that drips never trips it", nodeSet, fault.Config{Mode: fault.HeaderDrip}, callRuns(0, 1)),
	callRun("setTimeout with destroy does not bound the connect", `{"setTimeout": 300, "agent": {}, "destroyOnTimeout": true}`, calleeDeaf, callRuns(0, 0)),
	callRun("the timeout option with destroy bounds the connect", nodeOption, calleeDeaf, callEnds(nodeKey, "timeout", 500, 0)).failing(FailsTimeout),
	callRun("setTimeout with destroy ends a handshake that stalls", nodeSet, calleeTLSHangs, callEnds(nodeKey, "setTimeout", 500, 0)).failing(FailsTimeout),
	callRun("the timeout option with destroy ends a handshake that stalls", nodeOption, calleeTLSHangs, callEnds(nodeKey, "timeout", 500, 0)).failing(FailsTimeout),
	callRun("the timeout option with destroy ends the wait for a header", nodeOption, silent, callEnds(nodeKey, "timeout", 500, 1)).failing(FailsTimeout),
	callRun("a timeout of zero is none, although the agent has one", `{"timeout": 0, "agent": {"timeout": 300}, "destroyOnTimeout": true}`, silent, callRuns(0, 1)),
	callRun("a timeout longer than the agent's replaces it", `{"timeout": 1200, "agent": {"timeout": 300}, "destroyOnTimeout": true}`, silent, callEnds(nodeKey, "timeout", 1200, 1)).failing(FailsTimeout),
	callRun("a timeout longer than the agent's replaces it for the connect", `{"timeout": 1200, "agent": {"timeout": 300}, "destroyOnTimeout": true}`, calleeDeaf, callEnds(nodeKey, "timeout", 1200, 0)).failing(FailsTimeout),
	callRun("setTimeout longer than timeout replaces it once connected", `{"timeout": 300, "setTimeout": 1200, "destroyOnTimeout": true}`, silent, callEnds(nodeKey, "setTimeout", 1200, 1)).failing(FailsTimeout),
	callRun("AbortSignal.timeout ends the wait for a header", nodeSignal, silent, callEnds(nodeKey, "signal.timeout", 500, 1)).failing(FailsTimeout),
	callRun("AbortSignal.timeout ends a body that trickles", nodeSignal, calleeEvery100, callCut("signal.timeout", 500)).failing(FailsTimeout),
	callRun("AbortSignal.timeout ends the wait for a connect", nodeSignal, calleeDeaf, callEnds(nodeKey, "signal.timeout", 500, 0)).failing(FailsTimeout),
	callRun("nothing set waits for a header without end", `{}`, silent, callRuns(0, 1)),
	callRun("nothing set waits for a connect without end", `{}`, calleeDeaf, callRuns(0, 0)),
}

const (
	nodeOneSocket = `{"agent": {"keepAlive": true, "maxSockets": 1}%s}`
	nodeRaceAgent = `{"agent": {"keepAlive": true}}`
)

// nodePool depends on the agent.
var nodePool = []BlockScenario{
	callRun("the agent's queue has no limit of its own", fmt.Sprintf(nodeOneSocket, `, "timeout": 300, "destroyOnTimeout": true`), silent, callRuns(0, 0)).occupying(1),
	callRun("AbortSignal.timeout does not end the wait in the agent's queue", fmt.Sprintf(nodeOneSocket, `, "signal": {"timeout": 300}`), silent, callRuns(0, 0)).occupying(1),
	callRun("AbortSignal.timeout is told when the agent's queue moves on", fmt.Sprintf(nodeOneSocket, `, "signal": {"timeout": 300}`), calleeSlow(1000), callEnds(nodeKey, "signal.timeout", 800, 0)).failing(FailsTimeout).occupying(1).but("a saturated pool of the model never comes free"),
	callRun("the agent's timeout with destroy ends the wait for a header", `{"agent": {"timeout": 300}, "destroyOnTimeout": true}`, silent, callEnds(nodeKey, "agent.timeout", 300, 1)).failing(FailsTimeout),
	callRun("the agent's timeout with destroy bounds the connect", `{"agent": {"timeout": 300}, "destroyOnTimeout": true}`, calleeDeaf, callEnds(nodeKey, "agent.timeout", 300, 0)).failing(FailsTimeout),
	callRun("a GET on a pooled connection that was just closed is not sent again", nodeRaceAgent, calleeRaces, callEnds(nodeKey, "", 0, 1)).failing(FailsBroken).after(1),
	callRun("a request that is reset fails at once", nodeRaceAgent, calleeResets, callEnds(nodeKey, "", 0, 1)).failing(FailsBroken),
	callRun("a connection that is refused fails at once", nodeRaceAgent, calleeRefuses, callEnds(nodeKey, "", 0, 0)).failing(FailsRefused),
	callRun("a 503 is an answer like any other", nodeRaceAgent, calleeBusy, callWhole(503, 0, 1)),
	idleRun("the agent's timeout closes an idle connection", `{"agent": {"keepAlive": true, "timeout": 600}}`, "", Prediction{Setting: "agent.timeout", ElapsedMS: 600}),
	idleRun("an agent with keepAlive and no timeout keeps an idle connection", nodeRaceAgent, "", Prediction{Running: true}),
	idleRun("an agent without a timeout does not read what a server announces", nodeRaceAgent, "timeout=2", Prediction{Running: true}),
	idleRun("an agent without keepAlive keeps no connection", `{"agent": {}}`, "", Prediction{}),
}

// nodeClientOf is what differs between versions.
var nodeClientOf = map[string][]BlockScenario{
	"18": {
		idleRun("an announced time that is shorter than the agent's timeout is not read", `{"agent": {"keepAlive": true, "timeout": 1900}}`, "timeout=2", Prediction{Setting: "agent.timeout", ElapsedMS: 1900}),
		idleRun("the global agent keeps no connection", `{}`, "", Prediction{}),
		callRun("destroy on timeout without any timeout never ends a call", `{"destroyOnTimeout": true}`, silent, callRuns(0, 1)).observing(6000),
	},
	"20": {
		idleRun("an announced time, less 1 s, replaces an agent's timeout that is longer", `{"agent": {"keepAlive": true, "timeout": 1900}}`, "timeout=2", Prediction{ElapsedMS: 1000}),
		idleRun("an announced time of 1 s keeps no connection", `{"agent": {"keepAlive": true, "timeout": 1900}}`, "timeout=1", Prediction{}),
		idleRun("the global agent keeps an idle connection for 5 s", `{}`, "", Prediction{Setting: "agent.timeout", ElapsedMS: 5000}).observing(7000),
		callRun("destroy on timeout without any timeout has the global agent's 5 s", `{"destroyOnTimeout": true}`, silent, callEnds(nodeKey, "timeout", 5000, 1)).failing(FailsTimeout),
	},
}
