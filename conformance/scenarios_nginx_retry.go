package conformance

import "tchain.dev/tchain/conformance/fault"

// nginxRetries are groups of more than one upstream.
var nginxRetries = []Scenario{
	{
		Name:      "a GET to two silent upstreams is tried on both",
		Settings:  read2s,
		Upstreams: times(2, silent),
		Predict:   Prediction{Status: 504, By: NGINX, Setting: "proxy_read_timeout", Attempts: 2, ElapsedMS: 4000},
	},
	{
		Name:      "a POST to two silent upstreams is tried on one",
		Settings:  read2s,
		Upstreams: times(2, silent),
		Method:    "POST",
		Predict:   Prediction{Status: 504, By: NGINX, Setting: "proxy_read_timeout", Attempts: 1, ElapsedMS: 2000},
	},
	{
		Name:      "a POST is tried on both where non_idempotent is listed",
		Settings:  with(read2s, "proxy_next_upstream", "error timeout non_idempotent"),
		Upstreams: times(2, silent),
		Method:    "POST",
		Predict:   Prediction{Status: 504, By: NGINX, Setting: "proxy_read_timeout", Attempts: 2, ElapsedMS: 4000},
	},
	{
		Name:      "a POST to two blackholes is tried on both because nothing was sent",
		Settings:  map[string]string{"proxy_connect_timeout": "2s"},
		Upstreams: times(2, fault.Config{Mode: fault.Backlog}),
		Method:    "POST",
		Predict:   Prediction{Status: 504, By: NGINX, Setting: "proxy_connect_timeout", Attempts: 2, ElapsedMS: 4000},
	},
	{
		Name:      "a POST that is refused moves on to an upstream that works",
		Settings:  read2s,
		Upstreams: []fault.Config{{Mode: fault.Refuse}, works},
		Method:    "POST",
		Predict:   Prediction{Status: 200, By: Upstream, Attempts: 2},
	},
	{
		Name:      "a GET that is reset moves on to an upstream that works",
		Settings:  read2s,
		Upstreams: []fault.Config{{Mode: fault.Reset}, works},
		Predict:   Prediction{Status: 200, By: Upstream, Attempts: 2},
	},
	{
		Name:      "a POST that is reset is answered 502 at once",
		Settings:  read2s,
		Upstreams: []fault.Config{{Mode: fault.Reset}, works},
		Method:    "POST",
		Predict:   Prediction{Status: 502, By: NGINX, Attempts: 1},
	},
	{
		Name:      "a 503 moves on where http_503 is listed",
		Settings:  with(read2s, "proxy_next_upstream", "error timeout http_503"),
		Upstreams: []fault.Config{{Mode: fault.Unavailable}, works},
		Predict:   Prediction{Status: 200, By: Upstream, Attempts: 2},
	},
	{
		Name:      "proxy_next_upstream_tries 1 means one attempt",
		Settings:  with(read2s, "proxy_next_upstream_tries", "1"),
		Upstreams: times(2, silent),
		Predict:   Prediction{Status: 504, By: NGINX, Setting: "proxy_read_timeout", Attempts: 1, ElapsedMS: 2000},
	},
	{
		Name:      "proxy_next_upstream off means one attempt",
		Settings:  with(read2s, "proxy_next_upstream", "off"),
		Upstreams: times(2, silent),
		Predict:   Prediction{Status: 504, By: NGINX, Setting: "proxy_read_timeout", Attempts: 1, ElapsedMS: 2000},
	},
	{
		Name:      "proxy_next_upstream_tries above the number of upstreams adds none",
		Settings:  with(read2s, "proxy_next_upstream_tries", "5"),
		Upstreams: times(2, silent),
		Predict:   Prediction{Status: 504, By: NGINX, Setting: "proxy_read_timeout", Attempts: 2, ElapsedMS: 4000},
	},
	{
		Name:      "proxy_next_upstream_timeout is looked at only between attempts",
		Settings:  with(read2s, "proxy_next_upstream_timeout", "3s"),
		Upstreams: times(3, silent),
		Predict:   Prediction{Status: 504, By: NGINX, Setting: "proxy_read_timeout", Attempts: 2, ElapsedMS: 4000},
	},
}

