package compile

import (
	"slices"

	"tchain.dev/tchain/chain"
)

// adjustGoHTTP settles what a net.Dialer makes of a zero: its own 15 s, also where
// http.DefaultTransport, whose dialer says 30 s, is what is changed.
func adjustGoHTTP(e *effective) {
	keepsNone(e)
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
