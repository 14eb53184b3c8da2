package compile

import (
	"time"

	"tchain.dev/tchain/chain"
)

// adjustAPIGateway: the integration's limit, and the most that it takes, depend
// on the kind of API.
func adjustAPIGateway(e *effective) {
	s, protocol := e.find("timeoutInMillis"), e.find("protocol").text
	if s == nil {
		return
	}
	if protocol == "HTTP" && !s.written() {
		s.sets(int64(30_000), "30000")
		s.origin.Text = s.text
	}
	if s.state != known {
		return
	}
	endpoint := e.find("endpointType").text
	atMost := func(most, why string) {
		f := *s.field
		f.Max, s.field = most, &f
		if d, _ := s.field.Notation.Parse(most); s.written() && s.d > d {
			e.remark(chain.NoticeRejected, s, nil, "timeoutInMillis %s is refused: %s", s.text, why)
			s.reckonsWith(most)
		}
	}
	if s.d < 50*time.Millisecond {
		e.remark(chain.NoticeRejected, s, nil, "timeoutInMillis %s is refused: it is at least 50", s.text)
		s.reckonsWith("50")
	}
	switch {
	case protocol == "HTTP":
		atMost("30000", "an HTTP API takes at most 30000, which no quota raises")
	case protocol == "WEBSOCKET":
		atMost("29000", "a WebSocket API takes at most 29000")
	case endpoint == "EDGE":
		atMost("29000", "an edge-optimized API takes at most 29000; a quota is raised for regional and private ones only")
	case !atLeast(e.asOf, "2024-06"):
		atMost("29000", "before 2024-06 a REST API took at most 29000")
	}
}

// adjustCloudFront: the API refuses a total below the read limit.
func adjustCloudFront(e *effective) {
	total, read := e.find("ResponseCompletionTimeout"), e.find("OriginReadTimeout")
	if total.written() && total.state == known && read.finite() && total.d < read.d {
		e.remark(chain.NoticeRejected, total, read, "ResponseCompletionTimeout %s is refused: it is below OriginReadTimeout %s", total.text, read.text)
	}
}

// adjustALB: the API answers "Health check interval must be greater than the timeout."
func adjustALB(e *effective) {
	every, wait := e.find("health_check.interval"), e.find("health_check.timeout")
	if every == nil || wait == nil || every.state != known || wait.state != known || every.d > wait.d {
		return
	}
	switch {
	case every.written():
		e.remark(chain.NoticeRejected, every, wait, "interval %s is refused: it has to be longer than timeout %s", every.text, wait.text)
	case wait.written():
		e.remark(chain.NoticeRejected, wait, every, "timeout %s is refused: it has to be shorter than interval %s", wait.text, every.text)
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
