// Package sample holds resolved stacks for the tests of the targets, built by
// hand so that the targets need no CUE.
package sample

import (
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

// Insurance is the stack of examples/insurance as compile resolves it.
func Insurance() *chain.Stack {
	return &chain.Stack{Name: "insurance", Dir: "examples/insurance", Routes: []*chain.Route{InsuranceRoute()}}
}

// InsuranceRoute is its one route, in values that no other call shares.
func InsuranceRoute() *chain.Route {
	auth := &chain.Node{
		Layer: "auth", Type: "external", Product: "auth", Role: chain.RoleLeaf,
		Serve: []chain.Limit{serve(chain.IdleKeepalive, 60*time.Second, written("auth.external.idleKeepalive", "60s"))},
		Work:  chain.Work{Avg: value(800*time.Millisecond, "auth.external.latency.avg", "800ms"), P99: value(12*time.Second, "auth.external.latency.p99", "12s")},
	}
	api := &chain.Node{
		Layer: "api", Type: "app", Product: "app", Role: chain.RoleBuffering,
		Instances: chain.Size{N: 6, Origin: written("api.instances", "6")},
		Deadline: chain.Deadline{
			Total:    value(110*time.Second, "api.app.deadline.total", "110s"),
			PerCall:  value(90*time.Second, "api.app.deadline.perCall", "90s"),
			Reserve:  value(5*time.Second, "api.app.deadline.reserve", "5s"),
			Enforced: true,
		},
		Steps: []chain.Step{{Calls: []*chain.Call{authCall(auth)}}},
	}
	connect := call(chain.Connect, 3*time.Second, written("proxy.nginx.server.proxy_connect_timeout", "3s"))
	connect.End = chain.AtSecured
	proxy := &chain.Node{
		Layer: "proxy", Type: "nginx", Product: "nginx 1.28.0", Role: chain.RolePassing, Cancel: chain.CancelPropagates,
		Serve: []chain.Limit{serve(chain.IdleKeepalive, 150*time.Second, written("proxy.nginx.server.keepalive_timeout", "150s"))},
		Settings: []chain.Setting{
			nginx("server", "client_header_timeout", "60s", false),
			nginx("server", "proxy_connect_timeout", "3s", true),
			nginx("server", "proxy_send_timeout", "10s", true),
			nginx("server", "proxy_read_timeout", "125s", true),
			nginx("server", "proxy_next_upstream", "error timeout", false),
			nginx("server", "proxy_next_upstream_tries", "1", true),
			nginx("server", "proxy_next_upstream_timeout", "0", false),
			nginx("server", "proxy_http_version", "1.0", false),
			nginx("server.proxy_set_header", "Connection", "close", false),
			nginx("server", "proxy_buffering", "on", false),
			nginx("server", "client_body_timeout", "60s", false),
			nginx("server", "send_timeout", "60s", false),
			nginx("server", "keepalive_timeout", "150s", true),
			nginx("server", "keepalive_requests", "1000", false),
			nginx("server", "keepalive_time", "1h", false),
			nginx("server", "resolver_timeout", "30s", false),
			nginx("upstream", "server", "10.0.1.11:8080 10.0.1.12:8080 10.0.1.13:8080 10.0.1.14:8080 10.0.1.15:8080 10.0.1.16:8080", true),
			nginx("upstream", "max_fails", "1", false),
			nginx("upstream", "fail_timeout", "10s", false),
			nginx("upstream", "keepalive", "0", false),
			nginx("upstream", "keepalive_timeout", "60s", false),
			nginx("upstream", "keepalive_requests", "1000", false),
			nginx("upstream", "keepalive_time", "1h", false),
		},
		Steps: []chain.Step{{Calls: []*chain.Call{{To: api, Product: "nginx 1.28.0", Addresses: 6, OneByOne: true, Skips: []chain.Moment{chain.AtResolved}, Layers: []chain.ClientLayer{{Limits: []chain.Limit{
			connect,
			call(chain.WriteGap, 10*time.Second, written("proxy.nginx.server.proxy_send_timeout", "10s")),
			call(chain.ResponseHeader, 125*time.Second, written("proxy.nginx.server.proxy_read_timeout", "125s")),
			call(chain.ResponseReadGap, 125*time.Second, written("proxy.nginx.server.proxy_read_timeout", "125s")),
		}, Retry: &chain.Retry{
			Attempts: chain.Size{N: 1, Origin: written("proxy.nginx.server.proxy_next_upstream_tries", "1")}, CapAddresses: true,
			On:        []chain.Cond{chain.CondRefused, chain.CondReset, chain.CondStale, chain.CondConnectTimeout, chain.CondTimeout},
			OnMethods: []string{"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"},
		}}}}}}},
	}
	idle := written("edge.alb.idle_timeout", "145")
	edge := &chain.Node{
		Layer: "edge", Type: "alb", Product: "alb", Role: chain.RolePassing,
		Settings: []chain.Setting{
			alb("", "idle_timeout", "145", true),
			alb("", "client_keep_alive", "3600", false),
			alb("target_group", "deregistration_delay", "300", false),
			alb("target_group", "slow_start", "0", false),
			alb("target_group.health_check", "interval", "30", false),
			alb("target_group.health_check", "timeout", "5", false),
			alb("target_group.health_check", "healthy_threshold", "5", false),
			alb("target_group.health_check", "unhealthy_threshold", "2", false),
		},
		Steps: []chain.Step{{Calls: []*chain.Call{{To: proxy, Product: "alb", Addresses: 1, OneByOne: true, Skips: []chain.Moment{chain.AtResolved},
			Idle: []chain.Limit{call(chain.IdleKeepalive, 145*time.Second, idle)},
			Layers: []chain.ClientLayer{{Limits: []chain.Limit{
				call(chain.Connect, 10*time.Second, chain.Origin{Source: chain.Fixed, Layer: "edge", Name: "connect", Text: "10s"}),
				call(chain.WriteGap, 145*time.Second, idle),
				call(chain.ResponseFirstByte, 145*time.Second, idle),
				call(chain.ResponseReadGap, 145*time.Second, idle),
			}}}}}}},
	}
	web := &chain.Node{Layer: "web", Type: "browser", Product: "browser", Role: chain.RoleCaller,
		Steps: []chain.Step{{Calls: []*chain.Call{{To: edge, TLS: true, Addresses: 1, Layers: []chain.ClientLayer{{Limits: []chain.Limit{
			call(chain.TotalDeadline, 160*time.Second, written("web.browser.fetch.signal.timeout", "160000"))}}}}}}}}
	return &chain.Route{
		Name: "GET /v1/affiliation/health-insurance", Method: "GET", Pathname: "/v1/affiliation/health-insurance",
		Path: []string{"web", "edge", "proxy", "api", "auth"}, Root: web, TPS: 3000,
	}
}

func authCall(auth *chain.Node) *chain.Call {
	at := func(path, text string) chain.Origin { return written("api.app.clients.auth.httpclient5."+path, text) }
	response := at("client.requestConfig.responseTimeout", "90s")
	off := at("client.disableAutomaticRetries", "true")
	fifty := at("manager.maxConnPerRoute", "50")
	connect := call(chain.Connect, 3*time.Second, at("manager.connectionConfig.connectTimeout", "3s"))
	connect.Per = chain.PerAddress
	tls := call(chain.TLSHandshake, 3*time.Second, at("manager.tlsConfig.handshakeTimeout", "3s"))
	tls.Per = chain.PerRead
	return &chain.Call{
		To: auth, Client: "auth", Product: "httpclient5 5.5.1", TLS: true, Addresses: 1,
		Unbounded: []chain.Unbounded{{Phase: chain.AtResolved, Reason: "name resolution has no limit"}, {Phase: chain.AtRequestSent, Reason: "the classic client has no write limit"}},
		Upkeep:    []chain.Limit{call(chain.StaleCheck, 2*time.Second, chain.Origin{Source: chain.Default, Name: "validateAfterInactivity", Text: "2s"})},
		Layers: []chain.ClientLayer{{
			Limits: []chain.Limit{
				call(chain.PoolWait, time.Second, at("client.requestConfig.connectionRequestTimeout", "1s")),
				connect,
				tls,
				call(chain.ResponseFirstByte, 90*time.Second, response),
				call(chain.ResponseReadGap, 90*time.Second, response),
			},
			Retry: &chain.Retry{Attempts: chain.Size{N: 1, Origin: off}, Origin: off},
		}},
		Pool: &chain.Pool{PerHost: chain.Size{N: 50, Origin: fifty}, Total: chain.Size{N: 50, Origin: at("manager.maxConnTotal", "50")}},
		Idle: []chain.Limit{call(chain.IdleKeepalive, 30*time.Second, at("client.requestConfig.connectionKeepAlive", "30s"))},
	}
}

// Node is the node of a layer; it panics if the route has none.
func Node(r *chain.Route, layer string) *chain.Node {
	for _, n := range r.Nodes() {
		if n.Layer == layer {
			return n
		}
	}
	panic("sample: no layer " + layer)
}

// Set gives a node's setting another value, as somebody who writes it would.
func Set(n *chain.Node, block, name, text string) {
	for i, s := range n.Settings {
		if s.Block == block && s.Origin.Name == name {
			n.Settings[i].Value, n.Settings[i].Origin.Text, n.Settings[i].Origin.Source = text, text, chain.Written
			return
		}
	}
	add := nginx
	switch n.Type {
	case "alb":
		add = alb
	case "istio":
		add = func(block, name, text string, _ bool) chain.Setting { return istio(block+"."+name, text, true) }
	case "envoy":
		add = func(block, name, text string, _ bool) chain.Setting {
			return envoy(strings.TrimPrefix(block+"."+name, "."), text, true)
		}
	case "gatewayAPI":
		add = func(block, name, text string, _ bool) chain.Setting { return gateway(block, name, text) }
	case "ingressNginx":
		add = func(block, name, text string, _ bool) chain.Setting { return ingress(block+"."+name, text, true) }
	case "haproxy":
		add = func(block, name, text string, _ bool) chain.Setting { return haproxy(block, name, text, chain.Written) }
	}
	n.Settings = append(n.Settings, add(block, name, text, true))
}

func nginx(block, name, text string, isWritten bool) chain.Setting {
	path, id := "proxy.nginx."+block+"."+name, "nginx."+name
	if block == "upstream" {
		path, id = "proxy.nginx.upstream.api."+name, "nginx.upstream."+name
	}
	return setting(block, path, id, "nginx 1.28.0", text, isWritten)
}

func alb(block, name, text string, isWritten bool) chain.Setting {
	path, id := "edge.alb."+name, "alb."+name
	if inner, ok := strings.CutPrefix(block, "target_group"); ok {
		path, id = "edge.alb.target_group.proxy"+inner+"."+name, "alb."+block+"."+name
	}
	return setting(block, path, id, "alb", text, isWritten)
}

func setting(block, path, id, product, text string, isWritten bool) chain.Setting {
	o := written(path, text)
	o.ID, o.Product = id, product
	if !isWritten {
		o.Source = chain.Default
	}
	return chain.Setting{Block: block, Value: text, Origin: o}
}

func written(path, text string) chain.Origin {
	at := len(path)
	for at > 0 && path[at-1] != '.' {
		at--
	}
	return chain.Origin{Source: chain.Written, Setting: path, Name: path[at:], Text: text}
}

func value(d time.Duration, path, text string) chain.Value {
	return chain.Value{D: d, Origin: written(path, text)}
}

func call(k chain.Kind, d time.Duration, o chain.Origin) chain.Limit {
	l := serve(k, d, o)
	l.Side = chain.Calling
	return l
}

func serve(k chain.Kind, d time.Duration, o chain.Origin) chain.Limit {
	p, _ := chain.PresetOf(k)
	return chain.Limit{Kind: k, Side: chain.Answering, Start: p.Start, End: p.End, Reset: p.Reset, Bound: d, Fires: chain.FiresError, Origin: o}
}

// Named is a route of the samples under another name, with what follows from it.
func Named(r *chain.Route, name string) *chain.Route {
	method, path, ok := strings.Cut(name, " ")
	if !ok {
		method, path = "", name
	}
	host, rest, _ := strings.Cut(path, "/")
	r.Name, r.Method, r.Host = name, method, host
	r.Prefix = strings.HasSuffix(path, "/") || strings.HasSuffix(path, "...}")
	r.Pathname = "/" + strings.TrimSuffix(rest, "{$}") // as package compile has it
	return r
}
