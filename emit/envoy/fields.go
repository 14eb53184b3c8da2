package envoy

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
)

// A field is one of Envoy's, for a setting of the stack.
type field struct {
	setting string // by its path behind the type: "cluster.connect_timeout"
	path    string // in the message: "connect_timeout"
	value   func(chain.Setting, *emit.Collector) string
}

var routeFields = []field{
	{"timeout", "timeout", duration},
	{"idle_timeout", "idle_timeout", duration},
}

var retryFields = []field{
	{"retry_policy.retry_on", "retry_policy.retry_on", words},
	{"retry_policy.num_retries", "retry_policy.num_retries", whole},
	{"retry_policy.per_try_timeout", "retry_policy.per_try_timeout", duration},
	{"retry_policy.per_try_idle_timeout", "retry_policy.per_try_idle_timeout", duration},
	{"retry_policy.retriable_status_codes", "retry_policy.retriable_status_codes", list},
	{"retry_policy.retry_back_off.base_interval", "retry_policy.retry_back_off.base_interval", duration},
	{"retry_policy.retry_back_off.max_interval", "retry_policy.retry_back_off.max_interval", duration},
}

var listenerFields = named("http_connection_manager.", duration,
	"stream_idle_timeout", "request_timeout", "request_headers_timeout", "drain_timeout", "delayed_close_timeout",
	"common_http_protocol_options.idle_timeout", "common_http_protocol_options.max_connection_duration",
	"common_http_protocol_options.max_stream_duration", "common_http_protocol_options.max_requests_per_connection")

var (
	connectFields  = named("cluster.", duration, "connect_timeout")
	breakerFields  = named("cluster.circuit_breakers.", whole, "max_connections", "max_pending_requests", "max_requests", "max_retries")
	protocolFields = named("cluster.", duration, "common_http_protocol_options.idle_timeout",
		"common_http_protocol_options.max_connection_duration", "common_http_protocol_options.max_requests_per_connection")
)

// named are fields whose names are those of the settings below a block.
func named(block string, value func(chain.Setting, *emit.Collector) string, names ...string) []field {
	var out []field
	for _, n := range names {
		f := field{block + n, n, value}
		if strings.HasSuffix(n, "max_requests_per_connection") {
			f.value = whole
		}
		out = append(out, f)
	}
	return out
}

// lines are those of the fields that the stack has a value for.
func lines(h emit.Hop, fields []field, c *emit.Collector) []line {
	var out []line
	for _, f := range fields {
		if s, ok := find(h, f.setting); ok {
			out = append(out, line{f.path, f.value(s, c), emit.From(s.Origin)})
		}
	}
	return out
}

func find(h emit.Hop, path string) (chain.Setting, bool) {
	for _, s := range h.Node.Settings {
		if s.Origin.ID == "envoy."+path && s.Value != "" {
			return s, true
		}
	}
	return chain.Setting{}, false
}

// form is protobuf's own of a duration, in JSON: seconds, and no more than nine decimals.
var form = regexp.MustCompile(`^[0-9]{1,12}(\.[0-9]{1,9})?s$`)

func duration(s chain.Setting, c *emit.Collector) string {
	if !form.MatchString(s.Value) {
		c.Refuse(emit.Refuse(target, s.Origin, "a duration is in seconds with at most nine decimals: 0.25s"))
	}
	if d, err := time.ParseDuration(s.Value); err == nil && d%time.Millisecond != 0 {
		c.Refuse(emit.Refuse(target, s.Origin, "Envoy's timers count in steps of 1ms, and it would be %s there", chain.Format(d.Truncate(time.Millisecond))))
	}
	return s.Value
}

func whole(s chain.Setting, c *emit.Collector) string {
	if _, err := strconv.ParseUint(s.Value, 10, 32); err != nil {
		c.Refuse(emit.Refuse(target, s.Origin, "it is a whole number up to 4294967295"))
	}
	return s.Value
}

var word = regexp.MustCompile(`^[a-z0-9-]+$`)

func words(s chain.Setting, c *emit.Collector) string {
	all := split(s.Value)
	for _, w := range all {
		if !word.MatchString(w) {
			c.Refuse(emit.Refuse(target, s.Origin, "%q is no condition", w))
		}
	}
	return strconv.Quote(strings.Join(all, ","))
}

func list(s chain.Setting, c *emit.Collector) string {
	all := split(s.Value)
	for _, code := range all {
		if _, err := strconv.ParseUint(code, 10, 16); err != nil {
			c.Refuse(emit.Refuse(target, s.Origin, "%q is no status", code))
		}
	}
	return "[" + strings.Join(all, ", ") + "]"
}

func split(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' })
}
