package conformance

import (
	"maps"
	"slices"

	"tchain.dev/tchain/conformance/fault"
)

// Scenarios are all runs, one product after the other.
func Scenarios() []Scenario { return slices.Concat(NGINXScenarios(), BlockRows(), JVMRows()) }

// NGINXScenarios are the runs of NGINX, in the order of a request's way.
func NGINXScenarios() []Scenario {
	var out []Scenario
	for _, group := range [][]Scenario{nginxPhases, nginxBodies, nginxRetries, nginxConnections} {
		for _, s := range group {
			s.Product = NGINX
			out = append(out, s)
		}
	}
	return out
}

// times is a number of equal upstreams.
func times(n int, c fault.Config) []fault.Config {
	var out []fault.Config
	for range n {
		out = append(out, c)
	}
	return out
}

func with(base map[string]string, more ...string) map[string]string {
	out := maps.Clone(base)
	for i := 0; i < len(more); i += 2 {
		out[more[i]] = more[i+1]
	}
	return out
}

var (
	silent = fault.Config{Mode: fault.Silent}
	works  = fault.Config{Mode: fault.OK}

	read2s = map[string]string{"proxy_read_timeout": "2s"}
	reuses = map[string]string{
		"proxy_read_timeout":          "2s",
		"proxy_http_version":          "1.1",
		"proxy_set_header Connection": `""`,
		"upstream.keepalive":          "2",
	}
	// headerless lacks the header line that keeps a connection before 1.29.7.
	headerless = map[string]string{
		"proxy_read_timeout": "2s",
		"proxy_http_version": "1.1",
		"upstream.keepalive": "2",
	}
)

// nginxPhases are the phases before the response, each on one upstream.
var nginxPhases = []Scenario{
	{
		Name:      "a blackholed upstream is answered 504 at proxy_connect_timeout",
		Settings:  map[string]string{"proxy_connect_timeout": "2s"},
		Upstreams: times(1, fault.Config{Mode: fault.Backlog}),
		Predict:   Prediction{Status: 504, By: NGINX, Setting: "proxy_connect_timeout", Attempts: 1, ElapsedMS: 2000},
	},
	{
		Name:      "a refused connection is answered 502 at once",
		Settings:  read2s,
		Upstreams: times(1, fault.Config{Mode: fault.Refuse}),
		Predict:   Prediction{Status: 502, By: NGINX, Attempts: 1},
	},
	{
		Name:      "a stalled TLS handshake is answered 504 at proxy_connect_timeout",
		Settings:  map[string]string{"proxy_connect_timeout": "2s"},
		Upstreams: times(1, fault.Config{Mode: fault.TLSStall, TLS: true}),
		Predict:   Prediction{Status: 504, By: NGINX, Setting: "proxy_connect_timeout", Attempts: 1, ElapsedMS: 2000},
	},
	{
		Name:      "a request body that is not read is answered 504 at proxy_send_timeout",
		Settings:  map[string]string{"proxy_send_timeout": "2s"},
		Upstreams: times(1, fault.Config{Mode: fault.TLSStall}),
		Method:    "POST",
		BodyBytes: 24 << 20,
		Predict:   Prediction{Status: 504, By: NGINX, Setting: "proxy_send_timeout", Attempts: 1, ElapsedMS: 2000},
	},
	{
		Name:      "a silent upstream is answered 504 at proxy_read_timeout",
		Settings:  read2s,
		Upstreams: times(1, silent),
		Predict:   Prediction{Status: 504, By: NGINX, Setting: "proxy_read_timeout", Attempts: 1, ElapsedMS: 2000},
	},
	{
		Name:      "a header that drips does not extend proxy_read_timeout",
		Settings:  read2s,
		Upstreams: times(1, fault.Config{Mode: fault.HeaderDrip, IntervalMS: 200}),
		Predict:   Prediction{Status: 504, By: NGINX, Setting: "proxy_read_timeout", Attempts: 1, ElapsedMS: 2000},
	},
	{
		Name:      "a connection that is reset after the request is answered 502 at once",
		Settings:  read2s,
		Upstreams: times(1, fault.Config{Mode: fault.Reset}),
		Predict:   Prediction{Status: 502, By: NGINX, Attempts: 1},
	},
	{
		Name:      "a connection that is closed without an answer is answered 502 at once",
		Settings:  read2s,
		Upstreams: times(1, fault.Config{Mode: fault.HangUp}),
		Predict:   Prediction{Status: 502, By: NGINX, Attempts: 1},
	},
	{
		Name:      "a proxy_read_timeout of zero is answered 504 at once although the upstream works",
		Settings:  map[string]string{"proxy_read_timeout": "0"},
		Upstreams: times(1, works),
		Predict:   Prediction{Status: 504, By: NGINX, Setting: "proxy_read_timeout", Attempts: 1},
	},
	{
		Name:      "a proxy_connect_timeout of zero is answered 504 at once although the upstream works",
		Settings:  map[string]string{"proxy_connect_timeout": "0"},
		Upstreams: times(1, works),
		Predict:   Prediction{Status: 504, By: NGINX, Setting: "proxy_connect_timeout", Attempts: 1},
	},
	{
		Name:      "a proxy_send_timeout of zero does not harm a request that is written at once",
		Settings:  map[string]string{"proxy_send_timeout": "0"},
		Upstreams: times(1, works),
		Predict:   Prediction{Status: 200, By: Upstream, Attempts: 1},
	},
	{
		Name:      "a time in two units is their sum",
		Settings:  map[string]string{"proxy_read_timeout": `"2s 500ms"`},
		Upstreams: times(1, silent),
		Predict:   Prediction{Status: 504, By: NGINX, Setting: "proxy_read_timeout", Attempts: 1, ElapsedMS: 2500},
	},
}

