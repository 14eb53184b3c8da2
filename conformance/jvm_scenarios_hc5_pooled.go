package conformance

import (
	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/conformance/fault"
	"tchain.dev/tchain/conformance/jvm"
)

// hc5Reused are reads on a connection that an earlier request left.
var hc5Reused = []JVMScenario{
	hc5("a pooled connection reads by the responseTimeout of the request before, through 5.6",
		`{"manager": {"socketConfig": {"soTimeout": "1300ms"}}, "context": {"/first": {"responseTimeout": "500ms"}}}`,
		JVMScenario{Script: thenMute, Before: jvmFirst, Predict: hcRead(`context."/first".responseTimeout`, 500), Differs: map[string]JVMPrediction{boot41: hcRead(hcSO, 1300)}}),
	hc5("a socketTimeout repairs the read of a pooled connection since 5.5.1",
		`{"manager": {"connectionConfig": {"socketTimeout": "1300ms"}, "socketConfig": {"soTimeout": "2100ms"}}, "context": {"/first": {"responseTimeout": "500ms"}}}`,
		JVMScenario{Script: thenMute, Before: jvmFirst, Predict: hcRead(hcST, 1300), Differs: map[string]JVMPrediction{hc55: hcRead(`context."/first".responseTimeout`, 500)}}),
	hc5("a responseTimeout of zero of the request before leaves no limit, through 5.6",
		`{"manager": {"socketConfig": {"soTimeout": "500ms"}}, "context": {"/first": {"responseTimeout": "0s"}}}`,
		JVMScenario{Script: thenMute, Before: jvmFirst, ObserveMS: 2000, Predict: jvmNoEnd, Differs: map[string]JVMPrediction{boot41: hcRead(hcSO, 500)}}),
	hc5("a pooled https connection reads by connectTimeout from 5.5.1 through 5.6",
		`{"manager": {"connectionConfig": {"connectTimeout": "500ms"}, "socketConfig": {"soTimeout": "1300ms"}}}`,
		JVMScenario{Script: thenMuteS, Before: jvmFirst, Predict: hcRead(hcCCT, 500), Differs: map[string]JVMPrediction{boot41: hcRead(hcSO, 1300), hc55: hcRead(hcSO, 1300)}}),
	hc5("a pooled https connection reads by handshakeTimeout through 5.6",
		`{"manager": {"connectionConfig": {"connectTimeout": "2100ms"}, "socketConfig": {"soTimeout": "1300ms"}, "tlsConfig": {"handshakeTimeout": "500ms"}}}`,
		JVMScenario{Script: thenMuteS, Before: jvmFirst, Predict: hcRead(hcHS, 500), Differs: map[string]JVMPrediction{boot41: hcRead(hcSO, 1300)}}),
	hc5("a pooled https connection reads by the connectTimeout of the request that opened it from 5.5.1 through 5.6",
		`{"manager": {"connectionConfig": {"connectTimeout": "1300ms"}, "socketConfig": {"soTimeout": "1300ms"}}, "context": {"/first": {"connectTimeout": "500ms"}}}`,
		JVMScenario{Script: thenMuteS, Before: jvmFirst, Predict: hcRead(`context."/first".connectTimeout`, 500), Differs: map[string]JVMPrediction{boot41: hcRead(hcSO, 1300), hc55: hcRead(hcSO, 1300)}}),
	hc5("a responseTimeout of its own is in force on a pooled connection",
		`{"manager": {"connectionConfig": {"connectTimeout": "1300ms"}}, "client": {"requestConfig": {"responseTimeout": "500ms"}}, "context": {"/first": {"responseTimeout": "2100ms"}}}`,
		JVMScenario{Script: thenMuteS, Before: jvmFirst, Predict: hcRead(hcRT, 500)}),
}

