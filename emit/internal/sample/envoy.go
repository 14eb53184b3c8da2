package sample

import (
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

// Fronted is the insurance stack with an Envoy in place of the NGINX.
func Fronted() *chain.Stack {
	return &chain.Stack{Name: "insurance", Dir: "examples/insurance", Routes: []*chain.Route{FrontedRoute()}}
}

// FrontedRoute is its one route, in values that no other call shares.
func FrontedRoute() *chain.Route {
	r := InsuranceRoute()
	n := Node(r, "proxy")
	n.Type, n.Product = "envoy", "envoy 1.34"
	n.Settings = nil
	for _, s := range []struct {
		path, text string
		isWritten  bool
	}{
		{"drain-time-s", "600", false},
		{"http_connection_manager.stream_idle_timeout", "300s", false},
		{"http_connection_manager.request_timeout", "0s", false},
		{"http_connection_manager.common_http_protocol_options.idle_timeout", "150s", true},
		{"http_connection_manager.common_http_protocol_options.max_requests_per_connection", "0", false},
		{"timeout", "125s", true},
		{"retry_policy.retry_on", "connect-failure retriable-status-codes", true},
		{"retry_policy.num_retries", "1", false},
		{"retry_policy.per_try_timeout", "62.5s", true},
		{"retry_policy.retriable_status_codes", "502 503", true},
		{"retry_policy.retry_back_off.base_interval", "0.025s", false},
		{"retry_policy.retry_back_off.max_interval", "0.25s", false},
		{"cluster.connect_timeout", "3s", true},
		{"cluster.circuit_breakers.max_connections", "40", true},
		{"cluster.circuit_breakers.max_pending_requests", "1024", false},
		{"cluster.common_http_protocol_options.idle_timeout", "50s", true},
	} {
		n.Settings = append(n.Settings, envoy(s.path, s.text, s.isWritten))
	}
	of := func(name string) chain.Origin {
		for _, s := range n.Settings {
			if s.Origin.Name == name {
				return s.Origin
			}
		}
		panic("sample: no setting " + name)
	}
	whole := call(chain.TotalDeadline, 125*time.Second, of("timeout"))
	attempt := call(chain.AttemptDeadline, 62500*time.Millisecond, of("per_try_timeout"))
	attempt.End = chain.AtHeaderEnd
	connect := call(chain.Connect, 3*time.Second, of("connect_timeout"))
	whole.Fires, attempt.Fires, connect.Fires = "504", "504", "503"
	n.Calls()[0].Layers = []chain.ClientLayer{{Limits: []chain.Limit{whole, attempt, connect}}}
	return r
}

func envoy(path, text string, isWritten bool) chain.Setting {
	path = strings.TrimPrefix(path, "route.")
	at := path
	if name, _, _ := strings.Cut(path, "."); name == "timeout" || name == "idle_timeout" || name == "retry_policy" {
		at = "route." + path
	}
	block := at[:max(strings.LastIndexByte(at, '.'), 0)]
	return setting(block, "proxy.envoy."+strings.Replace(at, "cluster.", "cluster.api.", 1), "envoy."+path, "envoy 1.34", text, isWritten)
}
