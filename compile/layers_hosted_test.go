package compile

import (
	"testing"
	"time"

	"tchain.dev/tchain/chain"
)

func TestLayersOfKubernetes(t *testing.T) {
	runLayers(t, []layerCase{
		{"ingress-nginx connects in 5 s and tries three pods", `ingressNginx: {}`, "", []string{
			`call connect 5s 504 annotations."proxy-connect-timeout" default`, `call response-header 60s 504 annotations."proxy-read-timeout" default`,
			`idle idle-keepalive 60s  configMap."upstream-keepalive-timeout" default`, `serve idle-keepalive 75s  configMap."keep-alive" default`,
			"retry 3 on [refused reset stale killed connect-timeout tls-timeout write-timeout timeout] of [GET HEAD OPTIONS TRACE PUT DELETE]",
		}},
		{"ingress-nginx replaces a time with a unit by the default", `ingressNginx: annotations: "proxy-read-timeout": "300s"`, "", []string{
			`call response-header 60s 504 annotations."proxy-read-timeout" default`,
			`ignored-value 5:55 proxy-read-timeout "300s" is ignored: ingress-nginx takes a bare number of seconds; the default 60 is in force`,
		}},
		{"whatever else it is", `ingressNginx: annotations: {"proxy-read-timeout": "", "proxy-send-timeout": "abc", "proxy-connect-timeout": "1.5", "proxy-next-upstream-tries": "two"}`, "", []string{
			`call response-header 60s 504 annotations."proxy-read-timeout" default`, `call connect 5s 504 annotations."proxy-connect-timeout" default`,
			`ignored-value 5:56 proxy-read-timeout "" is ignored: ingress-nginx takes a bare number of seconds; the default 60 is in force`,
			`ignored-value 5:82 proxy-send-timeout "abc" is ignored: ingress-nginx takes a bare number of seconds; the default 60 is in force`,
			`ignored-value 5:114 proxy-connect-timeout "1.5" is ignored: ingress-nginx takes a bare number of seconds; the default 5 is in force`,
			`ignored-value 5:150 proxy-next-upstream-tries "two" is ignored: ingress-nginx takes a whole number; the default 3 is in force`,
		}},
		{"and takes a sign as Go does", `ingressNginx: annotations: "proxy-read-timeout": "+90"`, "", []string{
			`call response-header 90s 504 annotations."proxy-read-timeout" written`, "no ignored-value",
		}},
		{"ingress-nginx replaces it by the ConfigMap's where that has one", `ingressNginx: {configMap: "proxy-read-timeout": "90", annotations: "proxy-read-timeout": "300s"}`, "", []string{
			`call response-header 90s 504 configMap."proxy-read-timeout" written`,
			`ignored-value 5:95 proxy-read-timeout "300s" is ignored: ingress-nginx takes a bare number of seconds; the ConfigMap's 90 is in force`,
		}},
		{"ingress-nginx takes numbers as texts, and zero at once", `ingressNginx: {configMap: {"retry-non-idempotent": "true", "proxy-next-upstream-tries": "2"}, annotations: "proxy-read-timeout": "0"}`, "", []string{
			`call response-header 0s 504 annotations."proxy-read-timeout" written`,
			"retry 2 on [refused reset stale killed connect-timeout tls-timeout write-timeout timeout] of []",
		}},
		{"ingress-nginx repeats without end where tries is 0", `ingressNginx: annotations: "proxy-next-upstream-tries": "0"`, "", []string{
			"retry endless on [refused reset stale killed connect-timeout tls-timeout write-timeout timeout] of [GET HEAD OPTIONS TRACE PUT DELETE]",
		}},
		{"releases before 0.21 asked each pod once, and those before 0.16 by themselves", `ingressNginx: version: "0.14.0"`, "", []string{
			"retry 0 on [refused reset stale killed connect-timeout tls-timeout write-timeout timeout 502 503 504] of [GET HEAD OPTIONS TRACE PUT DELETE]",
		}},
		{"ingress-nginx refuses a negative time", `ingressNginx: annotations: "proxy-read-timeout": "-5"`, "", []string{
			"rejected 5:55 proxy-read-timeout: ingressNginx does not take -5",
		}},
		{"ingress-nginx differs on one route", `ingressNginx: configMap: "upstream-keepalive-timeout": "60"`, `, at: lb: ingressNginx: annotations: "proxy-read-timeout": 300`, []string{
			"no error", "no ignored-value",
		}},
		{"F5's controller has NGINX's own values and syntax", `f5NginxIngress: annotations: "proxy-read-timeout": "2m"`, "", []string{
			`call response-header 120s 504 annotations."proxy-read-timeout" written`, `call connect 60s 504 annotations."proxy-connect-timeout" default`,
		}},
		{"F5's controller rejects what is no NGINX time", `f5NginxIngress: annotations: "proxy-read-timeout": "off"`, "", []string{
			`error 5:57 proxy-read-timeout "off" is not a duration; an NGINX time looks like "90s"`,
		}},
		{"a gateway's limits that are not written are not known", `gatewayAPI: {}`, "", []string{
			"no call", "not checked timeouts.request is not set: the gateway's implementation decides",
		}},
		{"a gateway's limits are by path", `gatewayAPI: {rule: timeouts: request: "9s", rules: "/x": {timeouts: request: "10s", retry: {attempts: 2, codes: [503]}}}`, "", []string{
			`call total-deadline 10s 504 rules."/x".timeouts.request written`, "retry 3 on [503] of []",
		}},
		{"a gateway refuses decimals", `gatewayAPI: rule: timeouts: request: "1.5s"`, "", []string{
			`rejected 5:43 request "1.5s" is refused: a Gateway API duration is whole numbers of at most five digits with h, m, s or ms`, "no call total-deadline",
		}},
		{"a gateway refuses one request that is longer than the whole", `gatewayAPI: rule: timeouts: {request: "1s", backendRequest: "2s"}`, "", []string{
			"rejected 5:66 backendRequest 2s is refused: it is longer than request 1s",
		}},
		{"a gateway takes units in any order", `gatewayAPI: rule: timeouts: request: "10s30m1h"`, "", []string{
			"call total-deadline 5410s 504 rule.timeouts.request written", "no rejected",
		}},
		{"a gateway's 0s is no limit", `gatewayAPI: rule: timeouts: {request: "0s", backendRequest: "2s"}`, "", []string{
			"call total-deadline never 504 rule.timeouts.request written", "call attempt-deadline 2s 504 rule.timeouts.backendRequest written", "no rejected",
		}},
		{"a gateway takes no days", `gatewayAPI: rule: timeouts: request: "1d"`, "", []string{
			`error 5:43 request "1d" is not a duration; a Gateway API duration looks like "10s"`,
		}},
	})
}

