package targets

import (
	"strings"
	"testing"

	"tchain.dev/tchain/emit"
)

// Two layers of a type, of which a route crosses the one or the other.
const narrowed = `layers: {
	one: %L
	two: %L
	api: app: {server: gohttp: {}, clients: bank: gohttp: {Transport: {ResponseHeaderTimeout: "5s", Dialer: Timeout: "1s", IdleConnTimeout: "9s"}}}
	job: app: {runtime: springBoot: "3.5.9", server: tomcat: {}, clients: bank: httpclient5: {
		manager: connectionConfig: connectTimeout: "1s"
		client: requestConfig: {responseTimeout: "5s", connectionRequestTimeout: "1s", connectionKeepAlive: "30s"}
	}}
	bank: external: idleKeepalive: "60s"
}
routes: {
	"GET /v1/{id}": path: ["one", "api", "bank"]
	"POST /v1/": {path: ["one", "api", "bank"], at: one: %OTHER}
	"GET /v1/{id}/b": {path: ["one", "api", "bank"], at: one: %OTHER}
	"GET h.example/a": path: ["two", "job", "bank"]
	"GET h.example/a/b": {path: ["two", "job", "bank"], at: two: %OTHER}
}
`

// What a narrowed output calls a thing is what the whole one calls it: the names of its
// files, of objects in them, and the place of a rule. Files that list routes say that
// they are not the whole.
func TestNamesDoNotDependOnTheRoutesThatAreKept(t *testing.T) {
	for _, row := range []struct {
		target, layer, other string
		part                 string // what each part of a file begins with that is as in the whole
	}{
		{"alb", `alb: {}`, `{}`, ""},
		{"envoy", `envoy: route: timeout: "9s"`, `envoy: route: timeout: "7s"`, ""},
		{"gateway-api", `gatewayAPI: rule: timeouts: request: "9s"`, `gatewayAPI: rule: timeouts: request: "7s"`, "- op: test\n"},
		{"go", `nginx: {}`, `{}`, ""},
		{"haproxy", `haproxy: defaults: timeout: {connect: "1s", client: "9s", server: "9s"}`, `{}`, ""},
		{"ingress-nginx", `ingressNginx: annotations: "proxy-read-timeout": "9"`, `ingressNginx: annotations: "proxy-read-timeout": "7"`, "apiVersion: "},
		{"istio", `istio: virtualService: http: timeout: "9s"`, `istio: virtualService: http: timeout: "7s"`, ""},
		{"nginx", `nginx: location: "/": proxy_read_timeout: "9s"`, `{}`, ""},
		{"node", `browser: fetch: signal: timeout: 9000`, `{}`, ""},
		{"prometheus", `nginx: {}`, `{}`, ""},
		{"spring", `nginx: {}`, `{}`, ""},
	} {
		t.Run(row.target, func(t *testing.T) {
			s, errs := read(t, strings.NewReplacer("%L", row.layer, "%OTHER", row.other).Replace(narrowed))
			if errs != nil {
				t.Fatal(errs)
			}
			target, _ := Named(row.target)
			files, _, err := target.Emit(s, emit.Options{})
			if err != nil {
				t.Fatal(err)
			}
			whole := map[string]string{}
			for _, f := range files {
				whole[f.Name] = string(f.Content)
			}
			for _, r := range s.Routes {
				files, warnings, err := target.Emit(s, emit.Options{Routes: []string{r.Name}})
				if no, ok := err.(*emit.Refusal); ok && no.Nothing {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range files {
					of, ok := whole[f.Name]
					if !ok {
						t.Errorf("%s: %s is no file of all routes", r.Name, f.Name)
					}
					if row.part == "" {
						continue
					}
					for _, part := range strings.Split(string(f.Content), row.part)[1:] {
						own, _, _ := strings.Cut(part, "\n#") // what follows is the next one's comment
						if !strings.Contains(of, row.part+strings.TrimRight(strings.TrimSuffix(own, "---\n"), "\n")) {
							t.Errorf("%s: not as in the whole %s:\n%s%s", r.Name, f.Name, row.part, own)
						}
					}
				}
				said := false
				for _, w := range warnings {
					said = said || strings.Contains(w.Message, "has only what --route keeps")
				}
				if lists := row.target == "envoy" || row.target == "istio" || row.target == "nginx"; said != lists {
					t.Errorf("%s: it says that it is not the whole: %v, want %v", r.Name, said, lists)
				}
			}
		})
	}
}
