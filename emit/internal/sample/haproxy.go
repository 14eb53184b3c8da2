package sample

import (
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

// Balanced is the insurance stack with an HAProxy in place of the NGINX.
func Balanced() *chain.Stack {
	return &chain.Stack{Name: "insurance", Dir: "examples/insurance", Routes: []*chain.Route{BalancedRoute()}}
}

// BalancedRoute is its one route, in values that no other call shares.
func BalancedRoute() *chain.Route {
	r := InsuranceRoute()
	n := Node(r, "proxy")
	n.Type, n.Product = "haproxy", "haproxy 2.6"
	n.Settings = nil
	for _, s := range []struct {
		block, name, text string
		source            chain.Source
	}{
		{"defaults", "retries", "0", chain.Written},
		{"defaults.timeout", "client", "150s", chain.Written},
		{"defaults.timeout", "client-fin", "150s", chain.Derived},
		{"defaults.timeout", "client-hs", "150s", chain.Derived},
		{"defaults.timeout", "http-request", "10s", chain.Written},
		{"defaults.timeout", "http-keep-alive", "150s", chain.Written},
		{"defaults.timeout", "connect", "3s", chain.Written},
		{"backend.timeout", "server", "125s", chain.Written},
		{"backend.timeout", "server-fin", "125s", chain.Derived},
		{"defaults.timeout", "queue", "2s", chain.Written},
		{"defaults.timeout", "tarpit", "3s", chain.Derived},
		{"defaults.option", "redispatch", "false", chain.Default},
		{"defaults", "http-reuse", "safe", chain.Default},
		{"backend.default-server", "maxconn", "200", chain.Written},
		{"defaults.default-server", "pool-purge-delay", "5s", chain.Default},
		{"defaults.default-server", "pool-max-conn", "-1", chain.Default},
		{"backend", "server", "10.0.1.11:8080 10.0.1.12:8080 maxconn 50 weight 3", chain.Written},
	} {
		n.Settings = append(n.Settings, haproxy(s.block, s.name, s.text, s.source))
	}
	find := func(name string) chain.Origin {
		for _, s := range n.Settings {
			if s.Origin.Name == name {
				return s.Origin
			}
		}
		panic("sample: no " + name)
	}
	connect := call(chain.Connect, 3*time.Second, find("connect"))
	connect.End = chain.AtSecured
	limits := []chain.Limit{connect, call(chain.WriteGap, 125*time.Second, find("server")), call(chain.ResponseHeader, 125*time.Second, find("server")),
		call(chain.ResponseReadGap, 125*time.Second, find("server")), call(chain.PoolWait, 2*time.Second, find("queue"))}
	for i := range limits {
		limits[i].Fires = "504"
	}
	limits[0].Fires, limits[4].Fires = "503", "503"
	c := n.Calls()[0]
	c.Layers = []chain.ClientLayer{{Limits: limits}}
	return r
}

func haproxy(block, name, text string, source chain.Source) chain.Setting {
	outer, inner, _ := strings.Cut(block, ".")
	if outer == "backend" {
		outer = "backend.api"
	}
	if inner != "" {
		inner += "."
	}
	s := setting(block, "proxy.haproxy."+outer+"."+inner+name, "haproxy."+inner+name, "haproxy 2.6", text, true)
	s.Origin.Source = source
	return s
}
