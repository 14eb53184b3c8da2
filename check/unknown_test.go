package check_test

import (
	"strings"
	"testing"

	"tchain.dev/tchain/check"
)

func TestARouteWithoutARateIsNamedWhereAnotherOneHasOne(t *testing.T) {
	for rates, want := range map[string]string{
		`"GET /a": {}, "GET /b": tps: 5`: "the pool of api to price is not checked: GET /a has no tps",
		`"GET /a": {}, "GET /b": {}`:     "the pool of api to price is not checked: the route has no tps",
	} {
		var got []string
		for _, x := range check.NotChecked(stackOf(t, `
tchain: "v1"
name:   "shop"
layers: {
	api: app: {server: custom: {}, clients: price: gohttp: {Timeout: "2s", DefaultTransport: MaxConnsPerHost: 5}}
	price: external: {}
}
path: ["api", "price"]
routes: {`+rates+`}
`)) {
			got = append(got, x.Reason)
		}
		if !strings.Contains(strings.Join(got, "\n"), want) {
			t.Errorf("%s: %q", rates, got)
		}
	}
}
