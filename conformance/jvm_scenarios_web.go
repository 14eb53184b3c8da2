package conformance

import (
	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/conformance/fault"
)

func web(name, settings string, s JVMScenario) JVMScenario {
	s.Name, s.Product, s.Settings, s.On = name, "webclient", settings, boots
	return s
}

func webDeadline(setting string, attempts, ms int) JVMPrediction {
	return JVMPrediction{Error: "TimeoutException", Phase: chain.CondDeadline, Setting: setting, Attempts: attempts, ElapsedMS: ms}
}

// webTunnel is a proxy that does not answer CONNECT.
func webTunnel(ms int) JVMPrediction {
	return jvmFails("ProxyConnectException", JVMPrediction{Phase: chain.CondConnectTimeout, Setting: "httpClient.proxy.connectTimeoutMillis", Attempts: jvmNotSeen, ElapsedMS: ms})
}

// Why the model says something else.
const (
	recovers = "the model has no service that fails a few times and then answers"
	only503  = "the model has one status for a service that is unavailable, 503"
)

// twiceOn503 is a timeout for each attempt, two repeats of a 503, and one for all.
const twiceOn503 = `{"operators": [{"timeout": "1s"}, {"retryWhen": {"maxAttempts": 2, "fixedDelay": "10ms", "statuses": [503]}}, {"timeout": "8s"}]}`

// webOperators are the orders in which a timeout and a retry can stand.
var webOperators = []JVMScenario{
	web("two 503 and then an answer are three requests", twiceOn503,
		JVMScenario{Server: fault.Config{Mode: fault.Unavailable, Times: 2}, Predict: JVMPrediction{Status: 200, Attempts: 3}, Unmodelled: recovers}),
	web("a 503 that stays is passed on after three requests", twiceOn503,
		JVMScenario{Server: fault.Config{Mode: fault.Unavailable}, Predict: JVMPrediction{Status: 503, Attempts: 3, ElapsedMS: 20}}),
	web("a 404 is not in the filter and not repeated", twiceOn503,
		JVMScenario{Server: fault.Config{Mode: fault.Unavailable, Status: 404}, Predict: JVMPrediction{Status: 404, Attempts: 1}, Unmodelled: only503}),
	web("a 500 is not in the filter and not repeated", twiceOn503,
		JVMScenario{Server: fault.Config{Mode: fault.Unavailable, Status: 500}, Predict: JVMPrediction{Status: 500, Attempts: 1}, Unmodelled: only503}),
	web("a timeout of an attempt is not in the filter and not repeated", twiceOn503,
		JVMScenario{Server: silent, Predict: webDeadline("operators[0].timeout", 1, 1000)}),
	web("a timeout after the retry ends its delay", `{"operators": [{"timeout": "3s"}, {"retryWhen": {"maxAttempts": 2, "fixedDelay": "1s", "statuses": [503]}}, {"timeout": "1500ms"}]}`,
		JVMScenario{Server: fault.Config{Mode: fault.Unavailable}, Predict: webDeadline("operators[2].timeout", 2, 1500)}),
	web("a timeout before the retry is new for each attempt", `{"operators": [{"timeout": "1500ms"}, {"retryWhen": {"maxAttempts": 2, "fixedDelay": "400ms", "statuses": [503]}}, {"timeout": "5s"}]}`,
		JVMScenario{Script: &jvmScript{Steps: []jvmStep{{AfterMS: 600, Status: 503}, {AfterMS: 600}}}, Predict: JVMPrediction{Status: 200, Attempts: 2, ElapsedMS: 1600}, Unmodelled: recovers}),
	web("attempts that time out are repeated where the filter lets them, until the timeout after the retry", `{"operators": [{"timeout": "1s"}, {"retryWhen": {"maxAttempts": 2, "fixedDelay": "10ms"}}, {"timeout": "2500ms"}]}`,
		JVMScenario{Server: silent, Predict: webDeadline("operators[2].timeout", 3, 2500)}),
	web("without a timeout after the retry the attempts add up", `{"operators": [{"timeout": "700ms"}, {"retryWhen": {"maxAttempts": 2, "fixedDelay": "100ms"}}]}`,
		JVMScenario{Server: silent, Predict: webDeadline("operators[0].timeout", 3, 2300)}),
	web("attempts that stop after the header are repeated as others are", `{"operators": [{"timeout": "700ms"}, {"retryWhen": {"maxAttempts": 2, "fixedDelay": "100ms"}}]}`,
		JVMScenario{Server: stalls, Predict: webDeadline("operators[0].timeout", 3, 2300)}),
	web("a timeout after the retry alone bounds no attempt", `{"operators": [{"retryWhen": {"maxAttempts": 2, "fixedDelay": "10ms"}}, {"timeout": "1s"}]}`,
		JVMScenario{Server: silent, Predict: webDeadline("operators[1].timeout", 1, 1000)}),
	web("a backoff doubles its delay", `{"operators": [{"retryWhen": {"maxAttempts": 2, "minBackoff": "400ms", "statuses": [503]}}]}`,
		JVMScenario{Server: fault.Config{Mode: fault.Unavailable}, Predict: JVMPrediction{Status: 503, Attempts: 3, ElapsedMS: 1200}}),
	web("attempts that run out surface as an exception of their own, unless they are told not to", `{"operators": [{"retryWhen": {"maxAttempts": 1, "fixedDelay": "10ms", "statuses": [503], "exhaustedException": true}}]}`,
		JVMScenario{Server: fault.Config{Mode: fault.Unavailable}, Predict: JVMPrediction{Error: "RetryExhaustedException", Attempts: 2, ElapsedMS: 10}}),
	web("a body that trickles is ended by a timeout of the whole", `{"httpClient": {"responseTimeout": "500ms"}, "operators": [{"timeout": "1300ms"}]}`,
		JVMScenario{Server: trickles, Predict: webDeadline("operators[0].timeout", 1, 1300)}),
}