var hc5Tunnels = []JVMScenario{
	hc5("a stalled handshake in a tunnel has handshakeTimeout through 5.5, soTimeout since",
		`{"manager": {"connectionConfig": {"connectTimeout": "1300ms"}, "socketConfig": {"soTimeout": "2100ms"}, "tlsConfig": {"handshakeTimeout": "500ms"}}}`,
		JVMScenario{Proxy: fault.ProxyStall, Predict: hcTunnel(hcSO, 2100), Differs: map[string]JVMPrediction{hc55: hcTunnel(hcHS, 500)}}),
	hc5("a stalled handshake in a tunnel fails at responseTimeout",
		`{"manager": {"connectionConfig": {"connectTimeout": "2900ms", "socketTimeout": "1300ms"}, "socketConfig": {"soTimeout": "2100ms"}}, "client": {"requestConfig": {"responseTimeout": "500ms"}}}`,
		JVMScenario{Proxy: fault.ProxyStall, Predict: hcTunnel(hcRT, 500)}),
	hc5("a stalled handshake in a tunnel fails at socketTimeout where no responseTimeout is set",
		`{"manager": {"connectionConfig": {"connectTimeout": "2100ms", "socketTimeout": "500ms"}, "socketConfig": {"soTimeout": "1300ms"}}}`,
		JVMScenario{Proxy: fault.ProxyStall, Predict: hcTunnel(hcST, 500)}),
	hc5("a proxy that does not answer CONNECT fails at responseTimeout",
		`{"manager": {"connectionConfig": {"connectTimeout": "2100ms"}, "socketConfig": {"soTimeout": "1300ms"}}, "client": {"requestConfig": {"responseTimeout": "500ms"}}}`,
		JVMScenario{Proxy: fault.ProxySilent, Predict: jvmFails("SocketTimeoutException", JVMPrediction{Phase: chain.CondConnectTimeout, Setting: hcRT, Attempts: jvmNotSeen, ElapsedMS: 500})}),
	hc5("a pooled tunnel reads by the responseTimeout that opened it, in every release",
		`{"manager": {"socketConfig": {"soTimeout": "1300ms"}}, "context": {"/first": {"responseTimeout": "500ms"}}}`,
		JVMScenario{Proxy: fault.Proxy, Script: thenMuteS, Before: jvmFirst, Predict: hcRead(`context."/first".responseTimeout`, 500)}),
	hc5("a socketTimeout repairs the read of a pooled tunnel since 5.5.1",
		`{"manager": {"connectionConfig": {"socketTimeout": "1300ms"}, "socketConfig": {"soTimeout": "2100ms"}}, "context": {"/first": {"responseTimeout": "500ms"}}}`,
		JVMScenario{Proxy: fault.Proxy, Script: thenMuteS, Before: jvmFirst, Predict: hcRead(hcST, 1300), Differs: map[string]JVMPrediction{hc55: hcRead(`context."/first".responseTimeout`, 500)}}),
}

var hc5Retries = []JVMScenario{
	hc5("a GET on a connection that was just closed is sent again at once", `{}`,
		JVMScenario{Server: raced, Before: jvmFirst, Predict: JVMPrediction{Status: 200, Attempts: 2}}),
	hc5("a POST on a connection that was just closed is not sent again", `{}`,
		JVMScenario{Server: raced, Before: jvmFirst, Request: jvmPost, Predict: JVMPrediction{Error: "SocketException", Phase: chain.CondReset, Attempts: 1}}),
	hc5("disableAutomaticRetries ends the repeat of a GET", `{"client": {"disableAutomaticRetries": true}}`,
		JVMScenario{Server: raced, Before: jvmFirst, Predict: JVMPrediction{Error: "SocketException", Phase: chain.CondReset, Attempts: 1}}),
	hc5("a GET whose connection is reset is sent again, once and at once", `{}`,
		JVMScenario{Server: fault.Config{Mode: fault.Reset}, Predict: JVMPrediction{Error: "SocketException", Phase: chain.CondReset, Attempts: 2}}),
	hc5("a POST that is answered 503 is sent again after a second", `{}`,
		JVMScenario{Server: fault.Config{Mode: fault.Unavailable}, Request: jvmPost, Predict: JVMPrediction{Status: 503, Attempts: 2, ElapsedMS: 1000}}),
	hc5("a 503 is not repeated where responseTimeout is shorter than the wait", `{"client": {"requestConfig": {"responseTimeout": "500ms"}}}`,
		JVMScenario{Server: fault.Config{Mode: fault.Unavailable}, Request: jvmPost, Predict: JVMPrediction{Status: 503, Attempts: 1}}),
	hc5("a retryStrategy says how often and after which wait", `{"client": {"retryStrategy": {"maxRetries": 2, "defaultRetryInterval": "500ms"}}}`,
		JVMScenario{Server: fault.Config{Mode: fault.Unavailable}, Predict: JVMPrediction{Status: 503, Attempts: 3, ElapsedMS: 1000}}),
	hc5("a Retry-After beats the wait, and since 5.5.1 responseTimeout too", `{"client": {"requestConfig": {"responseTimeout": "1500ms"}}}`,
		JVMScenario{
			Server: fault.Config{Mode: fault.Unavailable, RetryAfter: "2"}, Request: jvmPost, Predict: JVMPrediction{Status: 503, Attempts: 2, ElapsedMS: 2000},
			Differs: map[string]JVMPrediction{hc55: {Status: 503, Attempts: 1}}, Unmodelled: "the model has no Retry-After",
		}),
	hc5("a Retry-After of zero waits the default second", `{}`,
		JVMScenario{Server: fault.Config{Mode: fault.Unavailable, RetryAfter: "0"}, Request: jvmPost, Predict: JVMPrediction{Status: 503, Attempts: 2, ElapsedMS: 1000}}),
}

