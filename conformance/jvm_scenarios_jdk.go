package conformance

import (
	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/conformance/fault"
)

// jdkClients are the clients that come with the JDK.
var jdkClients = []JVMScenario{
	other("jdkhttp", "a slow answer fails at the request's timeout", `{"request": {"timeout": "500ms"}}`, someJDK,
		JVMScenario{Server: fault.Config{Mode: fault.Slow, DelayMS: 2000}, Predict: timedOut("HttpTimeoutException", "request.timeout", 500)}),
	other("jdkhttp", "a body that comes in pieces is read to its end, longer than the request's timeout", `{"request": {"timeout": "700ms"}}`, someJDK,
		JVMScenario{Script: inPieces, Predict: JVMPrediction{Status: 200, Attempts: 1, ElapsedMS: 1500}, Unmodelled: takesTime}),
	other("jdkhttp", "a stalled body is never ended by the request's timeout", `{"request": {"timeout": "500ms"}}`, someJDK,
		JVMScenario{Server: stalls, ObserveMS: 2000, Predict: JVMPrediction{Status: 200, Attempts: 1, Running: true}}),
	other("jdkhttp", "a silent server is never ended without a timeout of the request", `{"client": {"connectTimeout": "500ms"}}`, someJDK,
		JVMScenario{Server: silent, ObserveMS: 2000, Predict: jvmNoEnd}),
	other("jdkhttp", "a stalled TLS handshake fails at connectTimeout", `{"client": {"connectTimeout": "500ms"}, "request": {"timeout": "1300ms"}}`, someJDK,
		JVMScenario{Server: tlsStall, Predict: jvmFails("HttpConnectTimeoutException", JVMPrediction{Phase: chain.CondConnectTimeout, Setting: "client.connectTimeout", ElapsedMS: 500}), Unmodelled: "the client calls a stalled handshake a connect"}),
	other("jdkhttp", "a black hole fails at connectTimeout, of the first address only", `{"client": {"connectTimeout": "500ms"}}`, someJDK,
		JVMScenario{Server: blackhole, Addresses: 3, Predict: jvmFails("HttpConnectTimeoutException", JVMPrediction{Phase: chain.CondConnectTimeout, Setting: "client.connectTimeout", Attempts: jvmNotSeen, ElapsedMS: 500})}),
	other("jdkhttp", "a black hole fails at the request's timeout where that is shorter", `{"client": {"connectTimeout": "1300ms"}, "request": {"timeout": "500ms"}}`, someJDK,
		JVMScenario{Server: blackhole, Predict: jvmFails("HttpConnectTimeoutException", JVMPrediction{Phase: chain.CondConnectTimeout, Setting: "request.timeout", Attempts: jvmNotSeen, ElapsedMS: 500})}),
	other("jdkhttp", "a GET whose connection is closed without an answer is sent again", `{}`, someJDK,
		JVMScenario{Script: closes, Predict: jvmFails("IOException", JVMPrediction{Phase: chain.CondReset, Attempts: 2}), Unmodelled: closesUnasked}),
	other("jdkhttp", "a POST whose connection is closed without an answer is not sent again", `{}`, someJDK,
		JVMScenario{Script: closes, Request: jvmPost, Predict: jvmFails("IOException", JVMPrediction{Phase: chain.CondReset, Attempts: 1}), Unmodelled: closesUnasked}),
	other("urlconnection", "a buffered POST whose connection is closed without an answer is sent again", `{}`, someJDK,
		JVMScenario{Script: closes, Request: jvmPost, Predict: jvmFails("SocketException", JVMPrediction{Phase: chain.CondReset, Attempts: 2}), Unmodelled: closesUnasked}),
	other("urlconnection", "a silent server fails at readTimeout and is asked once", `{"connectTimeout": "1300ms", "readTimeout": "500ms"}`, someJDK,
		JVMScenario{Server: silent, Predict: timedOut("SocketTimeoutException", "readTimeout", 500)}),
	other("urlconnection", "a readTimeout of zero means no limit", `{"readTimeout": "0s"}`, someJDK,
		JVMScenario{Server: silent, ObserveMS: 2000, Predict: jvmNoEnd}),
}

var jdkSockets = []JVMScenario{
	other("socket", "a black hole fails at the timeout of connect", `{"connectTimeout": "500ms", "soTimeout": "1300ms"}`, someJDK,
		JVMScenario{Server: blackhole, Predict: jvmFails("SocketTimeoutException", JVMPrediction{Phase: chain.CondConnectTimeout, Setting: "connectTimeout", Attempts: jvmNotSeen, ElapsedMS: 500})}),
	other("socket", "a constructor that connects has no limit", `{"soTimeout": "500ms"}`, someJDK,
		JVMScenario{Server: blackhole, ObserveMS: 2000, Predict: jvmNoEndUnder}),
	other("socket", "a connect with a timeout of zero has no limit", `{"connectTimeout": "0s", "soTimeout": "500ms"}`, someJDK,
		JVMScenario{Server: blackhole, ObserveMS: 2000, Predict: jvmNoEndUnder}),
	other("socket", "a stalled TLS handshake fails at soTimeout", `{"connectTimeout": "1300ms", "soTimeout": "500ms"}`, someJDK,
		JVMScenario{Server: tlsStall, Predict: jvmFails("SocketTimeoutException", JVMPrediction{Phase: chain.CondTLSTimeout, Setting: "soTimeout", ElapsedMS: 500})}),
	other("socket", "a silent server fails at soTimeout", `{"connectTimeout": "1300ms", "soTimeout": "500ms"}`, someJDK,
		JVMScenario{Server: silent, Predict: timedOut("SocketTimeoutException", "soTimeout", 500)}),
	other("socket", "a soTimeout of zero means no limit", `{"connectTimeout": "500ms", "soTimeout": "0s"}`, someJDK,
		JVMScenario{Server: silent, ObserveMS: 2000, Predict: jvmNoEnd}),
	other("socket", "a body that trickles is never ended by soTimeout", `{"connectTimeout": "500ms", "soTimeout": "500ms"}`, someJDK,
		JVMScenario{Server: trickles, ObserveMS: 2000, Predict: JVMPrediction{Status: 200, Attempts: 1, Running: true}}),
	other("socket", "a stalled body fails at soTimeout", `{"connectTimeout": "1300ms", "soTimeout": "500ms"}`, someJDK,
		JVMScenario{Server: stalls, Predict: jvmFails("SocketTimeoutException", JVMPrediction{Status: 200, Phase: chain.CondCut, Setting: "soTimeout", ElapsedMS: 500})}),
}
