// Package targets lists every target of `tchain emit`.
package targets

import (
	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/alb"
	"tchain.dev/tchain/emit/envoy"
	"tchain.dev/tchain/emit/gatewayapi"
	"tchain.dev/tchain/emit/gohttp"
	"tchain.dev/tchain/emit/haproxy"
	"tchain.dev/tchain/emit/ingressnginx"
	"tchain.dev/tchain/emit/istio"
	"tchain.dev/tchain/emit/nginx"
	"tchain.dev/tchain/emit/node"
	"tchain.dev/tchain/emit/prometheus"
	"tchain.dev/tchain/emit/spring"
)

// All are the targets in the order of their names.
var All = []emit.Target{
	alb.Target,
	envoy.Target,
	gatewayapi.Target,
	gohttp.Target,
	haproxy.Target,
	ingressnginx.Target,
	istio.Target,
	nginx.Target,
	node.Target,
	prometheus.Target,
	spring.Target,
}

// Named is the target of a name; ok is false if there is none.
func Named(name string) (t emit.Target, ok bool) {
	for _, t := range All {
		if t.Name == name {
			return t, true
		}
	}
	return emit.Target{}, false
}