// hc5Connections say which connection a second request has: Connections counts
// those that it opens.
var hc5Connections = []JVMScenario{
	hc5("an announced keep-alive time beats connectionKeepAlive", `{"client": {"requestConfig": {"connectionKeepAlive": "30s"}}}`,
		JVMScenario{Script: &jvmScript{KeepAlive: "timeout=1", Steps: []jvmStep{{}}}, Before: jvmFirst, PauseMS: 1500, Predict: JVMPrediction{Status: 200, Attempts: 1, Connections: 1}}),
	hc5("an announced keep-alive time beats a shorter connectionKeepAlive, too", `{"client": {"requestConfig": {"connectionKeepAlive": "500ms"}}}`,
		JVMScenario{Script: &jvmScript{KeepAlive: "timeout=30", Steps: []jvmStep{{}}}, Before: jvmFirst, PauseMS: 1500, Predict: JVMPrediction{Status: 200, Attempts: 1, Connections: jvmNone}}),
	hc5("a connection that is idle longer than connectionKeepAlive is not used again", `{"client": {"requestConfig": {"connectionKeepAlive": "500ms"}}}`,
		JVMScenario{Script: answers, Before: jvmFirst, PauseMS: 1300, Predict: JVMPrediction{Status: 200, Attempts: 1, Connections: 1}}),
	hc5("a connectionKeepAlive of zero keeps a connection", `{"client": {"requestConfig": {"connectionKeepAlive": "0s"}}}`,
		JVMScenario{Script: answers, Before: jvmFirst, PauseMS: 1300, Predict: JVMPrediction{Status: 200, Attempts: 1, Connections: jvmNone}}),
	hc5("an announced keep-alive time of zero keeps a connection", `{"client": {"requestConfig": {"connectionKeepAlive": "500ms"}}}`,
		JVMScenario{Script: &jvmScript{KeepAlive: "timeout=0", Steps: []jvmStep{{}}}, Before: jvmFirst, PauseMS: 1300, Predict: JVMPrediction{Status: 200, Attempts: 1, Connections: jvmNone}}),
	hc5("a timeToLive of zero opens a connection for each request", `{"manager": {"connectionConfig": {"timeToLive": "0s"}}}`,
		JVMScenario{Script: answers, Before: jvmFirst, Predict: JVMPrediction{Status: 200, Attempts: 1, Connections: 1}}),
	hc5("an idleTimeout closes an idle connection since 5.6", `{"manager": {"connectionConfig": {"idleTimeout": "500ms"}}}`,
		JVMScenario{Script: answers, On: []string{boot41, hc56}, Before: jvmFirst, PauseMS: 1300, Predict: JVMPrediction{Status: 200, Attempts: 1, Connections: 1}}),
}

func springed(name, settings string, on []string, s JVMScenario) []JVMScenario {
	s.Name, s.Settings, s.On = name, settings, on
	template, client := s, s
	template.Product, client.Product = "resttemplate", "restclient"
	return []JVMScenario{template, client}
}

// rejects is a setting that the release does not have.
func rejects(setter string) JVMPrediction { return JVMPrediction{Error: setter, Phase: condRejected} }

var onBalance = jvm.Request{Path: "/balance"}