func TestLayersOfHostedProducts(t *testing.T) {
	runLayers(t, []layerCase{
		{"cloudfront tries three times", `cloudfront: {}`, "", []string{
			"call connect 10s 504 origin.api.ConnectionTimeout default", "call response-first-byte 30s 504 origin.api.OriginReadTimeout default", "call total-deadline never 504 origin.api.ResponseCompletionTimeout",
			"idle idle-keepalive 5s  origin.api.OriginKeepaliveTimeout default", "retry 3 on [refused connect-timeout timeout] of [GET HEAD]",
		}},
		{"cloudfront's API refuses what is outside of its ranges", `cloudfront: origin: api: {OriginReadTimeout: 60, ConnectionTimeout: 20, ResponseCompletionTimeout: 50}`, "", []string{
			"rejected 5:74 ConnectionTimeout 20 is outside of what cloudfront takes, 1 to 10", "rejected 5:105 ResponseCompletionTimeout 50 is refused: it is below OriginReadTimeout 60",
		}},
		{"cloudfront takes no units", `cloudfront: origin: api: OriginReadTimeout: "30s"`, "", []string{
			"error 5:50 OriginReadTimeout is a whole number of seconds; write 30",
		}},
		{"cloudflare connects twice for 19 s and reads for 120 s", `cloudflare: {}`, "", []string{
			"call connect 19s 522 origin_connect fixed", "call response-first-byte 120s 524 proxy_read_timeout default", "retry 2 on [connect-timeout] of []",
			"idle idle-keepalive 900s  proxy_idle_timeout fixed", "serve idle-keepalive 400s  client_idle fixed", "answers refused 521",
		}},
		{"cloudflare's other limits cannot be set", `cloudflare: {proxy_read_timeout: 7000, origin_connect: 5}`, "", []string{
			"error 5:45 origin_connect is fixed by the platform at 19s and cannot be set",
		}},
		{"cloudflare takes at most 6000 s", `cloudflare: proxy_read_timeout: 7000`, "", []string{
			"rejected 5:38 proxy_read_timeout 7000 is outside of what cloudflare takes, 1 to 6000",
		}},
		{"google's balancer ends each attempt and keeps backends' connections for 600 s", `gcpLB: {}`, "", []string{
			"call attempt-deadline 30s 504 backendService.api.timeoutSec default", "idle idle-keepalive 600s  backend_keepalive fixed",
			"serve idle-keepalive 610s  targetProxy.httpKeepAliveTimeoutSec default", "no retry", "no call total-deadline 30s",
		}},
		{"google's retries share timeoutSec", `gcpLB: {region: "europe-west6", routeAction: retryPolicy: retryConditions: ["gateway-error", "connect-failure"], backendService: api: timeoutSec: 60}`, "", []string{
			"call total-deadline 60s 504 routeAction.timeout derived", "retry 2 on [502 503 504 refused connect-timeout tls-timeout] of []",
			"serve idle-keepalive 600s  targetProxy.httpKeepAliveTimeoutSec default",
		}},
		{"google takes no timeoutSec of zero", `gcpLB: backendService: api: timeoutSec: 0`, "", []string{
			"rejected 5:46 timeoutSec 0 is outside of what gcpLB takes, 1 to 2147483647",
		}},
		{"a network balancer forgets an idle flow and answers nothing", `nlb: {}`, "", []string{
			"serve flow-idle 350s close listener.tcp_idle_timeout_seconds default", "upkeep drain 300s close target_group.api.deregistration_delay default", "no call", "no answers",
		}},
		{"a network balancer's TLS and UDP flows cannot be set", `nlb: listener: {protocol: "UDP", tcp_idle_timeout_seconds: 600}`, "", []string{
			"serve flow-idle 120s close udp_idle fixed", "no serve flow-idle 600s",
		}},
		{"a network balancer takes 60 to 6000 s", `nlb: listener: tcp_idle_timeout_seconds: 30`, "", []string{
			"rejected 5:47 tcp_idle_timeout_seconds 30 is outside of what nlb takes, 60 to 6000",
		}},
		{"API Gateway ends an integration at 29 s", `apiGateway: {}`, "", []string{"call attempt-deadline 29s 504 integration.api.timeoutInMillis default"}},
		{"API Gateway ends one of an HTTP API at 30 s, always", `apiGateway: {protocol: "HTTP", integration: api: timeoutInMillis: 31_000}`, "", []string{
			"rejected 5:72 timeoutInMillis 31000 is refused: an HTTP API takes at most 30000, which no quota raises",
			"call attempt-deadline 30s 504 integration.api.timeoutInMillis written",
		}},
		{"API Gateway's range of an HTTP API holds below it, too", `apiGateway: {protocol: "HTTP", integration: api: timeoutInMillis: 40}`, "", []string{
			"rejected 5:72 timeoutInMillis 40 is refused: it is at least 50",
		}},
		{"API Gateway's 30 s of an HTTP API is the default", `apiGateway: protocol: "HTTP"`, "", []string{"call attempt-deadline 30s 504 integration.api.timeoutInMillis default"}},
		{"API Gateway raises the quota of regional APIs only", `apiGateway: {endpointType: "EDGE", integration: api: timeoutInMillis: 60_000}`, "", []string{
			"rejected 5:76 timeoutInMillis 60000 is refused: an edge-optimized API takes at most 29000; a quota is raised for regional and private ones only",
		}},
		{"API Gateway counts milliseconds", `apiGateway: integration: api: timeoutInMillis: 29`, "", []string{
			"unit-trap 5:53 timeoutInMillis 29 is 29ms in apiGateway", "rejected 5:53 timeoutInMillis 29 is refused: it is at least 50",
			"call attempt-deadline 50ms 504 integration.api.timeoutInMillis written",
		}},
		{"Application Gateway answers 504, and v1 502", `azureAppGateway: {sku: "v1", backendHttpSettings: api: requestTimeout: 120}`, "", []string{
			"call response-first-byte 120s 502 backendHttpSettings.api.requestTimeout written", "serve request-header-read 60s 408 client_request fixed", "serve idle-keepalive 120s  client_keepalive fixed",
			"serve flow-idle 240s close frontendIPConfiguration.idleTimeoutInMinutes default",
		}},
		{"Application Gateway takes at most a day", `azureAppGateway: backendHttpSettings: api: requestTimeout: 90_000`, "", []string{
			"rejected 5:65 requestTimeout 90000 is outside of what azureAppGateway takes, 1 to 86400",
		}},
		{"Heroku answers 503 after 30 s without a byte", `herokuRouter: {}`, "", []string{
			"call connect 5s 503 dyno_connect fixed", "call response-first-byte 30s 503 first_byte fixed", "call response-read-gap 55s cut silence fixed",
		}},
		{"Heroku's router has no settings", `herokuRouter: timeout: 60`, "", []string{`error 5:20 unknown setting "timeout" in herokuRouter; see tchain settings herokuRouter`}},
		{"a classic balancer closes idle connections of both sides", `classicElb: idle_timeout: 90`, "", []string{
			"serve idle-keepalive 90s  idle_timeout written", "idle idle-keepalive 90s  idle_timeout written",
		}},
		{"and so does an application balancer", `alb: {}`, "", []string{
			"serve idle-keepalive 60s  idle_timeout default", "idle idle-keepalive 60s  idle_timeout default",
		}},
		{"a classic balancer has one limit for all silences", `classicElb: idle_timeout: 3601`, "", []string{
			"call response-first-byte 3600s 504 idle_timeout written", "idle idle-keepalive 3600s  idle_timeout written", // nothing rests on what is refused
			"rejected 5:32 idle_timeout 3601 is outside of what classicElb takes, 1 to 3600",
		}},
	})
}