var webTransport = []JVMScenario{
	web("nothing ends a silent server where nothing is set", `{}`,
		JVMScenario{Server: silent, ObserveMS: 2000, Predict: jvmNoEnd}),
	web("a pool without a free connection fails at pendingAcquireTimeout", `{"connectionProvider": {"maxConnections": 1, "pendingAcquireTimeout": "500ms"}, "httpClient": {"responseTimeout": "3s"}}`,
		JVMScenario{Server: silent, Hold: 1, Predict: jvmFails("PoolAcquireTimeoutException", JVMPrediction{Phase: chain.CondPoolTimeout, Setting: "connectionProvider.pendingAcquireTimeout", Attempts: jvmNotSeen, ElapsedMS: 500})}),
	web("a pendingAcquireTimeout of zero means no limit", `{"connectionProvider": {"maxConnections": 1, "pendingAcquireTimeout": "0s"}}`,
		JVMScenario{Server: silent, Hold: 1, ObserveMS: 2000, Predict: jvmNoEndUnder}),
	web("a pendingAcquireMaxCount of zero fails at once", `{"connectionProvider": {"maxConnections": 1, "pendingAcquireMaxCount": 0}}`,
		JVMScenario{Server: silent, Hold: 1, Predict: jvmFails("PoolAcquirePendingLimitException", JVMPrediction{Phase: chain.CondPoolTimeout, Setting: "connectionProvider.pendingAcquireMaxCount", Attempts: jvmNotSeen})}),
	web("a connect restarts for each of three addresses", `{"httpClient": {"connectTimeoutMillis": 500}}`,
		JVMScenario{Server: blackhole, Addresses: 3, Predict: jvmFails("ConnectTimeoutException", JVMPrediction{Phase: chain.CondConnectTimeout, Setting: "httpClient.connectTimeoutMillis", Attempts: jvmNotSeen, ElapsedMS: 1500})}),
	web("a stalled TLS handshake fails at handshakeTimeout", `{"httpClient": {"connectTimeoutMillis": 1300, "responseTimeout": "2100ms", "secure": {"handshakeTimeout": "500ms"}}}`,
		JVMScenario{Server: tlsStall, Predict: jvmFails("SslHandshakeTimeoutException", JVMPrediction{Phase: chain.CondTLSTimeout, Setting: "httpClient.secure.handshakeTimeout", ElapsedMS: 500})}),
	web("a proxy that does not answer CONNECT fails at the proxy's connectTimeoutMillis", `{"httpClient": {"connectTimeoutMillis": 1300, "responseTimeout": "2100ms", "proxy": {"connectTimeoutMillis": 500}, "secure": {"handshakeTimeout": "2900ms"}}}`,
		JVMScenario{Proxy: fault.ProxySilent, Predict: webTunnel(500)}),
	web("which is 10 s where nobody sets it", `{"httpClient": {"connectTimeoutMillis": 1300, "responseTimeout": "2100ms"}}`,
		JVMScenario{Proxy: fault.ProxySilent, Predict: webTunnel(10_000)}),
	web("and at 0 nothing ends the wait", `{"httpClient": {"connectTimeoutMillis": 500, "responseTimeout": "500ms", "proxy": {"connectTimeoutMillis": 0}}}`,
		JVMScenario{Proxy: fault.ProxySilent, ObserveMS: 2000, Predict: jvmNoEndUnder}),
	web("a handshake that stalls in a tunnel has its time from the answer to CONNECT on", `{"httpClient": {"proxy": {"connectTimeoutMillis": 1300}, "secure": {"handshakeTimeout": "500ms"}}}`,
		JVMScenario{Proxy: fault.ProxyStall, Predict: jvmFails("SslHandshakeTimeoutException", JVMPrediction{Phase: chain.CondTLSTimeout, Setting: "httpClient.secure.handshakeTimeout", Attempts: jvmNotSeen, ElapsedMS: 500})}),
	web("a silent server fails at responseTimeout and is asked once", `{"httpClient": {"responseTimeout": "500ms"}}`,
		JVMScenario{Server: silent, Predict: timedOut("ReadTimeoutException", "httpClient.responseTimeout", 500)}),
	web("a stalled body fails at responseTimeout", `{"httpClient": {"responseTimeout": "500ms"}}`,
		JVMScenario{Server: stalls, Predict: jvmFails("ReadTimeoutException", JVMPrediction{Status: 200, Phase: chain.CondCut, Setting: "httpClient.responseTimeout", ElapsedMS: 500})}),
	web("a body that trickles is never ended by responseTimeout", `{"httpClient": {"responseTimeout": "500ms"}}`,
		JVMScenario{Server: trickles, ObserveMS: 2000, Predict: jvmNoEnd}),
	web("a body that comes in pieces is read to its end, longer than responseTimeout", `{"httpClient": {"responseTimeout": "700ms"}}`,
		JVMScenario{Script: inPieces, Predict: JVMPrediction{Status: 200, Attempts: 1, ElapsedMS: 1500}, Unmodelled: takesTime}),
	web("a GET on a connection that was just closed is not sent again once its header is written", `{}`,
		JVMScenario{Server: raced, Before: jvmFirst, Predict: jvmFails("SocketException", JVMPrediction{Phase: chain.CondReset, Attempts: 1})}),
	web("a GET whose connection is reset is not sent again", `{}`,
		JVMScenario{Server: fault.Config{Mode: fault.Reset}, Predict: jvmFails("SocketException", JVMPrediction{Phase: chain.CondReset, Attempts: 1})}),
	web("a name server that never answers fails at queryTimeout", `{"httpClient": {"resolver": {"queryTimeout": "500ms"}}}`,
		JVMScenario{Server: works, Nameserver: true, Predict: jvmFails("UnknownHostException", JVMPrediction{Phase: chain.CondDNSTimeout, Setting: "httpClient.resolver.queryTimeout", Attempts: jvmNotSeen, ElapsedMS: 500}), Unmodelled: "the model has no fault of a name server"}),
}