// nginxConnections depend on what an earlier request left behind.
var nginxConnections = []Scenario{
	{
		Name:      "a GET on a pooled connection that was just closed is sent again",
		Settings:  reuses,
		Upstreams: times(1, fault.Config{Mode: fault.IdleRace}),
		Before:    1,
		Predict:   Prediction{Status: 200, By: Upstream, Attempts: 2},
	},
	{
		Name:      "a POST on a pooled connection that was just closed is answered 502",
		Settings:  reuses,
		Upstreams: times(1, fault.Config{Mode: fault.IdleRace}),
		Method:    "POST",
		Before:    1,
		Predict:   Prediction{Status: 502, By: NGINX, Attempts: 1},
	},
	{
		Name:      "a POST on a pooled connection that was just closed is sent again where non_idempotent is listed",
		Settings:  with(reuses, "proxy_next_upstream", "error timeout non_idempotent"),
		Upstreams: times(1, fault.Config{Mode: fault.IdleRace}),
		Method:    "POST",
		Before:    1,
		Predict:   Prediction{Status: 200, By: Upstream, Attempts: 2},
	},
	{
		Name:      "a GET on a pooled connection that was just closed is answered 502 with proxy_next_upstream off",
		Settings:  with(reuses, "proxy_next_upstream", "off"),
		Upstreams: times(1, fault.Config{Mode: fault.IdleRace}),
		Before:    1,
		Predict:   Prediction{Status: 502, By: NGINX, Attempts: 1},
	},
	{
		Name:      "a GET on a pooled connection that was just closed is answered 502 where error is not listed",
		Settings:  with(reuses, "proxy_next_upstream", "timeout http_503"),
		Upstreams: times(1, fault.Config{Mode: fault.IdleRace}),
		Before:    1,
		Predict:   Prediction{Status: 502, By: NGINX, Attempts: 1},
	},
	{
		Name:      "proxy_next_upstream_tries 1 does not count the repeat on a pooled connection that was just closed",
		Settings:  with(reuses, "proxy_next_upstream_tries", "1"),
		Upstreams: times(1, fault.Config{Mode: fault.IdleRace}),
		Before:    1,
		Predict:   Prediction{Status: 200, By: Upstream, Attempts: 2},
	},
	{
		Name:      "keepalive without the header line keeps no connection: a POST meets none that was just closed",
		Settings:  headerless,
		Upstreams: times(1, fault.Config{Mode: fault.IdleRace}),
		Method:    "POST",
		Before:    1,
		Predict:   Prediction{Status: 200, By: Upstream, Attempts: 1},
	},
	{
		Name:      "a location with a header line of its own takes none of the server's, and keeps no connection",
		Settings:  with(reuses, "location.proxy_set_header X-Shop", "a"),
		Upstreams: times(1, fault.Config{Mode: fault.IdleRace}),
		Method:    "POST",
		Before:    1,
		Predict:   Prediction{Status: 200, By: Upstream, Attempts: 1},
	},
	{
		Name:      "a location with the header line of its own keeps a connection",
		Settings:  with(headerless, "location.proxy_set_header Connection", `""`),
		Upstreams: times(1, fault.Config{Mode: fault.IdleRace}),
		Method:    "POST",
		Before:    1,
		Predict:   Prediction{Status: 502, By: NGINX, Attempts: 1},
	},
	{
		Name:      "after one silent round over two upstreams the next request is answered 502 at once",
		Settings:  read2s,
		Upstreams: times(2, silent),
		Before:    1,
		Predict:   Prediction{Status: 502, By: NGINX},
	},
	{
		Name:      "max_fails 0 keeps silent upstreams in use",
		Settings:  with(read2s, "upstream.server.max_fails", "0"),
		Upstreams: times(2, silent),
		Before:    1,
		Predict:   Prediction{Status: 504, By: NGINX, Setting: "proxy_read_timeout", Attempts: 2, ElapsedMS: 4000},
	},
	{
		Name:      "a single silent upstream is never ejected",
		Settings:  read2s,
		Upstreams: times(1, silent),
		Before:    1,
		Predict:   Prediction{Status: 504, By: NGINX, Setting: "proxy_read_timeout", Attempts: 1, ElapsedMS: 2000},
	},
}
