package compile

import (
	"slices"
	"testing"
)

func TestUnmetIsWhatNoRouteHasInForce(t *testing.T) {
	for _, row := range []struct {
		name, edge, routes string
		want               []string
	}{
		{"what a location has on every route", `server: proxy_read_timeout: "20s", location: "/a": proxy_read_timeout: "8s"`, `"GET /a": {}`, []string{"edge.nginx.server.proxy_read_timeout"}},
		{"what another route has in force", `server: proxy_read_timeout: "20s", location: "/a": proxy_read_timeout: "8s"`, `"GET /a": {}, "GET /b": {}`, nil},
		{"a location that no route meets", `location: "/never/": proxy_read_timeout: "8s"`, `"GET /a": {}`, []string{`edge.nginx.location."/never/".proxy_read_timeout`}},
		{"a route's own", ``, `"GET /a": at: edge: nginx: server: send_timeout: "8s"`, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := resolveText(t, `package shop

tchain: "v1"
name: "shop"
layers: {
	edge: nginx: {version: "1.28.0", `+row.edge+`}
	api: app: {deadline: total: "9s"}
}
path: ["edge", "api"]
routes: {`+row.routes+`}
`)
			var got []string
			for _, u := range s.Unmet {
				got = append(got, u.Origin.Setting)
			}
			if !slices.Equal(got, row.want) {
				t.Errorf("%q, want %q", got, row.want)
			}
		})
	}
}
