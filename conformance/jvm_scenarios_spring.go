package conformance

import (
	"slices"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/conformance/fault"
)

// springMerges are the factory's values beside the client's.
var springMerges = slices.Concat(
	springed("the factory's readTimeout beats the client's responseTimeout, unless Spring drops it",
		`{"client": {"requestConfig": {"responseTimeout": "1300ms"}}, "factory": {"readTimeout": "500ms"}}`, []string{boot35, boot41, hc55, spring626},
		JVMScenario{Server: silent, Predict: hcRead("factory.readTimeout", 500), Differs: map[string]JVMPrediction{spring626: hcRead(hcRT, 1300)}}),
	springed("the factory's connectTimeout beats the client's, unless Spring drops it, and is gone in 7.0",
		`{"client": {"requestConfig": {"connectTimeout": "1300ms"}}, "factory": {"connectTimeout": "500ms"}}`, []string{boot35, boot41, spring626, spring6114},
		JVMScenario{Server: blackhole, Predict: hcConnect("factory.connectTimeout", 500), Differs: map[string]JVMPrediction{
			boot41: rejects("setConnectTimeout"), spring626: hcConnect(hcRCT, 1300), spring6114: hcConnect(hcRCT, 1300),
		}}),
	springed("the factory's connectionRequestTimeout beats the client's, unless Spring drops it",
		`{"manager": {"maxConnPerRoute": 1}, "client": {"requestConfig": {"connectionRequestTimeout": "1300ms"}}, "factory": {"connectionRequestTimeout": "500ms"}}`, []string{boot35, boot41, spring626, spring6114},
		JVMScenario{Server: silent, Hold: 1, Predict: hcWait("factory.connectionRequestTimeout", 500), Differs: map[string]JVMPrediction{
			spring626: hcWait(hcCRT, 1300), spring6114: hcWait(hcCRT, 1300),
		}}),
	springed("what the factory does not say comes from the client",
		`{"client": {"requestConfig": {"responseTimeout": "500ms"}}, "factory": {"connectionRequestTimeout": "1300ms"}}`, boots,
		JVMScenario{Server: silent, Predict: hcRead(hcRT, 500)}),
	springed("a factory's connectionRequestTimeout of zero fails at once",
		`{"manager": {"maxConnPerRoute": 1}, "factory": {"connectionRequestTimeout": "0s"}}`, boots,
		JVMScenario{Server: silent, Hold: 1, Predict: hcWait("factory.connectionRequestTimeout", 0)}),
	springed("a factory's readTimeout of zero means no limit",
		`{"client": {"requestConfig": {"responseTimeout": "500ms"}}, "factory": {"readTimeout": "0s"}}`, boots,
		JVMScenario{Server: silent, ObserveMS: 2000, Predict: jvmNoEnd}),
	springed("a factory's readTimeout below a millisecond means no limit",
		`{"client": {"requestConfig": {"responseTimeout": "500ms"}}, "factory": {"readTimeout": "999us"}}`, boots,
		JVMScenario{Server: silent, ObserveMS: 2000, Predict: jvmNoEnd}),
)

// springContexts are configs that a context carries.
var springContexts = slices.Concat(
	springed("a context's config drops the factory's and the client's values on its path",
		`{"manager": {"socketConfig": {"soTimeout": "1300ms"}}, "client": {"requestConfig": {"responseTimeout": "2100ms"}}, "factory": {"readTimeout": "500ms"}, "context": {"/balance": {}}}`, boots,
		JVMScenario{Server: silent, Request: onBalance, Predict: hcRead(hcSO, 1300)}),
	springed("a context's config leaves the pool wait at three minutes, whatever the factory says",
		`{"manager": {"maxConnPerRoute": 1}, "client": {"requestConfig": {"connectionRequestTimeout": "1300ms"}}, "factory": {"connectionRequestTimeout": "500ms"}, "context": {"/balance": {"responseTimeout": "10s"}}}`, boots,
		JVMScenario{Server: silent, Request: onBalance, Hold: 1, ObserveMS: 2500, Predict: jvmNoEndUnder}),
	springed("a context's copy of the client's config drops the factory's values only",
		`{"client": {"requestConfig": {"responseTimeout": "1300ms"}}, "factory": {"readTimeout": "500ms"}, "context": {"/balance": {"copyOf": "client"}}}`, boots,
		JVMScenario{Server: silent, Request: onBalance, Predict: hcRead(hcRT, 1300)}),
	springed("a context's responseTimeout is in force on its path",
		`{"factory": {"readTimeout": "1300ms"}, "context": {"/balance": {"responseTimeout": "500ms"}}}`, boots,
		JVMScenario{Server: silent, Request: onBalance, Predict: hcRead(`context."/balance".responseTimeout`, 500)}),
	springed("the factory's readTimeout is in force on a path without a context",
		`{"factory": {"readTimeout": "500ms"}, "context": {"/balance": {"responseTimeout": "1300ms"}}}`, boots,
		JVMScenario{Server: silent, Predict: hcRead("factory.readTimeout", 500)}),
	springed("a context that holds RequestConfig.DEFAULT itself counts as none since 6.2.7",
		`{"manager": {"socketConfig": {"soTimeout": "1300ms"}}, "factory": {"readTimeout": "500ms"}, "context": {"/balance": {"object": "DEFAULT"}}}`, []string{boot35, boot41, spring626},
		JVMScenario{Server: silent, Request: onBalance, Predict: hcRead("factory.readTimeout", 500), Differs: map[string]JVMPrediction{spring626: hcRead(hcSO, 1300)}}),
	springed("a context that holds a copy of RequestConfig.DEFAULT counts as a config",
		`{"manager": {"socketConfig": {"soTimeout": "1300ms"}}, "factory": {"readTimeout": "500ms"}, "context": {"/balance": {"copyOf": "DEFAULT"}}}`, boots,
		JVMScenario{Server: silent, Request: onBalance, Predict: hcRead(hcSO, 1300)}),
	springed("a POST that is answered 503 is sent again below Spring", `{}`, boots,
		JVMScenario{Server: fault.Config{Mode: fault.Unavailable}, Request: jvmPost, Predict: JVMPrediction{Status: 503, Attempts: 2, ElapsedMS: 1000}}),
	springed("a stalled TLS handshake surfaces as HttpClient's exception inside Spring's",
		`{"manager": {"tlsConfig": {"handshakeTimeout": "500ms"}}}`, boots,
		JVMScenario{Server: tlsStall, Predict: hcTLS(hcHS, 500)}),
)