// nginxBodies are answers that begin.
var nginxBodies = []Scenario{
	{
		Name:      "a slow answer inside proxy_read_timeout is passed on",
		Settings:  map[string]string{"proxy_read_timeout": "4s"},
		Upstreams: times(1, fault.Config{Mode: fault.Slow, DelayMS: 2500}),
		Predict:   Prediction{Status: 200, By: Upstream, Attempts: 1, ElapsedMS: 2500},
	},
	{
		Name:      "a 503 is passed on at once",
		Settings:  read2s,
		Upstreams: times(2, fault.Config{Mode: fault.Unavailable, RetryAfter: "5"}),
		Predict:   Prediction{Status: 503, By: Upstream, Attempts: 1},
	},
	{
		Name:      "a stalled body is held back by proxy_buffering and cut at proxy_read_timeout",
		Settings:  read2s,
		Upstreams: times(1, fault.Config{Mode: fault.Stall}),
		Predict:   Prediction{Status: 200, By: Upstream, Setting: "proxy_read_timeout", Attempts: 1, ElapsedMS: 2000, Cut: true, FirstByteMS: 2000},
	},
	{
		Name:      "a stalled body that fills a buffer begins at once and is cut at proxy_read_timeout",
		Settings:  read2s,
		Upstreams: times(1, fault.Config{Mode: fault.Stall, BodyBytes: 9000}),
		Predict:   Prediction{Status: 200, By: Upstream, Setting: "proxy_read_timeout", Attempts: 1, ElapsedMS: 2000, Cut: true, FirstByteMS: AtOnce},
	},
	{
		Name:      "a stalled body without proxy_buffering begins at once and is cut at proxy_read_timeout",
		Settings:  with(read2s, "proxy_buffering", "off"),
		Upstreams: times(1, fault.Config{Mode: fault.Stall}),
		Predict:   Prediction{Status: 200, By: Upstream, Setting: "proxy_read_timeout", Attempts: 1, ElapsedMS: 2000, Cut: true, FirstByteMS: AtOnce},
	},
	{
		Name:      "a trickled body is held back by proxy_buffering and never ended by proxy_read_timeout",
		Settings:  read2s,
		Upstreams: times(1, fault.Config{Mode: fault.Trickle, IntervalMS: 500}),
		ObserveMS: 6000,
		Predict:   Prediction{Attempts: 1, Running: true, FirstByteMS: NoByte},
	},
	{
		Name:      "a trickled body without proxy_buffering begins at once and is never ended by proxy_read_timeout",
		Settings:  with(read2s, "proxy_buffering", "off"),
		Upstreams: times(1, fault.Config{Mode: fault.Trickle, IntervalMS: 500}),
		ObserveMS: 6000,
		Predict:   Prediction{Status: 200, Attempts: 1, Running: true, FirstByteMS: AtOnce},
	},
}
