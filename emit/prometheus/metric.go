package prometheus

import "time"

// A metric is what a product tells Prometheus of one thing.
type metric struct {
	name   string
	labels []label
	// counts are the labels that choose what is counted among all that the metric has.
	counts []label
	gauge  bool
	// limits are the names of the limits that it counts; nil is all.
	limits []string
	// own says that what other layers wrote and this one passed on does not count.
	own bool
	// unit is that of the values of a histogram, or of a quantile in a gauge.
	unit time.Duration
	// buckets are a histogram's upper bounds where the product decides them, in its unit.
	buckets []time.Duration
	// atBucket is how a team has the histogram count a bucket of its own.
	atBucket string
	// sparse says that there is no series while nothing happens, which is then no fault.
	sparse bool
	// needs is what an app does for a client so that there is the metric; "" is nothing.
	needs string
	doc   string
}

// A label narrows a metric. Its value may hold {layer}, {peer}, {client}, {method},
// {path} and {status}; one that comes out empty is left out.
type label struct{ name, op, value string }

// A product is the metrics that it has; nil is none that is known.
type product struct {
	timeouts *metric // answers that it wrote because a limit on its callee's answer fired
	waits    *metric // calls that wait for a connection now
	calls    *metric // how long its callee took to answer
	serves   *metric // how long it took itself, by route
}

// envoyBuckets are those that Envoy and Istio have unless somebody sets others:
// https://www.envoyproxy.io/docs/envoy/latest/api-v3/config/metrics/v3/stats.proto
var envoyBuckets = milliseconds(1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 30000, 60000, 300000, 600000, 1800000, 3600000)

func milliseconds(ms ...int) []time.Duration {
	var out []time.Duration
	for _, n := range ms {
		out = append(out, time.Duration(n)*time.Millisecond)
	}
	return out
}

const micrometerBucket = "management.metrics.distribution.slo"

var serverRequests = &metric{
	name: "http_server_requests_seconds", unit: time.Second, atBucket: micrometerBucket + ".http.server.requests",
	labels: []label{{"job", "=", "{peer}"}, {"method", "=", "{method}"}, {"uri", "=~", "{path}"}},
	doc:    "https://docs.spring.io/spring-boot/reference/actuator/metrics.html#actuator.metrics.supported.spring-mvc",
}

var clientRequests = &metric{
	name: "http_client_requests_seconds", unit: time.Second, atBucket: micrometerBucket + ".http.client.requests",
	labels: []label{{"job", "=", "{layer}"}, {"client_name", "=", "{peer}"}},
	doc:    "https://docs.spring.io/spring-framework/reference/integration/observability.html#observability.http-client",
}

var boot = product{serves: serverRequests}

