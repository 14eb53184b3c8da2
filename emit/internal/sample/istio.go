package sample

import (
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

// Meshed is the insurance stack with an Istio gateway in place of the NGINX.
func Meshed() *chain.Stack {
	return &chain.Stack{Name: "insurance", Dir: "examples/insurance", Routes: []*chain.Route{MeshedRoute()}}
}

// MeshedRoute is its one route, in values that no other call shares.
func MeshedRoute() *chain.Route {
	r := InsuranceRoute()
	n := Node(r, "proxy")
	n.Type, n.Product = "istio", "istio 1.31"
	n.Settings = nil
	for _, s := range []struct {
		path, text string
		isWritten  bool
	}{
		{"meshConfig.connectTimeout", "10s", false},
		{"virtualService.http.timeout", "125s", true},
		{"virtualService.http.retries.attempts", "1", true},
		{"virtualService.http.retries.perTryTimeout", "1m2.5s", true},
		{"virtualService.http.retries.retryOn", "connect-failure,503", true},
		{"virtualService.http.retries.backoff", "25ms", false},
		{"destinationRule.trafficPolicy.connectionPool.tcp.idleTimeout", "1h", false},
		{"destinationRule.trafficPolicy.connectionPool.tcp.maxConnections", "40", true},
		{"destinationRule.trafficPolicy.connectionPool.http.idleTimeout", "50s", true},
	} {
		n.Settings = append(n.Settings, istio(s.path, s.text, s.isWritten))
	}
	connect := call(chain.Connect, 10*time.Second, n.Settings[0].Origin)
	whole := call(chain.TotalDeadline, 125*time.Second, n.Settings[1].Origin)
	attempt := call(chain.AttemptDeadline, 62500*time.Millisecond, n.Settings[3].Origin)
	attempt.End = chain.AtHeaderEnd
	connect.Fires, whole.Fires, attempt.Fires = "503", "504", "504"
	n.Calls()[0].Layers = []chain.ClientLayer{{Limits: []chain.Limit{whole, attempt, connect}}}
	return r
}

func istio(path, text string, isWritten bool) chain.Setting {
	block := path[:strings.LastIndexByte(path, '.')]
	return setting(block, "proxy.istio."+strings.Replace(path, "destinationRule.", "destinationRule.api.", 1), "istio."+path, "istio 1.31", text, isWritten)
}
