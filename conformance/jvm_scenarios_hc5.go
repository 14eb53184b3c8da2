package conformance

import (
	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/conformance/fault"
	"tchain.dev/tchain/conformance/jvm"
)

const (
	hcCRT = "client.requestConfig.connectionRequestTimeout"
	hcRCT = "client.requestConfig.connectTimeout"
	hcRT  = "client.requestConfig.responseTimeout"
	hcCCT = "manager.connectionConfig.connectTimeout"
	hcST  = "manager.connectionConfig.socketTimeout"
	hcSO  = "manager.socketConfig.soTimeout"
	hcHS  = "manager.tlsConfig.handshakeTimeout"
)

func hcWait(setting string, ms int) JVMPrediction {
	return jvmFails("ConnectionRequestTimeoutException", JVMPrediction{Phase: chain.CondPoolTimeout, Setting: setting, Attempts: jvmNotSeen, ElapsedMS: ms})
}

func hcConnect(setting string, ms int) JVMPrediction {
	return jvmFails("ConnectTimeoutException", JVMPrediction{Phase: chain.CondConnectTimeout, Setting: setting, Attempts: jvmNotSeen, ElapsedMS: ms})
}

func hcTLS(setting string, ms int) JVMPrediction {
	return jvmFails("ConnectTimeoutException", JVMPrediction{Phase: chain.CondTLSTimeout, Setting: setting, ElapsedMS: ms})
}

func hcTunnel(setting string, ms int) JVMPrediction {
	return jvmFails("SocketTimeoutException", JVMPrediction{Phase: chain.CondTLSTimeout, Setting: setting, Attempts: jvmNotSeen, ElapsedMS: ms})
}

func hcRead(setting string, ms int) JVMPrediction {
	return jvmFails("SocketTimeoutException", JVMPrediction{Phase: chain.CondTimeout, Setting: setting, ElapsedMS: ms})
}

var (
	jvmNoEnd      = JVMPrediction{Attempts: 1, Running: true}
	jvmNoEndUnder = JVMPrediction{Attempts: jvmNotSeen, Running: true}
)

func hc5(name, settings string, s JVMScenario) JVMScenario {
	s.Name, s.Product, s.Settings = name, "httpclient5", settings
	if s.On == nil {
		s.On = all
	}
	return s
}

