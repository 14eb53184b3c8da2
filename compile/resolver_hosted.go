package compile

import (
	"time"

	"tchain.dev/tchain/chain"
)

// adjustAPIGateway: the integration's limit depends on the kind of API.
func adjustAPIGateway(e *effective) {
	s, protocol := e.find("timeoutInMillis"), e.find("protocol").text
	if s == nil {
		return
	}
	if protocol == "HTTP" && !s.written() {
		s.sets(int64(30_000), "30000")
		s.origin.Text = s.text
	}
	if !s.written() || s.state != known {
		return
	}
	endpoint := e.find("endpointType").text
	refuse := func(why string) {
		e.remark(chain.NoticeRejected, s, nil, "timeoutInMillis %s is refused: %s", s.text, why)
	}
	switch {
	case s.d < 50*time.Millisecond:
		refuse("it is at least 50")
	case protocol == "HTTP" && s.d > 30*time.Second:
		refuse("an HTTP API takes at most 30000, which no quota raises")
	case protocol == "WEBSOCKET" && s.d > 29*time.Second:
		refuse("a WebSocket API takes at most 29000")
	case protocol == "REST" && s.d > 29*time.Second && endpoint == "EDGE":
		refuse("an edge-optimized API takes at most 29000; a quota is raised for regional and private ones only")
	case protocol == "REST" && s.d > 29*time.Second && !atLeast(e.asOf, "2024-06"):
		refuse("before 2024-06 a REST API took at most 29000")
	}
}

// adjustCloudFront: the API refuses a total below the read limit.
func adjustCloudFront(e *effective) {
	total, read := e.find("ResponseCompletionTimeout"), e.find("OriginReadTimeout")
	if total.written() && total.state == known && read.finite() && total.d < read.d {
		e.remark(chain.NoticeRejected, total, read, "ResponseCompletionTimeout %s is refused: it is below OriginReadTimeout %s", total.text, read.text)
	}
}

// adjustGCPLB: a regional balancer takes less, and with a retry policy all
// attempts share the backend service's limit unless the route has its own.
func adjustGCPLB(e *effective) {
	if s := e.find("targetProxy.httpKeepAliveTimeoutSec"); s.written() && s.d > 600*time.Second && e.find("region").written() {
		e.remark(chain.NoticeRejected, s, nil, "httpKeepAliveTimeoutSec %s is outside of what a regional balancer takes, 5 to 600", s.text)
	}
	all, one := e.find("routeAction.timeout"), e.find("timeoutSec")
	if all.state == unset {
		if one != nil && e.find("routeAction.retryPolicy.retryConditions").written() {
			all.becomes(one, "timeout not set: timeoutSec")
		} else {
			all.mute()
		}
	}
}
