package sample

import (
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

// Ingressed is the insurance stack with an ingress-nginx in place of the NGINX.
func Ingressed() *chain.Stack {
	return &chain.Stack{Name: "insurance", Dir: "examples/insurance", Routes: []*chain.Route{IngressedRoute()}}
}

// IngressedRoute is its one route, in values that no other call shares.
func IngressedRoute() *chain.Route {
	r := InsuranceRoute()
	n := Node(r, "proxy")
	n.Type, n.Product = "ingressNginx", "ingressNginx 1.13.0"
	n.Settings = nil
	for _, s := range []struct {
		path, text string
		isWritten  bool
	}{
		{"annotations.proxy-connect-timeout", "3", true},
		{"annotations.proxy-send-timeout", "10", true},
		{"configMap.proxy-read-timeout", "125", true},
		{"annotations.proxy-next-upstream", "error timeout", false},
		{"annotations.proxy-next-upstream-tries", "1", true},
		{"annotations.proxy-next-upstream-timeout", "0", false},
		{"annotations.proxy-buffering", "off", false},
		{"annotations.proxy-request-buffering", "on", false},
		{"annotations.proxy-http-version", "1.1", false},
		{"configMap.client-header-timeout", "60", false},
		{"configMap.keep-alive", "150", true},
		{"configMap.upstream-keepalive-connections", "320", false},
		{"configMap.upstream-keepalive-timeout", "50", true},
		{"configMap.upstream-keepalive-time", "1h", false},
		{"configMap.worker-shutdown-timeout", "240s", false},
		{"configMap.retry-non-idempotent", "false", false},
	} {
		n.Settings = append(n.Settings, ingress(s.path, s.text, s.isWritten))
	}
	connect := call(chain.Connect, 3*time.Second, n.Settings[0].Origin)
	connect.End = chain.AtSecured
	header := call(chain.ResponseHeader, 125*time.Second, n.Settings[2].Origin)
	connect.Fires, header.Fires = "504", "504"
	n.Calls()[0].Layers = []chain.ClientLayer{{Limits: []chain.Limit{connect, header}}}
	return r
}

func ingress(path, text string, isWritten bool) chain.Setting {
	block, name, _ := strings.Cut(path, ".")
	s := setting(block, "proxy.ingressNginx."+block+`."`+name+`"`, "ingressNginx."+name, "ingressNginx 1.13.0", text, isWritten)
	s.Origin.Name = name
	return s
}