var hc5Phases = []JVMScenario{
	hc5("a pool without a free connection fails at connectionRequestTimeout",
		`{"manager": {"maxConnPerRoute": 1}, "client": {"requestConfig": {"connectionRequestTimeout": "500ms", "responseTimeout": "3s"}}}`,
		JVMScenario{Server: silent, Hold: 1, Predict: hcWait(hcCRT, 500)}),
	hc5("a connectionRequestTimeout of zero fails at once",
		`{"manager": {"maxConnPerRoute": 1}, "client": {"requestConfig": {"connectionRequestTimeout": "0s", "responseTimeout": "3s"}}}`,
		JVMScenario{Server: silent, Hold: 1, Predict: hcWait(hcCRT, 0)}),
	hc5("a connectionRequestTimeout of zero takes a connection that may be opened",
		`{"manager": {"maxConnPerRoute": 1}, "client": {"requestConfig": {"connectionRequestTimeout": "0s"}}}`,
		JVMScenario{Server: works, Predict: JVMPrediction{Status: 200, Attempts: 1}}),
	hc5("a refused connection fails at once", `{}`,
		JVMScenario{Server: fault.Config{Mode: fault.Refuse}, Predict: jvmFails("HttpHostConnectException", JVMPrediction{Phase: chain.CondRefused, Attempts: jvmNotSeen})}),
	hc5("a connect restarts for each of three addresses",
		`{"manager": {"connectionConfig": {"connectTimeout": "500ms"}}}`,
		JVMScenario{Server: blackhole, Addresses: 3, Predict: hcConnect(hcCCT, 1500)}),
	hc5("the request's connectTimeout beats the manager's",
		`{"manager": {"connectionConfig": {"connectTimeout": "1300ms"}}, "client": {"requestConfig": {"connectTimeout": "500ms"}}}`,
		JVMScenario{Server: blackhole, Predict: hcConnect(hcRCT, 500)}),
	hc5("a connectTimeout of zero on the request means no limit, whatever the manager says",
		`{"manager": {"connectionConfig": {"connectTimeout": "500ms"}}, "client": {"requestConfig": {"connectTimeout": "0s"}}}`,
		JVMScenario{Server: blackhole, ObserveMS: 2000, Predict: jvmNoEndUnder}),
	hc5("a context without a value drops the client's connectTimeout, so that the manager's is left",
		`{"manager": {"connectionConfig": {"connectTimeout": "1300ms"}}, "client": {"requestConfig": {"connectTimeout": "500ms"}}, "context": {"/balance": {}}}`,
		JVMScenario{Server: blackhole, Request: jvm.Request{Path: "/balance"}, Predict: hcConnect(hcCCT, 1300)}),
	hc5("a stalled TLS handshake fails at handshakeTimeout",
		`{"manager": {"connectionConfig": {"connectTimeout": "1300ms"}, "socketConfig": {"soTimeout": "2100ms"}, "tlsConfig": {"handshakeTimeout": "500ms"}}}`,
		JVMScenario{Server: tlsStall, Predict: hcTLS(hcHS, 500)}),
	hc5("a stalled TLS handshake without a limit of its own has connectTimeout since 5.5.1, soTimeout before",
		`{"manager": {"connectionConfig": {"connectTimeout": "500ms", "socketTimeout": "2100ms"}, "socketConfig": {"soTimeout": "1300ms"}}, "client": {"requestConfig": {"responseTimeout": "2900ms"}}}`,
		JVMScenario{Server: tlsStall, Predict: hcTLS(hcCCT, 500), Differs: map[string]JVMPrediction{hc55: hcTLS(hcSO, 1300)}}),
	hc5("a stalled TLS handshake is repeated for each of three addresses",
		`{"manager": {"connectionConfig": {"connectTimeout": "500ms"}, "socketConfig": {"soTimeout": "1s"}}}`,
		JVMScenario{Server: tlsStall, Addresses: 3, Predict: hcTLS(hcCCT, 1500), Differs: map[string]JVMPrediction{hc55: hcTLS(hcSO, 3000)}}),
	hc5("a stalled TLS handshake has no limit with a connectTimeout of zero since 5.5.1",
		`{"manager": {"connectionConfig": {"connectTimeout": "0s"}, "socketConfig": {"soTimeout": "500ms"}}}`,
		JVMScenario{Server: tlsStall, ObserveMS: 2000, Predict: jvmNoEnd, Differs: map[string]JVMPrediction{hc55: hcTLS(hcSO, 500)}}),
	hc5("a handshakeTimeout of zero means no limit",
		`{"manager": {"connectionConfig": {"connectTimeout": "500ms"}, "socketConfig": {"soTimeout": "500ms"}, "tlsConfig": {"handshakeTimeout": "0s"}}}`,
		JVMScenario{Server: tlsStall, ObserveMS: 2000, Predict: jvmNoEnd}),
}

