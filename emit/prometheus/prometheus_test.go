package prometheus

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit/internal/golden"
	"tchain.dev/tchain/emit/internal/sample"
)

// answering has the balancers and proxies of a stack answer 504, as the products do,
// and its app run on Tomcat.
func answering(s *chain.Stack) *chain.Stack {
	for _, r := range s.Routes {
		for _, n := range r.Nodes() {
			if n.Role == chain.RoleBuffering {
				n.Settings = append(n.Settings, chain.Setting{Origin: chain.Origin{ID: "tomcat.connectionTimeout"}})
			}
			for _, c := range n.Calls() {
				for i, l := range c.Limits() {
					if n.Role == chain.RolePassing && l.Covers(chain.AtFirstByte) {
						c.Layers[0].Limits[i].Fires = "504"
					}
				}
			}
		}
	}
	return s
}

// proxied is the sample with another product in the place of its NGINX, which gives
// up by the limit of a name.
func proxied(key, limit string) *chain.Stack {
	s := sample.Insurance()
	n := sample.Node(s.Routes[0], "proxy")
	n.Type, n.Product = key, key
	c := n.Calls()[0]
	c.Product, c.Pool = key, &chain.Pool{PerHost: chain.Size{N: 40, Origin: chain.Origin{Source: chain.Default, Product: key, Name: "max_connections"}}}
	for i := range c.Layers[0].Limits {
		c.Layers[0].Limits[i].Origin.Name = limit
	}
	return answering(s)
}

// bare has an app of which nothing is known, so that only its caller measures it.
func bare(s *chain.Stack) *chain.Stack {
	sample.Node(s.Routes[0], "api").Settings = nil
	return s
}

// shop has routes of every form to one app, of different limits.
func shop() *chain.Stack {
	s := &chain.Stack{Name: "shop", Dir: "shop"}
	for _, name := range []string{"GET /u/{id}", "/f/", "POST /o/{$}", "GET /all/{rest...}"} {
		r := answering(&chain.Stack{Routes: []*chain.Route{sample.MeshedRoute()}}).Routes[0]
		s.Routes = append(s.Routes, sample.Named(r, name))
	}
	sample.Node(s.Routes[1], "proxy").Calls()[0].Layers[0].Limits[1].Bound = 120 * time.Second
	return s
}

const (
	person = "web.browser.fetch.signal.timeout: no alert tells when edge's answers come near to it: no metric of browser or alb is known for that"
	pooled = "api.app.clients.auth.httpclient5.manager.maxConnPerRoute: api has httpcomponents_httpclient_pool_total_pending, by which TchainPoolWait tells, only with " +
		`new PoolingHttpClientConnectionManagerMetricsBinder(manager, "auth").bindTo(registry): what tchain emit spring writes observes calls and not the pool, which needs micrometer-core`
	server = "api needs buckets of its own in http_server_requests_seconds, by management.metrics.distribution.slo.http.server.requests: "
	client = "api needs buckets of its own in http_client_requests_seconds, by management.metrics.distribution.slo.http.client.requests: 72s"
)

var golds = []struct {
	name     string
	stack    *chain.Stack
	warnings []string
}{
	{"insurance", answering(sample.Insurance()), []string{"proxy.nginx.server.proxy_read_timeout: no alert tells when proxy gives up on api: no metric of nginx is known for that", pooled, person, server + "100s", client}},
	{"meshed", proxied("istio", "timeout"), []string{"no alert tells when proxy waits for a connection to api: no metric of istio is known for that", pooled, person, server + "100s", client}},
	{"balanced", proxied("haproxy", "timeout.server"), []string{"proxy.nginx.server.proxy_read_timeout: no alert tells when proxy gives up on api: no metric of haproxy is known for that", pooled, person, server + "100s", client}},
	{"envoy", bare(proxied("envoy", "timeout")), []string{pooled, person, client}},
	{"ingress", bare(proxied("ingressNginx", "proxy-read-timeout")), []string{"no alert tells when proxy waits for a connection to api: no metric of ingressNginx is known for that", pooled, person,
		"proxy needs buckets of its own in nginx_ingress_controller_header_duration_seconds, by --time-buckets: 100s", client}},
	{"traefik", bare(proxied("traefik", "responseHeaderTimeout")), []string{"no alert tells when proxy waits for a connection to api: no metric of traefik is known for that", pooled, person,
		"proxy.nginx.server.proxy_read_timeout: no alert tells when api's answers come near to it: no metric of traefik or app is known for that", client}},
	{"shop", shop(), []string{"proxy.istio.virtualService.http.retries.perTryTimeout: no alert tells when proxy gives up on api: on GET /u/{id} it may, since api answers at 95s at worst", pooled, person, server + "50s, 96s", client}},
}

