package compile

import "testing"

// A bound of connections that counts on HTTP/1 only is none where a callee is known to
// speak HTTP/2.
func TestABoundForHTTP1IsNoneOnHTTP2(t *testing.T) {
	for name, row := range map[string]struct {
		client, endpoint string
		want             int
	}{
		"HTTP/1 by default":               {`gohttp: Transport: MaxConnsPerHost: 2`, ``, 2},
		"HTTP/1 as declared":              {`gohttp: Transport: MaxConnsPerHost: 2`, `protocol: "http/1.1"`, 2},
		"HTTP/2":                          {`gohttp: Transport: MaxConnsPerHost: 2`, `protocol: "h2"`, 0},
		"gRPC":                            {`gohttp: Transport: MaxConnsPerHost: 2`, `protocol: "grpc"`, 0},
		"a client whose bound is for all": {`custom: poolSizePerHost: 2`, `protocol: "h2"`, 2},
	} {
		s := resolveText(t, `package s
tchain: "v1"
name: "s"
layers: {
	api: app: clients: pay: `+row.client+`
	pay: {endpoint: {`+row.endpoint+`}, external: {}}
}
routes: "GET /": path: ["api", "pay"]
`)
		p := call(t, s, "api", "pay").Pool
		if p == nil || p.InForce().N != row.want || !p.PerHost.Declared() {
			t.Errorf("%s: the pool is %+v, want %d", name, p, row.want)
		}
	}
}
