package conformance

import (
	"slices"

	"tchain.dev/tchain/conformance/fault"
)

// The clients of data stores: they run in the test's own process, in front of
// a server that speaks just enough of the protocol to go wrong.
const (
	redisKey = "goRedis"
	pgxKey   = "pgx"
)

// StoreScenarios are the runs of go-redis and of pgx.
func StoreScenarios() []BlockScenario {
	return slices.Concat(clientRuns(redisKey, redisRuns), clientRuns(pgxKey, pgxRuns))
}

var redisRuns = []BlockScenario{
	fires("ReadTimeout ends the wait for a reply", `{"ReadTimeout": "300ms", "MaxRetries": -1}`, silent, redisKey, "ReadTimeout", 300, 1),
	fires("MaxRetries asks again", `{"ReadTimeout": "300ms", "MaxRetries": 1}`, silent, redisKey, "ReadTimeout", 610, 2),
	fires("MaxRetries not written asks three times more", `{"ReadTimeout": "300ms"}`, silent, redisKey, "ReadTimeout", 1270, 4),
	fires("a MaxRetries of zero is the default", `{"ReadTimeout": "300ms", "MaxRetries": 0}`, silent, redisKey, "ReadTimeout", 1270, 4),
	fires("the wait before a repeat doubles up to MaxRetryBackoff", `{"ReadTimeout": "300ms", "MaxRetries": 2, "MinRetryBackoff": "20ms", "MaxRetryBackoff": "30ms"}`, silent, redisKey, "ReadTimeout", 950, 3),
	callRun("a ReadTimeout of -1ns is none", `{"ReadTimeout": "-1ns"}`, silent, callRuns(0, 1)),
	callRun("a reply inside ReadTimeout comes whole", `{"ReadTimeout": "600ms"}`, calleeSlow(300), callWhole(200, 300, 1)),
	fires("the context's deadline does not end a read", `{"context": {"timeout": "300ms"}, "ReadTimeout": "900ms", "MaxRetries": -1}`, silent, redisKey, "ReadTimeout", 900, 1),
	fires("with ContextTimeoutEnabled the context's deadline ends a read", `{"context": {"timeout": "300ms"}, "ContextTimeoutEnabled": true, "ReadTimeout": "900ms", "MaxRetries": -1}`, silent, redisKey, "context.timeout", 300, 1),
	fires("no repeat begins after the context's deadline", `{"context": {"timeout": "1s"}, "ReadTimeout": "600ms"}`, silent, redisKey, "ReadTimeout", 1210, 2),
	fires("DialTimeout ends the wait for a connect", `{"DialTimeout": "300ms", "DialerRetries": 1, "MaxRetries": -1}`, calleeDeaf, redisKey, "DialTimeout", 300, 0),
	fires("DialerRetries dials again, each time after DialerRetryTimeout", `{"DialTimeout": "300ms", "DialerRetries": 2, "DialerRetryTimeout": "200ms", "MaxRetries": -1}`, calleeDeaf, redisKey, "DialTimeout", 800, 0),
	fires("the context's deadline ends the wait for a connect", `{"context": {"timeout": "300ms"}, "MaxRetries": -1}`, calleeDeaf, redisKey, "context.timeout", 300, 0),
	fires("PoolTimeout ends the wait for one of PoolSize", `{"PoolTimeout": "300ms", "PoolSize": 1, "MaxRetries": -1, "ReadTimeout": "5s"}`, silent, redisKey, "PoolTimeout", 300, 0).occupying(1),
	callRun("a connection that is refused fails at once", `{"DialerRetries": 1, "MaxRetries": -1}`, calleeRefuses, callEnds(redisKey, "", 0, 0)).failing(FailsRefused),
}

var pgxRuns = []BlockScenario{
	fires("the context's deadline ends the wait for an answer", `{"context": {"timeout": "300ms"}}`, silent, pgxKey, "context.timeout", 300, 1),
	callRun("nothing set waits for an answer without end", `{}`, silent, callRuns(0, 1)),
	callRun("an answer inside the deadline comes whole", `{"context": {"timeout": "600ms"}}`, calleeSlow(300), callWhole(200, 300, 1)),
	fires("ConnectTimeout ends the wait for a connect", `{"ConnectTimeout": "400ms"}`, calleeDeaf, pgxKey, "ConnectTimeout", 400, 0),
	fires("the context's deadline ends the wait for a connect", `{"context": {"timeout": "300ms"}}`, calleeDeaf, pgxKey, "context.timeout", 300, 0),
	callRun("ConnectTimeout does not bound a query", `{"ConnectTimeout": "400ms"}`, silent, callRuns(0, 1)),
	fires("the context's deadline ends the wait for one of MaxConns", `{"context": {"timeout": "300ms"}, "MaxConns": 1}`, silent, pgxKey, "context.timeout", 300, 0).occupying(1),
	callRun("the wait for one of MaxConns has no limit of its own", `{"ConnectTimeout": "400ms", "MaxConns": 1}`, silent, callRuns(0, 0)).occupying(1),
	callRun("a connection that is refused fails at once", `{}`, fault.Config{Mode: fault.Refuse}, callEnds(pgxKey, "", 0, 0)).failing(FailsRefused),
}