// products are by the key of a layer's type, of an app's server, or of a client.
var products = map[string]product{
	// The names are those of https://github.com/prometheus/cloudwatch_exporter for the statistics Sum and p99.
	"alb": {
		timeouts: &metric{
			name: "aws_applicationelb_httpcode_elb_504_count_sum", gauge: true, own: true, sparse: true,
			labels: []label{{"load_balancer", "=~", "app/{layer}/.+"}},
			doc:    "https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-cloudwatch-metrics.html",
		},
		calls: &metric{
			name: "aws_applicationelb_target_response_time_p99", gauge: true, unit: time.Second, sparse: true,
			labels: []label{{"load_balancer", "=~", "app/{layer}/.+"}},
			doc:    "https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-cloudwatch-metrics.html",
		},
	},
	"envoy": {
		timeouts: &metric{
			name: "envoy_cluster_upstream_rq_timeout", own: true, limits: []string{"timeout"}, labels: []label{{"envoy_cluster_name", "=", "{peer}"}},
			doc: "https://www.envoyproxy.io/docs/envoy/latest/configuration/upstream/cluster_manager/cluster_stats",
		},
		waits: &metric{
			name: "envoy_cluster_upstream_rq_pending_active", gauge: true, labels: []label{{"envoy_cluster_name", "=", "{peer}"}},
			doc: "https://www.envoyproxy.io/docs/envoy/latest/configuration/upstream/cluster_manager/cluster_stats",
		},
		calls: &metric{
			name: "envoy_cluster_upstream_rq_time", unit: time.Millisecond, buckets: envoyBuckets,
			labels: []label{{"envoy_cluster_name", "=", "{peer}"}},
			doc:    "https://www.envoyproxy.io/docs/envoy/latest/configuration/upstream/cluster_manager/cluster_stats",
		},
	},
	"istio": {
		timeouts: &metric{
			name: "istio_requests_total", own: true, limits: []string{"timeout", "perTryTimeout"},
			labels: []label{{"reporter", "=", "source"}, {"source_workload", "=", "{layer}"}, {"destination_service_name", "=", "{peer}"}},
			counts: []label{{"response_flags", "=~", "(.*,)?UT(,.*)?"}},
			doc:    "https://istio.io/latest/docs/reference/config/metrics/",
		},
		calls: &metric{
			name: "istio_request_duration_milliseconds", unit: time.Millisecond, buckets: envoyBuckets,
			labels: []label{{"reporter", "=", "source"}, {"source_workload", "=", "{layer}"}, {"destination_service_name", "=", "{peer}"}},
			doc:    "https://istio.io/latest/docs/reference/config/metrics/",
		},
	},
	"ingressNginx": {
		timeouts: &metric{
			name:   "nginx_ingress_controller_requests",
			labels: []label{{"ingress", "=~", "{object}(-.+)?"}, {"service", "=", "{service}"}},
			counts: []label{{"status", "=", "{status}"}},
			doc:    "https://kubernetes.github.io/ingress-nginx/user-guide/monitoring/",
		},
		calls: &metric{
			name: "nginx_ingress_controller_header_duration_seconds", unit: time.Second, atBucket: "--time-buckets",
			labels: []label{{"ingress", "=~", "{object}(-.+)?"}, {"service", "=", "{service}"}},
			doc:    "https://kubernetes.github.io/ingress-nginx/user-guide/monitoring/",
		},
	},
	// Its durations are of a request's processing, and not said to end when an answer begins.
	"traefik": {
		timeouts: &metric{
			name:   "traefik_service_requests_total",
			labels: []label{{"job", "=", "{layer}"}, {"service", "=~", "{peer}(@.+)?"}},
			counts: []label{{"code", "=", "{status}"}},
			doc:    "https://doc.traefik.io/traefik/observability/metrics/overview/#service-metrics",
		},
	},
	// Its responses are counted by class, 5xx, and its times are averages: neither tells what an alert has to know.
	"haproxy": {
		waits: &metric{
			name: "haproxy_backend_current_queue", gauge: true, labels: []label{{"proxy", "=", "{peer}"}},
			doc: "https://github.com/haproxy/haproxy/blob/master/addons/promex/README",
		},
	},
	"tomcat": boot, "jetty": boot, "undertow": boot, "netty": boot,
	"httpclient5": {
		waits: &metric{
			name: "httpcomponents_httpclient_pool_total_pending", gauge: true,
			labels: []label{{"job", "=", "{layer}"}, {"httpclient", "=", "{client}"}},
			needs:  "new PoolingHttpClientConnectionManagerMetricsBinder(manager, \"{client}\").bindTo(registry)",
			doc:    "https://github.com/micrometer-metrics/micrometer/blob/main/micrometer-core/src/main/java/io/micrometer/core/instrument/binder/httpcomponents/hc5/PoolingHttpClientConnectionManagerMetricsBinder.java",
		},
		calls: clientRequests,
	},
	"webclient": {
		waits: &metric{
			name: "reactor_netty_connection_provider_pending_connections", gauge: true,
			labels: []label{{"job", "=", "{layer}"}, {"name", "=", "{client}"}},
			needs:  "ConnectionProvider.builder(\"{client}\").metrics(true)",
			doc:    "https://projectreactor.io/docs/netty/release/api/constant-values.html",
		},
		calls: clientRequests,
	},
	"hikari": {
		waits: &metric{
			name: "hikaricp_connections_pending", gauge: true,
			labels: []label{{"job", "=", "{layer}"}, {"pool", "=", "{client}"}},
			doc:    "https://github.com/brettwooldridge/HikariCP/blob/dev/src/main/java/com/zaxxer/hikari/metrics/micrometer/MicrometerMetricsTracker.java",
		},
	},
}
