package sample

import (
	"time"

	"tchain.dev/tchain/chain"
)

// Gated is the insurance stack with a Gateway API layer in place of the NGINX.
func Gated() *chain.Stack {
	return &chain.Stack{Name: "insurance", Dir: "examples/insurance", Routes: []*chain.Route{GatedRoute()}}
}

// GatedRoute is its one route, in values that no other call shares.
func GatedRoute() *chain.Route {
	r := InsuranceRoute()
	n := Node(r, "proxy")
	n.Type, n.Product = "gatewayAPI", "gatewayAPI"
	n.Settings = []chain.Setting{
		gateway("timeouts", "request", "125s"),
		gateway("timeouts", "backendRequest", "1m2s500ms"),
		gateway("retry", "attempts", "1"),
		gateway("retry", "codes", "502 503"),
		gateway("retry", "backoff", "100ms"),
	}
	whole := call(chain.TotalDeadline, 125*time.Second, n.Settings[0].Origin)
	attempt := call(chain.AttemptDeadline, 62500*time.Millisecond, n.Settings[1].Origin)
	whole.Fires, attempt.Fires = "504", "504"
	n.Calls()[0].Layers = []chain.ClientLayer{{Limits: []chain.Limit{whole, attempt}}}
	return r
}

func gateway(block, name, text string) chain.Setting {
	return setting("rule."+block, "proxy.gatewayAPI.rule."+block+"."+name, "gatewayAPI."+block+"."+name, "gatewayAPI", text, true)
}