func TestGolden(t *testing.T) {
	for _, tc := range golds {
		files, warnings := golden.Emit(t, Target, tc.stack)
		golden.Compare(t, "testdata/"+tc.name, files)
		if d := cmp.Diff(tc.warnings, warnings); d != "" {
			t.Errorf("%s: warnings (-want +got):\n%s", tc.name, d)
		}
	}
}

// built is the program of testdata/check.
func built(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "check")
	if out, err := exec.Command("go", "build", "-C", "testdata/check", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// fires are the alerts of a file of rules after some series, but those for series
// that are not there.
func fires(t *testing.T, check, file string, series ...string) []string {
	t.Helper()
	cmd := exec.Command(check, file)
	cmd.Stdin = strings.NewReader(strings.Join(series, "\n"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", file, err, out)
	}
	var told []string
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "TchainMetricMissing") {
			told = append(told, line)
		}
	}
	return told
}

// Prometheus reads every file, and its engine fires each alert when it has to.
func TestPrometheusFires(t *testing.T) {
	check := built(t)
	for _, tc := range golds {
		files, _ := golden.Emit(t, Target, tc.stack)
		for name := range files {
			if told := fires(t, check, filepath.Join("testdata", tc.name, name+".golden")); told != nil {
				t.Errorf("%s: fires with no series: %v", tc.name, told)
			}
		}
	}
	const envoy, ingress, insurance = "envoy/insurance", "ingress/insurance", "insurance/insurance"
	const mesh = `istio_requests_total{reporter="source",source_workload="proxy",destination_service_name="api",response_code="504",response_flags="%s"} 3x20 4`
	const page = `http_server_requests_seconds_%s{job="api",method="GET",uri="/v1/affiliation/health-insurance"%s} 0+%dx20`
	for _, tc := range []struct {
		name, file string
		series     []string
		want       []string
	}{
		{"Envoy gave up once", envoy, []string{`envoy_cluster_upstream_rq_timeout{envoy_cluster_name="api"} 0x19 1`}, []string{"TchainTimedOut proxy"}},
		{"Envoy gave up long ago", envoy, []string{`envoy_cluster_upstream_rq_timeout{envoy_cluster_name="api"} 0 1x30`}, nil},
		{"Envoy gave up on another cluster", envoy, []string{`envoy_cluster_upstream_rq_timeout{envoy_cluster_name="auth"} 0x19 1`}, nil},
		{"the series is born with the first 504", ingress, []string{`nginx_ingress_controller_requests{ingress="proxy",service="api",status="504"} _x18 1x1`}, []string{"TchainTimedOut proxy"}},
		{"other answers than 504", ingress, []string{`nginx_ingress_controller_requests{ingress="proxy",service="api",status="200"} 0+1x20`}, nil},
		{"Traefik wrote its first 504", "traefik/insurance", []string{`traefik_service_requests_total{job="proxy",service="api@file",code="504"} _x18 1x1`}, []string{"TchainTimedOut proxy"}},
		{"Traefik passed a 502 on", "traefik/insurance", []string{`traefik_service_requests_total{job="proxy",service="api@file",code="502"} 0+1x20`}, nil},
		{"Traefik gave up on a service with a longer name", "traefik/insurance", []string{`traefik_service_requests_total{job="proxy",service="api2@file",code="504"} 0+1x20`}, nil},
		{"Istio gave up", "meshed/insurance", []string{fmt.Sprintf(mesh, "URX,UT")}, []string{"TchainTimedOut proxy"}},
		{"Istio passed a 504 on", "meshed/insurance", []string{fmt.Sprintf(mesh, "-")}, nil},
		{"the balancer gave up", insurance, []string{`aws_applicationelb_httpcode_elb_504_count_sum{load_balancer="app/edge/50dc"} 1`}, []string{"TchainTimedOut edge"}},
		{"another balancer gave up", insurance, []string{`aws_applicationelb_httpcode_elb_504_count_sum{load_balancer="app/edge2/50dc"} 1`}, nil},
		{"calls wait for a connection", insurance, []string{`httpcomponents_httpclient_pool_total_pending{job="api",httpclient="auth"} 2`}, []string{"TchainPoolWait api"}},
		{"no call waits", insurance, []string{`httpcomponents_httpclient_pool_total_pending{job="api",httpclient="auth"} 0`}, nil},
		{"2 of 100 answers are late", insurance, []string{fmt.Sprintf(page, "bucket", `,le="100.0"`, 98), fmt.Sprintf(page, "count", "", 100)}, []string{"TchainNearLimit api"}},
		{"1 of 200 answers is late", insurance, []string{fmt.Sprintf(page, "bucket", `,le="100"`, 199), fmt.Sprintf(page, "count", "", 200)}, nil},
		{"p99 near the balancer's limit", insurance, []string{`aws_applicationelb_target_response_time_p99{load_balancer="app/edge/50dc"} 116.5`}, []string{"TchainNearLimit proxy"}},
	} {
		if d := cmp.Diff(tc.want, fires(t, check, "testdata/"+tc.file+".rules.yaml.golden", tc.series...)); d != "" {
			t.Errorf("%s: alerts (-want +got):\n%s", tc.name, d)
		}
	}
}

