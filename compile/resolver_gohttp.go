package compile

import (
	"slices"

	"tchain.dev/tchain/chain"
)

// adjustGoHTTP settles what a net.Dialer makes of a zero: its own 15 s, also where
// http.DefaultTransport, whose dialer says 30 s, is what is changed.
func adjustGoHTTP(e *effective) {
	keepsNone(e)
	adjustGoHTTP2(e)
	idlesFew(e)
	for _, s := range e.settings {
		keepsAlive := slices.ContainsFunc(s.field.Limits, func(l LimitSpec) bool { return l.Kind == chain.TCPKeepalive && l.Side == chain.Calling })
		if keepsAlive && s.written() && s.state == known && s.d == 0 {
			s.sets("15s", "15s")
			s.origin.Note = "0 acts as 15s"
		}
	}
}

// keepsNone settles a negative number of idle connections: each is closed after its
// answer, as DisableKeepAlives has it.
func keepsNone(e *effective) {
	for _, name := range []string{"MaxIdleConns", "MaxIdleConnsPerHost"} {
		s := e.named(name, nil)
		if s == nil || !s.written() || s.state != known || s.sign() >= 0 {
			continue
		}
		if off := e.named("DisableKeepAlives", s); off != nil && !off.on() {
			off.sets(true, "true")
			e.remark(chain.NoticeIgnored, s, nil, "%s %s acts as DisableKeepAlives: no connection is used again", s.origin.Name, s.text)
		}
	}
}

// idlesFew says of idle connections for one host that MaxIdleConns, which is for all of
// them, keeps fewer.
func idlesFew(e *effective) {
	each := e.named("MaxIdleConnsPerHost", nil)
	all := e.named("MaxIdleConns", each)
	if e.http2 != "" || !each.written() || each.state != known || all.state != known || all.sign() <= 0 || all.number() >= each.number() {
		return
	}
	each.origin.Note = "acts as " + all.text + ": " + all.origin.Name + " is for all hosts together"
	e.remark(chain.NoticeIgnored, each, all, "%s %s %s", each.origin.Name, each.text, each.origin.Note)
}

// goHTTP2Repeats is how often a request is repeated on HTTP/2 whose connection took none:
// https://github.com/golang/go/blob/go1.26.0/src/net/http/h2_bundle.go, RoundTripOpt.
const goHTTP2Repeats = 7

// goResend is what net/http repeats by itself: on each idle connection that was closed,
// too, and then on a new one.
func (e *effective) goResend(once *chain.Retry) *chain.Retry {
	each := e.named("MaxIdleConnsPerHost", nil)
	all := e.named("MaxIdleConns", each)
	if once != nil && e.http2 != "" {
		out := *once
		out.Attempts.N = attemptsOf(goHTTP2Repeats)
		return &out
	}
	if once == nil || each.state != known || all.state != known || each.sign() <= 0 {
		return once
	}
	idle, of := each.number(), each
	if n := all.number(); n > 0 && n < idle {
		idle, of = n, all
	}
	out := *once
	out.Attempts = chain.Size{N: attemptsOf(idle), Origin: of.origin}
	return &out
}
