package compile

import (
	"slices"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

// neverText is the default of a setting that the product is known to leave
// without a limit.
const neverText = "never"

// zeroText reports whether a duration is written as zero.
func zeroText(text string) bool { return !strings.ContainsAny(text, "123456789") }

// responseTimeout is, among the failures of an exception, a response that is late; the
// word timeout is whatever is late.
const responseTimeout = "response-timeout"

// javaExceptions are the failures that show as an exception of a class, in the
// words of a team's own list. A status shows as an exception in Spring's clients
// and in Feign; what is said of those classes holds for them.
var javaExceptions = map[string][]string{
	"Throwable":                       {"any", "4xx", "5xx"},
	"Exception":                       {"any", "4xx", "5xx"},
	"IOException":                     {"error", "connect-timeout", "tls-timeout", "dns-timeout", "timeout"},
	"SocketException":                 {"refused", "reset", "stale"},
	"ConnectException":                {"refused", "connect-timeout"},
	"SocketTimeoutException":          {"connect-timeout", "tls-timeout", "timeout"},
	"ConnectTimeoutException":         {"connect-timeout"},
	"HttpConnectTimeoutException":     {"connect-timeout", "tls-timeout"},
	"HttpTimeoutException":            {"timeout", "connect-timeout"},
	"SslHandshakeTimeoutException":    {"tls-timeout"},
	"ReadTimeoutException":            {responseTimeout},
	"PoolAcquireTimeoutException":     {"pool-timeout"},
	"BulkheadFullException":           {"pool-timeout"},
	"UnknownHostException":            {"dns-timeout"},
	"TimeoutException":                {"timeout", "deadline"},
	"WebClientException":              {"WebClientRequestException", "WebClientResponseException"},
	"WebClientRequestException":       {"refused", "reset", "stale", "killed", "pool-timeout", "dns-timeout", "connect-timeout", "tls-timeout", "write-timeout", responseTimeout},
	"WebClientResponseException":      {"4xx", "5xx", "cut"},
	"RestClientException":             {"error", "timeout", "4xx", "5xx"},
	"ResourceAccessException":         {"error", "timeout"},
	"RestClientResponseException":     {"4xx", "5xx"},
	"HttpStatusCodeException":         {"4xx", "5xx"},
	"HttpServerErrorException":        {"5xx"},
	"HttpClientErrorException":        {"4xx"},
	"RetryableException":              {"error", "timeout"},
	"ServiceUnavailable":              {"503"},
	"TooManyRequests":                 {"429"},
	"BadGateway":                      {"502"},
	"GatewayTimeout":                  {"504"},
	"InternalServerError":             {"500"},
	"SQLTransientConnectionException": {"pool-timeout"},
}

// withoutStatuses takes the statuses out of what every exception means, for a
// client that returns them. A status that is listed itself, as a predicate on the
// result, stays.
func (s *setting) withoutStatuses(client string) {
	if s == nil {
		return
	}
	words := slices.Clone(s.words())
	for i, word := range words {
		if slices.Contains(javaExceptions[simpleName(word)], "any") {
			words[i] = "any"
			s.origin.Note = client + " throws no exception for a status"
		}
	}
	s.raw = words
}

// simpleName is a class without its package or outer class.
func simpleName(class string) string {
	return class[strings.LastIndexAny(class, ".$")+1:]
}

// apart are the limits that do not come from a setting.
func apart(limits []chain.Limit, s *setting) []chain.Limit {
	return slices.DeleteFunc(slices.Clone(limits), func(l chain.Limit) bool { return s != nil && l.Origin.Setting == s.origin.Setting })
}

// bootTimes are the times of connecting and of reading that Spring Boot's
// properties give a client; nil where they do not. A value that the release does
// not bind is noted.
func (in clientInput) bootTimes(out *clientOutput, pairs []javaProperty) (connect, read *hc5Value) {
	r := in.bootReading(out, pairs)
	return first(r.connect...), first(r.read...)
}

// A bootReading is what the properties give, the strongest first.
type bootReading struct{ connect, read []*hc5Value }

func (in clientInput) bootReading(out *clientOutput, pairs []javaProperty) bootReading {
	boot := in.versions.boot.text()
	r := &hc5Reader{clientInput: in, out: out, boot: boot}
	block := in.blocks.child("properties")
	var got bootReading
	for _, p := range in.pairs(out, pairs) {
		c, d := r.property(block, p.connect, timerConnect), r.property(block, p.read, timerRead)
		if boot != "" && !p.bound(boot) {
			r.unbound(c, timerConnect)
			r.unbound(d, timerRead)
			continue
		}
		r.whole(c, timerConnect)
		r.whole(d, timerRead)
		if c != nil {
			got.connect = append(got.connect, c)
		}
		if d != nil {
			got.read = append(got.read, d)
		}
	}
	return got
}

// by gives limits another bound, that of a property where the setting itself is
// not written.
func (v *hc5Value) by(limits []chain.Limit, s *setting) {
	if v == nil || s.written() {
		return
	}
	for i := range limits {
		if limits[i].Origin.Setting != s.origin.Setting {
			continue
		}
		l := v.limit(limits[i].Kind)
		limits[i].Bound, limits[i].Why, limits[i].Zero, limits[i].Origin = l.Bound, l.Why, l.Zero, v.origin
	}
}

// spring is the Spring Framework version that a client is used with, as
// written at the client or by the runtime; "" is open.
func (in clientInput) spring() string {
	if v := in.blocks.value("spring"); v.known() {
		return v.text()
	}
	return in.versions.springOf()
}

// longestWait is a first wait that is up to a share longer by jitter.
func longestWait(d time.Duration, share float64) time.Duration {
	return d + time.Duration(float64(d)*share)
}