var hc5Reads = []JVMScenario{
	hc5("a silent server fails at responseTimeout, which beats socketTimeout and soTimeout",
		`{"manager": {"connectionConfig": {"socketTimeout": "1300ms"}, "socketConfig": {"soTimeout": "2100ms"}}, "client": {"requestConfig": {"responseTimeout": "500ms"}}}`,
		JVMScenario{Server: silent, Predict: hcRead(hcRT, 500)}),
	hc5("a silent server fails at socketTimeout, which beats soTimeout",
		`{"manager": {"connectionConfig": {"socketTimeout": "500ms"}, "socketConfig": {"soTimeout": "1300ms"}}}`,
		JVMScenario{Server: silent, Predict: hcRead(hcST, 500)}),
	hc5("a silent server fails at soTimeout where nothing else is set",
		`{"manager": {"socketConfig": {"soTimeout": "500ms"}}}`,
		JVMScenario{Server: silent, Predict: hcRead(hcSO, 500)}),
	hc5("a socketTimeout of zero means no limit, whatever soTimeout says",
		`{"manager": {"connectionConfig": {"socketTimeout": "0s"}, "socketConfig": {"soTimeout": "500ms"}}}`,
		JVMScenario{Server: silent, ObserveMS: 2000, Predict: jvmNoEnd}),
	hc5("a responseTimeout of zero means no limit, whatever soTimeout says",
		`{"manager": {"socketConfig": {"soTimeout": "500ms"}}, "client": {"requestConfig": {"responseTimeout": "0s"}}}`,
		JVMScenario{Server: silent, ObserveMS: 2000, Predict: jvmNoEnd}),
	hc5("a read timeout is not retried, also of a GET",
		`{"client": {"requestConfig": {"responseTimeout": "500ms"}, "retryStrategy": {"maxRetries": 3, "defaultRetryInterval": "1300ms"}}}`,
		JVMScenario{Server: silent, Predict: hcRead(hcRT, 500)}),
	hc5("a header that drips is never ended by responseTimeout",
		`{"client": {"requestConfig": {"responseTimeout": "500ms"}}}`,
		JVMScenario{Server: fault.Config{Mode: fault.HeaderDrip, IntervalMS: 200}, ObserveMS: 2000, Predict: jvmNoEnd}),
	hc5("a body that trickles is never ended by responseTimeout",
		`{"client": {"requestConfig": {"responseTimeout": "500ms"}}}`,
		JVMScenario{Server: trickles, ObserveMS: 2000, Predict: JVMPrediction{Status: 200, Attempts: 1, Running: true}}),
	hc5("a body that comes in pieces is read to its end, longer than responseTimeout",
		`{"client": {"requestConfig": {"responseTimeout": "700ms"}}}`,
		JVMScenario{Script: inPieces, Predict: JVMPrediction{Status: 200, Attempts: 1, ElapsedMS: 1500}, Unmodelled: "a body that takes time and ends is no fault of the model"}),
	hc5("a stalled body fails at responseTimeout",
		`{"client": {"requestConfig": {"responseTimeout": "500ms"}}}`,
		JVMScenario{Server: stalls, Predict: jvmFails("SocketTimeoutException", JVMPrediction{Status: 200, Phase: chain.CondCut, Setting: hcRT, ElapsedMS: 500})}),
	hc5("a slow answer inside responseTimeout is passed on",
		`{"client": {"requestConfig": {"responseTimeout": "1500ms"}}}`,
		JVMScenario{Server: fault.Config{Mode: fault.Slow, DelayMS: 700}, Predict: JVMPrediction{Status: 200, Attempts: 1, ElapsedMS: 700}}),
	hc5("a fresh https connection reads by soTimeout, not by connectTimeout",
		`{"manager": {"connectionConfig": {"connectTimeout": "500ms"}, "socketConfig": {"soTimeout": "1300ms"}}}`,
		JVMScenario{Server: fault.Config{Mode: fault.Silent, TLS: true}, Predict: hcRead(hcSO, 1300)}),
	hc5("a fresh https connection reads by handshakeTimeout in 5.5, by soTimeout since 5.5.1",
		`{"manager": {"socketConfig": {"soTimeout": "1300ms"}, "tlsConfig": {"handshakeTimeout": "500ms"}}}`,
		JVMScenario{Server: fault.Config{Mode: fault.Silent, TLS: true}, Predict: hcRead(hcSO, 1300), Differs: map[string]JVMPrediction{hc55: hcRead(hcHS, 500)}}),
	hc5("a context's responseTimeout beats the client's on its path",
		`{"client": {"requestConfig": {"responseTimeout": "1300ms"}}, "context": {"/balance": {"copyOf": "client", "responseTimeout": "500ms"}}}`,
		JVMScenario{Server: silent, Request: jvm.Request{Path: "/balance"}, Predict: hcRead(`context."/balance".responseTimeout`, 500)}),
	hc5("a context without a value drops the client's responseTimeout, so that soTimeout is left",
		`{"manager": {"socketConfig": {"soTimeout": "1300ms"}}, "client": {"requestConfig": {"responseTimeout": "500ms"}}, "context": {"/balance": {"connectionRequestTimeout": "2100ms"}}}`,
		JVMScenario{Server: silent, Request: jvm.Request{Path: "/balance"}, Predict: hcRead(hcSO, 1300)}),
}
