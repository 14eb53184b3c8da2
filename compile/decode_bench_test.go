package compile

import (
	"testing"

	"cuelang.org/go/cue/parser"
)

const insuranceStack = `package insurance

tchain: "v1"
name:   "insurance"

layers: {
	web: browser: fetch: signal: timeout: 160_000
	edge: alb: idle_timeout: 145
	proxy: nginx: {
		version: "1.28.0"
		server: {
			keepalive_timeout:         "150s" // longer than the balancer's 145 s, or reuse races
			proxy_connect_timeout:     "3s"
			proxy_send_timeout:        "10s"
			proxy_read_timeout:        "125s"
			proxy_next_upstream_tries: 1 // six addresses would outlive everyone outside
		}
		upstream: api: server: ["10.0.1.11:8080", "10.0.1.12:8080", "10.0.1.13:8080", "10.0.1.14:8080", "10.0.1.15:8080", "10.0.1.16:8080"]
	}
	api: {
		instances: 6
		app: {
			runtime: {springBoot: "3.5.9", jdk: "21"}
			server: tomcat: threads: max: 200
			deadline: {total: "110s", perCall: "90s", reserve: "5s", enforced: true}
			clients: auth: httpclient5: {
				manager: {
					maxConnPerRoute: 50
					maxConnTotal:    50
					connectionConfig: connectTimeout: "3s"
					tlsConfig: handshakeTimeout:      "3s"
				}
				client: {
					requestConfig: {responseTimeout: "90s", connectionRequestTimeout: "1s", connectionKeepAlive: "30s"}
					disableAutomaticRetries: true
				}
			}
		}
	}
	auth: {
		endpoint: scheme: "https"
		external: {idleKeepalive: "60s", latency: {avg: "800ms", p99: "12s"}}
	}
}

routes: "GET /v1/affiliation/health-insurance": {
	path: ["web", "edge", "proxy", "api", "auth"]
	tps: 3
}
`

func TestDecodeFindsNothingWrongInTheInsuranceStack(t *testing.T) {
	d, errs := decodeText(t, insuranceStack, nil)
	if len(errs) > 0 || len(d.Layers) != 5 || len(d.Routes) != 1 {
		t.Errorf("%s%+v", shownErrors(errs), d)
	}
}

func BenchmarkDecode(b *testing.B) {
	src, errs := sourceOf(b, "stack.cue", insuranceStack, nil)
	if len(errs) > 0 {
		b.Fatal(shownErrors(errs))
	}
	cat := testCatalogue()
	for b.Loop() {
		if _, errs := decode(src, cat); len(errs) > 0 {
			b.Fatal(shownErrors(errs))
		}
	}
}

// BenchmarkRead is the reader alone: parsing, evaluation and the index of places.
func BenchmarkRead(b *testing.B) {
	src, _ := sourceOf(b, "stack.cue", insuranceStack, nil)
	w := &worker{r: src.r}
	for b.Loop() {
		if _, errs := w.read(src.target); len(errs) > 0 {
			b.Fatal(shownErrors(errs))
		}
	}
}

// BenchmarkParse is what no reader of CUE gets below: the same bytes as syntax.
func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parser.ParseFile("stack.cue", insuranceStack); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCatalogueTable(b *testing.B) {
	for b.Loop() {
		everyType(b)
	}
}