// A rule for a status is no rule where somebody further in writes the same one.
func TestTheSameStatusFromWithin(t *testing.T) {
	s := proxied("ingressNginx", "proxy-read-timeout")
	sample.Node(s.Routes[0], "api").Answers = []chain.Answer{{Cond: chain.CondTimeout, Status: 504}}
	_, warnings := golden.Emit(t, Target, s)
	want := "proxy.nginx.server.proxy_read_timeout: no alert tells when proxy gives up on api: nginx_ingress_controller_requests counts the 504 of api as well"
	if !slices.Contains(warnings, want) {
		t.Errorf("warnings = %q", warnings)
	}
}

func TestWhatIsNotWatchedIsSaid(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(r *chain.Route)
		want   string
	}{
		{"a limit that the metric does not count", func(r *chain.Route) { setName(r, "stream_idle_timeout") }, "no metric of envoy is known that counts stream_idle_timeout"},
		{"a pool of a client with no metric", func(r *chain.Route) { sample.Node(r, "api").Calls()[0].Product = "okhttp 5.1" }, "no alert tells when api waits for a connection to auth: no metric of okhttp is known for that"},
		{"a limit below the first bucket", func(r *chain.Route) { limitsOf(r)[2].Bound = time.Millisecond }, "envoy_cluster_upstream_rq_time has no bucket below it"},
		{"a callee that nothing ends", func(r *chain.Route) {
			sample.Node(r, "api").Deadline = chain.Deadline{}
			sample.Node(r, "api").Calls()[0].Layers = nil
		}, "on GET /v1/affiliation/health-insurance it may, since nothing ends the work of api"},
		{"a stream", func(r *chain.Route) { r.Response.Mode = chain.Stream }, "no alert tells when answers of GET /v1/affiliation/health-insurance come near to it: metrics count a stream to its end"},
	} {
		s := bare(proxied("envoy", "timeout"))
		tc.change(s.Routes[0])
		_, warnings := golden.Emit(t, Target, s)
		if !strings.Contains(strings.Join(warnings, "\n"), tc.want) {
			t.Errorf("%s: warnings = %q", tc.name, warnings)
		}
	}
}

func limitsOf(r *chain.Route) []chain.Limit {
	return sample.Node(r, "proxy").Calls()[0].Layers[0].Limits
}

func setName(r *chain.Route, name string) {
	for i := range limitsOf(r) {
		limitsOf(r)[i].Origin.Name = name
	}
}

func TestRefusals(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(s *chain.Stack)
		want   string
	}{
		{"no metric at all", func(s *chain.Stack) { s.Routes[0].Root = sample.Node(s.Routes[0], "auth") }, "no metric is known for any layer of insurance"},
		{"a layer's name that needs quoting", func(s *chain.Stack) { sample.Node(s.Routes[0], "api").Layer = "a b" }, "a b: cannot be written by tchain emit prometheus: a layer name takes"},
		{"a client's name that needs quoting", func(s *chain.Stack) { sample.Node(s.Routes[0], "api").Calls()[0].Client = "a b" }, "a client name takes"},
	} {
		s := answering(sample.Insurance())
		tc.change(s)
		t.Run(tc.name, func(t *testing.T) { golden.Refuses(t, Target, s, tc.want) })
	}
}