func init() {
	fuzzed = append(fuzzed, "an HAProxy time", "an Envoy duration", "an Istio duration", "a bare number of seconds", "a duration in seconds",
		"a whole number of minutes", "a Traefik duration", "a Caddy duration", "an httpd time", "an httpd time in milliseconds", "a Gateway API duration")
}

func FuzzCatalogueHAProxyTime(f *testing.F)     { fuzzNotation(f, "an HAProxy time") }
func FuzzCatalogueEnvoyDuration(f *testing.F)   { fuzzNotation(f, "an Envoy duration") }
func FuzzCatalogueIstioDuration(f *testing.F)   { fuzzNotation(f, "an Istio duration") }
func FuzzCatalogueIngressSeconds(f *testing.F)  { fuzzNotation(f, "a bare number of seconds") }
func FuzzCatalogueGCPDuration(f *testing.F)     { fuzzNotation(f, "a duration in seconds") }
func FuzzCatalogueMinutes(f *testing.F)         { fuzzNotation(f, "a whole number of minutes") }
func FuzzCatalogueTraefikDuration(f *testing.F) { fuzzNotation(f, "a Traefik duration") }
func FuzzCatalogueCaddyDuration(f *testing.F)   { fuzzNotation(f, "a Caddy duration") }
func FuzzCatalogueHTTPDTime(f *testing.F)       { fuzzNotation(f, "an httpd time") }
func FuzzCatalogueHTTPDMillis(f *testing.F)     { fuzzNotation(f, "an httpd time in milliseconds") }
func FuzzCatalogueGatewayDuration(f *testing.F) { fuzzNotation(f, "a Gateway API duration") }

func TestAnAnnotationThatIsNotThereIsAddedAsABareNumber(t *testing.T) {
	s := resolveText(t, `package s
tchain: "v1"
name: "s"
layers: {lb: ingressNginx: {}, api: external: {}}
routes: "GET /": path: ["lb", "api"]
`)
	l, _ := node(t, s, "lb").Calls()[0].Limit(chain.ResponseHeader)
	text, err := l.Origin.Place.Notation.Format(90 * time.Second)
	if got := l.Origin.Place.Edit(text).NewText; err != nil || got != `annotations: "proxy-read-timeout": "90"` {
		t.Errorf("%s, %v", got, err)
	}
}
