package compile

import (
	"slices"
	"time"

	"tchain.dev/tchain/chain"
)

// okhttpNext is how long after one address fastFallback dials the next:
// https://github.com/square/okhttp/blob/parent-5.4.0/okhttp/src/commonJvmAndroid/kotlin/okhttp3/internal/connection/FastFallbackExchangeFinder.kt
const okhttpNext = 250 * time.Millisecond

// resolveOkHTTP leaves the dispatcher out for calls that are executed, and lets
// a further address be dialled while the ones before still wait.
func resolveOkHTTP(in clientInput) clientOutput {
	out := in.Defaults
	if s := in.find("enqueue"); !s.on() {
		out.Pool = nil
		out.Unbounded = slices.DeleteFunc(out.Unbounded, func(u chain.Unbounded) bool { return u.Phase == chain.AtLease })
	}
	if s := in.find("retryOnConnectionFailure"); s != nil && !s.on() {
		out.Resend = nil
	}
	if s := in.find("fastFallback"); s.on() && in.Addresses > 1 {
		out.Next, out.NextBeside = chain.Value{D: okhttpNext, Origin: s.origin}, true
		for i := range out.Limits {
			l := &out.Limits[i]
			if l.Kind == chain.Connect && l.Bound != chain.Never {
				l.Per, l.Bound = chain.PerAttempt, chain.Add(l.Bound, time.Duration(in.Addresses-1)*okhttpNext)
				l.Origin.Note = "a further address is dialled every 250 ms"
			}
		}
	}
	return out
}

// adjustFeign takes the retries away that Spring Cloud OpenFeign does not
// switch on, and the pool where HttpClient 5 is not said to be below.
func adjustFeign(e *effective) {
	open := len(e.blocks.child("openfeign")) > 0
	if open && len(e.blocks.child("retryer")) == 0 {
		if s := e.find("retryer.maxAttempts"); s != nil {
			s.sets(int64(1), "1")
			s.origin.Text, s.origin.Note = "1", "Spring Cloud OpenFeign sets NEVER_RETRY"
		}
	}
	if len(e.blocks.child("openfeign").child("httpclient")) == 0 {
		for _, s := range e.settings {
			if s.block == "openfeign.httpclient" || s.block == "openfeign.httpclient.hc5" {
				s.mute()
			}
		}
	}
	for _, name := range []string{"properties.ribbon.ConnectTimeout", "properties.ribbon.ReadTimeout"} {
		switch s := e.find(name); {
		case !s.written():
		case e.find("url").written():
			e.remark(chain.NoticeIgnored, s, nil, "%s %s has no effect: with a url Feign does not go through Ribbon", s.origin.Name, s.text)
		default:
			e.open = append(e.open, s.origin.Name+" is Ribbon's: what it does below Feign is not checked")
		}
	}
	for _, pair := range [][2]string{{"openfeign.httpclient.connectionTimeout", "options.connectTimeout"}, {"openfeign.httpclient.hc5.socketTimeout", "options.readTimeout"}} {
		if s, winner := e.find(pair[0]), e.find(pair[1]); s.written() {
			e.remark(chain.NoticeIgnored, s, winner, "%s %s has no effect on Feign's calls: %s %s is put into every request", s.origin.Name, s.text, pair[1], winner.text)
		}
	}
}

// resolveFeign drops a retry that makes one attempt.
func resolveFeign(in clientInput) clientOutput {
	out := in.Defaults
	if out.Retry != nil && out.Retry.Attempts.N <= 1 {
		out.Retry = nil
	}
	return out
}

// resolveHTTPClient4 settles the read time, which falls back to the socket's,
// that of the handshake, and the repeats.
func resolveHTTPClient4(in clientInput) clientOutput {
	out := in.Defaults
	read, socket, connect := in.find("requestConfig.socketTimeout"), in.find("socketConfig.soTimeout"), in.find("requestConfig.connectTimeout")
	from := func(kind chain.Kind, s *setting, note string) {
		for i := range out.Limits {
			l := &out.Limits[i]
			if l.Kind != kind {
				continue
			}
			bound, why, _ := s.bound()
			l.Bound, l.Why, l.Zero, l.Origin = bound, why, why == zeroIsNone, s.origin
			l.Origin.Note = note
		}
	}
	if read.state == known && read.d < 0 {
		from(chain.ResponseFirstByte, socket, "socketTimeout not set: soTimeout")
		from(chain.ResponseReadGap, socket, "socketTimeout not set: soTimeout")
	}
	if socket.state == known && socket.d == 0 && connect.finite() && !in.Tunnel { // through a tunnel it is layered on a socket that is connected
		from(chain.TLSHandshake, connect, "soTimeout is 0: the handshake has connectTimeout")
	}
	count, off := in.find("retryHandler.retryCount"), in.find("disableAutomaticRetries")
	if off.on() || count.state != known || count.number() == 0 {
		return out
	}
	r := &chain.Retry{
		Attempts: chain.Size{N: attemptsOf(count.number()), Origin: count.origin}, On: []chain.Cond{chain.CondReset, chain.CondKilled, chain.CondStale},
		OnMethods: []string{"GET", "HEAD", "OPTIONS", "TRACE", "DELETE"}, Hidden: !count.written(), Origin: count.origin,
	}
	if in.find("retryHandler.requestSentRetryEnabled").on() {
		r.OnMethods = nil
	}
	out.Retry = r
	return out
}