func other(product, name, settings string, on []string, s JVMScenario) JVMScenario {
	s.Name, s.Product, s.Settings, s.On = name, product, settings, on
	return s
}

func timedOut(class, setting string, ms int) JVMPrediction {
	return jvmFails(class, JVMPrediction{Phase: chain.CondTimeout, Setting: setting, ElapsedMS: ms})
}

// springOthers are the other factories of Spring's blocking clients.
var springOthers = []JVMScenario{
	other("jdkfactory", "readTimeout is a total deadline: a body that comes in pieces is cut", `{"factory": {"readTimeout": "700ms"}}`, boots,
		JVMScenario{Script: inPieces, Predict: jvmFails("IOException", JVMPrediction{Status: 200, Phase: chain.CondCut, Setting: "factory.readTimeout", ElapsedMS: 700}), Unmodelled: takesTime}),
	other("jdkfactory", "readTimeout bounds only the header before 6.2: a body that comes in pieces is read", `{"factory": {"readTimeout": "700ms"}}`, []string{spring6114},
		JVMScenario{Script: inPieces, Predict: JVMPrediction{Status: 200, Attempts: 1, ElapsedMS: 1500}, Unmodelled: takesTime}),
	other("jdkfactory", "a silent server fails at readTimeout", `{"factory": {"readTimeout": "500ms"}}`, boots,
		JVMScenario{Server: silent, Predict: timedOut("HttpTimeoutException", "factory.readTimeout", 500)}),
	other("jdkfactory", "a readTimeout of zero fails at once although the server works, until 7.0.10", `{"factory": {"readTimeout": "0s"}}`, []string{boot35, hc56, boot41},
		JVMScenario{
			Server: fault.Config{Mode: fault.Slow, DelayMS: 700}, Predict: jvmFails("HttpTimeoutException", JVMPrediction{Phase: chain.CondTimeout, Setting: "factory.readTimeout", Attempts: jvmNotSeen}),
			Differs:    map[string]JVMPrediction{boot41: {Status: 200, Attempts: 1, ElapsedMS: 700}},
			Unmodelled: "what fires at once is told at the first phase, and 7.0.10 alone takes zero for none",
		}),
	other("simplefactory", "a silent server fails at readTimeout", `{"factory": {"readTimeout": "500ms"}}`, boots,
		JVMScenario{Server: silent, Predict: timedOut("SocketTimeoutException", "factory.readTimeout", 500)}),
	other("simplefactory", "a readTimeout of zero means no limit", `{"factory": {"readTimeout": "0s"}}`, boots,
		JVMScenario{Server: silent, ObserveMS: 2000, Predict: jvmNoEnd}),
	other("simplefactory", "a body that comes in pieces is read to its end", `{"factory": {"readTimeout": "700ms"}}`, boots,
		JVMScenario{Script: inPieces, Predict: JVMPrediction{Status: 200, Attempts: 1, ElapsedMS: 1500}, Unmodelled: takesTime}),
	other("simplefactory", "a black hole fails at connectTimeout", `{"factory": {"connectTimeout": "500ms", "readTimeout": "1300ms"}}`, boots,
		JVMScenario{Server: blackhole, Predict: jvmFails("SocketTimeoutException", JVMPrediction{Phase: chain.CondConnectTimeout, Setting: "factory.connectTimeout", Attempts: jvmNotSeen, ElapsedMS: 500})}),
}
